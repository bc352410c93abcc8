/* SPDX-License-Identifier: GPL-2.0-only */
/* Two threads and two pipes: each byte that goes round is two switches. */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include "measure.h"

typedef void pair_fn(void *arg, int side);

struct pair {
	pair_fn *begin;		/* in both threads, side 0 and 1, or NULL */
	pair_fn *end;
	void (*start)(void *arg, const int *tid);	/* when both have begun, or NULL */
	void (*stop)(void *arg);
	void *arg;
};

/* One switch. */
struct measured pair_measure(const struct pair *pair);

#endif /* BENCH_PAIR_H */
