/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attached profiles of the whole machine.
 *
 * tprof_list_lock guards: the list and its totals, tprof_profile.state and
 * .holds_hardware, and everything in a tprof_group. It is taken in the
 * tracepoints of fork, exec and exit, where nothing may sleep, hence raw; inside
 * it nothing else is locked, allocated or freed, and nothing is done that
 * grows with the number of threads. It nests in the configuration's lock.
 * Walkers use RCU.
 */
#ifndef _TPROF_LIST_H
#define _TPROF_LIST_H

#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct tprof_group;
struct tprof_profile;

/* A thread, for a message. */
struct tprof_user {
	pid_t tid;			/* as the caller sees it; 0 = ending */
	char comm[TASK_COMM_LEN];
};

extern raw_spinlock_t tprof_list_lock;

u64 tprof_list_new_id(void);
void tprof_list_add(struct tprof_profile *p);
void tprof_list_del(struct tprof_profile *p);
void tprof_list_drop_hardware(struct tprof_profile *p);
void tprof_list_drop_group_hardware(struct tprof_group *group);

int tprof_list_walk(u64 after, int (*fn)(struct tprof_profile *p, void *arg),
		    void *arg);
bool tprof_list_hardware_user(struct tprof_user *user);
bool tprof_list_has_own(struct task_struct *task);
void tprof_list_totals(u32 *attached, u32 *hardware);

#endif /* _TPROF_LIST_H */
