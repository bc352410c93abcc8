// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which PMUs there are and how many counters fit on each, found out by asking
 * perf for events: the kernel has no list for modules.
 *
 * Done when the module is loaded, and again when CPUs come: then, and by readers,
 * under the configuration's lock.
 */
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "probe.h"

/* More than any PMU has; a bound for the search. */
#define MAX_TRIED	64

static struct tprof_pmu_info pmus[TPROF_MAX_PMUS];
static unsigned int pmu_count;

bool tprof_pmu_present(void)
{
	return pmu_count > 0;
}

unsigned int tprof_probe_count(void)
{
	return pmu_count;
}

const struct tprof_pmu_info *tprof_probe_get(unsigned int i)
{
	return i < pmu_count ? &pmus[i] : NULL;
}

/*
 * Not pinned, so that it takes no counter from anybody who was there first: a
 * pinned event that is pushed off the PMU stays off for good.
 */
static struct perf_event *try_event(u64 config, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

static bool fits(u64 config, int cpu, struct perf_event **event)
{
	struct perf_event *new = try_event(config, cpu);

	if (IS_ERR_OR_NULL(new))
		return false;
	if (READ_ONCE(new->state) == PERF_EVENT_STATE_ACTIVE) {
		*event = new;
		return true;
	}
	perf_event_release_kernel(new);
	return false;
}

/*
 * Instructions first (not every PMU has them), then cycles: where these have
 * registers of their own, one of each goes there and the others to the general
 * ones.
 */
static u32 count_counters(int cpu)
{
	struct perf_event *event[MAX_TRIED];
	u32 fit = 0, counters;

	fit += fits(PERF_COUNT_HW_INSTRUCTIONS, cpu, &event[fit]);
	while (fit < MAX_TRIED &&
	       fits(PERF_COUNT_HW_CPU_CYCLES, cpu, &event[fit]))
		fit++;
	counters = fit;
	while (fit)
		perf_event_release_kernel(event[--fit]);
	return counters;
}

static struct tprof_pmu_info *info_of(const struct pmu *pmu)
{
	struct tprof_pmu_info *info;
	unsigned int i;

	for (i = 0; i < pmu_count; i++) {
		if (pmus[i].type == pmu->type)
			return &pmus[i];
	}
	if (pmu_count == TPROF_MAX_PMUS)
		return NULL;
	info = &pmus[pmu_count++];
	strscpy(info->name, pmu->name ?: "unnamed", sizeof(info->name));
	info->type = pmu->type;
	return info;
}

static void probe_cpu(int cpu)
{
	struct tprof_pmu_info *info;
	struct perf_event *event;

	event = try_event(PERF_COUNT_HW_CPU_CYCLES, cpu);
	if (IS_ERR_OR_NULL(event))
		return;
	info = info_of(event->pmu);
	perf_event_release_kernel(event);
	if (!info)
		return;
	if (!info->counters)
		info->counters = count_counters(cpu);
	cpumask_set_cpu(cpu, &info->cpus);
}

/* How many counters the PMU of @cpu has; 0: it has none. */
u32 tprof_probe_counters(int cpu)
{
	unsigned int i;

	for (i = 0; i < pmu_count; i++) {
		if (cpumask_test_cpu(cpu, &pmus[i].cpus))
			return pmus[i].counters;
	}
	return 0;
}

/* Looks at CPUs that it has not seen. */
void tprof_probe(void)
{
	int cpu;

	for_each_online_cpu(cpu) {
		if (!tprof_probe_counters(cpu))
			probe_cpu(cpu);
	}
}
