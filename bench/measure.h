/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an operation takes. In the guest (measure_guest.c) instructions, which it
 * counts exactly: one is one nanosecond of its clock. On the machine itself
 * (measure_native.c) time, of which only ratios are worth anything.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

#define MEASURE_SAMPLES	1001

struct measured {
	int64_t min, median, max;
};

typedef void measure_fn(void *arg);

/* Dies where it can't be measured: in a guest whose nanosecond is no instruction. */
void measure_check(void);

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t measure_now(void);

/* What two calls of measure_now() with nothing between them are apart. */
int64_t measure_clock(void);

/* @op alone: the clock and the call of an empty function are taken off. */
struct measured measure(measure_fn *op, void *arg);

/* Sorts @sample; each is divided by @parts. */
struct measured measure_sum_up(int64_t *sample, unsigned int count, unsigned int parts);

#endif /* BENCH_MEASURE_H */
