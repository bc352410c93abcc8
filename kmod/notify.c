// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multicast: the configuration changed, a profile ended. Best effort: a listener
 * that can't keep up gets ENOBUFS from its socket and asks again.
 */
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "compat.h"
#include "fill.h"
#include "netlink.h"
#include "notify.h"
#include "snapshot.h"

/* To every network namespace: the list is everybody's. */
void tprof_notify_config(const struct tprof_config *config)
{
	struct sk_buff *skb;
	void *head;

	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return;
	head = genlmsg_put(skb, 0, 0, &tprof_family, 0,
			   THREADPROF_CMD_CONFIG_NTF);
	if (!head || tprof_fill_config(skb, config)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	tprof_multicast_allns(&tprof_family, skb, TPROF_MCGRP_CONFIG);
}

/*
 * To the initial network namespace alone: whoever has a namespace of his own is
 * its administrator, and could read of other people's threads there.
 */
void tprof_notify_profile_end(const struct tprof_profile *p)
{
	struct tprof_snapshot *snapshot;
	struct sk_buff *skb;
	void *head;

	if (!genl_has_listeners(&tprof_family, &init_net, TPROF_MCGRP_PROFILES))
		return;
	snapshot = kmalloc(sizeof(*snapshot), GFP_KERNEL);
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!snapshot || !skb)
		goto free;
	tprof_snapshot(p, &init_pid_ns, snapshot);
	head = genlmsg_put(skb, 0, 0, &tprof_family, 0,
			   THREADPROF_CMD_PROFILE_END_NTF);
	if (!head || tprof_fill_profile(skb, snapshot, 0))
		goto free;
	genlmsg_end(skb, head);
	genlmsg_multicast_netns(&tprof_family, &init_net, skb, 0,
				TPROF_MCGRP_PROFILES, GFP_KERNEL);
	skb = NULL;
free:
	nlmsg_free(skb);
	kfree(snapshot);
}
