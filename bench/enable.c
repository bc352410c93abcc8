// SPDX-License-Identifier: GPL-2.0-only
/* Profiling of one thread with four counters, on and off again. */
#include "events.h"
#include "figure.h"
#include "ours.h"
#include "papi_peer.h"
#include "parts.h"

#define COUNTERS	4

static void ours_cycle(void *arg)
{
	struct ours *o = arg;

	ours_enable(o, COUNTERS);
	ours_disable(o);
}

static void perf_cycle(void *arg)
{
	events_open(arg, COUNTERS, 0);
	events_close(arg, COUNTERS);
}

void part_enable(void)
{
	struct measured m;
	struct ours o;

	events_configure(true);
	m = measure(ours_cycle, &o);
	figure_send("enable", "threadprof", COUNTERS, FIGURE_NONE, &m);
	events_configure(false);
}

void part_enable_peers(void)
{
	int fd[EVENTS], set;
	struct measured m;

	m = measure(perf_cycle, fd);
	figure_send("enable", "perf-open-close", COUNTERS, FIGURE_NONE, &m);
	set = papi_set(COUNTERS);
	m = measure(papi_start_stop, &set);
	figure_send("enable", "papi-start-stop", COUNTERS, FIGURE_NONE, &m);
}
