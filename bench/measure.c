// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <time.h>

#include "measure.h"

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t measure_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct measured measure_sum_up(int64_t *sample, unsigned int count, unsigned int parts)
{
	qsort(sample, count, sizeof(*sample), compare);
	return (struct measured) {
		.min = sample[0] / parts,
		.median = sample[count / 2] / parts,
		.max = sample[count - 1] / parts,
	};
}

int64_t measure_clock(void)
{
	static int64_t sample[MEASURE_SAMPLES];
	int64_t began;
	unsigned int i;

	for (i = 0; i < MEASURE_SAMPLES; i++) {
		began = measure_now();
		sample[i] = measure_now() - began;
	}
	return measure_sum_up(sample, MEASURE_SAMPLES, 1).median;
}
