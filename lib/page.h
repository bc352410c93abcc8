/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reading side of the page's sequence word:
 *
 *	struct page_pass pass = { 0 };
 *
 *	while (threadprof_page_begin(page, &pass)) {
 *		copy, by PAGE_LOAD()
 *		if (threadprof_page_has(page, pass.seq))
 *			all is of one moment
 *	}
 *	it never stood still
 *
 * The kernel writes with interrupts off, so that a pass fails twice at most in a row
 * in the owner. The bound is for a page that nobody keeps in order.
 */
#ifndef THREADPROF_PAGE_H
#define THREADPROF_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/threadprof.h>

/*
 * The fields' loads stay between the two of seq: behind the first, which acquires, and
 * before the fence of the second. It pairs with the barriers between the writer's two
 * steps of seq and the fields. (TSan knows no fences.)
 */
#ifdef __SANITIZE_THREAD__
#define PAGE_LOAD(field)	__atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define PAGE_FENCE()		((void)0)
#else
#define PAGE_LOAD(field)	(*(const volatile __typeof__(field) *)&(field))
#define PAGE_FENCE()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

static inline uint32_t threadprof_page_seq(const struct threadprof_page *page)
{
	return __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE);
}

/* Nothing was written since it was this. */
static inline bool threadprof_page_has(const struct threadprof_page *page, uint32_t seq)
{
	PAGE_FENCE();
	return PAGE_LOAD(page->seq) == seq;
}

struct page_pass {
	uint32_t seq;
	uint32_t number;	/* 1 = first try */
};

/* Begins the next pass; waits, within bounds, while the page is being written. */
bool threadprof_page_begin(const struct threadprof_page *page, struct page_pass *pass);

/* Is this a page as this library knows it? 0 or -EPROTONOSUPPORT. */
int threadprof_page_check(const struct threadprof_page *page);

#endif
