// SPDX-License-Identifier: GPL-2.0-only
/*
 * The family "threadprof": its commands, groups, and replies in general.
 *
 * The order, the errors and who may call what are the contract in
 * uapi/linux/threadprof.h. Policies prove types, lengths and ranges; the
 * handlers don't check those again.
 */
#include <linux/module.h>
#include <linux/threadprof.h>

#include "config.h"
#include "netlink.h"
#include "refusal.h"

/* Commands without attributes: refuse any, rather than not look. */
static const struct nla_policy no_policy[THREADPROF_A_PAD + 1];

static const struct genl_ops ops[] = {
	{
		.cmd = THREADPROF_CMD_CONFIG_SET,
		.doit = tprof_nl_config_set,
		.policy = tprof_config_set_policy,
		.maxattr = THREADPROF_A_CONFIG_FLAGS,
	}, {
		.cmd = THREADPROF_CMD_CONFIG_GET,
		.doit = tprof_nl_config_get,
		.policy = no_policy,
		.maxattr = THREADPROF_A_PAD,
	}, {
		.cmd = THREADPROF_CMD_ENABLE,
		.doit = tprof_nl_enable,
		.policy = tprof_enable_policy,
		.maxattr = THREADPROF_A_HARDWARE_COUNTERS,
	}, {
		.cmd = THREADPROF_CMD_DISABLE,
		.doit = tprof_nl_disable,
		.policy = tprof_own_policy,
		.maxattr = THREADPROF_A_PROFILE_ID,
	}, {
		.cmd = THREADPROF_CMD_QUERY,
		.doit = tprof_nl_query,
		.policy = tprof_query_policy,
		.maxattr = THREADPROF_A_TID,
	}, {
		.cmd = THREADPROF_CMD_READ,
		.doit = tprof_nl_read,
		.policy = tprof_own_policy,
		.maxattr = THREADPROF_A_PROFILE_ID,
	}, {
		.cmd = THREADPROF_CMD_PROFILE_GET,
		.start = tprof_nl_profile_start,
		.dumpit = tprof_nl_profile_dump,
		.done = tprof_nl_profile_done,
		.policy = no_policy,
		.maxattr = THREADPROF_A_PAD,
	}, {
		.cmd = THREADPROF_CMD_ENDED_GET,
		.start = tprof_nl_ended_start,
		.dumpit = tprof_nl_ended_dump,
		.done = tprof_nl_ended_done,
		.policy = tprof_ended_policy,
		.maxattr = THREADPROF_A_ENDED_AFTER,
	}, {
		.cmd = THREADPROF_CMD_STATUS,
		.doit = tprof_nl_status,
		.policy = no_policy,
		.maxattr = THREADPROF_A_PAD,
	}, {
		.cmd = THREADPROF_CMD_CPU_GET,
		.start = tprof_nl_cpu_start,
		.dumpit = tprof_nl_cpu_dump,
		.policy = no_policy,
		.maxattr = THREADPROF_A_PAD,
	},
};

static const struct genl_multicast_group groups[] = {
	[TPROF_MCGRP_CONFIG] = { .name = THREADPROF_MCGRP_CONFIG },
	[TPROF_MCGRP_PROFILES] = {
		.name = THREADPROF_MCGRP_PROFILES,
		.flags = GENL_MCAST_CAP_SYS_ADMIN,
	},
};

struct genl_family tprof_family __ro_after_init = {
	.name = THREADPROF_GENL_NAME,
	.version = THREADPROF_GENL_VERSION,
	.module = THIS_MODULE,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
	.netnsok = true,
	.parallel_ops = true,
};

int tprof_reply_new(struct tprof_reply *reply, struct genl_info *info)
{
	return tprof_reply_new_of(reply, info, GENLMSG_DEFAULT_SIZE);
}

int tprof_reply_new_of(struct tprof_reply *reply, struct genl_info *info,
		       size_t size)
{
	const struct tprof_refusal why = { .extack = info->extack };

	reply->skb = genlmsg_new(size, GFP_KERNEL);
	if (!reply->skb) {
		tprof_refuse(&why, "no memory for a reply");
		return -ENOMEM;
	}
	reply->head = genlmsg_put_reply(reply->skb, info, &tprof_family, 0,
					info->genlhdr->cmd);
	if (!reply->head) {
		nlmsg_free(reply->skb);
		return -EMSGSIZE;
	}
	return 0;
}

int tprof_reply_send(struct tprof_reply *reply, struct genl_info *info,
		     int error)
{
	if (error) {
		/* Sizes are bounded; a reply that does not fit is our fault. */
		WARN_ON_ONCE(error == -EMSGSIZE);
		nlmsg_free(reply->skb);
		return error;
	}
	genlmsg_end(reply->skb, reply->head);
	return genlmsg_reply(reply->skb, info);
}

static int socket_event(struct notifier_block *block, unsigned long event,
			void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC)
		tprof_config_socket_closed(notify->net, notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block socket_block = {
	.notifier_call = socket_event,
};

int tprof_netlink_init(void)
{
	int error;

	error = netlink_register_notifier(&socket_block);
	if (error)
		return error;
	error = genl_register_family(&tprof_family);
	if (error)
		netlink_unregister_notifier(&socket_block);
	return error;
}

void tprof_netlink_exit(void)
{
	netlink_unregister_notifier(&socket_block);
	genl_unregister_family(&tprof_family);
}

MODULE_ALIAS_GENL_FAMILY(THREADPROF_GENL_NAME);
