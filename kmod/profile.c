// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles: made, kept, found. What they do on their thread: attach.c.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "area.h"
#include "cycles.h"
#include "group.h"
#include "profile.h"

static struct kmem_cache *profile_cache;
static struct kmem_cache *page_cache;	/* of those that are never mapped */

int tprof_profile_init(void)
{
	profile_cache = kmem_cache_create("tprof_profile",
					  sizeof(struct tprof_profile), 0,
					  SLAB_HWCACHE_ALIGN | SLAB_ACCOUNT,
					  NULL);
	if (!profile_cache)
		return -ENOMEM;
	page_cache = kmem_cache_create("tprof_page",
				       sizeof(struct threadprof_page), 0,
				       SLAB_HWCACHE_ALIGN | SLAB_ACCOUNT, NULL);
	if (!page_cache) {
		kmem_cache_destroy(profile_cache);
		return -ENOMEM;
	}
	return 0;
}

void tprof_profile_exit(void)
{
	rcu_barrier();		/* free_rcu() */
	kmem_cache_destroy(page_cache);
	kmem_cache_destroy(profile_cache);
}

/*
 * One reference, for the attachment. @seat: taken for it; NULL: it is never mapped.
 * @mask: bits 0 to 15.
 */
struct tprof_profile *tprof_profile_new(struct tprof_seat *seat, u32 flags,
					u32 mask, gfp_t gfp)
{
	struct tprof_profile *p;

	p = kmem_cache_zalloc(profile_cache, gfp);
	if (!p)
		return NULL;
	p->page = seat ? seat->page : kmem_cache_zalloc(page_cache, gfp);
	if (!p->page) {
		kmem_cache_free(profile_cache, p);
		return NULL;
	}
	p->seat = seat;
	if (tprof_no_irq_time())
		flags |= THREADPROF_PROFILE_NO_IRQ_TIME;
	p->flags = flags;
	p->hardware_counters = mask;
	refcount_set(&p->refs, 1);
	INIT_LIST_HEAD(&p->attached);
	INIT_LIST_HEAD(&p->member);
	INIT_LIST_HEAD(&p->ended);
	preempt_notifier_init(&p->notifier, &tprof_preempt_ops);
	return p;
}

void tprof_profile_get(struct tprof_profile *p)
{
	refcount_inc(&p->refs);
}

static void free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(profile_cache,
			container_of(rcu, struct tprof_profile, rcu));
}

/* Any context without a raw lock. */
void tprof_profile_put(struct tprof_profile *p)
{
	if (!refcount_dec_and_test(&p->refs))
		return;
	if (p->group)
		tprof_group_put(p->group);
	put_pid(p->pid);
	put_pid(p->tid);
	if (p->seat)
		tprof_seat_give_back(p->seat);
	else
		kmem_cache_free(page_cache, p->page);
	/* Walkers of the list may still look at the rest. */
	call_rcu(&p->rcu, free_rcu);
}

/* The profile that current enabled for itself, or NULL. */
struct tprof_profile *tprof_profile_own(void)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;

	for_each_tprof_profile_safe(p, tmp, current) {
		if (!tprof_profile_inherited(p))
			return p;
	}
	return NULL;
}
