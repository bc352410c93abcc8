// SPDX-License-Identifier: LGPL-2.1-or-later
/* The reading side of the page's sequence word. */
#include <errno.h>
#include <sched.h>

#include "clock.h"
#include "page.h"

/*
 * The kernel writes with interrupts off, so that a pass fails twice at most in a
 * row in the owner. The bound is for a page that nobody keeps in order.
 */
#define PASSES		100000
#define PASSES_SPIN	100

/*
 * Each load keeps those after it behind: the fields' after the first load of seq,
 * the second load of seq after the fields'. It pairs with the barriers
 * between the writer's two steps of seq and the fields.
 */
#define LOAD(field)	__atomic_load_n(&(field), __ATOMIC_ACQUIRE)

int threadprof_page_check(const struct threadprof_page *page)
{
	if (LOAD(page->version) != THREADPROF_PAGE_VERSION ||
	    LOAD(page->page_size) < sizeof(*page))
		return -EPROTONOSUPPORT;
	return 0;
}

static void copy_dispatch(const struct threadprof_page *page, uint64_t known_switches,
			  struct page_snapshot *out)
{
	uint64_t now, start;
	unsigned int i;

	out->switches = LOAD(page->switches);
	out->cycles = LOAD(page->cycles);
	if (out->running) {
		start = LOAD(page->cycles_start);
		now = threadprof_ticks();
		/* Clocks of two CPUs may differ by a hair. */
		out->cycles += now > start ? now - start : 0;
	}
	out->new_switches = out->switches != known_switches;
	if (!out->new_switches)
		return;
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++)
		out->wait[i] = LOAD(page->wait[i].count);
}

static void copy_slots(const struct threadprof_page *page, uint64_t mask,
		       struct page_snapshot *out)
{
	unsigned int i, state;

	out->configured = 0;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		out->slot[i] = 0;
		if (!(mask & (1U << i)))
			continue;
		state = LOAD(page->slot[i].state);
		if (state != THREADPROF_SLOT_COUNTING && state != THREADPROF_SLOT_LOST)
			continue;
		out->configured |= 1U << i;
		out->slot[i] = LOAD(page->slot[i].total);
	}
}

int threadprof_page_read(const struct threadprof_page *page, unsigned int parts,
			 uint64_t mask, uint64_t known_switches, struct page_snapshot *out)
{
	uint32_t pass, seq;

	for (pass = 1; pass <= PASSES; pass++) {
		if (pass > PASSES_SPIN)
			sched_yield();
		seq = LOAD(page->seq);
		if (seq & 1)
			continue;
		out->running = LOAD(page->cycles_start) &&
			       !(LOAD(page->flags) & THREADPROF_PROFILE_ENDED);
		if (parts & PAGE_DISPATCH)
			copy_dispatch(page, known_switches, out);
		if (parts & PAGE_SLOTS)
			copy_slots(page, mask, out);
		if (LOAD(page->seq) == seq) {
			out->passes = pass;
			return 0;
		}
	}
	return -EIO;
}
