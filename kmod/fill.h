/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes into messages: nests of the uapi header, -EMSGSIZE without room.
 */
#ifndef _TPROF_FILL_H
#define _TPROF_FILL_H

#include <linux/types.h>

struct sk_buff;
struct tprof_config;
struct tprof_dropped;
struct tprof_snapshot;

int tprof_fill_config(struct sk_buff *skb, const struct tprof_config *config);
int tprof_fill_slot(struct sk_buff *skb, int nest_type, u32 number, u64 value,
		    u32 state);
int tprof_fill_profile(struct sk_buff *skb, const struct tprof_snapshot *from,
		       u64 ended_id);
int tprof_fill_dropped(struct sk_buff *skb, const struct tprof_dropped *from);

#endif /* _TPROF_FILL_H */
