/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why a thread was switched out since the last Read that told it: WaitReasonBitMap.
 * Told from the page's counts of each reason, which are copied only if the thread has
 * been switched out since.
 */
#ifndef THREADPROF_REASONS_H
#define THREADPROF_REASONS_H

#include <stdint.h>

#include <linux/threadprof.h>

struct reasons {
	uint64_t told;		/* switches at the last Read that told */
	uint64_t copied;	/* switches at the last copy */
	uint64_t more;		/* bits: what it has more of than was seen ... */
	uint64_t now[THREADPROF_WAIT_REASONS];	/* ... and the counts of these */
	uint64_t seen[THREADPROF_WAIT_REASONS];
};

/* A part of a pass over the page, in which these were its switches. */
void threadprof_reasons_copy(struct reasons *reasons, const struct threadprof_page *page,
			     uint64_t switches);

/* What the last copy has more of, as bits; then it is seen. */
uint64_t threadprof_reasons_tell(struct reasons *reasons);

/* As at an Enable. */
void threadprof_reasons_reset(struct reasons *reasons);

#endif
