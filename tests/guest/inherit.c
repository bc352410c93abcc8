// SPDX-License-Identifier: GPL-2.0-only
#include <sys/prctl.h>
#include <unistd.h>

#include "inherit.h"
#include "loop.h"
#include "proc.h"
#include "tap.h"

int inherit_begin(struct threadprof *tp, uint32_t flags, uint64_t mask)
{
	int fd;

	if (threadprof_enable(tp, flags, mask, &fd, NULL, NULL))
		tap_die("ENABLE: %s", threadprof_message(tp));
	return fd;
}

void inherit_end(struct threadprof *tp, int fd)
{
	threadprof_disable(tp);
	close(fd);
}

void *inherit_burner(void *arg)
{
	prctl(PR_SET_NAME, "burner");
	burn_ms(20);
	*(pid_t *)arg = proc_tid();
	return NULL;
}
