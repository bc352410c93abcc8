// SPDX-License-Identifier: GPL-2.0-only
/*
 * What may be a counter of a thread: checks of the list as such, and of the
 * event behind each element.
 */
#include <linux/string.h>
#ifdef CONFIG_X86
#include <asm/processor.h>
#endif

#include "counter.h"

/* A name for messages; short, so that the reason fits behind it. */
const char *tprof_counter_label(const struct tprof_counter *counter)
{
	return counter->name[0] ? counter->name : "unnamed";
}

bool tprof_counter_is_hardware(const struct tprof_counter *counter)
{
	u32 type = tprof_counter_perf_type(counter);

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
	       type == PERF_TYPE_RAW;
}

static bool same_event(const struct tprof_counter *a,
		       const struct tprof_counter *b)
{
	return a->index == b->index && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2 &&
	       a->modes == b->modes;
}

/*
 * Events of the kernel that are no counters at all, or would never count: known
 * by their numbers, so they are refused before anything is created.
 */
static const char *refused_software(const struct tprof_counter *counter)
{
	switch (counter->config) {
	case PERF_COUNT_SW_DUMMY:
	case PERF_COUNT_SW_BPF_OUTPUT:
		return "is for sampling only, it never counts";
	case PERF_COUNT_SW_CGROUP_SWITCHES:
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
	case PERF_COUNT_SW_CPU_MIGRATIONS:
		if (!(counter->modes & THREADPROF_MODE_KERNEL))
			return "happens in kernel mode only: ask for it";
		return NULL;
	default:
		return NULL;
	}
}

/* Intel's topdown metrics are ratios in a register, not counts. */
static bool is_metric(const struct tprof_counter *counter)
{
#ifdef CONFIG_X86
	return tprof_counter_perf_type(counter) == PERF_TYPE_RAW &&
	       boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	       (counter->config & 0xff) == 0 &&
	       ((counter->config >> 8) & 0xff) >= 0x80;
#else
	return false;
#endif
}

static const char *refused_event(const struct tprof_counter *counter)
{
	switch (tprof_counter_perf_type(counter)) {
	case PERF_TYPE_SOFTWARE:
		return refused_software(counter);
	case PERF_TYPE_TRACEPOINT:
		return "is a tracepoint, not a counter";
	case PERF_TYPE_BREAKPOINT:
		return "is a breakpoint, not a counter";
	default:
		return is_metric(counter) ? "is a metric, not a count" : NULL;
	}
}

/*
 * tprof_counters_check - everything about a list that needs no PMU
 *
 * The order is the contract's: number (KS4), then each element's form.
 */
NTSTATUS tprof_counters_check(const struct tprof_counter *counter, ULONG count,
			      const struct tprof_refusal *why)
{
	ULONG i, k;

	for (i = 0; i < count; i++) {
		if (counter[i].type != PMCCounter) {
			tprof_refuse_counter(why, i,
					     "counter %u: TYPE %u is unknown, PMCCounter is 0",
					     i, counter[i].type);
			return STATUS_INVALID_PARAMETER;
		}
		if (counter[i].reserved) {
			tprof_refuse_counter(why, i, "counter %u: RESERVED must be 0", i);
			return STATUS_INVALID_PARAMETER;
		}
		if (!counter[i].modes) {
			tprof_refuse_counter(why, i, "counter %u: MODES names no mode", i);
			return STATUS_INVALID_PARAMETER;
		}
		for (k = 0; k < i; k++) {
			if (!same_event(&counter[i], &counter[k]))
				continue;
			tprof_refuse_counter(why, i,
					     "counter %u (%.24s) is a duplicate of counter %u",
					     i, tprof_counter_label(&counter[i]), k);
			return STATUS_INVALID_PARAMETER;
		}
	}
	return STATUS_SUCCESS;
}

/* Tracepoints by other doors: kprobes and uprobes have PMUs of their own. */
static bool is_traced(const struct perf_event *event)
{
#ifdef CONFIG_EVENT_TRACING
	return event->tp_event;
#else
	return false;
#endif
}

/*
 * tprof_counter_check_event - is this a count that can belong to a thread?
 * @i: its number in the list
 * @event: what perf made of it, or NULL before that
 */
NTSTATUS tprof_counter_check_event(const struct tprof_counter *counter, ULONG i,
				   const struct perf_event *event,
				   const struct tprof_refusal *why)
{
	const char *reason = NULL;
	const struct pmu *pmu;

	if (!event) {
		reason = refused_event(counter);
	} else {
		pmu = event->pmu;
		if (pmu->task_ctx_nr == perf_invalid_context)
			reason = "is uncore, it counts no thread";
		else if (pmu->setup_aux ||
			 (pmu->capabilities & (PERF_PMU_CAP_EXCLUSIVE |
					       PERF_PMU_CAP_ITRACE)))
			reason = "is for sampling only, it never counts";
		else if (is_traced(event))
			reason = "is a tracepoint, not a counter";
	}
	if (!reason)
		return STATUS_SUCCESS;
	tprof_refuse_counter(why, i, "counter %u (%.24s) %s", i,
			     tprof_counter_label(counter), reason);
	return STATUS_NOT_SUPPORTED;
}

/*
 * Pinned: on the PMU all the time, or not at all. It is on no thread's account,
 * perf counts for whatever runs on the CPU and the module divides it.
 */
void tprof_counter_attr(const struct tprof_counter *counter,
			struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr) {
		.type = tprof_counter_perf_type(counter),
		.size = sizeof(*attr),
		.config = counter->config,
		.config1 = counter->config1,
		.config2 = counter->config2,
		.pinned = 1,
		.exclude_user = !(counter->modes & THREADPROF_MODE_USER),
		.exclude_kernel = !(counter->modes & THREADPROF_MODE_KERNEL),
		.exclude_hv = !(counter->modes & THREADPROF_MODE_HYPERVISOR),
	};
}
