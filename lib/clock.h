/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cycle source, as the kernel module reads it: the unit of everything timed. */
#ifndef THREADPROF_CLOCK_H
#define THREADPROF_CLOCK_H

#include <stdint.h>

static inline uint64_t threadprof_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	/* Without the barrier it may be read before what stands above. */
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) :: "memory");
	return ticks;
#else
#error "no cycle source is known for this architecture"
#endif
}

#endif
