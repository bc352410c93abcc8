// SPDX-License-Identifier: GPL-2.0-only
/*
 * After a profile has ended: tell, let go of it, put the earlier configuration
 * back, switch the scheduler's notifier hook off.
 *
 * The hook is a static key, dear to flip: it goes off a while after a profile has
 * ended, if there is none then, so that a program that enables and disables in a
 * loop does not patch the kernel's text each time.
 */
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>

#include "config.h"
#include "direct.h"
#include "group.h"
#include "list.h"
#include "notify.h"
#include "profile.h"
#include "reaper.h"

#define HOOK_LINGER	(10 * HZ)
#define SYNC_RETRY	HZ
#define SYNC_TRIES	10

static LLIST_HEAD(ended_silent);
static LLIST_HEAD(ended_told);
static LLIST_HEAD(dead_groups);
static int cpus_changed;
static unsigned int sync_tries;	/* the work item's own */
static bool hook_on;		/* under the configuration's lock */
static bool closing;		/* the module is about to go */

static void reap(struct work_struct *work);
static void hook_off(struct work_struct *work);
static void sync_again(struct work_struct *work);
static DECLARE_WORK(reap_work, reap);
static DECLARE_DELAYED_WORK(sync_work, sync_again);
static DECLARE_DELAYED_WORK(hook_work, hook_off);

/* Ended: told of, and let go with the module's reference. May sleep. */
void tprof_reaper_finish(struct tprof_profile *p, bool notify)
{
	tprof_direct_close(p, false);
	if (notify)
		tprof_notify_profile_end(p);
	tprof_profile_put(p);
	module_put(THIS_MODULE);
}

static void reap_profiles(struct llist_head *head, bool notify)
{
	struct llist_node *list = llist_reverse_order(llist_del_all(head));
	struct tprof_profile *p, *tmp;

	llist_for_each_entry_safe(p, tmp, list, reap)
		tprof_reaper_finish(p, notify);
}

static void reap_groups(void)
{
	struct tprof_group *group, *tmp;

	llist_for_each_entry_safe(group, tmp, llist_del_all(&dead_groups),
				  reap) {
		tprof_group_bury(group);
		tprof_group_put(group);
	}
}

/* Room on a new CPU's PMU may be free only a little later. */
static void sync_cpus(void)
{
	if (tprof_config_sync() || READ_ONCE(closing))
		sync_tries = 0;
	else if (++sync_tries < SYNC_TRIES)
		mod_delayed_work(system_wq, &sync_work, SYNC_RETRY);
	else
		sync_tries = 0;
}

static void sync_again(struct work_struct *work)
{
	tprof_reaper_sync_cpus();
}

static void reap(struct work_struct *work)
{
	reap_profiles(&ended_told, true);
	reap_profiles(&ended_silent, false);
	reap_groups();
	if (xchg(&cpus_changed, 0))
		sync_cpus();
	/* Which tells listeners, by a family that may be gone. */
	if (!READ_ONCE(closing))
		tprof_config_settle();
	tprof_reaper_unhook_later();
}

/* Does nothing if that is due already: at most once in a while it goes off. */
void tprof_reaper_unhook_later(void)
{
	queue_delayed_work(system_wq, &hook_work, HOOK_LINGER);
}

static void hook_off(struct work_struct *work)
{
	u32 attached, hardware;

	tprof_config_lock();
	tprof_list_totals(&attached, &hardware);
	if (hook_on && !attached) {
		preempt_notifier_dec();
		hook_on = false;
	}
	tprof_config_unlock();
}

/* A profile has been detached: takes over its reference and the module's. */
void tprof_reaper_add(struct tprof_profile *p, bool notify)
{
	llist_add(&p->reap, notify ? &ended_told : &ended_silent);
	tprof_reaper_kick();
}

/* Takes over a reference. Once for each group. */
void tprof_reaper_add_group(struct tprof_group *group)
{
	llist_add(&group->reap, &dead_groups);
	tprof_reaper_kick();
}

void tprof_reaper_kick(void)
{
	queue_work(system_wq, &reap_work);
}

void tprof_reaper_sync_cpus(void)
{
	WRITE_ONCE(cpus_changed, 1);
	tprof_reaper_kick();
}

/* Before a notifier is registered. */
void tprof_reaper_want_notifiers(void)
{
	tprof_config_assert_held();
	if (hook_on)
		return;
	preempt_notifier_inc();
	hook_on = true;
}

/* Nothing is attached any more: no more than cleaning up from here on. */
void tprof_reaper_close(void)
{
	WRITE_ONCE(closing, true);
	flush_work(&reap_work);
}

/* And nothing can kick. */
void tprof_reaper_exit(void)
{
	cancel_delayed_work_sync(&sync_work);
	flush_work(&reap_work);
	cancel_delayed_work_sync(&hook_work);
	hook_off(NULL);
}
