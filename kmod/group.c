// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups: what is left of the profiles that came by INHERIT.
 */
#include <linux/sched.h>
#include <linux/slab.h>

#include "attach.h"
#include "group.h"
#include "list.h"
#include "profile.h"
#include "reaper.h"

/* Kept in all groups together: about 150 MB. */
#define MAX_ENDED_ALL	(8 * THREADPROF_MAX_ENDED)
/* Members released in one go. */
#define BATCH		64

static u32 ended_all;			/* under tprof_list_lock */

struct tprof_group *tprof_group_new(bool on_exec, bool privileged)
{
	struct tprof_group *group;

	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group)
		return NULL;
	INIT_LIST_HEAD(&group->members);
	INIT_LIST_HEAD(&group->ended);
	group->on_exec = on_exec;
	group->privileged = privileged;
	refcount_set(&group->refs, 1);
	return group;
}

void tprof_group_get(struct tprof_group *group)
{
	refcount_inc(&group->refs);
}

/*
 * The list is empty by then: the head has died, which emptied it, and a dead
 * group takes no more. A head that was never attached leaves it empty too.
 */
void tprof_group_put(struct tprof_group *group)
{
	if (!refcount_dec_and_test(&group->refs))
		return;
	WARN_ON_ONCE(!list_empty(&group->ended));
	kfree(group);
}

static void add_dropped(struct tprof_dropped *sum, const struct tprof_profile *p)
{
	const struct threadprof_page *page = p->page;
	int i;

	sum->count++;
	sum->switches += page->switches;
	sum->voluntary += page->voluntary;
	sum->cycles += page->cycles;
	sum->slots |= p->hardware_counters;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		sum->slot[i] += page->slot[i].total;
		if (page->slot[i].state == THREADPROF_SLOT_LOST)
			sum->lost |= BIT(i);
	}
}

/* A child could not be profiled, for want of memory. */
void tprof_group_lost_child(struct tprof_group *group)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&tprof_list_lock, flags);
	group->dropped.count++;
	raw_spin_unlock_irqrestore(&tprof_list_lock, flags);
}

/* A member has ended. Its page is final, so what doesn't fit can be summed. */
void tprof_group_add_ended(struct tprof_group *group, struct tprof_profile *p)
{
	lockdep_assert_held(&tprof_list_lock);
	if (group->dead)
		return;
	if (group->ended_count == THREADPROF_MAX_ENDED ||
	    ended_all == MAX_ENDED_ALL) {
		add_dropped(&group->dropped, p);
		return;
	}
	tprof_profile_get(p);
	p->ended_id = ++group->last_ended_id;
	list_add_tail(&p->ended, &group->ended);
	group->ended_count++;
	ended_all++;
}

/* The head has ended, or was released: nobody is left to ask. */
void tprof_group_die(struct tprof_group *group)
{
	lockdep_assert_held(&tprof_list_lock);
	if (group->dead)
		return;
	WRITE_ONCE(group->dead, true);
	tprof_list_drop_group_hardware(group);
	/* What takes time for each member is for the reaper. */
	tprof_group_get(group);
	tprof_reaper_add_group(group);
}

static bool release_some(struct tprof_group *group)
{
	struct tprof_profile *p;
	int n;

	raw_spin_lock_irq(&tprof_list_lock);
	for (n = 0; n < BATCH; n++) {
		p = list_first_entry_or_null(&group->members,
					     struct tprof_profile, member);
		if (!p)
			break;
		list_del_init(&p->member);
		tprof_profile_release_locked(p);
	}
	raw_spin_unlock_irq(&tprof_list_lock);
	return n == BATCH;
}

/* The rest of a group's death. The reaper. */
void tprof_group_bury(struct tprof_group *group)
{
	while (release_some(group))
		cond_resched();
	tprof_group_forget(group, U64_MAX);
}

/* Frees what is kept, up to an ended_id. Process context. */
void tprof_group_forget(struct tprof_group *group, u64 up_to)
{
	struct tprof_profile *p;

	for (;;) {
		raw_spin_lock_irq(&tprof_list_lock);
		p = list_first_entry_or_null(&group->ended,
					     struct tprof_profile, ended);
		if (p && p->ended_id <= up_to) {
			list_del_init(&p->ended);
			group->ended_count--;
			ended_all--;
		} else {
			p = NULL;
		}
		raw_spin_unlock_irq(&tprof_list_lock);
		if (!p)
			return;
		tprof_profile_put(p);
	}
}

/*
 * tprof_group_next_ended - walk over what is kept
 * @last: the one before, a reference that is taken over; NULL to begin
 *
 * By ended_id; NULL at the end. One that was forgotten meanwhile is on the list no
 * longer: then everything before it is forgotten too, and the next is the first.
 */
struct tprof_profile *tprof_group_next_ended(struct tprof_group *group,
					     struct tprof_profile *last)
{
	struct list_head *next;
	struct tprof_profile *p = NULL;

	raw_spin_lock_irq(&tprof_list_lock);
	next = last && !list_empty(&last->ended) ? last->ended.next :
						   group->ended.next;
	if (next != &group->ended) {
		p = list_entry(next, struct tprof_profile, ended);
		tprof_profile_get(p);
	}
	raw_spin_unlock_irq(&tprof_list_lock);
	if (last)
		tprof_profile_put(last);
	return p;
}

/* False: nothing was dropped. */
bool tprof_group_dropped(struct tprof_group *group, struct tprof_dropped *out)
{
	raw_spin_lock_irq(&tprof_list_lock);
	*out = group->dropped;
	raw_spin_unlock_irq(&tprof_list_lock);
	return out->count > 0;
}
