// SPDX-License-Identifier: GPL-2.0-only
/*
 * The attachment of a profile to its thread: made, begun, released, ended.
 *
 *	NEW -- attach --> COUNTS, or for a child that shall exec first WAITS_EXEC
 *	WAITS_EXEC -- begin, at its exec --> COUNTS
 *	COUNTS, WAITS_EXEC -- release, by anybody --> RELEASED
 *	any of these three -- end, by the owner --> ENDED
 *
 * See profile.h for who may do what, list.h for the lock.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>

#include "area.h"
#include "attach.h"
#include "config.h"
#include "cycles.h"
#include "direct.h"
#include "group.h"
#include "list.h"
#include "notify.h"
#include "page.h"
#include "profile.h"
#include "reaper.h"
#include "sched.h"

/*
 * What stands in the page from the beginning. It may have shown another profile
 * before, and be read.
 */
static void page_init(struct tprof_profile *p, const struct tprof_config *config)
{
	struct threadprof_page *page = p->page;
	unsigned long mask = p->hardware_counters;
	int i;

	tprof_page_begin(page);
	memset((void *)page + sizeof(page->seq), 0,
	       sizeof(*page) - sizeof(page->seq));
	page->version = THREADPROF_PAGE_VERSION;
	page->page_size = sizeof(*page);
	page->flags = p->flags;
	page->hardware_counters = mask;
	page->cycle_hz = tprof_cycle_hz;
	page->tid = task_pid_nr_ns(p->task, task_active_pid_ns(p->task));
	page->began = tprof_cycles();
	page->config_generation = config->generation;
	for_each_set_bit(i, &mask, THREADPROF_MAX_COUNTERS)
		page->slot[i].state = p->slots & BIT(i) ?
				      THREADPROF_SLOT_COUNTING :
				      THREADPROF_SLOT_NOT_CONFIGURED;
	page->profile_id = p->id;
	tprof_page_end(page);
}

/* Which of its slots count more than user mode. */
static u16 slots_beyond_user(const struct tprof_profile *p,
			     const struct tprof_config *config)
{
	unsigned long slots = p->slots;
	u16 beyond = 0;
	int i;

	for_each_set_bit(i, &slots, THREADPROF_MAX_COUNTERS) {
		if (config->counter[i].modes & ~THREADPROF_MODE_USER)
			beyond |= BIT(i);
	}
	return beyond;
}

/* Callbacks and walkers read it without the lock. */
static void set_state(struct tprof_profile *p, enum tprof_state state)
{
	lockdep_assert_held(&tprof_list_lock);
	/* Pairs with the load in tprof_snapshot(): an ended one's names first. */
	smp_store_release(&p->state, state);
}

/* On the list, in a state. The lock is held. */
static void enter(struct tprof_profile *p, enum tprof_state state,
		  const struct tprof_config *config)
{
	p->beyond_user = slots_beyond_user(p, config);
	p->id = tprof_list_new_id();
	page_init(p, config);
	set_state(p, state);
	tprof_list_add(p);
	if (p->seat)
		p->seat->profile = p;
}

static unsigned int profiles_of_current(void)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;
	unsigned int n = 0;

	for_each_tprof_profile_safe(p, tmp, current)
		n++;
	return n;
}

/*
 * tprof_profile_attach - profile current from now on
 *
 * The configuration's lock is held: what counts can't change before the profile
 * keeps it. A file of ours is in the caller's hands, and by it the module.
 */
int tprof_profile_attach(struct tprof_profile *p,
			 const struct tprof_refusal *why)
{
	const struct tprof_config *config = tprof_config_locked();

	tprof_config_assert_held();
	if (profiles_of_current() >= THREADPROF_MAX_PER_THREAD) {
		tprof_refuse(why,
			     "this thread carries %u profiles, inherited ones included",
			     THREADPROF_MAX_PER_THREAD);
		return -E2BIG;
	}
	tprof_reaper_want_notifiers();
	__module_get(THIS_MODULE);
	p->task = current;
	p->slots = p->hardware_counters & (BIT(config->count) - 1);
	raw_spin_lock_irq(&tprof_list_lock);
	enter(p, TPROF_COUNTS, config);
	raw_spin_unlock_irq(&tprof_list_lock);

	preempt_disable();
	preempt_notifier_register(&p->notifier);
	tprof_profile_begin(p);
	preempt_enable();
	return 0;
}

/* Is a child of @parent's thread to wait for its exec? */
static bool child_waits(const struct tprof_profile *parent)
{
	if (tprof_profile_inherited(parent))
		return READ_ONCE(parent->state) == TPROF_WAITS_EXEC;
	return parent->group->on_exec;
}

/*
 * tprof_profile_attach_child - profile a thread that has not run yet
 *
 * In the parent's fork. False: the group is dead, or the parent's profile
 * released meanwhile.
 */
