// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "die.h"
#include "pair.h"

#define WARM_UP		64
/*
 * Perf leaves its own part of a switch in the kernel's code for a second after the
 * last event of any thread, 110 to 140 instructions for everybody.
 */
#define PERF_LINGERS_S	2

struct peer {
	const struct pair *pair;
	int in, out;
	int tid;
};

/*
 * Without preemption at a wake-up both threads sleep each time. With it the one that
 * is left in the middle of its write finds its byte there: a sleep and a wake-up
 * less, some 2,700 instructions, now and then.
 */
static void policy(int policy)
{
	struct sched_param none = { 0 };

	if (sched_setscheduler(0, policy, &none))
		die("sched_setscheduler: %m");
}

static void pass(int in, int out)
{
	char c = 0;

	if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1)
		die("pipe: %m");
}

static void *peer_thread(void *arg)
{
	struct peer *peer = arg;
	const struct pair *pair = peer->pair;
	char c;

	peer->tid = syscall(SYS_gettid);
	policy(SCHED_BATCH);
	if (pair->begin)
		pair->begin(pair->arg, 1);
	while (read(peer->in, &c, 1) == 1) {
		if (write(peer->out, &c, 1) != 1)
			die("pipe: %m");
	}
	if (pair->end)
		pair->end(pair->arg, 1);
	return NULL;
}

/* Those of threads that went to sleep. */
static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static struct measured go_round(int in, int out)
{
	static int64_t sample[MEASURE_SAMPLES];
	int64_t began, clock = measure_clock();
	long before, wanted = 2L * MEASURE_SAMPLES;
	unsigned int i;

	for (i = 0; i < WARM_UP; i++)
		pass(in, out);
	before = switches();
	for (i = 0; i < MEASURE_SAMPLES; i++) {
		began = measure_now();
		pass(in, out);
		sample[i] = measure_now() - began - clock;
	}
	before = switches() - before;
	/* The kernel's own word for it, give or take what else ran. */
	if (before < wanted * 99 / 100 || before > wanted * 101 / 100)
		die("%ld switches instead of %ld", before, wanted);
	return measure_sum_up(sample, MEASURE_SAMPLES, 2);
}

struct measured pair_measure(const struct pair *pair)
{
	int to[2], from[2], tid[2];
	struct peer peer = { .pair = pair };
	struct measured m;
	pthread_t thread;

	sleep(PERF_LINGERS_S);
	if (pipe(to) || pipe(from))
		die("pipe: %m");
	peer.in = to[0];
	peer.out = from[1];
	if (pthread_create(&thread, NULL, peer_thread, &peer))
		die("can't start a thread");
	policy(SCHED_BATCH);
	if (pair->begin)
		pair->begin(pair->arg, 0);
	pass(from[0], to[1]);
	tid[0] = syscall(SYS_gettid);
	tid[1] = peer.tid;
	if (pair->start)
		pair->start(pair->arg, tid);
	m = go_round(from[0], to[1]);
	if (pair->stop)
		pair->stop(pair->arg);
	close(to[1]);
	pthread_join(thread, NULL);
	policy(SCHED_OTHER);
	if (pair->end)
		pair->end(pair->arg, 0);
	close(to[0]);
	close(from[0]);
	close(from[1]);
	return m;
}
