// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmemleak, where the kernel has it.  An object younger than a second is never
 * reported, and a pointer may sit in a register during one scan: hence the
 * pauses and the second scan.
 */
#include <fcntl.h>
#include <unistd.h>

#include "init.h"

#define KMEMLEAK "/sys/kernel/debug/kmemleak"

void leak_start(void)
{
	write_file(KMEMLEAK, "scan=off");
	write_file(KMEMLEAK, "clear");
}

void leak_report(struct port *port)
{
	char buf[4096];
	ssize_t n;
	int fd;

	if (access(KMEMLEAK, F_OK) < 0)
		return;
	for (int i = 0; i < 2; i++) {
		sleep(2);
		if (!write_file(KMEMLEAK, "scan"))
			fatal("kmemleak scan");
	}
	fd = open(KMEMLEAK, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fatal("kmemleak");
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		port_write(port, buf, n);
	close(fd);
}
