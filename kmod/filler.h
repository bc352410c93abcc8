/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fillers: events that count for nobody, and keep the counters that a configuration
 * leaves free from being taken by others (EXCLUSIVE).
 */
#ifndef _TPROF_FILLER_H
#define _TPROF_FILLER_H

#include <linux/types.h>

/* More counters than that no PMU has that we know. */
#define TPROF_MAX_FILLERS	40

struct perf_event;

/* Of one CPU. */
struct tprof_fillers {
	unsigned int count;
	struct perf_event *event[TPROF_MAX_FILLERS];
};

/* An event that counts for nobody, on @cpu; or an ERR_PTR. */
struct perf_event *tprof_filler_new(int cpu);

/* With the configuration's lock held; they may sleep. */
void tprof_fillers_create(struct tprof_fillers __percpu *fillers);
void tprof_fillers_release(struct tprof_fillers __percpu *fillers);
/* Those of CPUs that went away: before others are made. */
void tprof_fillers_release_dead(struct tprof_fillers __percpu *fillers);

#endif /* _TPROF_FILLER_H */
