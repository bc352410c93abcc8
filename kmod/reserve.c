// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters kept for drivers, each by a pinned event that counts for nobody.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "config.h"
#include "filler.h"
#include "pmu.h"
#include "probe.h"
#include "reserve.h"

static LIST_HEAD(reservations);
static unsigned int reservation_count;
static u64 last_id;

/* Numbers of the counters that @cpu has. */
static u64 counters_of(int cpu)
{
	u32 counters = tprof_probe_counters(cpu);

	return counters >= TPROF_MAX_RESERVED ? U64_MAX : BIT_ULL(counters) - 1;
}

/* Of @wanted, all of them for the whole PMU. */
static u64 counters_on(int cpu, u64 wanted)
{
	return wanted == U64_MAX ? counters_of(cpu) : wanted;
}

/* How many there are in all; 0: a CPU does not have one of them. */
static unsigned int count_all(const struct cpumask *cpus, u64 wanted)
{
	unsigned int count = 0;
	u64 counters;
	int cpu;

	for_each_cpu(cpu, cpus) {
		counters = counters_on(cpu, wanted);
		if (!counters || (counters & ~counters_of(cpu)))
			return 0;
		count += hweight64(counters);
	}
	return count;
}

static bool is_taken(const struct cpumask *cpus, u64 counters)
{
	const struct tprof_reservation *r;

	list_for_each_entry(r, &reservations, node) {
		if ((r->counters & counters) &&
		    cpumask_intersects(&r->cpus, cpus))
			return true;
	}
	return false;
}

static void release(struct tprof_reservation *r)
{
	unsigned int i;

	for (i = 0; i < r->count; i++) {
		if (r->reserved[i].event)
			perf_event_release_kernel(r->reserved[i].event);
	}
	kvfree(r);
}

static struct tprof_reservation *make(const struct cpumask *cpus, u64 wanted,
				      unsigned int count)
{
	struct tprof_reservation *r;
	struct perf_event *event;
	unsigned int n;
	int cpu;

	r = kvzalloc(struct_size(r, reserved, count), GFP_KERNEL);
	if (!r)
		return ERR_PTR(-ENOMEM);
	cpumask_copy(&r->cpus, cpus);
	r->counters = wanted;
	for_each_cpu(cpu, cpus) {
		for (n = hweight64(counters_on(cpu, wanted)); n; n--) {
			event = tprof_filler_new(cpu);
			if (IS_ERR(event)) {
				release(r);
				return ERR_CAST(event);
			}
			r->reserved[r->count++] = (struct tprof_reserved) {
				.cpu = cpu, .event = event,
			};
		}
	}
	return r;
}

/*
 * tprof_reserve - keep @counters, bits of their numbers, on @cpus
 * @counters: U64_MAX for all that each of the CPUs has
 *
 * -EINVAL: one of the CPUs does not have one of them. -ENOSPC: taken.
 */
int tprof_reserve(const struct cpumask *cpus, u64 counters,
		  struct module *owner, u64 *id)
{
	unsigned int count = count_all(cpus, counters);
	struct tprof_reservation *r;

	tprof_config_assert_held();
	if (!count)
		return -EINVAL;
	if (is_taken(cpus, counters) ||
	    reservation_count == TPROF_MAX_RESERVATIONS)
		return -ENOSPC;
	r = make(cpus, counters, count);
	if (IS_ERR(r))
		return PTR_ERR(r);
	r->id = *id = ++last_id;
	r->owner = owner;
	strscpy(r->name, owner ? module_name(owner) : "the kernel",
		sizeof(r->name));
	list_add_tail(&r->node, &reservations);
	reservation_count++;
	return 0;
}

static void drop(struct tprof_reservation *r)
{
	list_del(&r->node);
	reservation_count--;
	release(r);
}

bool tprof_unreserve(u64 id)
{
	struct tprof_reservation *r;

	tprof_config_assert_held();
	list_for_each_entry(r, &reservations, node) {
		if (r->id == id) {
			drop(r);
			return true;
		}
	}
	return false;
}

/* It is unloaded. */
void tprof_unreserve_all_of(struct module *owner)
{
	struct tprof_reservation *r, *tmp;

	tprof_config_assert_held();
	list_for_each_entry_safe(r, tmp, &reservations, node) {
		if (r->owner == owner)
			drop(r);
	}
}

/* They make room for a list of the drivers' own. */
void tprof_reserve_yield(void)
{
	struct tprof_reservation *r;
	unsigned int i;

	tprof_config_assert_held();
	list_for_each_entry(r, &reservations, node) {
		for (i = 0; i < r->count; i++) {
			if (r->reserved[i].event)
				perf_event_disable(r->reserved[i].event);
		}
	}
}

static void claim(struct tprof_reserved *reserved)
{
	struct perf_event *event = reserved->event;

	if (event && tprof_pmu_is_attached(event)) {
		/* Off, or in error for want of a counter: it tries again. */
		perf_event_enable(event);
		return;
	}
	/* Its CPU is away, or was. */
	if (event)
		perf_event_release_kernel(event);
	event = cpu_online(reserved->cpu) ? tprof_filler_new(reserved->cpu) :
					    NULL;
	reserved->event = IS_ERR(event) ? NULL : event;
}

/* They take what is left; after a list has changed, and when CPUs have. */
void tprof_reserve_claim(void)
{
	struct tprof_reservation *r;
	unsigned int i;

	tprof_config_assert_held();
	list_for_each_entry(r, &reservations, node) {
		for (i = 0; i < r->count; i++)
			claim(&r->reserved[i]);
	}
}

int tprof_reserve_each(tprof_reservation_fn *fn, void *arg)
{
	const struct tprof_reservation *r;
	int error;

	tprof_config_assert_held();
	list_for_each_entry(r, &reservations, node) {
		error = fn(r, arg);
		if (error)
			return error;
	}
	return 0;
}
