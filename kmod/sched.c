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
#include "direct.h"
#include "page.h"
#include "profile.h"
#include "sched.h"
#include "wait.h"

/*
 * Tells one running of one thread from any other: each switch-out makes it
 * greater, and no thread is born in the nanoseconds that its predecessor in the
 * same memory was switched out in. (A thread whose exec makes it the leader takes
 * over an earlier birth; it is switched out in between.)
 */
static u64 key_of(const struct task_struct *task)
{
	return task->start_time + task->nvcsw + task->nivcsw;
}

/*
 * The counters have been read just now, for the thread that was switched out: if
 * current is the one that came next, these are its start values. Reading them
 * again would cost the most of the whole switch, and lose what counts between.
 */
static u16 slots_left_for_current(const struct tprof_cpu_events *events,
				  u32 epoch)
{
	if (events->next != current || events->next_key != key_of(current) ||
	    events->left_epoch != epoch)
		return 0;
	return events->left;
}

static void slots_open(struct tprof_profile *p,
		       const struct tprof_cpu_events *events)
{
	unsigned int i, todo = p->slots;
	u16 left;

	p->epoch = READ_ONCE(events->epoch);
	smp_rmb();	/* pairs with unpublish() */
	left = slots_left_for_current(events, p->epoch) & todo;
	p->live = todo;
	if (left == todo) {
		/* Plain copying is cheaper than picking. */
		for (i = 0; todo >> i; i++)
			p->start[i] = events->last[i];
		return;
	}
	for (; todo; todo &= todo - 1) {
		i = __ffs(todo);
		if (left & BIT(i)) {
			p->start[i] = events->last[i];
		} else if (!tprof_pmu_read(READ_ONCE(events->event[i]),
					   &p->start[i])) {
			p->page->slot[i].state = THREADPROF_SLOT_LOST;
			p->live &= ~BIT(i);
		}
	}
}

/* An event was taken back in the middle of the slice. */
static void slots_lose(struct tprof_profile *p, unsigned int todo)
{
	for (; todo; todo &= todo - 1)
		p->page->slot[__ffs(todo)].state = THREADPROF_SLOT_LOST;
}

/*
 * Adds up to now, and begins anew from there. With @next, the thread that is
 * switched to, it ends here, and the values are left for that one.
 */
static void slots_add(struct tprof_profile *p, const struct task_struct *next)
{
	struct threadprof_page_slot *slot = p->page->slot;
	unsigned int i, lost = 0, todo = p->live;
	struct tprof_cpu_events *events;
	u64 value;

	events = this_cpu_ptr(tprof_config_rcu()->events);
	if (unlikely(READ_ONCE(events->epoch) != p->epoch)) {
		lost = todo;
		todo = 0;
	}
	for (; todo; todo &= todo - 1) {
		i = __ffs(todo);
		if (!tprof_pmu_read(READ_ONCE(events->event[i]), &value)) {
			lost |= BIT(i);
			continue;
		}
		slot[i].total += value - p->start[i];
		p->start[i] = value;
		events->last[i] = value;
	}
	if (unlikely(lost)) {
		slots_lose(p, lost);
		p->live &= ~lost;
	}
	events->left = p->live;
	events->left_epoch = p->epoch;
	events->next = next;
	if (next)
		events->next_key = key_of(next);
}

/* A slice begins. The owner's CPU, interrupts off, the page begun. */
static void slice_open(struct tprof_profile *p, u64 now)
{
	const struct tprof_cpu_events *events;

	p->page->cpu = smp_processor_id();
	p->page->cycles_start = now;
	p->irq_start = tprof_irq_ticks();
	if (!p->slots)
		return;
	events = this_cpu_ptr(tprof_config_rcu()->events);
	slots_open(p, events);
	if (unlikely(p->direct))
		tprof_direct_show(p, events);
}

static void cycles_add(struct tprof_profile *p, u64 now)
{
	struct threadprof_page *page = p->page;
	u64 irq = tprof_irq_ticks();

	/* Two clocks: never let rounding make it step back. */
	page->cycles += tprof_since(tprof_since(now, page->cycles_start),
				    irq - p->irq_start);
	page->cycles_start = now;
	p->irq_start = irq;
}

/* It ends, at a switch to @next or, with NULL, for good. As above. */
static void slice_close(struct tprof_profile *p, u64 now,
			const struct task_struct *next)
{
	if (!p->page->cycles_start)
		return;
	cycles_add(p, now);
	p->page->cycles_start = 0;
	if (p->live)
		slots_add(p, next);
	p->live = 0;
}

/*
 * For a profile that begins or ends outside of a switch. What was left for
 * current when it was switched to is too old for one that begins only now.
 */
void tprof_slice_open(struct tprof_profile *p, u64 now)
{
	if (p->slots)
		this_cpu_ptr(tprof_config_rcu()->events)->next = NULL;
	slice_open(p, now);
}

void tprof_slice_close(struct tprof_profile *p, u64 now)
{
	slice_close(p, now, NULL);
}

/* Brings the totals up to now. The owner alone. */
void tprof_slice_refresh(struct tprof_profile *p)
{
	unsigned long flags;

	local_irq_save(flags);
	tprof_page_begin(p->page);
	cycles_add(p, tprof_cycles());
	if (p->live)
		slots_add(p, NULL);
	if (unlikely(p->direct))
		tprof_direct_show(p, this_cpu_ptr(tprof_config_rcu()->events));
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
	slice_close(p, now, next);
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
	slice_open(p, now);
	tprof_page_end(p->page);
	p->off_cpu = false;
	local_irq_restore(flags);
}

struct preempt_ops tprof_preempt_ops = {
	.sched_in = sched_in,
	.sched_out = sched_out,
};
