// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creation and release of the perf events of a configuration, for all CPUs.
 *
 * All functions here are called with the configuration's lock held (config.c)
 * and may sleep. The CPU hotplug lock must not be held: creating a software event
 * takes it. A CPU that comes or goes meanwhile is put right by tprof_pmu_sync(),
 * which hotplug asks for afterwards.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "access.h"
#include "pmu.h"
#include "probe.h"

/*
 * On the PMU, or off it for a moment: perf takes all events of a CPU out and puts
 * them back when it schedules anew. A pinned one that does not fit is in error.
 */
static bool is_alive(const struct perf_event *event)
{
	return READ_ONCE(event->state) >= PERF_EVENT_STATE_INACTIVE &&
	       tprof_pmu_is_attached(event);
}

/* An event that counts on @cpu, or an ERR_PTR; -ENOSPC where there is no room. */
struct perf_event *tprof_pmu_event(const struct tprof_counter *counter, int cpu)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	tprof_counter_attr(counter, &attr);
	tprof_access_widen(&attr);
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return event;
	if (!event)
		return ERR_PTR(-ENOENT);
	if (!is_alive(event)) {
		bool goes = !cpu_active(cpu);

		perf_event_release_kernel(event);
		return ERR_PTR(goes ? -ENODEV : -ENOSPC);
	}
	return event;
}

static NTSTATUS say_failed(const struct tprof_counter *counter, ULONG i, int cpu,
			   long error, const struct tprof_refusal *why)
{
	const char *name = tprof_counter_label(counter);

	switch (error) {
	case -ENOMEM:
		tprof_refuse_counter(why, i, "counter %u (%.24s): no memory", i,
				     name);
		return STATUS_NO_MEMORY;
	case -ENOSPC:
	case -EBUSY:
		tprof_refuse_counter(why, i, "no room for counter %u (%.20s) on CPU %d%s",
				     i, name, cpu,
				     IS_ENABLED(CONFIG_HARDLOCKUP_DETECTOR_PERF) ?
				     " (NMI watchdog on?)" : "");
		return STATUS_INSUFFICIENT_RESOURCES;
	default:
		if (tprof_counter_is_hardware(counter) && !tprof_pmu_present())
			tprof_refuse_counter(why, i,
					     "no PMU here: counter %u (%.24s) cannot count",
					     i, name);
		else
			tprof_refuse_counter(why, i,
					     "counter %u (%.24s): event unknown to the PMU of CPU %d",
					     i, name, cpu);
		return STATUS_NOT_SUPPORTED;
	}
}

static NTSTATUS create_slot(struct tprof_cpu_events *on_cpu, int cpu,
			    const struct tprof_counter *counter, ULONG i,
			    const struct tprof_refusal *why)
{
	struct perf_event *event = tprof_pmu_event(counter, cpu);
	NTSTATUS status;

	if (IS_ERR(event)) {
		/* On its way offline: nothing to count there. */
		if (PTR_ERR(event) == -ENODEV && !cpu_active(cpu))
			return STATUS_SUCCESS;
		return say_failed(counter, i, cpu, PTR_ERR(event), why);
	}
	status = tprof_counter_check_event(counter, i, event, why);
	if (status != STATUS_SUCCESS) {
		perf_event_release_kernel(event);
		return status;
	}
	WRITE_ONCE(on_cpu->event[i], event);
	return STATUS_SUCCESS;
}

/*
 * Does no pinned event of others stand before ours on their CPU and PMU, be it
 * switched off at the moment? One that comes later can't get there: perf counts
 * them through.
 */
static bool stands_first(const struct perf_event *ours)
{
	const struct perf_event *event;
	bool first = true;

	rcu_read_lock();
	list_for_each_entry_rcu(event, &ours->ctx->event_list, event_entry) {
		if (event->pmu == ours->pmu && event->attr.pinned &&
		    event->group_index < ours->group_index)
			first = false;
	}
	rcu_read_unlock();
	return first;
}

static bool are_first(const struct tprof_cpu_events *on_cpu, ULONG count)
{
	struct perf_event *event;
	struct pmu *last = NULL;
	ULONG i;

	for (i = 0; i < count; i++) {
		event = on_cpu->event[i];
		if (!event || event->pmu == last)
			continue;
		last = event->pmu;
		if (!stands_first(event))
			return false;
	}
	return true;
}

/*
 * Looks where the events stand, among their like and others'. After the events of an
 * earlier list have gone.
 */
void tprof_pmu_look(struct tprof_cpu_events __percpu *events, ULONG count)
{
	struct tprof_cpu_events *on_cpu;
	int cpu;

	for_each_online_cpu(cpu) {
		on_cpu = per_cpu_ptr(events, cpu);
		WRITE_ONCE(on_cpu->in_order, on_cpu->made_in_order &&
			   are_first(on_cpu, count));
	}
}

