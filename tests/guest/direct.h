/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters read by their registers, as the header of the ABI says. */
#ifndef GUEST_DIRECT_H
#define GUEST_DIRECT_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/threadprof.h>

/* Register n of this CPU. */
uint64_t direct_register(unsigned int n);
/* The slot's value now; false: the page shows no register, or too old a start. */
bool direct_value(const volatile struct threadprof_page *page, unsigned int slot,
		  uint64_t *value);
/* By its register where there is one; else entered, and *entered is counted up. */
uint64_t direct_or_entered(int fd, const volatile struct threadprof_page *page,
			   unsigned int slot, unsigned long *entered);

/* Is the instruction that reads a register allowed here? Tried by a child, on @cpu. */
bool direct_allowed_in_child(int cpu);

/*
 * Keeps perf's and the module's hooks in the scheduler switched on. They are code that
 * is patched; a CPU of QEMU 7.2 that translates the same code at that moment may
 * go on with what stood there before.
 */
void direct_hold_hooks(void);
void direct_let_go(void);

/* kernel.perf_user_access, or what the architecture has instead. */
void direct_access(bool on);

#endif /* GUEST_DIRECT_H */
