// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <time.h>

#include "die.h"
#include "measure.h"

/* Symbols are bound, pages are there and the kernel's caches are filled by then. */
#define WARM_UP		64

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

static void __attribute__((noipa)) empty(void *arg)
{
	(void)arg;
}

static struct measured __attribute__((noipa)) raw(measure_fn *op, void *arg)
{
	static int64_t sample[MEASURE_SAMPLES];
	int64_t began;
	unsigned int i;

	for (i = 0; i < WARM_UP; i++)
		op(arg);
	for (i = 0; i < MEASURE_SAMPLES; i++) {
		began = measure_now();
		op(arg);
		sample[i] = measure_now() - began;
	}
	return measure_sum_up(sample, MEASURE_SAMPLES, 1);
}

struct measured measure(measure_fn *op, void *arg)
{
	struct measured nothing = raw(empty, NULL), m = raw(op, arg);

	m.min -= nothing.median;
	m.median -= nothing.median;
	m.max -= nothing.median;
	return m;
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

#ifdef __aarch64__
/* A loop of known length: 2 instructions a round. */
static void known(void *arg)
{
	uint64_t rounds = *(uint64_t *)arg;

	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
}
#else
#error "exact counts are to be had from an arm64 guest alone"
#endif

void measure_check(void)
{
	uint64_t few = 100, many = 1100;
	int64_t got = measure(known, &many).median - measure(known, &few).median;

	if (got != 2000)
		die("2000 instructions take %lld ns: not a guest that counts them",
		    (long long)got);
}
