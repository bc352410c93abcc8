// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "loop.h"
#include "tap.h"
#include "ticks.h"

#define SPAN_MS 150

/* ELAPSED ticks, and the middle of the moment at which that was asked. */
static uint64_t look(struct threadprof *tp, double *when)
{
	struct threadprof_profile profile;
	uint64_t before = now_ns();

	if (threadprof_read(tp, &profile))
		tap_die("READ: %s", threadprof_message(tp));
	*when = (before + now_ns()) / 2.0;
	return profile.elapsed;
}

double ticks_measure(struct threadprof *tp)
{
	uint64_t first, last;
	double began, ended;
	int fd;

	if (threadprof_enable(tp, 0, 0, &fd, NULL, NULL))
		tap_die("ENABLE: %s", threadprof_message(tp));
	look(tp, &began);
	first = look(tp, &began);
	sleep_ms(SPAN_MS);
	last = look(tp, &ended);
	threadprof_disable(tp);
	close(fd);
	return (last - first) / (ended - began) * 1e9;
}
