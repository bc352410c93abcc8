/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does it pay that a thread reads counters without a system call? To read them so saves
 * much each time, but each switch of such a thread costs more, and to begin it does
 * too. So a thread earns it by reading often between its switches, and the kernel
 * is asked then.
 */
#ifndef THREADPROF_DIRECT_H
#define THREADPROF_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

#define DIRECT_PER_READ		1	/* what an entered read costs more: 1,200 instructions */
#define DIRECT_PER_SWITCH	2	/* what a switch does, roughly, in the same unit */
#define DIRECT_GOAL		24	/* what it takes to begin */
/* An administrator may have allowed it since. */
#define DIRECT_AGAIN		10000	/* reads after a refusal */

struct direct {
	uint64_t switches;	/* at the last entered read */
	int64_t to_go;		/* to the goal, or further away from it after a refusal */
	bool is_on;
	bool is_hidden;		/* the last one had to enter the kernel even so */
};

/* As at an Enable. */
void threadprof_direct_reset(struct direct *direct);

/* What the kernel said: 0 or a negative errno. */
void threadprof_direct_answer(struct direct *direct, int err);

/*
 * Counts an entered read. True: the kernel shall be asked now. Without a branch: what
 * two Reads find between them shall not depend on whether the thread was switched out.
 */
static inline bool threadprof_direct_pays(struct direct *direct, uint64_t switches)
{
	uint64_t cost = (switches - direct->switches) * DIRECT_PER_SWITCH;
	int64_t most = direct->to_go > DIRECT_GOAL ? direct->to_go : DIRECT_GOAL;
	int64_t to_go = (int64_t)((uint64_t)direct->to_go + cost);

	to_go = to_go < most ? to_go : most;
	direct->switches = switches;
	direct->to_go = to_go - DIRECT_PER_READ;
	return direct->to_go <= 0;
}

#endif
