// SPDX-License-Identifier: GPL-2.0-only
/* What a context switch takes, both threads being profiled alike but where it says one. */
#include <fcntl.h>
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

#define STAT_FILE	"/tmp/bench.stat"

extern char **environ;

struct side {
	int counters;
	struct ours ours[2];
	int fd[2][EVENTS];
};

/* perf stat, looking at both threads from outside. */
struct stat_run {
	int counters;
	pid_t pid;
	int control, ack;
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

static void direct_begin(void *arg, int side)
{
	struct side *s = arg;

	ours_begin(arg, side);
	ours_settle(&s->ours[side]);
}

static void one_begin(void *arg, int side)
{
	if (!side)
		ours_begin(arg, side);
}

static void one_end(void *arg, int side)
{
	if (!side)
		ours_end(arg, side);
}

static void ours_each(const char *contender, pair_fn *begin, pair_fn *end)
{
	struct side s = { 0 };
	struct pair pair = { .begin = begin, .end = end, .arg = &s };
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
	report("configured", FIGURE_NONE, &none);
	ours_each("threadprof", ours_begin, ours_end);
	/* A profiled thread and an unprofiled one in turn. */
	ours_each("threadprof-one", one_begin, one_end);
	events_configure(false);
}

/* Registers that are readable in user mode are more for the kernel to do. */
void part_switch_direct(void)
{
	unsigned int i;

	setting("kernel/perf_user_access", 1);
	events_configure(true);
	if (ours_is_direct(1)) {
		ours_each("threadprof-direct", direct_begin, ours_end);
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

/* Its events are on when it says so: until then it loads, however long that takes. */
static void stat_begin(void *arg, const int *tid)
{
	char events[128] = "", tids[32], control[48], word[8];
	char *argv[] = { "perf", "stat", "-x,", "-o", STAT_FILE, "-D", "-1", "--control",
			 control, "-e", events, "-t", tids, NULL };
	posix_spawn_file_actions_t actions;
	struct stat_run *run = arg;
	int to[2], from[2], i;

	for (i = 0; i < run->counters; i++) {
		if (i)
			strcat(events, ",");
		strcat(events, events_perf_name[i]);
	}
	if (pipe(to) || pipe(from))
		die("pipe: %m");
	snprintf(tids, sizeof(tids), "%d,%d", tid[0], tid[1]);
	snprintf(control, sizeof(control), "fd:%d,%d", to[0], from[1]);
	/* It tells there when events go on and off. */
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&run->pid, "perf", &actions, NULL, argv, environ))
		die("can't start perf");
	posix_spawn_file_actions_destroy(&actions);
	close(to[0]);
	close(from[1]);
	run->control = to[1];
	run->ack = from[0];
	if (write(run->control, "enable\n", 7) != 7 ||
	    read(run->ack, word, sizeof(word)) < 3 || strncmp(word, "ack", 3))
		die("perf stat does not answer");
}

static void stat_end(void *arg)
{
	struct stat_run *run = arg;
	char line[256];
	int counted = 0;
	FILE *f;

	kill(run->pid, SIGINT);
	waitpid(run->pid, NULL, 0);
	close(run->control);
	close(run->ack);
	/* "<not counted>" would have cost nothing. */
	f = fopen(STAT_FILE, "re");
	while (f && fgets(line, sizeof(line), f))
		counted += line[0] >= '0' && line[0] <= '9';
	if (!f || counted != run->counters)
		die("perf stat counted %d events of %d", counted, run->counters);
	fclose(f);
}

void part_switch_perf(void)
{
	struct side s = { 0 };
	struct pair own = { .begin = perf_begin, .end = perf_end, .arg = &s };
	struct stat_run run;
	struct pair stat = { .start = stat_begin, .stop = stat_end, .arg = &run };
	unsigned int i;

	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		s.counters = events_sizes[i];
		report("perf-events", s.counters, &own);
	}
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		run.counters = events_sizes[i];
		report("perf-stat", run.counters, &stat);
	}
}
