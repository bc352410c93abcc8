// SPDX-License-Identifier: GPL-2.0-only
/*
 * On the machine itself, by its clock: a sample is a batch, in picoseconds of one
 * operation. Others run there too, so that the least of many is what counts.
 */
#include <stddef.h>
#include <stdint.h>

#include "measure.h"

#define BATCH		2000
#define SAMPLES		201

static void __attribute__((noipa)) empty(void *arg)
{
	(void)arg;
}

static struct measured __attribute__((noipa)) raw(measure_fn *op, void *arg)
{
	static int64_t sample[SAMPLES];
	int64_t began;
	int i, k;

	for (i = 0; i < SAMPLES; i++) {
		began = measure_now();
		for (k = 0; k < BATCH; k++)
			op(arg);
		sample[i] = (measure_now() - began) * 1000;
	}
	return measure_sum_up(sample, SAMPLES, BATCH);
}

struct measured measure(measure_fn *op, void *arg)
{
	struct measured nothing = raw(empty, NULL), m = raw(op, arg);

	m.min -= nothing.min;
	m.median -= nothing.min;
	m.max -= nothing.min;
	return m;
}

/* A clock of nanoseconds is all that it takes. */
void measure_check(void)
{
}
