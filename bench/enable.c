// SPDX-License-Identifier: GPL-2.0-only
/* Profiling of one thread with four counters, on and off again. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "events.h"
#include "figure.h"
#include "ours.h"
#include "papi_peer.h"
#include "parts.h"

#define COUNTERS	4
#define FIRSTS		101

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

/* One cycle, which nothing has warmed up. */
static int64_t cycle_once(void)
{
	int64_t began = measure_now();
	struct ours o;

	ours_cycle(&o);
	return measure_now() - began;
}

/* What this process has not called yet is not bound in the child either. */
static int64_t in_new_process(void)
{
	int64_t took;
	int fds[2], status;
	pid_t pid;

	if (pipe(fds))
		die("pipe: %m");
	pid = fork();
	if (!pid) {
		measure_now();
		took = cycle_once();
		_exit(write(fds[1], &took, sizeof(took)) != sizeof(took));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status ||
	    read(fds[0], &took, sizeof(took)) != sizeof(took))
		die("a child could not enable");
	close(fds[0]);
	close(fds[1]);
	return took;
}

static void *new_thread(void *took)
{
	measure_now();
	*(int64_t *)took = cycle_once();
	return NULL;
}

static int64_t in_new_thread(void)
{
	pthread_t thread;
	int64_t took;

	if (pthread_create(&thread, NULL, new_thread, &took) || pthread_join(thread, NULL))
		die("can't start a thread");
	return took;
}

static void firsts(const char *contender, int64_t (*once)(void))
{
	int64_t sample[FIRSTS], clock = measure_clock();
	struct measured m;
	int i;

	for (i = 0; i < FIRSTS; i++)
		sample[i] = once() - clock;
	m = measure_sum_up(sample, FIRSTS, 1);
	figure_send("enable", contender, COUNTERS, FIGURE_NONE, &m);
}

/* In this order: a process that has enabled has no first time any more. */
void part_enable_first(void)
{
	struct ours o;

	events_configure(true);
	firsts("first-of-process", in_new_process);
	/* There are others already, as in any process that profiles its threads. */
	ours_enable(&o, COUNTERS);
	firsts("first-of-thread", in_new_thread);
	ours_disable(&o);
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