/* All or nothing (KS13): on failure @events is as empty as it was. */
NTSTATUS tprof_pmu_create(struct tprof_cpu_events __percpu *events,
			  const struct tprof_counter *counter, ULONG count,
			  const struct tprof_refusal *why)
{
	struct tprof_cpu_events *on_cpu;
	NTSTATUS status;
	ULONG i;
	int cpu;

	for (i = 0; i < count; i++) {
		status = tprof_counter_check_event(&counter[i], i, NULL, why);
		if (status != STATUS_SUCCESS)
			return status;
	}
	for_each_online_cpu(cpu) {
		on_cpu = per_cpu_ptr(events, cpu);
		for (i = 0; i < count; i++) {
			status = create_slot(on_cpu, cpu, &counter[i], i, why);
			if (status != STATUS_SUCCESS) {
				tprof_pmu_release(events, count);
				return status;
			}
		}
		on_cpu->made_in_order = true;
	}
	return STATUS_SUCCESS;
}

/* No switch callback may see @events any more. */
void tprof_pmu_release(struct tprof_cpu_events __percpu *events, ULONG count)
{
	struct tprof_cpu_events *on_cpu;
	ULONG i;
	int cpu;

	for_each_possible_cpu(cpu) {
		on_cpu = per_cpu_ptr(events, cpu);
		for (i = 0; i < count; i++) {
			if (!on_cpu->event[i])
				continue;
			perf_event_release_kernel(on_cpu->event[i]);
			on_cpu->event[i] = NULL;
		}
	}
}

/*
 * What counter @i has counted on @cpu since its event there was made. False: it does
 * not count there now.
 */
bool tprof_pmu_value(struct tprof_cpu_events __percpu *events, ULONG i, int cpu,
		     u64 *value)
{
	struct perf_event *event = per_cpu_ptr(events, cpu)->event[i];
	u64 enabled, running;

	*value = event ? perf_event_read_value(event, &enabled, &running) : 0;
	return event && is_alive(event);
}

/*
 * Takes the events off the PMU, or puts them back on it, so that the next
 * configuration can be tried in their place and given up again.
 */
void tprof_pmu_pause(struct tprof_cpu_events __percpu *events, ULONG count,
		     bool pause)
{
	struct perf_event *event;
	ULONG i;
	int cpu;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < count; i++) {
			event = per_cpu_ptr(events, cpu)->event[i];
			if (!event)
				continue;
			if (pause)
				perf_event_disable(event);
			else
				perf_event_enable(event);
		}
	}
}

/* Hides from the switch callbacks what no longer counts. */
static bool unpublish(struct tprof_cpu_events *on_cpu, ULONG count, bool online)
{
	bool any = false;
	ULONG i;

	for (i = 0; i < count; i++) {
		struct perf_event *event = on_cpu->event[i];

		if (!event || (online && is_alive(event)))
			continue;
		WRITE_ONCE(on_cpu->event[i], NULL);
		on_cpu->dead[i] = event;
		any = true;
	}
	if (any) {
		/*
		 * A slice that began with one of these must not end with its
		 * successor. Pairs with slots_open(): it may see the new epoch
		 * only without the old events.
		 */
		smp_wmb();
		WRITE_ONCE(on_cpu->epoch, on_cpu->epoch + 1);
	}
	return any;
}

static void release_dead(struct tprof_cpu_events *on_cpu, ULONG count)
{
	ULONG i;

	for (i = 0; i < count; i++) {
		if (!on_cpu->dead[i])
			continue;
		perf_event_release_kernel(on_cpu->dead[i]);
		on_cpu->dead[i] = NULL;
	}
}

static bool create_missing(struct tprof_cpu_events *on_cpu, int cpu,
			   const struct tprof_counter *counter, ULONG count)
{
	bool complete = true, others = false, made = false;
	struct perf_event *event;
	ULONG i;

	for (i = 0; i < count; i++)
		others |= !!on_cpu->event[i];
	for (i = 0; i < count; i++) {
		if (on_cpu->event[i])
			continue;
		made = true;
		WRITE_ONCE(on_cpu->in_order, false);
		event = tprof_pmu_event(&counter[i], cpu);
		if (IS_ERR(event)) {
			complete &= PTR_ERR(event) == -ENODEV;
			continue;
		}
		/* Pairs with the dependent load of a switch callback. */
		smp_store_release(&on_cpu->event[i], event);
	}
	/* A latecomer may stand behind its successor from now on. */
	if (made)
		on_cpu->made_in_order = !others;
	return complete;
}

/*
 * tprof_pmu_sync - give each CPU that is online its events, and take back those
 * of the others
 *
 * An event that is dead on an online CPU (the CPU was away, or the event was
 * pushed off the PMU) is made anew. What can't be made is left out, and false
 * returned: threads see their slot LOST. Switch callbacks run meanwhile: a dead
 * event is released only when none can have it in its hands.
 */
bool tprof_pmu_sync(struct tprof_cpu_events __percpu *events,
		    const struct tprof_counter *counter, ULONG count)
{
	bool any_dead = false, complete = true;
	int cpu;

	for_each_possible_cpu(cpu)
		any_dead |= unpublish(per_cpu_ptr(events, cpu), count,
				      cpu_online(cpu));
	if (any_dead)
		synchronize_rcu();
	for_each_possible_cpu(cpu) {
		release_dead(per_cpu_ptr(events, cpu), count);
		if (cpu_online(cpu))
			complete &= create_missing(per_cpu_ptr(events, cpu),
						   cpu, counter, count);
	}
	return complete;
}
