/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf events behind a configuration: one per slot and CPU.
 */
#ifndef _TPROF_PMU_H
#define _TPROF_PMU_H

#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/threadprof.h>

#include "counter.h"

/* Of one CPU. Used in the switch callbacks; see tprof_pmu_sync() for the rest. */
struct tprof_cpu_events {
	struct perf_event *event[THREADPROF_MAX_COUNTERS];
	u32 epoch;		/* changes when an event is taken back */
	bool in_order;		/* of the slots, and first: access_arm64.c */
	bool made_in_order;

	/* What a thread that was switched out leaves to the next: sched.c. */
	u16 left;		/* slots with a value in .last */
	u32 left_epoch;		/* of the events that they were read from */
	const struct task_struct *next;
	u64 next_key;
	u64 last[THREADPROF_MAX_COUNTERS];

	struct perf_event *dead[THREADPROF_MAX_COUNTERS]; /* to be released */
};

NTSTATUS tprof_pmu_create(struct tprof_cpu_events __percpu *events,
			  const struct tprof_counter *counter, ULONG count,
			  const struct tprof_refusal *why);
void tprof_pmu_look(struct tprof_cpu_events __percpu *events, ULONG count);
void tprof_pmu_release(struct tprof_cpu_events __percpu *events, ULONG count);
void tprof_pmu_pause(struct tprof_cpu_events __percpu *events, ULONG count,
		     bool pause);
bool tprof_pmu_sync(struct tprof_cpu_events __percpu *events,
		    const struct tprof_counter *counter, ULONG count);

struct perf_event *tprof_pmu_event(const struct tprof_counter *counter, int cpu);
/* Not since its CPU went away: perf takes them off for good then. */
static inline bool tprof_pmu_is_attached(const struct perf_event *event)
{
	return READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT;
}

bool tprof_pmu_value(struct tprof_cpu_events __percpu *events, ULONG i, int cpu,
		     u64 *value);

/*
 * Reads a counter of this CPU, as perf does it for its own: from the PMU into
 * the event's count, and that. Interrupts off; false where it does not count.
 * An event that is bound to a CPU is active on no other.
 */
static inline bool tprof_pmu_read(struct perf_event *event, u64 *value)
{
	if (unlikely(!event ||
		     READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE))
		return false;
	event->pmu->read(event);
	*value = local64_read(&event->count);
	return true;
}

#endif /* _TPROF_PMU_H */
