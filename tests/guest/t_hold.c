// SPDX-License-Identifier: GPL-2.0-only
/*
 * No test: hold [MASK [FLAGS]] profiles itself, says "ready ID" and waits to be
 * killed. For tests that want somebody to be profiled.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "raw.h"
#include "tap.h"

int main(int argc, char **argv)
{
	uint64_t mask = argc > 1 ? strtoull(argv[1], NULL, 0) : 0, id;
	uint32_t flags = argc > 2 ? strtoul(argv[2], NULL, 0) : THREADPROF_ENABLE_DISPATCH;
	struct raw r;
	int fd;

	if (raw_open(&r))
		tap_die("no family");
	fd = raw_enable(&r, flags, mask, &id);
	if (fd < 0)
		tap_die("ENABLE: %s", r.message);
	printf("ready %llu\n", (unsigned long long)id);
	fflush(stdout);
	for (;;)
		pause();
}
