// SPDX-License-Identifier: GPL-2.0-only
/* Sentences about what the numbers of `hwcfg run` do not show. */
#include <linux/perf_event.h>

#include "format.h"
#include "run_ipc.h"
#include "run_table.h"

/* A thread that ran so long and did nothing at all in a mode is not believable. */
#define ENOUGH_NS 10000000

static void note_slot(FILE *err, const struct run_result *result, unsigned int i)
{
	const char *name = i < result->config.count ? result->config.counter[i].name : "?";
	const struct run_threads *threads = &result->threads;
	struct threadprof_profile lost, all = { };
	struct event event = { };
	bool nothing = false, zero;
	size_t k, n = 0;

	for (k = 0; k < threads->count; k++) {
		const struct threadprof_profile *p = &threads->row[k];

		run_threads_sum(&all, p);
		n += p->slot[i].state == THREADPROF_SLOT_LOST;
		nothing |= p->slot[i].state == THREADPROF_SLOT_COUNTING && !p->slot[i].value &&
			   format_ns(p->cycles, result->cycle_hz) >= ENOUGH_NS;
	}
	run_threads_lost(threads, &lost);
	run_threads_sum(&all, &lost);
	n += lost.dropped && lost.slot[i].state == THREADPROF_SLOT_LOST;
	if (n)
		fprintf(err,
			"hwcfg: '%s' was lost in %zu row%s: it did not count for a part of the time, "
			"the number is too small\n",
			name, n, n > 1 ? "s" : "");
	if (i >= result->config.count)
		return;
	event_from_counter(&result->config.counter[i], &event);
	zero = all.slot[i].state == THREADPROF_SLOT_COUNTING && !all.slot[i].value && all.cycles;
	if (run_is_cycles(&event) || run_is_instructions(&event)) {
		/* Every thread that ran has some. */
		if (zero || nothing)
			fprintf(err,
				"hwcfg: '%s' counted nothing: is it implemented by this (virtual) CPU?\n",
				name);
	} else if (zero && event.type != PERF_TYPE_SOFTWARE &&
		   format_ns(all.cycles, result->cycle_hz) >= ENOUGH_NS) {
		fprintf(err,
			"hwcfg: '%s' is 0 everywhere: either it never happened, or this (virtual) CPU "
			"does not implement it\n",
			name);
	}
}

void run_table_notes(FILE *err, const struct run_result *result)
{
	unsigned int i;

	if (!result->threads.count && !result->threads.dropped.dropped)
		fputs("hwcfg: no thread was profiled\n", err);
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		if (result->mask >> i & 1)
			note_slot(err, result, i);
}
