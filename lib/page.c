// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <sched.h>

#include "page.h"

#define PASSES		100000
#define PASSES_SPIN	100

bool threadprof_page_begin(const struct threadprof_page *page, struct page_pass *pass)
{
	while (pass->number < PASSES) {
		if (++pass->number > PASSES_SPIN)
			sched_yield();
		pass->seq = threadprof_page_seq(page);
		if (!(pass->seq & 1))
			return true;
	}
	return false;
}

int threadprof_page_check(const struct threadprof_page *page)
{
	if (PAGE_LOAD(page->version) != THREADPROF_PAGE_VERSION ||
	    PAGE_LOAD(page->page_size) < sizeof(*page))
		return -EPROTONOSUPPORT;
	return 0;
}
