/* SPDX-License-Identifier: GPL-2.0-only */
/* Counter registers for lib/counter.h that a host without such has: see simulated.h. */
#ifndef COUNTER_SIMULATED_H
#define COUNTER_SIMULATED_H

#include <stdbool.h>
#include <stdint.h>

#include "simulated.h"

typedef uint32_t threadprof_counter;

static inline bool threadprof_counter_find(uint32_t index, threadprof_counter *where)
{
	*where = index - 1;
	return *where < SIMULATED_REGISTERS;
}

static inline uint64_t threadprof_counter_read(threadprof_counter where)
{
	if (simulated_on_read)
		simulated_on_read(where);
	return atomic_load_explicit(&simulated_register[where], memory_order_acquire);
}

#endif
