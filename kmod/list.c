// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of attached profiles: who is on it, who keeps the configuration in
 * use, and walks over it.
 */
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched.h>

#include "config.h"
#include "group.h"
#include "list.h"
#include "profile.h"
#include "reaper.h"

DEFINE_RAW_SPINLOCK(tprof_list_lock);
static LIST_HEAD(attached);		/* by id */
static u32 attached_count;
static u32 hardware_count;
static u64 last_id;

static struct tprof_group *group_by_inherit(const struct tprof_profile *p)
{
	return tprof_profile_inherited(p) ? p->group : NULL;
}

/* The list is in their order. */
u64 tprof_list_new_id(void)
{
	lockdep_assert_held(&tprof_list_lock);
	return ++last_id;
}

/* With a hold on the configuration if it has slots. */
void tprof_list_add(struct tprof_profile *p)
{
	struct tprof_group *group = group_by_inherit(p);

	lockdep_assert_held(&tprof_list_lock);
	list_add_tail_rcu(&p->attached, &attached);
	attached_count++;
	p->holds_hardware = p->slots != 0;
	hardware_count += p->holds_hardware;
	if (group)
		group->hardware += p->holds_hardware;
}

void tprof_list_del(struct tprof_profile *p)
{
	lockdep_assert_held(&tprof_list_lock);
	tprof_list_drop_hardware(p);
	list_del_rcu(&p->attached);
	attached_count--;
}

/*
 * Whoever closes the socket of a held list says so before it asks for the count
 * (config.c), both under the lock: one of the two sees the other.
 */
static void drop_hardware(u32 n)
{
	hardware_count -= n;
	if (n && !hardware_count && tprof_config_is_due())
		tprof_reaper_kick();
}

/*
 * It keeps the configuration in use no longer. Direct reads are undone with the help of
 * what counts: tprof_direct_close() comes back here then.
 */
void tprof_list_drop_hardware(struct tprof_profile *p)
{
	struct tprof_group *group = group_by_inherit(p);

	lockdep_assert_held(&tprof_list_lock);
	if (!p->holds_hardware || READ_ONCE(p->direct))
		return;
	WRITE_ONCE(p->holds_hardware, false);
	/* A dead group has given back for all of its members. */
	if (group && group->dead)
		return;
	if (group)
		group->hardware--;
	drop_hardware(1);
}

/* The same for all members of a group at once. */
void tprof_list_drop_group_hardware(struct tprof_group *group)
{
	lockdep_assert_held(&tprof_list_lock);
	drop_hardware(group->hardware);
	group->hardware = 0;
}

static bool is_wanted(const struct tprof_profile *p)
{
	const struct tprof_group *group = group_by_inherit(p);

	return READ_ONCE(p->state) != TPROF_RELEASED &&
	       !(group && READ_ONCE(group->dead));
}

/*
 * tprof_list_walk - call @fn for each wanted profile with an id above @after
 *
 * In order of their ids, until @fn gives other than 0, which is returned. @fn
 * must not sleep.
 */
int tprof_list_walk(u64 after, int (*fn)(struct tprof_profile *p, void *arg),
		    void *arg)
{
	struct tprof_profile *p;
	int result = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(p, &attached, attached) {
		if (p->id <= after || !refcount_inc_not_zero(&p->refs))
			continue;
		if (is_wanted(p))
			result = fn(p, arg);
		tprof_profile_put(p);
		if (result)
			break;
	}
	rcu_read_unlock();
	return result;
}

static int name_user(struct tprof_profile *p, void *arg)
{
	struct tprof_user *user = arg;

	if (!READ_ONCE(p->holds_hardware))
		return 0;
	user->tid = task_pid_vnr(p->task);
	get_task_comm(user->comm, p->task);
	return 1;
}

/* Does a thread have hardware counters enabled? Names one. */
bool tprof_list_hardware_user(struct tprof_user *user)
{
	u32 users;

	raw_spin_lock_irq(&tprof_list_lock);
	users = hardware_count;
	raw_spin_unlock_irq(&tprof_list_lock);
	if (!users)
		return false;
	*user = (struct tprof_user) { };
	tprof_list_walk(0, name_user, user);
	return true;
}

static int is_own_of(struct tprof_profile *p, void *arg)
{
	return p->task == arg && !tprof_profile_inherited(p);
}

/* Has @task, a live reference, a profile of its own? */
bool tprof_list_has_own(struct task_struct *task)
{
	return tprof_list_walk(0, is_own_of, task);
}

void tprof_list_totals(u32 *all, u32 *hardware)
{
	raw_spin_lock_irq(&tprof_list_lock);
	*all = attached_count;
	*hardware = hardware_count;
	raw_spin_unlock_irq(&tprof_list_lock);
}
