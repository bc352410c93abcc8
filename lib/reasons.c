// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "page.h"
#include "reasons.h"

void threadprof_reasons_copy(struct reasons *reasons, const struct threadprof_page *page,
			     uint64_t switches)
{
	uint64_t count, more = 0;
	unsigned int i;

	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		count = PAGE_LOAD(page->wait[i].count);
		if (count <= reasons->seen[i])
			continue;
		reasons->now[i] = count;
		more |= 1ULL << i;
	}
	reasons->more = more;
	reasons->copied = switches;
}

/* A signal handler's Read may have told some of them since: nothing steps back here. */
uint64_t threadprof_reasons_tell(struct reasons *reasons)
{
	uint64_t left, bits = 0;
	unsigned int i;

	for (left = reasons->more; left; left &= left - 1) {
		i = __builtin_ctzll(left);
		if (reasons->now[i] <= reasons->seen[i])
			continue;
		reasons->seen[i] = reasons->now[i];
		bits |= 1ULL << i;
	}
	reasons->told = reasons->copied;
	return bits;
}

void threadprof_reasons_reset(struct reasons *reasons)
{
	/* Without a switch nothing was seen. */
	if (reasons->copied)
		memset(reasons, 0, sizeof(*reasons));
}
