// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system-wide configuration: set, held by a socket, put back, kept in step
 * with the CPUs.
 *
 * Locking: config_lock guards the list in force, who holds it, and the list
 * that is to be put back. A thread that enables hardware counters attaches under
 * it too (attach.c), so "in use" can't change between the check and the
 * replacement. The switch callbacks read the list under RCU.
 */
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "config.h"
#include "filler.h"
#include "list.h"
#include "notify.h"
#include "probe.h"
#include "reserve.h"

static DEFINE_MUTEX(config_lock);
struct tprof_config __rcu *tprof_config_now;
static struct tprof_holder holder;
static u32 last_generation;

/* More than there are changes of CPUs while a list is in force. */
#define EPOCHS_OF_A_LIST	0x10000
static u32 first_epoch;

/* What a held list replaced; put back when the holder's socket is closed. */
static struct {
	ULONG count;
	u32 flags;
	bool by_driver;
	struct tprof_counter counter[THREADPROF_MAX_COUNTERS];
	bool due;		/* the socket is closed, the list was in use */
} earlier;

void tprof_config_lock(void)
{
	mutex_lock(&config_lock);
}

void tprof_config_unlock(void)
{
	mutex_unlock(&config_lock);
}

void tprof_config_assert_held(void)
{
	lockdep_assert_held(&config_lock);
}

const struct tprof_config *tprof_config_locked(void)
{
	return rcu_dereference_protected(tprof_config_now, lockdep_is_held(&config_lock));
}

/* NULL: nobody. */
const struct tprof_holder *tprof_config_holder(void)
{
	tprof_config_assert_held();
	return holder.portid && !earlier.due ? &holder : NULL;
}

static struct tprof_config *config_alloc(const struct tprof_counter *counter,
					 ULONG count, u32 flags)
{
	struct tprof_config *new;
	ULONG i;
	int cpu;

	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return NULL;
	new->events = alloc_percpu(struct tprof_cpu_events);
	if (!new->events)
		goto free;
	if (flags & THREADPROF_CONFIG_EXCLUSIVE) {
		new->fillers = alloc_percpu(struct tprof_fillers);
		if (!new->fillers)
			goto free;
	}
	/* No two lists share an epoch: what began under one ends under no other. */
	first_epoch += EPOCHS_OF_A_LIST;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(new->events, cpu)->epoch = first_epoch;
	new->count = count;
	if (count)
		memcpy(new->counter, counter, array_size(count, sizeof(*counter)));
	for (i = 0; i < count; i++)
		new->modes |= counter[i].modes;
	new->flags = flags;
	return new;

free:
	free_percpu(new->events);
	kfree(new);
	return NULL;
}

/* What an exclusive one takes besides its counters. */
static void fill_rest(struct tprof_config *config)
{
	if (config->fillers)
		tprof_fillers_create(config->fillers);
}

static void release_rest(struct tprof_config *config)
{
	if (config->fillers)
		tprof_fillers_release(config->fillers);
}

static void config_free(struct tprof_config *old)
{
	release_rest(old);
	tprof_pmu_release(old->events, old->count);
	free_percpu(old->events);
	free_percpu(old->fillers);
	kfree(old);
}

static bool is_holder(const struct tprof_holder *asker)
{
	return asker && holder.portid == asker->portid &&
	       holder.net == asker->net;
}

static void holder_clear(void)
{
	put_pid(holder.pid);
	memset(&holder, 0, sizeof(holder));
	WRITE_ONCE(earlier.due, false);
}

static void holder_take(const struct tprof_holder *asker)
{
	get_pid(asker->pid);
	put_pid(holder.pid);
	holder = *asker;
	WRITE_ONCE(earlier.due, false);
}

/* KS5 and KS7: ours is that any change is refused while counters are in use. */
static NTSTATUS check_in_use(const struct tprof_holder *asker,
			     const struct tprof_refusal *why)
{
	struct tprof_user user;

	if (tprof_list_hardware_user(&user)) {
		if (user.tid)
			tprof_refuse(why, "hardware counters are in use by thread %d (%s)",
				     user.tid, user.comm);
		else
			tprof_refuse(why, "hardware counters are in use by a thread that is ending");
		return STATUS_WMI_ALREADY_ENABLED;
	}
	if (tprof_config_holder() && !is_holder(asker)) {
		tprof_refuse(why, "the configuration is held by process %d (%s)",
			     pid_vnr(holder.pid), holder.comm);
		return STATUS_WMI_ALREADY_ENABLED;
	}
	return STATUS_SUCCESS;
}

/*
 * Puts a list in force. The old events leave the PMU while the new ones are
 * tried, and come back if these don't fit: then nothing has changed. What drivers
 * keep makes room for a list of theirs.
 */
