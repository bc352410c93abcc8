/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PAGE_H
#define THREADPROF_PAGE_H

#include <linux/threadprof.h>
#include <stdbool.h>
#include <stdint.h>

/* What a Read wants of the page, as of one moment. */
struct page_snapshot {
	uint64_t switches;
	uint64_t cycles;			/* up to now */
	uint64_t slot[THREADPROF_MAX_COUNTERS];	/* those of the mask, others 0 */
	uint16_t configured;			/* bits of the mask that count */
	uint64_t wait[THREADPROF_WAIT_REASONS];	/* counts, if new_switches */
	bool new_switches;			/* switches is not what the reader knew */
	bool running;				/* by its own word; the owner is, when it reads */
	uint32_t passes;			/* 1 = first try */
};

/* Which parts: the others of the snapshot are left alone. */
enum page_parts {
	PAGE_DISPATCH = 1 << 0,
	PAGE_SLOTS = 1 << 1,
};

/* Is this a page as this library knows it? 0 or -EPROTONOSUPPORT. */
int threadprof_page_check(const struct threadprof_page *page);

/*
 * mask: slots that are wanted. known_switches: at the last time; without a new
 * one no wait reason is new, and they are not copied.
 *
 * Safe with any contents. -EIO: no consistent snapshot in a number of passes that
 * no living writer needs.
 */
int threadprof_page_read(const struct threadprof_page *page, unsigned int parts,
			 uint64_t mask, uint64_t known_switches,
			 struct page_snapshot *out);

#endif
