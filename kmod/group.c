// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups: what is left of the profiles that came by INHERIT.
 */
#include <linux/slab.h>

#include "group.h"
#include "list.h"
#include "profile.h"
#include "reaper.h"

struct tprof_group *tprof_group_new(bool on_exec, bool privileged)
{
	struct tprof_group *group;

	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group)
		return NULL;
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
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		sum->slot[i] += page->slot[i].total;
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
	if (group->ended_count == THREADPROF_MAX_ENDED) {
		add_dropped(&group->dropped, p);
		return;
	}
	tprof_profile_get(p);
	p->ended_id = ++group->last_ended_id;
	list_add_tail(&p->ended, &group->ended);
	group->ended_count++;
}

/* The head has ended, or was released: nobody is left to ask. */
void tprof_group_die(struct tprof_group *group)
{
	lockdep_assert_held(&tprof_list_lock);
	if (group->dead)
		return;
	group->dead = true;
	tprof_list_release_group(group);
	/* What was kept is freed where that can be done at leisure. */
	tprof_group_get(group);
	tprof_reaper_add_group(group);
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
		} else {
			p = NULL;
		}
		raw_spin_unlock_irq(&tprof_list_lock);
		if (!p)
			return;
		tprof_profile_put(p);
	}
}

/* The next one that is kept, with a reference, or NULL. Process context. */
struct tprof_profile *tprof_group_next_ended(struct tprof_group *group,
					     u64 after)
{
	struct tprof_profile *p, *found = NULL;

	raw_spin_lock_irq(&tprof_list_lock);
	list_for_each_entry(p, &group->ended, ended) {
		if (p->ended_id <= after)
			continue;
		found = p;
		tprof_profile_get(found);
		break;
	}
	raw_spin_unlock_irq(&tprof_list_lock);
	return found;
}

/* False: nothing was dropped. */
bool tprof_group_dropped(struct tprof_group *group, struct tprof_dropped *out)
{
	raw_spin_lock_irq(&tprof_list_lock);
	*out = group->dropped;
	raw_spin_unlock_irq(&tprof_list_lock);
	return out->count > 0;
}
