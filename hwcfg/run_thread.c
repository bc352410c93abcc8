// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "run_thread.h"
#include "say.h"

/* The later of these hides the earlier ones in a sum. */
static uint32_t worse(uint32_t a, uint32_t b)
{
	static const int rank[] = {
		[THREADPROF_SLOT_UNUSED] = 0,
		[THREADPROF_SLOT_NOT_CONFIGURED] = 1,
		[THREADPROF_SLOT_COUNTING] = 2,
		[THREADPROF_SLOT_LOST] = 3,
	};

	if (a > THREADPROF_SLOT_LOST || b > THREADPROF_SLOT_LOST)
		return a > b ? a : b;
	return rank[a] > rank[b] ? a : b;
}

void run_threads_sum(struct threadprof_profile *to, const struct threadprof_profile *from)
{
	int i;

	to->hardware_counters |= from->hardware_counters;
	to->switches += from->switches;
	to->voluntary += from->voluntary;
	to->cycles += from->cycles;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		to->slot[i].value += from->slot[i].value;
		to->slot[i].state = worse(to->slot[i].state, from->slot[i].state);
	}
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		to->wait[i].count += from->wait[i].count;
		to->wait[i].time += from->wait[i].time;
	}
}

static int by_cpu_time(const void *a, const void *b)
{
	const struct threadprof_profile *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void run_threads_sort(struct run_threads *threads)
{
	if (threads->count)
		qsort(threads->row, threads->count, sizeof(*threads->row), by_cpu_time);
}

static bool is_running(const struct threadprof_profile *profile)
{
	return !(profile->flags & THREADPROF_PROFILE_ENDED);
}

static void fold(struct run_threads *threads)
{
	size_t ended = 0, kept = 0;
	size_t i;

	run_threads_sort(threads);
	for (i = 0; i < threads->count; i++) {
		const struct threadprof_profile *row = &threads->row[i];

		if (is_running(row) || ended++ < RUN_THREADS_MAX / 2)
			threads->row[kept++] = *row;
		else
			run_threads_sum(&threads->folded, row);
	}
	threads->folded.dropped += threads->count - kept;
	threads->count = kept;
}

/* The lists are taken one after the other: a thread may be in both. */
static bool replace(struct run_threads *threads, const struct threadprof_profile *ended)
{
	size_t i;

	if (!threads->running)
		return false;
	/* From the end, where the running ones were put last. */
	for (i = threads->count; i-- > 0;) {
		if (threads->row[i].id != ended->id || !is_running(&threads->row[i]))
			continue;
		threads->row[i] = *ended;
		threads->running--;
		return true;
	}
	return false;
}

void run_threads_add(struct run_threads *threads, const struct threadprof_profile *profile)
{
	if (profile->ended_id > threads->last_ended)
		threads->last_ended = profile->ended_id;
	if (profile->dropped) {
		/* Sums since the beginning: the newest ones hold the older. */
		if (profile->dropped >= threads->dropped.dropped)
			threads->dropped = *profile;
		return;
	}
	/* It never came to its exec: nothing was counted. */
	if (profile->flags & THREADPROF_PROFILE_WAITS_EXEC)
		return;
	if (is_running(profile))
		threads->running++;
	else if (replace(threads, profile))
		return;
	if (threads->count - threads->running >= RUN_THREADS_MAX)
		fold(threads);
	if (threads->count == threads->room) {
		threads->room = threads->room ? 2 * threads->room : 64;
		threads->row = grow(threads->row, threads->room, sizeof(*threads->row));
	}
	threads->row[threads->count++] = *profile;
}

void run_threads_lost(const struct run_threads *threads, struct threadprof_profile *out)
{
	memset(out, 0, sizeof(*out));
	run_threads_sum(out, &threads->folded);
	run_threads_sum(out, &threads->dropped);
	out->dropped = threads->folded.dropped + threads->dropped.dropped;
}

void run_threads_free(struct run_threads *threads)
{
	free(threads->row);
	memset(threads, 0, sizeof(*threads));
}
