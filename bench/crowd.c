// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "crowd.h"
#include "die.h"
#include "ours.h"

static int here, slots;
static sem_t ready;

/* They end with the process. */
static void *idle(void *arg)
{
	struct ours o;

	(void)arg;
	if (slots != CROWD_PLAIN)
		ours_enable(&o, slots);
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

void crowd_grow(int threads, int counters)
{
	pthread_attr_t attr;
	pthread_t thread;

	slots = counters;
	sem_init(&ready, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN + 16384);
	for (; here < threads; here++) {
		if (pthread_create(&thread, &attr, idle, NULL))
			die("can't start thread %d", here + 1);
		if (sem_wait(&ready))
			die("sem_wait: %m");
	}
	pthread_attr_destroy(&attr);
}
