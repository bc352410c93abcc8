/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family. One file a group of commands: nl_*.c.
 */
#ifndef _TPROF_NETLINK_H
#define _TPROF_NETLINK_H

#include <linux/threadprof.h>
#include <net/genetlink.h>

enum tprof_mcgrp {
	TPROF_MCGRP_CONFIG,
	TPROF_MCGRP_PROFILES,
};

extern struct genl_family tprof_family;

/* A reply to be filled; tprof_reply_send() sends or, with an error, frees it. */
struct tprof_reply {
	struct sk_buff *skb;
	void *head;
};

int tprof_reply_new(struct tprof_reply *reply, struct genl_info *info);
int tprof_reply_new_of(struct tprof_reply *reply, struct genl_info *info,
		       size_t size);
int tprof_reply_send(struct tprof_reply *reply, struct genl_info *info,
		     int error);

/* nl_config.c */
extern const struct nla_policy
	tprof_config_set_policy[THREADPROF_A_CONFIG_FLAGS + 1];
int tprof_nl_config_set(struct sk_buff *skb, struct genl_info *info);
int tprof_nl_config_get(struct sk_buff *skb, struct genl_info *info);

/* nl_profile.c */
extern const struct nla_policy
	tprof_enable_policy[THREADPROF_A_HARDWARE_COUNTERS + 1];
extern const struct nla_policy
	tprof_own_policy[THREADPROF_A_PROFILE_ID + 1];
extern const struct nla_policy tprof_query_policy[THREADPROF_A_TID + 1];
int tprof_nl_enable(struct sk_buff *skb, struct genl_info *info);
int tprof_nl_disable(struct sk_buff *skb, struct genl_info *info);
int tprof_nl_query(struct sk_buff *skb, struct genl_info *info);
int tprof_nl_read(struct sk_buff *skb, struct genl_info *info);

/* nl_dump.c */
extern const struct nla_policy tprof_ended_policy[THREADPROF_A_ENDED_AFTER + 1];
int tprof_nl_profile_start(struct netlink_callback *cb);
int tprof_nl_profile_dump(struct sk_buff *skb, struct netlink_callback *cb);
int tprof_nl_profile_done(struct netlink_callback *cb);
int tprof_nl_ended_start(struct netlink_callback *cb);
int tprof_nl_ended_dump(struct sk_buff *skb, struct netlink_callback *cb);
int tprof_nl_ended_done(struct netlink_callback *cb);

/* nl_cpu.c */
int tprof_nl_cpu_start(struct netlink_callback *cb);
int tprof_nl_cpu_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* nl_status.c */
int tprof_nl_status(struct sk_buff *skb, struct genl_info *info);

int tprof_netlink_init(void);
void tprof_netlink_exit(void);

#endif /* _TPROF_NETLINK_H */
