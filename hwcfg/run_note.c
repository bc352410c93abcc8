// SPDX-License-Identifier: GPL-2.0-only
/* Sentences about what the numbers of `hwcfg run` do not show. */
#include "output.h"
#include "run_doubt.h"
#include "run_table.h"

/* The name is what some process gave the kernel. */
static void name_slot(FILE *err, const struct run_result *result, unsigned int i)
{
	fputs("hwcfg: '", err);
	output_text(err, i < result->config.count ? result->config.counter[i].name : "?");
	fputc('\'', err);
}

static void note_lost(FILE *err, const struct run_result *result, unsigned int i)
{
	const struct run_threads *threads = &result->threads;
	struct threadprof_profile lost;
	size_t k, n = 0;

	for (k = 0; k < threads->count; k++)
		n += threads->row[k].slot[i].state == THREADPROF_SLOT_LOST;
	run_threads_lost(threads, &lost);
	n += lost.dropped && lost.slot[i].state == THREADPROF_SLOT_LOST;
	if (!n)
		return;
	name_slot(err, result, i);
	fprintf(err,
		" was lost in %zu row%s: it did not count for a part of the time, "
		"the number is too small\n", n, n > 1 ? "s" : "");
}

static void note_zero(FILE *err, const struct run_result *result,
		      const struct run_doubts *doubts, unsigned int i)
{
	const struct run_threads *threads = &result->threads;
	enum run_doubt worst, doubt;
	struct threadprof_profile lost;
	size_t k;

	run_threads_lost(threads, &lost);
	worst = run_doubt(doubts, &lost, i);
	for (k = 0; k < threads->count; k++) {
		doubt = run_doubt(doubts, &threads->row[k], i);
		worst = doubt > worst ? doubt : worst;
	}
	if (worst == RUN_SURE)
		return;
	name_slot(err, result, i);
	if (worst == RUN_NOT_COUNTED)
		fputs(" counted nothing: is it implemented by this (virtual) CPU?\n", err);
	else
		fputs(" is 0 everywhere: either it never happened, or this (virtual) CPU "
		      "does not implement it\n", err);
}

void run_table_notes(FILE *err, const struct run_result *result)
{
	struct run_doubts doubts;
	unsigned int i;

	run_doubts_find(result, &doubts);
	if (!result->threads.count && !result->threads.dropped.dropped)
		fputs("hwcfg: no thread was profiled\n", err);
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		if (!(result->mask >> i & 1))
			continue;
		note_lost(err, result, i);
		note_zero(err, result, &doubts, i);
	}
}
