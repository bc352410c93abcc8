// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "slice.h"

#define WIDTH_MIN	4
#define WIDTH_MAX	64

/* Both compilations of this header have it in memory alike. */
_Static_assert(sizeof(struct slice_counter) == 32, "struct slice_counter");

static bool does_count(unsigned int state)
{
	return state == THREADPROF_SLOT_COUNTING || state == THREADPROF_SLOT_LOST;
}

void threadprof_slice_reset(struct slice *slice, const struct threadprof_page *page)
{
	uint32_t left = PAGE_LOAD(page->hardware_counters) & ((1U << MAX_HW_COUNTERS) - 1), i;

	atomic_store_explicit(&slice->key, SLICE_INVALID, memory_order_relaxed);
	memset(slice->data, 0, sizeof(slice->data));
	slice->slots = 0;
	for (; left; left &= left - 1) {
		i = __builtin_ctz(left);
		if (does_count(PAGE_LOAD(page->slot[i].state)))
			slice->slots |= 1U << i;
	}
	slice->configured = __builtin_popcount(slice->slots);
}

void threadprof_slice_copy(struct slice *slice, const struct threadprof_page *page)
{
	slice->began = PAGE_LOAD(page->cycles_start);
	slice->cycles = PAGE_LOAD(page->cycles);
	slice->switches = PAGE_LOAD(page->switches);
	slice->is_running = threadprof_slice_is_running(page, slice->began);
}

/* False: its register can't be read. */
static bool copy_counter(struct slice_counter *c, const struct threadprof_page_slot *slot)
{
	uint16_t width = PAGE_LOAD(slot->width);

	c->total = PAGE_LOAD(slot->total);
	c->start = PAGE_LOAD(slot->start);
	c->shift = 64 - width;
	return width >= WIDTH_MIN && width <= WIDTH_MAX &&
	       threadprof_counter_find(PAGE_LOAD(slot->index), &c->where);
}

void threadprof_slice_copy_counters(struct slice *slice, const struct threadprof_page *page)
{
	struct slice_counter *c = slice->counter;
	bool is_readable;
	uint32_t left;

	slice->is_readable = true;
	for (left = slice->slots; left; left &= left - 1) {
		c->slot = __builtin_ctz(left);
		is_readable = copy_counter(c, &page->slot[c->slot]);
		slice->data[c->slot].Value = c->total;
		slice->is_readable &= is_readable;
		c += is_readable;
	}
	slice->counters = c - slice->counter;
}
