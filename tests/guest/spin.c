// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work of a known size, for others to count: spin THREADS ROUNDS runs the exact
 * loop in so many threads besides the first.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "loop.h"

static uint64_t rounds;

static void *work(void *arg)
{
	loop_exact(rounds);
	return arg;
}

int main(int argc, char **argv)
{
	int i, threads = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t thread[64];

	rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000000;
	for (i = 0; i < threads && i < 64; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	loop_exact(rounds);
	while (i--)
		pthread_join(thread[i], NULL);
	return 0;
}
