/* SPDX-License-Identifier: GPL-2.0-only */
/* What `hwcfg run` gathers about the threads of its command. */
#ifndef HWCFG_RUN_THREAD_H
#define HWCFG_RUN_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <threadprof.h>

/*
 * Rows of ended threads kept; of more, those with the least CPU time are summed
 * up. Running ones keep their rows, so that their end finds them.
 */
#define RUN_THREADS_MAX 16384

struct run_threads {
	struct threadprof_profile *row;
	size_t count;
	size_t room;
	size_t running;		/* rows of threads that had not ended */
	uint64_t last_ended;	/* highest ended_id seen */
	struct threadprof_profile folded;	/* sums of rows let go here */
	struct threadprof_profile dropped;	/* sums of those the kernel let go */
};

/* Takes in one profile. One that ended takes the place of its running self. */
void run_threads_add(struct run_threads *threads, const struct threadprof_profile *profile);

/* What the kernel or the tool let go, summed; dropped says how many. */
void run_threads_lost(const struct run_threads *threads, struct threadprof_profile *out);

/* Adds the counts of one profile to another; slot states become the worse one. */
void run_threads_sum(struct threadprof_profile *to, const struct threadprof_profile *from);

/* By CPU time, most first. */
void run_threads_sort(struct run_threads *threads);

void run_threads_free(struct run_threads *threads);

#endif
