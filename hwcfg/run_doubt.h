/* SPDX-License-Identifier: GPL-2.0-only */
/* Which zeros of `hwcfg run` are no counts. */
#ifndef HWCFG_RUN_DOUBT_H
#define HWCFG_RUN_DOUBT_H

#include "run_table.h"

enum run_doubt {
	RUN_SURE,		/* the number is what it says, or its state says more */
	RUN_ZERO_EVERYWHERE,	/* it may be true, or this CPU does not implement it */
	RUN_NOT_COUNTED,	/* every thread that ran has some: nothing counted here */
};

/* What all rows together say about each slot. */
struct run_doubts {
	uint64_t cycle_hz;
	uint64_t needed;	/* slots that every thread that ran has some of */
	uint64_t hardware;	/* slots of the hardware's other events */
	uint64_t zero;		/* slots that stayed 0 in all rows */
	bool long_run;		/* so long that this is strange */
};

void run_doubts_find(const struct run_result *result, struct run_doubts *out);

/* Of one row. */
enum run_doubt run_doubt(const struct run_doubts *doubts, const struct threadprof_profile *p,
			 unsigned int slot);

/*
 * Can IPC be told of this row? Both have to be counted all the time: a lost
 * counter's part may be of another time than the other's.
 */
bool run_doubt_ipc(const struct run_doubts *doubts, const struct threadprof_profile *p,
		   unsigned int cycles, unsigned int instructions);

#endif
