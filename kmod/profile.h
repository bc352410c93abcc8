/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: what one thread did since it began.
 *
 * Who keeps it alive: references. One belongs to the attachment (the notifier on
 * the thread), dropped after the owner has detached; one, of a profile that ended
 * in a group, to the group's list. An attachment also holds the module. Its page is
 * a seat of an area (area.h), which outlives it; that of an inherited one its own.
 *
 * Who may do what: only the owner, the thread itself, attaches and detaches, and
 * only its CPU writes the page. Others may release a profile: its
 * callbacks then do nothing until the owner detaches it.
 */
#ifndef _TPROF_PROFILE_H
#define _TPROF_PROFILE_H

#include <linux/llist.h>
#include <linux/preempt.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/threadprof.h>

struct pid;
struct tprof_group;
struct tprof_profile;
struct tprof_seat;

enum tprof_state {
	TPROF_NEW,		/* not attached yet */
	TPROF_WAITS_EXEC,	/* attached, counts from the next exec on */
	TPROF_COUNTS,		/* attached */
	TPROF_RELEASED,		/* attached, nobody wants it any more */
	TPROF_ENDED,		/* detached, values final */
};

struct tprof_profile {
	/* Used at each switch, by the owner's CPU alone but for .state and .direct. */
	struct preempt_notifier notifier;
	struct threadprof_page *page;
	enum tprof_state state;		/* written under the list lock */
	u16 slots;			/* configured slots of the mask */
	u16 live;			/* of these, those with a valid start */
	u16 beyond_user;		/* of these, those that count more */
	u32 epoch;			/* of the CPU's events at the start */
	bool off_cpu;			/* switched out, for .reason */
	int direct;			/* .page has indexes: direct.h */
	u8 reason;
	unsigned long nvcsw;		/* the kernel's count when last seen */
	u64 stamp;			/* of the last switch */
	u64 irq_start;
	u64 start[THREADPROF_MAX_COUNTERS];

	/* Fixed when it is made or attached. */
	u64 id;
	struct tprof_seat *seat;	/* where .page is, or NULL */
	u32 flags;			/* enum threadprof_profile_flags */
	u32 hardware_counters;		/* mask as asked for */
	struct task_struct *task;	/* valid while attached, or under RCU */
	struct tprof_group *group;	/* it heads, or came by; or NULL */

	/* Under the list lock. */
	struct list_head attached;
	bool holds_hardware;		/* keeps the configuration in use */
	struct list_head member;	/* in group->members */
	struct list_head ended;		/* in group->ended */
	u64 ended_id;

	struct perf_event *key;		/* while .direct: access_arm64.c */

	/* Set when it ends. */
	struct pid *pid;
	struct pid *tid;
	char comm[TASK_COMM_LEN];

	refcount_t refs;
	struct llist_node reap;
	struct rcu_head rcu;
};

static inline bool tprof_profile_inherited(const struct tprof_profile *p)
{
	return p->flags & THREADPROF_PROFILE_INHERITED;
}

int tprof_profile_init(void);
void tprof_profile_exit(void);

struct tprof_profile *tprof_profile_new(struct tprof_seat *seat, u32 flags,
					u32 mask, gfp_t gfp);
void tprof_profile_get(struct tprof_profile *p);
void tprof_profile_put(struct tprof_profile *p);

struct tprof_profile *tprof_profile_own(void);

extern struct preempt_ops tprof_preempt_ops;	/* sched.c */

/* The first of ours from @node on; KVM has notifiers too. */
static inline struct tprof_profile *tprof_profile_at(struct hlist_node *node)
{
	struct preempt_notifier *notifier;

	for (; node; node = node->next) {
		notifier = hlist_entry(node, struct preempt_notifier, link);
		if (notifier->ops == &tprof_preempt_ops)
			return container_of(notifier, struct tprof_profile,
					    notifier);
	}
	return NULL;
}

/* @task's profiles; @p may be taken off meanwhile. The owner's context alone. */
#define for_each_tprof_profile_safe(p, tmp, task)			\
	for (p = tprof_profile_at((task)->preempt_notifiers.first);	\
	     p && ({ tmp = (p)->notifier.link.next; true; });	\
	     p = tprof_profile_at(tmp))

#endif /* _TPROF_PROFILE_H */