bool tprof_profile_attach_child(struct tprof_profile *p,
				const struct tprof_profile *parent,
				struct task_struct *child)
{
	struct tprof_group *group = parent->group;
	unsigned long flags;
	bool alive;

	p->task = child;
	p->nvcsw = child->nvcsw;
	p->slots = parent->slots;
	raw_spin_lock_irqsave(&tprof_list_lock, flags);
	alive = !group->dead && parent->state != TPROF_RELEASED;
	if (alive) {
		tprof_group_get(group);
		p->group = group;
		list_add_tail(&p->member, &group->members);
		/* A parent with slots keeps their list from being replaced. */
		enter(p, child_waits(parent) ? TPROF_WAITS_EXEC : TPROF_COUNTS,
		      tprof_config_rcu());
	}
	raw_spin_unlock_irqrestore(&tprof_list_lock, flags);
	if (!alive)
		return false;
	__module_get(THIS_MODULE);
	hlist_add_head(&p->notifier.link, &child->preempt_notifiers);
	return true;
}

/* From here on it counts. The owner. */
void tprof_profile_begin(struct tprof_profile *p)
{
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&tprof_list_lock, flags);
	if (p->state == TPROF_WAITS_EXEC)
		set_state(p, TPROF_COUNTS);
	if (p->state == TPROF_COUNTS) {
		now = tprof_cycles();
		p->nvcsw = current->nvcsw;
		tprof_page_begin(p->page);
		p->page->began = now;
		tprof_slice_open(p, now);
		tprof_page_end(p->page);
	}
	raw_spin_unlock_irqrestore(&tprof_list_lock, flags);
}

/* Last values, and off the thread: after this no callback touches @p. */
static void detach(struct tprof_profile *p)
{
	unsigned long flags;
	u64 now;

	preempt_disable();
	local_irq_save(flags);
	now = tprof_cycles();
	tprof_page_begin(p->page);
	if (READ_ONCE(p->state) == TPROF_COUNTS)
		tprof_slice_close(p, now);
	tprof_direct_hide(p);
	p->page->flags |= THREADPROF_PROFILE_ENDED;
	tprof_page_end(p->page);
	local_irq_restore(flags);
	preempt_notifier_unregister(&p->notifier);
	preempt_enable();
	p->stamp = now;
}

/* Off its thread, and off the list. Was it somebody's who counted? */
static bool end(struct tprof_profile *p)
{
	unsigned long flags;
	bool counted;

	detach(p);
	p->pid = get_pid(task_tgid(current));
	p->tid = get_pid(task_pid(current));
	strscpy(p->comm, current->comm, sizeof(p->comm));

	raw_spin_lock_irqsave(&tprof_list_lock, flags);
	/* What a dead group's member counts is nobody's, and perhaps not its own. */
	counted = p->state == TPROF_COUNTS &&
		  !(tprof_profile_inherited(p) && p->group->dead);
	set_state(p, TPROF_ENDED);
	tprof_list_del(p);
	list_del_init(&p->member);
	if (p->seat)
		p->seat->profile = NULL;
	if (p->group && !tprof_profile_inherited(p))
		tprof_group_die(p->group);
	else if (p->group && counted)
		tprof_group_add_ended(p->group, p);
	raw_spin_unlock_irqrestore(&tprof_list_lock, flags);
	return counted;
}

/*
 * tprof_profile_end - detach a profile from current
 *
 * The owner, in a system call or in its exec or exit; not in a switch callback.
 * What may sleep is left to the reaper.
 */
void tprof_profile_end(struct tprof_profile *p)
{
	tprof_reaper_add(p, end(p));
}

/*
 * The same in a system call: all of it at once. Waking the reaper would cost more
 * than all the rest. The caller has a file of ours, or the family, in its hands.
 */
void tprof_profile_end_here(struct tprof_profile *p)
{
	tprof_direct_close(p, true);
	tprof_reaper_finish(p, end(p));
	tprof_reaper_unhook_later();
}

/* Nobody wants it any more. The lock is held. */
void tprof_profile_release_locked(struct tprof_profile *p)
{
	lockdep_assert_held(&tprof_list_lock);
	if (p->state != TPROF_COUNTS && p->state != TPROF_WAITS_EXEC)
		return;
	set_state(p, TPROF_RELEASED);
	tprof_list_drop_hardware(p);
	if (p->group && !tprof_profile_inherited(p))
		tprof_group_die(p->group);
}

/* Takes those off current that others have released. */
void tprof_profile_end_released(void)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;

	for_each_tprof_profile_safe(p, tmp, current) {
		if (READ_ONCE(p->state) == TPROF_RELEASED)
			tprof_profile_end(p);
	}
}
