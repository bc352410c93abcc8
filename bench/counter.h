/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor's counter registers, read in user mode. */
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

#include <stdint.h>

#define COUNTER_CYCLES	31

#define COUNTER_REGISTER(name) ({					\
	uint64_t value_;						\
	__asm__ volatile("mrs %0, " name : "=r"(value_));		\
	value_;								\
})

static inline uint64_t counter_read(unsigned int n)
{
	switch (n) {
	case 0: return COUNTER_REGISTER("pmevcntr0_el0");
	case 1: return COUNTER_REGISTER("pmevcntr1_el0");
	case 2: return COUNTER_REGISTER("pmevcntr2_el0");
	case 3: return COUNTER_REGISTER("pmevcntr3_el0");
	case 4: return COUNTER_REGISTER("pmevcntr4_el0");
	case 5: return COUNTER_REGISTER("pmevcntr5_el0");
	case COUNTER_CYCLES: return COUNTER_REGISTER("pmccntr_el0");
	default: __builtin_trap();
	}
}

#endif /* BENCH_COUNTER_H */
