/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arm64: the number of a register is part of the instruction that reads it, so there
 * is one such instruction for each, in a table: counter_aarch64.c. The other way, to
 * select one and read "the selected", is no way: the kernel selects too.
 */
#ifndef THREADPROF_COUNTER_AARCH64_H
#define THREADPROF_COUNTER_AARCH64_H

#include <stdbool.h>
#include <stdint.h>

/* PMEVCNTR0_EL0 to PMEVCNTR30_EL0 are 0 to 30, PMCCNTR_EL0 is 31. */
#define COUNTER_REGISTERS	32
#define COUNTER_ENTRY		16	/* bytes of an entry */

extern const unsigned char threadprof_counter_table[COUNTER_REGISTERS][COUNTER_ENTRY]
	__attribute__((visibility("hidden")));

typedef const unsigned char *threadprof_counter;

static inline bool threadprof_counter_find(uint32_t index, threadprof_counter *where)
{
	if (index - 1 >= COUNTER_REGISTERS)
		return false;
	*where = threadprof_counter_table[index - 1];
	return true;
}

/* An entry touches nothing but the two registers that are named here. */
static inline uint64_t threadprof_counter_read(threadprof_counter where)
{
	register uint64_t value __asm__("x0");

	__asm__ volatile("blr %1" : "=r"(value) : "r"(where) : "x30");
	return value;
}

#endif
