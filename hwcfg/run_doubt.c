// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include <linux/perf_event.h>

#include "format.h"
#include "run_doubt.h"
#include "run_ipc.h"

/* A thread that ran so long and did nothing at all in a mode is not believable. */
#define ENOUGH_NS 10000000

static bool is_zero(const struct threadprof_profile *p, unsigned int slot)
{
	return p->slot[slot].state == THREADPROF_SLOT_COUNTING && !p->slot[slot].value && p->cycles;
}

static bool is_long(const struct threadprof_profile *p, uint64_t hz)
{
	return format_ns(p->cycles, hz) >= ENOUGH_NS;
}

void run_doubts_find(const struct run_result *result, struct run_doubts *out)
{
	struct threadprof_profile lost, all = { };
	unsigned int i;
	size_t k;

	memset(out, 0, sizeof(*out));
	out->cycle_hz = result->cycle_hz;
	for (k = 0; k < result->threads.count; k++)
		run_threads_sum(&all, &result->threads.row[k]);
	run_threads_lost(&result->threads, &lost);
	run_threads_sum(&all, &lost);
	out->long_run = is_long(&all, result->cycle_hz);
	for (i = 0; i < THREADPROF_MAX_COUNTERS && i < result->config.count; i++) {
		uint64_t bit = UINT64_C(1) << i;
		struct event event;

		if (!(result->mask & bit))
			continue;
		event_from_counter(&result->config.counter[i], &event);
		if (run_is_cycles(&event) || run_is_instructions(&event))
			out->needed |= bit;
		else if (event.type != PERF_TYPE_SOFTWARE)
			out->hardware |= bit;
		if (is_zero(&all, i))
			out->zero |= bit;
	}
}

enum run_doubt run_doubt(const struct run_doubts *doubts, const struct threadprof_profile *p,
			 unsigned int slot)
{
	uint64_t bit = UINT64_C(1) << slot;

	if (!is_zero(p, slot))
		return RUN_SURE;
	/* A short thread may well have none in a mode, where others have some. */
	if (doubts->needed & bit)
		return doubts->zero & bit || is_long(p, doubts->cycle_hz) ? RUN_NOT_COUNTED :
									    RUN_SURE;
	return doubts->hardware & doubts->zero & bit && doubts->long_run ? RUN_ZERO_EVERYWHERE :
									   RUN_SURE;
}

bool run_doubt_ipc(const struct run_doubts *doubts, const struct threadprof_profile *p,
		   unsigned int cycles, unsigned int instructions)
{
	return p->slot[cycles].state == THREADPROF_SLOT_COUNTING && p->slot[cycles].value &&
	       p->slot[instructions].state == THREADPROF_SLOT_COUNTING &&
	       run_doubt(doubts, p, instructions) != RUN_NOT_COUNTED;
}
