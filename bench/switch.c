// SPDX-License-Identifier: GPL-2.0-only
/* What a context switch takes, both threads being profiled alike. */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "events.h"
#include "figure.h"
#include "ours.h"
#include "pair.h"
#include "parts.h"

extern char **environ;

struct side {
	int counters;
	struct ours ours[2];
	int fd[2][EVENTS];
	pid_t perf;
};

static void report(const char *contender, int counters, const struct pair *pair)
{
	struct measured m = pair_measure(pair);

	figure_send("switch", contender, counters, FIGURE_NONE, &m);
}

void part_switch_unloaded(void)
{
	struct pair pair = { 0 };

	report("no-module", FIGURE_NONE, &pair);
}

static void ours_begin(void *arg, int side)
{
	struct side *s = arg;

	ours_enable(&s->ours[side], s->counters);
}

static void ours_end(void *arg, int side)
{
	struct side *s = arg;

	ours_disable(&s->ours[side]);
}

static void ours_each(const char *contender)
{
	struct side s = { 0 };
	struct pair pair = { .begin = ours_begin, .end = ours_end, .arg = &s };
	unsigned int i;

	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		s.counters = events_sizes[i];
		report(contender, s.counters, &pair);
	}
}

/* Started with THREADPROF_NO_DIRECT=1. */
void part_switch_ours(void)
{
	struct side s = { 0 };
	struct pair none = { 0 };
	struct pair dispatch = { .begin = ours_begin, .end = ours_end, .arg = &s };

	report("unprofiled", FIGURE_NONE, &none);
	report("threadprof", 0, &dispatch);
	events_configure(true);
	ours_each("threadprof");
	events_configure(false);
}

/* Registers that are readable in user mode are more for the kernel to do. */
void part_switch_direct(void)
{
	unsigned int i;

	setting("kernel/perf_user_access", 1);
	events_configure(true);
	if (ours_is_direct(1)) {
		ours_each("threadprof-direct");
	} else {
		for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++)
			figure_not_built("switch", "threadprof-direct", events_sizes[i],
					 FIGURE_NONE);
	}
	events_configure(false);
	setting("kernel/perf_user_access", 0);
}

static void perf_begin(void *arg, int side)
{
	struct side *s = arg;

	events_open(s->fd[side], s->counters, 0);
}

static void perf_end(void *arg, int side)
{
	struct side *s = arg;

	events_close(s->fd[side], s->counters);
}

static void stat_start(void *arg, const int *tid)
{
	char events[128] = "", tids[32];
	char *argv[] = { "perf", "stat", "-o", "/dev/null", "-e", events, "-t", tids, NULL };
	struct side *s = arg;
	int i;

	for (i = 0; i < s->counters; i++) {
		if (i)
			strcat(events, ",");
		strcat(events, events_perf_name[i]);
	}
	snprintf(tids, sizeof(tids), "%d,%d", tid[0], tid[1]);
	if (posix_spawnp(&s->perf, "perf", NULL, NULL, argv, environ))
		die("can't start perf");
	/* Until it has opened its events and sleeps. */
	sleep(3);
	if (waitpid(s->perf, NULL, WNOHANG))
		die("perf stat ended at once");
}

static void stat_stop(void *arg)
{
	struct side *s = arg;

	kill(s->perf, SIGINT);
	waitpid(s->perf, NULL, 0);
}

void part_switch_perf(void)
{
	struct side s = { 0 };
	struct pair own = { .begin = perf_begin, .end = perf_end, .arg = &s };
	struct pair stat = { .start = stat_start, .stop = stat_stop, .arg = &s };
	unsigned int i;

	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		s.counters = events_sizes[i];
		report("perf-events", s.counters, &own);
	}
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		s.counters = events_sizes[i];
		report("perf-stat", s.counters, &stat);
	}
}
