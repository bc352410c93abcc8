/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A group: the profiles that came by one thread's INHERIT, and what is left of
 * those that have ended.
 *
 * The head's profile holds a reference, and so does each member and each reader.
 * It is dead when the head's profile ends or is released: from then on its members
 * are wanted no more. The reaper then releases them and frees what was kept.
 */
#ifndef _TPROF_GROUP_H
#define _TPROF_GROUP_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/threadprof.h>

struct tprof_profile;

/* Sums over what had to be dropped, so that totals stay right. */
struct tprof_dropped {
	u64 count;
	u64 switches;
	u64 voluntary;
	u64 cycles;
	u32 slots;			/* those in any of the masks */
	u32 lost;			/* of these, those that were LOST in one */
	u64 slot[THREADPROF_MAX_COUNTERS];
};

struct tprof_group {
	/* All under tprof_list_lock. */
	bool dead;
	u32 hardware;			/* members that keep the configuration */
	struct list_head members;	/* attached */
	struct list_head ended;		/* profiles, by ended_id */
	u32 ended_count;
	u64 last_ended_id;
	struct tprof_dropped dropped;

	bool on_exec;			/* fixed */
	bool privileged;		/* fixed: survives a setuid exec */
	refcount_t refs;
	struct llist_node reap;
};

struct tprof_group *tprof_group_new(bool on_exec, bool privileged);
void tprof_group_get(struct tprof_group *group);
void tprof_group_put(struct tprof_group *group);

void tprof_group_lost_child(struct tprof_group *group);
void tprof_group_add_ended(struct tprof_group *group, struct tprof_profile *p);
void tprof_group_die(struct tprof_group *group);
void tprof_group_forget(struct tprof_group *group, u64 up_to);
struct tprof_profile *tprof_group_next_ended(struct tprof_group *group,
					     struct tprof_profile *last);
void tprof_group_bury(struct tprof_group *group);
bool tprof_group_dropped(struct tprof_group *group, struct tprof_dropped *out);

#endif /* _TPROF_GROUP_H */
