// SPDX-License-Identifier: GPL-2.0-only
/*
 * CONFIG_SET and CONFIG_GET.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "asker.h"
#include "config.h"
#include "fill.h"
#include "ke.h"
#include "netlink.h"

static const struct nla_policy
counter_policy[THREADPROF_A_COUNTER_MAX + 1] = {
	[THREADPROF_A_COUNTER_TYPE] = { .type = NLA_U32 },
	[THREADPROF_A_COUNTER_RESERVED] = { .type = NLA_U32 },
	[THREADPROF_A_COUNTER_INDEX] = { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG] = { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG1] = { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG2] = { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_MODES] =
		NLA_POLICY_MASK(NLA_U32, TPROF_MODES_ALL),
	[THREADPROF_A_COUNTER_NAME] = {
		.type = NLA_NUL_STRING,
		.len = THREADPROF_NAME_MAX,
	},
};

#define CONFIG_FLAGS_ALL	(THREADPROF_CONFIG_RELEASE | \
				 THREADPROF_CONFIG_DIRECT_RELAXED | \
				 THREADPROF_CONFIG_EXCLUSIVE | \
				 THREADPROF_CONFIG_DIRECT)

const struct nla_policy
tprof_config_set_policy[THREADPROF_A_CONFIG_FLAGS + 1] = {
	[THREADPROF_A_COUNTER] = NLA_POLICY_NESTED(counter_policy),
	[THREADPROF_A_CONFIG_FLAGS] =
		NLA_POLICY_MASK(NLA_U32, CONFIG_FLAGS_ALL),
};

static u32 u32_or(struct nlattr **tb, int type, u32 otherwise)
{
	return tb[type] ? nla_get_u32(tb[type]) : otherwise;
}

static u64 u64_or(struct nlattr **tb, int type, u64 otherwise)
{
	return tb[type] ? nla_get_u64(tb[type]) : otherwise;
}

static int parse_counter(struct tprof_counter *counter, ULONG i,
			 const struct nlattr *nest,
			 const struct tprof_refusal *why)
{
	struct nlattr *tb[THREADPROF_A_COUNTER_MAX + 1];
	int error;

	error = nla_parse_nested(tb, THREADPROF_A_COUNTER_MAX, nest,
				 counter_policy, why->extack);
	if (error)
		return error;
	if (!tb[THREADPROF_A_COUNTER_INDEX]) {
		NL_SET_ERR_ATTR_MISS(why->extack, nest,
				     THREADPROF_A_COUNTER_INDEX);
		tprof_refuse_counter(why, i, "counter %u: INDEX is missing", i);
		return -EINVAL;
	}
	counter->type = u32_or(tb, THREADPROF_A_COUNTER_TYPE, PMCCounter);
	counter->reserved = u32_or(tb, THREADPROF_A_COUNTER_RESERVED, 0);
	counter->index = nla_get_u64(tb[THREADPROF_A_COUNTER_INDEX]);
	counter->config = u64_or(tb, THREADPROF_A_COUNTER_CONFIG,
				 THREADPROF_INDEX_CONFIG(counter->index));
	counter->config1 = u64_or(tb, THREADPROF_A_COUNTER_CONFIG1, 0);
	counter->config2 = u64_or(tb, THREADPROF_A_COUNTER_CONFIG2, 0);
	counter->modes = u32_or(tb, THREADPROF_A_COUNTER_MODES,
				THREADPROF_MODE_USER);
	if (tb[THREADPROF_A_COUNTER_NAME])
		nla_strscpy(counter->name, tb[THREADPROF_A_COUNTER_NAME],
			    sizeof(counter->name));
	if (THREADPROF_INDEX_CONFIG(counter->config) !=
	    THREADPROF_INDEX_CONFIG(counter->index)) {
		tprof_refuse_counter(why, i, "counter %u: CONFIG and INDEX disagree", i);
		return -EINVAL;
	}
	return 0;
}

/* The elements of the list, into @counter and their attributes into @attr. */
static int parse_counters(struct genl_info *info, struct tprof_counter *counter,
			  struct nlattr **attrs, ULONG *count,
			  const struct tprof_refusal *why)
{
	struct nlattr *attr;
	int error, rem;

	*count = 0;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != THREADPROF_A_COUNTER)
			continue;
		if (*count == THREADPROF_MAX_COUNTERS) {
			NL_SET_BAD_ATTR(info->extack, attr);
			tprof_refuse(why, "COUNTER: more than %u counters",
				     THREADPROF_MAX_COUNTERS);
			return -EINVAL;
		}
		attrs[*count] = attr;
		error = parse_counter(&counter[*count], *count, attr, why);
		if (error)
			return error;
		++*count;
	}
	return 0;
}

static int config_set(struct genl_info *info, struct tprof_counter *counter,
		      u32 *generation)
{
	struct nlattr *attrs[THREADPROF_MAX_COUNTERS];
	const struct tprof_refusal why = {
		.extack = info->extack,
		.counter_attr = attrs,
	};
	struct tprof_holder asker = {
		.net = genl_info_net(info),
		.portid = info->snd_portid,
		.pid = task_tgid(current),
	};
	u32 flags = u32_or(info->attrs, THREADPROF_A_CONFIG_FLAGS, 0);
	NTSTATUS status;
	ULONG count;
	int error;

	error = parse_counters(info, counter, attrs, &count, &why);
	if (error)
		return error;
	get_task_comm(asker.comm, current);
	status = tprof_config_set(counter, count, &asker, flags, generation,
				  &why);
	return tprof_status_to_errno(status);
}

int tprof_nl_config_set(struct sk_buff *skb, struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct tprof_counter *counter;
	struct tprof_reply reply;
	u32 generation;
	int error;

	if (!tprof_privileged(skb)) {
		tprof_refuse(&why, "changing the configuration needs CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	if (!tprof_arch_supported()) {
		tprof_refuse(&why, "no support for this architecture");
		return tprof_status_to_errno(STATUS_NOT_IMPLEMENTED);
	}
	/* Before anything changes: a reply that can't be sent must not matter. */
	error = tprof_reply_new(&reply, info);
	if (error)
		return error;
	counter = kcalloc(THREADPROF_MAX_COUNTERS, sizeof(*counter),
			  GFP_KERNEL);
	if (counter) {
		error = config_set(info, counter, &generation);
	} else {
		tprof_refuse(&why, "no memory for the counters");
		error = -ENOMEM;
	}
	kfree(counter);
	if (!error)
		error = nla_put_u32(reply.skb, THREADPROF_A_CONFIG_GENERATION,
				    generation);
	return tprof_reply_send(&reply, info, error);
}

int tprof_nl_config_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct tprof_holder *holder;
	struct tprof_reply reply;
	int error;

	error = tprof_reply_new(&reply, info);
	if (error)
		return error;
	tprof_config_lock();
	error = tprof_fill_config(reply.skb, tprof_config_locked());
	holder = tprof_config_holder();
	if (!error && holder)
		error = nla_put_u32(reply.skb, THREADPROF_A_CONFIG_HOLDER_PID,
				    pid_vnr(holder->pid));
	tprof_config_unlock();
	return tprof_reply_send(&reply, info, error);
}
