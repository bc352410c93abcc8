/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that do nothing but be there, profiled or not. */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#define CROWD_PLAIN	-1

/* Brings their number up to @threads, each with the first @counters, or unprofiled. */
void crowd_grow(int threads, int counters);
/* All of them, unprofiled until now. */
void crowd_enable(int counters);

#endif /* BENCH_CROWD_H */
