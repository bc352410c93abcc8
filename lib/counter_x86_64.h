/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* x86-64: RDPMC takes the register's number in ECX; bit 30 is that of the fixed ones. */
#ifndef THREADPROF_COUNTER_X86_64_H
#define THREADPROF_COUNTER_X86_64_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTER_GENERAL	64
#define COUNTER_FIXED	(1U << 30)
#define COUNTER_FIXED_N	16

typedef uint32_t threadprof_counter;

static inline bool threadprof_counter_find(uint32_t index, threadprof_counter *where)
{
	/* Others, such as Intel's packed ratios, are no counters; none is index 0. */
	*where = index - 1;
	return *where < COUNTER_GENERAL || *where - COUNTER_FIXED < COUNTER_FIXED_N;
}

static inline uint64_t threadprof_counter_read(threadprof_counter where)
{
	return __builtin_ia32_rdpmc(where);
}

#endif
