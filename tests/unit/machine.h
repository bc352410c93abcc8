/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A made-up machine for tests of direct reads: one profile, whose slots count in
 * registers that its page offers. What each slot has counted is known.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "direct.h"
#include "simulated.h"
#include "unit.h"

#define SLOTS	3
#define WIDTH	40	/* bits of a register */

struct machine {
	HANDLE handle;
	struct threadprof_page *page;
	uint64_t counted[SLOTS];
	bool shows;			/* registers, whenever the kernel writes the page */
	unsigned int register_reads;	/* by the last machine_read_is_direct() */
};

extern struct machine machine;
extern const unsigned int machine_register[SLOTS];

/* As the kernel writes the page, at a switch or when it is asked to. */
void machine_write(struct threadprof_page *page);

/* Counts register_reads; simulated_on_read by default. */
void machine_on_register(unsigned int number);

/* Slot i counts n * (i + 1). */
void machine_count(uint64_t n);

/* The thread is switched out and in; others count in the registers meanwhile. */
void machine_switch(void);

uint64_t machine_mask(unsigned int width);

/* A new profile. */
void machine_begin(DWORD64 mask);

/* A Read of all, which can't fail. */
PERFORMANCE_DATA machine_read(void);

/* And whose values are those of now: did it do without the kernel? */
bool machine_read_is_direct(void);

/* Reads until the kernel is asked for registers. */
void machine_earn(void);

int machine_setup(void **state);
int machine_teardown(void **state);

#define machine_test(function) \
	cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

#endif
