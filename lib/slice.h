/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the page of the calling thread said of the slice of time that runs, copied in
 * one pass. It is right as long as the page's sequence word is the same: until the
 * next switch all that a Read has to look at is that word, the clock and the
 * registers.
 *
 * A signal handler's Read may renew it in the middle of another Read, of its copy too.
 * The key is set last, to the sequence word that the page had before and after the
 * copy: as long as it has that, all copies of it are alike.
 */
#ifndef THREADPROF_SLICE_H
#define THREADPROF_SLICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <linux/threadprof.h>
#include <threadprof/hcp.h>

#include "counter.h"
#include "page.h"

struct slice_counter {
	uint64_t total, start;		/* as in the page */
	threadprof_counter where;
	uint32_t shift;			/* 64 - width */
	uint32_t slot;
};

struct slice {
	/* Bits 31:0: the page's seq; above: READ_THREAD_PROFILING_FLAG_ bits it serves. */
	_Atomic uint64_t key;
	uint64_t began;			/* the page's cycles_start */
	uint64_t cycles;		/* up to then */
	uint64_t switches;
	uint32_t slots;			/* bits: of the profile's, those that count */
	uint32_t counters;		/* elements of counter */
	bool is_running;		/* by the page's own word */
	bool is_readable;		/* each of the slots is in counter */
	uint8_t configured;		/* HwCountersCount */
	/* HwCounters; what is no slot stays 0. */
	HARDWARE_COUNTER_DATA data[MAX_HW_COUNTERS];
	struct slice_counter counter[MAX_HW_COUNTERS];
};

/* No page's seq is odd when it stands still. */
#define SLICE_INVALID	1

static inline uint64_t threadprof_slice_key(uint32_t seq, uint32_t flags)
{
	return seq | (uint64_t)flags << 32;
}

/* As at an Enable. Which slots count stays as it is until the profile ends. */
void threadprof_slice_reset(struct slice *slice, const struct threadprof_page *page);

/* Parts of a pass over the page: each is a copy by itself. */
void threadprof_slice_copy(struct slice *slice, const struct threadprof_page *page);
/* With the totals, and what is to be known of the registers to go on from there. */
void threadprof_slice_copy_counters(struct slice *slice, const struct threadprof_page *page);

static inline void threadprof_slice_copy_totals(struct slice *slice,
						const struct threadprof_page *page)
{
	unsigned long left, i;

	for (left = slice->slots; left; left &= left - 1) {
		i = __builtin_ctzl(left);
		slice->data[i].Value = PAGE_LOAD(page->slot[i].total);
	}
}

static inline bool threadprof_slice_is_running(const struct threadprof_page *page,
					       uint64_t began)
{
	return began && !(PAGE_LOAD(page->flags) & THREADPROF_PROFILE_ENDED);
}

/*
 * Clocks of two CPUs may differ by a hair: nothing is added then. Without a branch, so
 * that a Read's instructions do not depend on the clock.
 */
static inline uint64_t threadprof_slice_cycles(uint64_t cycles, uint64_t began, uint64_t now)
{
	int64_t since = (int64_t)(now - began);

	return cycles + (uint64_t)(since & ~(since >> 63));
}

/*
 * Does the page still say what was copied under this key? Its seq is the same again
 * after 2^31 switches, but never with the same begin.
 */
static inline bool threadprof_slice_is_current(const struct slice *slice,
					       const struct threadprof_page *page, uint64_t key)
{
	return threadprof_page_seq(page) == (uint32_t)key &&
	       PAGE_LOAD(page->cycles_start) == slice->began;
}

/*
 * Brings data up to now. False: the registers have come too far to be trusted. The
 * clock is to be read before: its barrier is the registers' too.
 */
static inline bool threadprof_slice_advance(struct slice *slice)
{
	const struct slice_counter *c = slice->counter, *end = c + slice->counters;
	uint64_t since, all = 0;

	for (; c < end; c++) {
		/* At the upper end of the word, whatever the register's width. */
		since = (threadprof_counter_read(c->where) - c->start) << c->shift;
		slice->data[c->slot].Value = c->total + (since >> c->shift);
		all |= since;
	}
	return !(all >> 61);	/* each is below 1 << (width - 3) */
}

#endif
