// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU_GET: what each counter has counted on each CPU, whoever ran there.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>

#include "asker.h"
#include "compat.h"
#include "config.h"
#include "fill.h"
#include "netlink.h"
#include "pmu.h"
#include "refusal.h"

/* In netlink_callback.ctx. */
struct dump_state {
	int cpu;			/* next to be sent */
};

static struct dump_state *dump_state(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct dump_state) > sizeof(cb->ctx));
	return (struct dump_state *)cb->ctx;
}

int tprof_nl_cpu_start(struct netlink_callback *cb)
{
	const struct tprof_refusal why = { .extack = cb->extack };

	if (!tprof_privileged(cb->skb)) {
		tprof_refuse(&why, "counts of whole CPUs need CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	dump_state(cb)->cpu = 0;
	return 0;
}

static int fill_cpu(struct sk_buff *skb, const struct tprof_config *config,
		    int cpu)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_CPU);
	bool counts;
	u64 value;
	ULONG i;

	if (!nest ||
	    nla_put_u32(skb, THREADPROF_A_CPU_NUMBER, cpu) ||
	    nla_put_u32(skb, THREADPROF_A_CPU_GENERATION, config->generation))
		return -EMSGSIZE;
	for (i = 0; i < config->count; i++) {
		counts = tprof_pmu_value(config->events, i, cpu, &value);
		if (tprof_fill_slot(skb, THREADPROF_A_CPU_SLOT, i, value,
				    counts ? THREADPROF_SLOT_COUNTING :
					     THREADPROF_SLOT_LOST))
			return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static int send_cpu(struct sk_buff *skb, struct netlink_callback *cb,
		    const struct tprof_config *config, int cpu)
{
	void *head;

	head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &tprof_family, NLM_F_MULTI, THREADPROF_CMD_CPU_GET);
	if (!head)
		return -EMSGSIZE;
	if (fill_cpu(skb, config, cpu)) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

int tprof_nl_cpu_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);
	int cpu;

	tprof_config_lock();
	for (cpu = cpumask_next(state->cpu - 1, cpu_online_mask);
	     cpu < nr_cpu_ids; cpu = cpumask_next(cpu, cpu_online_mask)) {
		if (send_cpu(skb, cb, tprof_config_locked(), cpu))
			break;
	}
	tprof_config_unlock();
	state->cpu = cpu;
	return skb->len;
}
