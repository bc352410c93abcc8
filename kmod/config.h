/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system-wide configuration: which counters thread profiling uses.
 */
#ifndef _TPROF_CONFIG_H
#define _TPROF_CONFIG_H

#include <linux/rcupdate.h>
#include <linux/threadprof.h>

#include "counter.h"
#include "pmu.h"

struct net;
struct pid;

/* Fixed once it is published, but for the events of CPUs that come and go. */
struct tprof_config {
	u32 generation;
	ULONG count;
	u32 modes;		/* of all its counters together */
	u32 flags;		/* enum threadprof_config_flags, but for RELEASE */
	bool by_driver;		/* what drivers keep makes room for it: reserve.h */
	struct tprof_counter counter[THREADPROF_MAX_COUNTERS];
	struct tprof_cpu_events __percpu *events;
	struct tprof_fillers __percpu *fillers;	/* with EXCLUSIVE, else NULL */
};

/* Who may replace the list while it is held: a netlink socket. */
struct tprof_holder {
	const struct net *net;	/* for comparison only */
	u32 portid;		/* 0: nobody */
	struct pid *pid;
	char comm[TASK_COMM_LEN];
};

/* The lock of everything here; see config.c. */
void tprof_config_lock(void);
void tprof_config_unlock(void);
void tprof_config_assert_held(void);

const struct tprof_config *tprof_config_locked(void);
const struct tprof_holder *tprof_config_holder(void);

/* In the switch callbacks: preemption is off there, which RCU honours. */
extern struct tprof_config __rcu *tprof_config_now;	/* never NULL while loaded */

static inline const struct tprof_config *tprof_config_rcu(void)
{
	return rcu_dereference_sched(tprof_config_now);
}

NTSTATUS tprof_config_set(const struct tprof_counter *counter, ULONG count,
			  const struct tprof_holder *asker, u32 flags,
			  u32 *generation, const struct tprof_refusal *why);
void tprof_config_socket_closed(const struct net *net, u32 portid);
void tprof_config_settle(void);
bool tprof_config_is_due(void);
bool tprof_config_sync(void);

int tprof_config_init(void);
void tprof_config_exit(void);

#endif /* _TPROF_CONFIG_H */
