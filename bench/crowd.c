// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "crowd.h"
#include "die.h"
#include "ours.h"

static int here, slots = CROWD_PLAIN, go[2];
static sem_t ready;

/* They end with the process. */
static void *idle(void *arg)
{
	struct ours o;
	char c;

	(void)arg;
	if (slots == CROWD_PLAIN) {
		sem_post(&ready);
		if (read(go[0], &c, 1) != 1)
			die("pipe: %m");
	}
	ours_enable(&o, slots);
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

static void wait_for_one(void)
{
	if (sem_wait(&ready))
		die("sem_wait: %m");
}

void crowd_grow(int threads, int counters)
{
	pthread_attr_t attr;
	pthread_t thread;

	slots = counters;
	if (!here && (sem_init(&ready, 0, 0) || pipe(go)))
		die("pipe: %m");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN + 16384);
	for (; here < threads; here++) {
		if (pthread_create(&thread, &attr, idle, NULL))
			die("can't start thread %d", here + 1);
		wait_for_one();
	}
	pthread_attr_destroy(&attr);
}

void crowd_enable(int counters)
{
	int i;

	slots = counters;
	for (i = 0; i < here; i++) {
		if (write(go[1], "", 1) != 1)
			die("pipe: %m");
		wait_for_one();
	}
}
