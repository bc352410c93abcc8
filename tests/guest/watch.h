/* SPDX-License-Identifier: GPL-2.0-only */
/* This thread's profile over some work: why it switched, how often, for how long. */
#ifndef GUEST_WATCH_H
#define GUEST_WATCH_H

#include <stdint.h>
#include <threadprof.h>

struct seen {
	uint64_t bits;
	struct threadprof_profile profile;
	uint64_t cycle_time;
	uint64_t cpu_most;	/* CPU time, nanoseconds, a little more than the span */
};

/* Profiles this thread while @work runs. */
void watch(struct threadprof *tp, void (*work)(void), struct seen *out);
/*
 * Checks that @expected shows, at least @least times, and no other reason of a
 * thread that waits of its own accord.
 */
void watch_reason(struct threadprof *tp, const char *what, void (*work)(void),
		  unsigned int expected, uint64_t least);

#endif /* GUEST_WATCH_H */
