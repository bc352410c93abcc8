/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiled threads that do nothing but be there. */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

/* Brings their number up to @threads, each with the first @counters. */
void crowd_grow(int threads, int counters);

#endif /* BENCH_CROWD_H */
