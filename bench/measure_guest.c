// SPDX-License-Identifier: GPL-2.0-only
/* In a guest that counts its instructions: a sample is one operation. */
#include <stddef.h>
#include <stdint.h>

#include "die.h"
#include "measure.h"

/* Symbols are bound, pages are there and the kernel's caches are filled by then. */
#define WARM_UP		64

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

/* A loop of known length: 2 instructions a round. */
static void known(void *arg)
{
	uint64_t rounds = *(uint64_t *)arg;

	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
}

void measure_check(void)
{
	uint64_t few = 100, many = 1100;
	int64_t got = measure(known, &many).median - measure(known, &few).median;

	/* The kernel's clock may be adjusted by some parts in a thousand after the boot. */
	if (got < 1980 || got > 2020)
		die("2000 instructions take %lld ns: not a guest that counts them",
		    (long long)got);
}
