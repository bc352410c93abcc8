// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm64. perf opens the counters of a CPU to user mode when it switches to a thread
 * that has an event with the "rdpmc" bit, if kernel.perf_user_access says so. The
 * event need not count: switched off it takes no counter, and nobody who wants
 * one can push it aside.
 */
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/sysreg.h>
#include <linux/perf/arm_pmu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "access.h"
#include "compat.h"
#include "config.h"
#include "counter.h"
#include "direct.h"
#include "pmu.h"
#include "probe.h"
#include "profile.h"

/* Bits of a PMUv3 event's config1. */
#define CONFIG1_LONG	BIT(0)
#define CONFIG1_RDPMC	BIT(1)

/* Of PMUSERENR_EL0: event counters, cycle counter. */
#define USER_READS	(BIT(3) | BIT(2))

/* ID_AA64DFR0_EL1.PMUVer: since v3.5 event counters of 64 bits; 15 is no PMUv3. */
#define PMUVER_SHIFT	8
#define PMUVER_V3P5	6
#define PMUVER_V3P9	9
#define PMUVER_OTHER	15

#define CYCLES_EVENT	0x11
#define EVENT_MASK	0xffff
#define CYCLE_REGISTER	31

static unsigned int pmu_version(void)
{
	u64 features = read_sanitised_ftr_reg(SYS_ID_AA64DFR0_EL1);

	return cpuid_feature_extract_unsigned_field(features, PMUVER_SHIFT);
}

static bool has_long_counters(void)
{
	unsigned int version = pmu_version();

	return version >= PMUVER_V3P5 && version != PMUVER_OTHER;
}

static bool is_cpu_event(const struct perf_event_attr *attr)
{
	unsigned int i;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return true;
	}
	for (i = 0; i < tprof_probe_count(); i++) {
		if (tprof_probe_get(i)->type == attr->type)
			return true;
	}
	return false;
}

void tprof_access_widen(struct perf_event_attr *attr)
{
	if (has_long_counters() && is_cpu_event(attr))
		attr->config1 |= CONFIG1_LONG;
}

static struct perf_event *key_like(const struct tprof_counter *counter)
{
	struct perf_event_attr attr;
	struct perf_event *key;

	tprof_counter_attr(counter, &attr);
	attr.pinned = 0;
	attr.config1 = CONFIG1_RDPMC;
	key = perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL);
	if (PTR_ERR_OR_ZERO(key) == -ENOMEM)
		return key;
	if (IS_ERR_OR_NULL(key))
		return ERR_PTR(-EOPNOTSUPP);
	if (!(key->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT)) {
		perf_event_release_kernel(key);
		return ERR_PTR(-EOPNOTSUPP);
	}
	/* It was scheduled once, so that its thread has the access at once. */
	perf_event_disable(key);
	return key;
}

int tprof_access_open(struct tprof_profile *p, struct file *file)
{
	struct perf_event *key;
	unsigned long flags;
	bool open;

	/* From v3.9 on each counter is opened by itself, to its own thread. */
	if (!has_long_counters() || pmu_version() >= PMUVER_V3P9)
		return -EOPNOTSUPP;
	key = tprof_direct_key(p, key_like);
	if (IS_ERR(key))
		return PTR_ERR(key);
	local_irq_save(flags);
	open = tprof_access_now();
	local_irq_restore(flags);
	if (!open) {
		perf_event_release_kernel(key);
		return -EACCES;
	}
	p->key = key;
	return 0;
}

/*
 * perf looks anew at whom to open a CPU's counters when it starts its PMU. It has no
 * reason to when an event goes that did not count, so we give it one.
 */
static void restart(void *unused)
{
	const struct tprof_cpu_events *events;
	struct pmu *last = NULL;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	events = this_cpu_ptr(tprof_config_rcu()->events);
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		struct perf_event *event = READ_ONCE(events->event[i]);

		if (!event || event->pmu == last)
			continue;
		last = event->pmu;
		last->pmu_disable(last);
		last->pmu_enable(last);
	}
	local_irq_restore(flags);
}

/*
 * The key leaves the CPU open that its thread is on when it goes: this one, if that
 * is current; with a thread that exits nobody knows which.
 */
void tprof_access_close(struct tprof_profile *p, bool here)
{
	struct perf_event *key = p->key;

	if (here) {
		migrate_disable();
		perf_event_release_kernel(key);
		restart(NULL);
		migrate_enable();
	} else {
		perf_event_release_kernel(key);
		on_each_cpu(restart, NULL, true);
	}
}

void tprof_access_opened(struct vm_area_struct *vma)
{
}

void tprof_access_unmapped(struct vm_area_struct *vma)
{
}

void tprof_access_end(struct tprof_area *area)
{
}

/* perf has switched to current's events before the notifiers are called. */
bool tprof_access_now(void)
{
	return (read_sysreg(pmuserenr_el0) & USER_READS) == USER_READS;
}

static u32 register_of(const struct perf_event *event)
{
	return tprof_arm_register(event->hw.idx);
}

static bool counts_cycles(const struct perf_event *event)
{
	return (event->hw.config_base & EVENT_MASK) == CYCLES_EVENT;
}

/*
 * When a pinned event of this CPU is added, perf takes all of them off the PMU and
 * puts them on again in the order of their making: each into the lowest
 * counter that is free, the first that counts cycles into the cycle counter. The
 * ones before ours may have gone meanwhile, and ours would move. They can't where
 * they are in the places that they would have if no others were there.
 */
unsigned int tprof_access_settled(const struct tprof_profile *p,
				  const struct tprof_cpu_events *events,
				  unsigned int slots)
{
	unsigned int i, settled = 0, lowest = 0;
	bool cycles = false;

	if (!events->in_order)
		return 0;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		const struct perf_event *event = READ_ONCE(events->event[i]);

		if (!event || event->pmu != p->key->pmu)
			continue;
		if (counts_cycles(event) && !cycles) {
			cycles = true;
			if (register_of(event) != CYCLE_REGISTER)
				break;
		} else if (register_of(event) != lowest++) {
			break;
		}
		settled |= BIT(i);
	}
	return settled & slots;
}

struct tprof_register tprof_access_register(const struct tprof_profile *p,
					    struct perf_event *event)
{
	if (event->pmu != p->key->pmu || !(event->hw.flags & ARMPMU_EVT_64BIT))
		return (struct tprof_register) { };
	return (struct tprof_register) {
		.index = register_of(event) + 1,
		.width = 64,
	};
}
