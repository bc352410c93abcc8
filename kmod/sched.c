// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens at a context switch of a profiled thread.
 *
 * A slice is the time from a switch-in to the next switch-out. At its
 * beginning each counter is noted, at its end the difference is added. The
 * callbacks run on the owner's CPU with preemption off; at switch-out interrupts
 * are off and the run queue is locked: nothing here allocates, sleeps, prints or
 * wakes.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>

#include "config.h"
#include "cycles.h"
#include "page.h"
#include "profile.h"
#include "sched.h"
#include "wait.h"

static void slots_open(struct tprof_profile *p)
{
	const struct tprof_cpu_events *events;
	unsigned long left = p->slots;
	u16 live = 0;
	int i;

	events = this_cpu_ptr(tprof_config_rcu()->events);
	p->epoch = READ_ONCE(events->epoch);
	smp_rmb();	/* pairs with unpublish() */
	for_each_set_bit(i, &left, THREADPROF_MAX_COUNTERS) {
		if (tprof_pmu_read(READ_ONCE(events->event[i]), &p->start[i]))
			live |= BIT(i);
		else
			p->page->slot[i].state = THREADPROF_SLOT_LOST;
	}
	p->live = live;
}

static void slots_close(struct tprof_profile *p)
{
	const struct tprof_cpu_events *events;
	unsigned long left = p->live;
	bool same;
	u64 value;
	int i;

	events = this_cpu_ptr(tprof_config_rcu()->events);
	same = READ_ONCE(events->epoch) == p->epoch;
	for_each_set_bit(i, &left, THREADPROF_MAX_COUNTERS) {
		if (same && tprof_pmu_read(READ_ONCE(events->event[i]), &value))
			p->page->slot[i].total += value - p->start[i];
		else
			p->page->slot[i].state = THREADPROF_SLOT_LOST;
	}
	p->live = 0;
}

/* The owner's CPU, interrupts off, the page begun. */
void tprof_slice_open(struct tprof_profile *p, u64 now)
{
	p->page->cpu = smp_processor_id();
	p->page->cycles_start = now;
	p->irq_start = tprof_irq_ticks();
	if (p->slots)
		slots_open(p);
}

/* As above. */
void tprof_slice_close(struct tprof_profile *p, u64 now)
{
	struct threadprof_page *page = p->page;
	u64 ran, irq;

	if (page->cycles_start) {
		ran = tprof_since(now, page->cycles_start);
		irq = tprof_irq_ticks() - p->irq_start;
		/* Two clocks: never let rounding make it step back. */
		page->cycles += tprof_since(ran, irq);
		page->cycles_start = 0;
	}
	if (p->live)
		slots_close(p);
}

/* Brings the totals up to now. The owner alone. */
void tprof_slice_refresh(struct tprof_profile *p)
{
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	now = tprof_cycles();
	tprof_page_begin(p->page);
	tprof_slice_close(p, now);
	tprof_slice_open(p, now);
	tprof_page_end(p->page);
	local_irq_restore(flags);
}

static void sched_out(struct preempt_notifier *notifier,
		      struct task_struct *next)
{
	struct tprof_profile *p = container_of(notifier, struct tprof_profile,
					       notifier);
	struct threadprof_page *page = p->page;
	unsigned long nvcsw = current->nvcsw;
	u64 now;

	if (unlikely(READ_ONCE(p->state) != TPROF_COUNTS))
		return;
	now = tprof_cycles();
	p->reason = tprof_wait_reason_current(nvcsw != p->nvcsw, next);
	tprof_page_begin(page);
	tprof_slice_close(p, now);
	page->switches++;
	/* The kernel has counted this switch already: its word is final. */
	page->voluntary += nvcsw - p->nvcsw;
	page->wait[p->reason].count++;
	tprof_page_end(page);
	p->nvcsw = nvcsw;
	p->stamp = now;
	p->off_cpu = true;
}

static void sched_in(struct preempt_notifier *notifier, int cpu)
{
	struct tprof_profile *p = container_of(notifier, struct tprof_profile,
					       notifier);
	unsigned long flags;
	u64 now;

	if (unlikely(READ_ONCE(p->state) != TPROF_COUNTS))
		return;
	local_irq_save(flags);
	now = tprof_cycles();
	tprof_page_begin(p->page);
	if (p->off_cpu)
		p->page->wait[p->reason].time += tprof_since(now, p->stamp);
	tprof_slice_open(p, now);
	tprof_page_end(p->page);
	p->off_cpu = false;
	local_irq_restore(flags);
}

struct preempt_ops tprof_preempt_ops = {
	.sched_in = sched_in,
	.sched_out = sched_out,
};
