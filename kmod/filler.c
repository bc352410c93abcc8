// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making and releasing of fillers.
 *
 * Cycles in user mode, for they fit any counter of each PMU; where those of other
 * events have counters of their own, these too.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "config.h"
#include "filler.h"
#include "pmu.h"

static const u64 kinds[] = {
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

struct perf_event *tprof_filler_new(int cpu)
{
	struct tprof_counter counter = { .modes = THREADPROF_MODE_USER };
	struct perf_event *event = ERR_PTR(-ENOENT);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds) && IS_ERR(event); i++) {
		counter.index = THREADPROF_INDEX(PERF_TYPE_HARDWARE, kinds[i]);
		counter.config = kinds[i];
		event = tprof_pmu_event(&counter, cpu);
	}
	return event;
}

static void fill(struct tprof_fillers *on_cpu, int cpu)
{
	struct perf_event *event;

	while (on_cpu->count < TPROF_MAX_FILLERS) {
		event = tprof_filler_new(cpu);
		if (IS_ERR(event))
			return;
		on_cpu->event[on_cpu->count] = event;
		/* Pairs with the reading of a switch callback: access_x86.c. */
		smp_store_release(&on_cpu->count, on_cpu->count + 1);
	}
}

/* What is left on each CPU that is online by those that are wanted. */
void tprof_fillers_create(struct tprof_fillers __percpu *fillers)
{
	int cpu;

	tprof_config_assert_held();
	for_each_online_cpu(cpu)
		fill(per_cpu_ptr(fillers, cpu), cpu);
}

/* No switch callback counts on them any more. */
static void empty(struct tprof_fillers *on_cpu)
{
	unsigned int i;

	for (i = 0; i < TPROF_MAX_FILLERS && on_cpu->event[i]; i++) {
		perf_event_release_kernel(on_cpu->event[i]);
		on_cpu->event[i] = NULL;
	}
}

void tprof_fillers_release_dead(struct tprof_fillers __percpu *fillers)
{
	struct tprof_fillers *on_cpu;
	int cpu;

	tprof_config_assert_held();
	for_each_possible_cpu(cpu) {
		on_cpu = per_cpu_ptr(fillers, cpu);
		if (!on_cpu->count || tprof_pmu_is_attached(on_cpu->event[0]))
			continue;
		WRITE_ONCE(on_cpu->count, 0);
		synchronize_rcu();
		empty(on_cpu);
	}
}

void tprof_fillers_release(struct tprof_fillers __percpu *fillers)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(fillers, cpu)->count, 0);
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		empty(per_cpu_ptr(fillers, cpu));
}
