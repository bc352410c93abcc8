// SPDX-License-Identifier: GPL-2.0-only
/*
 * STATUS: what this machine can do, and who uses it.
 */
#include <linux/pid.h>

#include "config.h"
#include "cycles.h"
#include "list.h"
#include "netlink.h"
#include "probe.h"
#include "reserve.h"

#define CPUS_SIZE	128
/* For all PMUs and reservations that there can be. */
#define REPLY_SIZE	8000

/* One too long for this ends with its last whole part. */
static void list_cpus(char out[CPUS_SIZE], const struct cpumask *cpus)
{
	if (snprintf(out, CPUS_SIZE, "%*pbl", cpumask_pr_args(cpus)) >= CPUS_SIZE)
		*strrchr(out, ',') = '\0';
}

static int fill_pmu(struct sk_buff *skb, const struct tprof_pmu_info *info)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_PMU);
	char cpus[CPUS_SIZE];

	list_cpus(cpus, &info->cpus);
	if (!nest ||
	    nla_put_string(skb, THREADPROF_A_PMU_NAME, info->name) ||
	    nla_put_u32(skb, THREADPROF_A_PMU_TYPE, info->type) ||
	    nla_put_string(skb, THREADPROF_A_PMU_CPUS, cpus) ||
	    nla_put_u32(skb, THREADPROF_A_PMU_COUNTERS, info->counters))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_machine(struct sk_buff *skb)
{
	u32 flags = 0;
	unsigned int i;

	if (tprof_no_irq_time())
		flags |= THREADPROF_STATUS_NO_IRQ_TIME;
	if (tprof_pmu_present())
		flags |= THREADPROF_STATUS_PMU;
	if (tprof_cycles_stable())
		flags |= THREADPROF_STATUS_STABLE_CYCLES;
	if (nla_put_string(skb, THREADPROF_A_MODULE_VERSION,
			   TPROF_VERSION) ||
	    nla_put_u32(skb, THREADPROF_A_MAX_COUNTERS,
			THREADPROF_MAX_COUNTERS) ||
	    nla_put_u32(skb, THREADPROF_A_PAGE_VERSION,
			THREADPROF_PAGE_VERSION) ||
	    nla_put_u32(skb, THREADPROF_A_STATUS_FLAGS, flags) ||
	    nla_put_string(skb, THREADPROF_A_CYCLE_SOURCE,
			   tprof_cycle_source()) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_CYCLE_HZ, tprof_cycle_hz,
			      THREADPROF_A_PAD))
		return -EMSGSIZE;
	for (i = 0; i < tprof_probe_count(); i++) {
		if (fill_pmu(skb, tprof_probe_get(i)))
			return -EMSGSIZE;
	}
	return 0;
}

static int fill_reservation(const struct tprof_reservation *r, void *skb)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_RESERVATION);
	char cpus[CPUS_SIZE];

	list_cpus(cpus, &r->cpus);
	if (!nest ||
	    nla_put_string(skb, THREADPROF_A_RESERVATION_OWNER, r->name) ||
	    nla_put_string(skb, THREADPROF_A_RESERVATION_CPUS, cpus) ||
	    nla_put_u32(skb, THREADPROF_A_RESERVATION_COUNTERS, r->count))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_use(struct sk_buff *skb)
{
	const struct tprof_holder *holder = tprof_config_holder();
	u32 attached, hardware;

	tprof_list_totals(&attached, &hardware);
	if (nla_put_u32(skb, THREADPROF_A_PROFILES, attached) ||
	    nla_put_u32(skb, THREADPROF_A_HARDWARE_USERS, hardware) ||
	    nla_put_u32(skb, THREADPROF_A_CONFIG_GENERATION,
			tprof_config_locked()->generation))
		return -EMSGSIZE;
	if (!holder)
		return 0;
	if (nla_put_u32(skb, THREADPROF_A_CONFIG_HOLDER_PID,
			pid_vnr(holder->pid)) ||
	    nla_put_string(skb, THREADPROF_A_CONFIG_HOLDER_COMM, holder->comm))
		return -EMSGSIZE;
	return 0;
}

int tprof_nl_status(struct sk_buff *skb, struct genl_info *info)
{
	struct tprof_reply reply;
	int error;

	error = tprof_reply_new_of(&reply, info, REPLY_SIZE);
	if (error)
		return error;
	tprof_config_lock();
	error = fill_machine(reply.skb) ?: fill_use(reply.skb) ?:
		tprof_reserve_each(fill_reservation, reply.skb);
	tprof_config_unlock();
	return tprof_reply_send(&reply, info, error);
}
