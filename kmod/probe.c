// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which PMUs there are and how many counters fit on each, found out by asking
 * perf for events: the kernel has no list for modules.
 *
 * Done once when the module is loaded, before anybody can ask; read-only later.
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

static struct perf_event *try_event(u64 config, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/*
 * Instructions first (not every PMU has them), then cycles: where these have
 * registers of their own, one of each goes there and the others to the general
 * ones.
 */
static u32 count_counters(int cpu)
{
	struct perf_event *event[MAX_TRIED], *new;
	u32 tried = 0, fit = 0;

	new = try_event(PERF_COUNT_HW_INSTRUCTIONS, cpu);
	if (!IS_ERR_OR_NULL(new)) {
		event[tried++] = new;
		fit += READ_ONCE(new->state) == PERF_EVENT_STATE_ACTIVE;
	}
	while (tried < MAX_TRIED) {
		new = try_event(PERF_COUNT_HW_CPU_CYCLES, cpu);
		if (IS_ERR_OR_NULL(new))
			break;
		event[tried++] = new;
		if (READ_ONCE(new->state) != PERF_EVENT_STATE_ACTIVE)
			break;
		fit++;
	}
	while (tried)
		perf_event_release_kernel(event[--tried]);
	return fit;
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

void tprof_probe(void)
{
	struct tprof_pmu_info *info;
	struct perf_event *event;
	int cpu;

	for_each_online_cpu(cpu) {
		event = try_event(PERF_COUNT_HW_CPU_CYCLES, cpu);
		if (IS_ERR_OR_NULL(event))
			continue;
		info = info_of(event->pmu);
		perf_event_release_kernel(event);
		if (!info)
			continue;
		if (!info->counters)
			info->counters = count_counters(cpu);
		cpumask_set_cpu(cpu, &info->cpus);
	}
}
