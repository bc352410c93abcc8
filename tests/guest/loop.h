/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GUEST_LOOP_H
#define GUEST_LOOP_H

#include <stdint.h>

/* Runs exactly 2 * @rounds instructions, without a memory access; @rounds > 0. */
void loop_exact(uint64_t rounds);

/* Monotonic and thread CPU clocks, in nanoseconds. */
uint64_t now_ns(void);
uint64_t cpu_ns(void);
void sleep_ms(unsigned int ms);
/* Computes for so long of this thread's own CPU time. */
void burn_ms(unsigned int ms);

#endif /* GUEST_LOOP_H */
