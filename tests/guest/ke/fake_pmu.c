// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two PMUs that count nothing real: one with room for KE_PMU_ROOM events on each
 * CPU, as hardware has an end, and one that counts for a whole package.
 */
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "check.h"

static DEFINE_PER_CPU(int, used);
static atomic_t active;

static void event_read(struct perf_event *event)
{
	local64_inc(&event->count);
}

static void event_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
}

static void event_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
}

static int event_add(struct perf_event *event, int flags)
{
	if (this_cpu_read(used) == KE_PMU_ROOM)
		return -EAGAIN;
	this_cpu_inc(used);
	atomic_inc(&active);
	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	this_cpu_dec(used);
	atomic_dec(&active);
}

static int event_init(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.config >= 1024)
		return -EINVAL;
	return 0;
}

static struct pmu cpu_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_sw_context,
	.event_init = event_init,
	.add = event_add,
	.del = event_del,
	.start = event_start,
	.stop = event_stop,
	.read = event_read,
};

static struct pmu uncore_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.event_init = event_init,
	.add = event_add,
	.del = event_del,
	.start = event_start,
	.stop = event_stop,
	.read = event_read,
};

int ke_pmu_register(void)
{
	int error = perf_pmu_register(&cpu_pmu, "ke_test", -1);

	if (error)
		return error;
	error = perf_pmu_register(&uncore_pmu, "ke_test_uncore", -1);
	if (error)
		perf_pmu_unregister(&cpu_pmu);
	return error;
}

void ke_pmu_unregister(void)
{
	perf_pmu_unregister(&uncore_pmu);
	perf_pmu_unregister(&cpu_pmu);
}

ULONG64 ke_event(unsigned int config)
{
	return THREADPROF_INDEX(cpu_pmu.type, config);
}

ULONG64 ke_uncore_event(void)
{
	return THREADPROF_INDEX(uncore_pmu.type, 0);
}

int ke_pmu_active(void)
{
	return atomic_read(&active);
}

void ke_list(HARDWARE_COUNTER *list, ULONG count, unsigned int first)
{
	ULONG i;

	for (i = 0; i < count; i++)
		list[i] = (HARDWARE_COUNTER) { .Index = ke_event(first + i) };
}