static NTSTATUS replace(const struct tprof_counter *counter, ULONG count,
			u32 flags, bool by_driver,
			const struct tprof_refusal *why)
{
	struct tprof_config *old, *new;
	NTSTATUS status;

	tprof_config_assert_held();
	new = config_alloc(counter, count, flags);
	if (!new) {
		tprof_refuse(why, "no memory");
		return STATUS_NO_MEMORY;
	}
	old = rcu_dereference_protected(tprof_config_now, lockdep_is_held(&config_lock));
	tprof_pmu_pause(old->events, old->count, true);
	release_rest(old);
	if (by_driver)
		tprof_reserve_yield();
	else
		tprof_reserve_claim();
	status = tprof_pmu_create(new->events, counter, count, why);
	if (status != STATUS_SUCCESS) {
		config_free(new);
		tprof_reserve_yield();
		tprof_pmu_pause(old->events, old->count, false);
		/* In case somebody took a counter meanwhile: try anew. */
		tprof_pmu_sync(old->events, old->counter, old->count);
		tprof_reserve_claim();
		fill_rest(old);
		return status;
	}
	tprof_reserve_claim();
	fill_rest(new);
	new->generation = ++last_generation;
	new->by_driver = by_driver;
	rcu_assign_pointer(tprof_config_now, new);
	/* A callback of a profile released just now may still use the old one. */
	synchronize_rcu();
	config_free(old);
	tprof_pmu_look(new->events, count);
	return STATUS_SUCCESS;
}

/*
 * tprof_config_set - replace the list of counters
 * @counter: the new list, @count elements; copied
 * @asker: the socket that asks, NULL for callers in the kernel
 * @flags: enum threadprof_config_flags; RELEASE ties the list to @asker
 * @generation: of the new list, may be NULL
 *
 * The order of the checks is part of the contract.
 */
NTSTATUS tprof_config_set(const struct tprof_counter *counter, ULONG count,
			  const struct tprof_holder *asker, u32 flags,
			  u32 *generation, const struct tprof_refusal *why)
{
	bool hold = flags & THREADPROF_CONFIG_RELEASE;
	const struct tprof_config *old;
	NTSTATUS status;

	status = tprof_counters_check(counter, count, why);
	if (status != STATUS_SUCCESS)
		return status;
	mutex_lock(&config_lock);
	status = check_in_use(asker, why);
	if (status != STATUS_SUCCESS)
		goto unlock;
	/* The list under a held one stays what it was, however often it changes. */
	old = tprof_config_locked();
	if (hold && !holder.portid) {
		earlier.count = old->count;
		earlier.flags = old->flags;
		earlier.by_driver = old->by_driver;
		memcpy(earlier.counter, old->counter, sizeof(earlier.counter));
	}
	status = replace(counter, count,
			 flags & ~THREADPROF_CONFIG_RELEASE, !asker, why);
	if (status != STATUS_SUCCESS)
		goto unlock;
	if (hold)
		holder_take(asker);
	else
		holder_clear();
	if (generation)
		*generation = last_generation;
	tprof_notify_config(tprof_config_locked());
unlock:
	mutex_unlock(&config_lock);
	return status;
}

/* Is a list to be put back as soon as nobody counts? */
bool tprof_config_is_due(void)
{
	return READ_ONCE(earlier.due);
}

/* Puts the earlier list back if that is due and nobody counts. */
static void settle_locked(void)
{
	struct tprof_user user;

	tprof_config_assert_held();
	if (!earlier.due || tprof_list_hardware_user(&user))
		return;
	/* Its counters may be taken by others now: then the empty list it is. */
	if (replace(earlier.counter, earlier.count, earlier.flags,
		    earlier.by_driver, NULL) != STATUS_SUCCESS &&
	    replace(NULL, 0, 0, false, NULL) != STATUS_SUCCESS)
		return;
	holder_clear();
	tprof_notify_config(tprof_config_locked());
}

/* A netlink socket was closed, perhaps that of the holder. */
void tprof_config_socket_closed(const struct net *net, u32 portid)
{
	/* Most sockets are none of ours: no lock for those. */
	if (!portid || READ_ONCE(holder.portid) != portid)
		return;
	mutex_lock(&config_lock);
	if (holder.portid == portid && holder.net == net) {
		WRITE_ONCE(earlier.due, true);
		settle_locked();
	}
	mutex_unlock(&config_lock);
}

/* The last user of hardware counters has gone. */
void tprof_config_settle(void)
{
	mutex_lock(&config_lock);
	settle_locked();
	mutex_unlock(&config_lock);
}

/* CPUs came or went. False: an event is missing, try again later. */
bool tprof_config_sync(void)
{
	struct tprof_config *now;
	bool complete;

	mutex_lock(&config_lock);
	now = rcu_dereference_protected(tprof_config_now, lockdep_is_held(&config_lock));
	if (now->fillers)
		tprof_fillers_release_dead(now->fillers);
	if (now->by_driver)
		tprof_reserve_yield();
	tprof_probe();
	complete = tprof_pmu_sync(now->events, now->counter, now->count);
	tprof_pmu_look(now->events, now->count);
	tprof_reserve_claim();
	fill_rest(now);
	mutex_unlock(&config_lock);
	return complete;
}

/* KS11: the list is empty at first. */
int tprof_config_init(void)
{
	struct tprof_config *empty = config_alloc(NULL, 0, 0);

	if (!empty)
		return -ENOMEM;
	rcu_assign_pointer(tprof_config_now, empty);
	return 0;
}

/* Nothing can be attached, and no request can come, any more. */
void tprof_config_exit(void)
{
	mutex_lock(&config_lock);
	holder_clear();
	config_free(rcu_replace_pointer(tprof_config_now, NULL,
					lockdep_is_held(&config_lock)));
	mutex_unlock(&config_lock);
}
