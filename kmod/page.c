// SPDX-License-Identifier: GPL-2.0-only
/*
 * Consistent copies of a page.
 */
#include <linux/build_bug.h>
#include <linux/processor.h>
#include <linux/string.h>

#include "page.h"

static_assert(sizeof(struct threadprof_page) <= PAGE_SIZE);
static_assert(sizeof(struct threadprof_page) % 8 == 0);

/*
 * Any context. A writer has interrupts off and writes a few words, so this ends;
 * on the writer's own CPU it can't be met in the middle.
 */
void tprof_page_copy(struct threadprof_page *to,
		     const struct threadprof_page *from)
{
	u32 seq;

	do {
		while ((seq = READ_ONCE(from->seq)) & 1)
			cpu_relax();
		smp_rmb();	/* pairs with tprof_page_begin() */
		memcpy(to, from, sizeof(*to));
		smp_rmb();	/* pairs with tprof_page_end() */
	} while (READ_ONCE(from->seq) != seq);
	to->seq = 0;
}
