/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of a profile: its sequence word, and copies of it for readers in the
 * kernel. Layout and reading protocol: uapi/linux/threadprof_area.h.
 */
#ifndef _TPROF_PAGE_H
#define _TPROF_PAGE_H

#include <linux/lockdep.h>
#include <linux/threadprof.h>
#include <asm/barrier.h>

/*
 * Writers are on the owner's CPU with interrupts off, so there is one at a time.
 * An interrupt that came between would leave the word odd for as long as it runs.
 */
static inline void tprof_page_begin(struct threadprof_page *page)
{
	lockdep_assert_irqs_disabled();
	WRITE_ONCE(page->seq, page->seq + 1);
	smp_wmb();	/* pairs with the reader's barrier after its first load */
}

static inline void tprof_page_end(struct threadprof_page *page)
{
	smp_wmb();	/* pairs with the reader's barrier before its last load */
	WRITE_ONCE(page->seq, page->seq + 1);
}

void tprof_page_copy(struct threadprof_page *to,
		     const struct threadprof_page *from);

#endif /* _TPROF_PAGE_H */
