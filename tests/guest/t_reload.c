// SPDX-License-Identifier: GPL-2.0-only
/*
 * No test: reload FILE N loads and unloads a module N times, and prints how often
 * that failed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int i, fd, failed = 0, times = argc > 2 ? atoi(argv[2]) : 1;

	for (i = 0; i < times; i++) {
		fd = open(argc > 1 ? argv[1] : "", O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			failed++;
		else if (syscall(SYS_delete_module, "threadprof", O_NONBLOCK))
			failed++;
		close(fd);
	}
	printf("%d\n", failed);
	return failed != 0;
}
