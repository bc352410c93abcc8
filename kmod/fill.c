// SPDX-License-Identifier: GPL-2.0-only
/*
 * The nests of replies and notifications.
 */
#include <net/netlink.h>

#include "config.h"
#include "fill.h"
#include "group.h"
#include "snapshot.h"

static int fill_counter(struct sk_buff *skb, const struct tprof_counter *c)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_COUNTER);

	if (!nest ||
	    nla_put_u32(skb, THREADPROF_A_COUNTER_TYPE, c->type) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_COUNTER_INDEX, c->index,
			      THREADPROF_A_COUNTER_PAD) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_COUNTER_CONFIG, c->config,
			      THREADPROF_A_COUNTER_PAD) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_COUNTER_CONFIG1, c->config1,
			      THREADPROF_A_COUNTER_PAD) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_COUNTER_CONFIG2, c->config2,
			      THREADPROF_A_COUNTER_PAD) ||
	    nla_put_u32(skb, THREADPROF_A_COUNTER_MODES, c->modes) ||
	    nla_put_string(skb, THREADPROF_A_COUNTER_NAME, c->name))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int tprof_fill_config(struct sk_buff *skb, const struct tprof_config *config)
{
	ULONG i;

	if (nla_put_u32(skb, THREADPROF_A_CONFIG_GENERATION,
			config->generation))
		return -EMSGSIZE;
	if (config->flags &&
	    nla_put_u32(skb, THREADPROF_A_CONFIG_FLAGS, config->flags))
		return -EMSGSIZE;
	for (i = 0; i < config->count; i++) {
		if (fill_counter(skb, &config->counter[i]))
			return -EMSGSIZE;
	}
	return 0;
}

/* @nest_type: of what the slot is part of. */
int tprof_fill_slot(struct sk_buff *skb, int nest_type, u32 number, u64 value,
		    u32 state)
{
	struct nlattr *nest = nla_nest_start(skb, nest_type);

	if (!nest ||
	    nla_put_u32(skb, THREADPROF_A_SLOT_NUMBER, number) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_SLOT_VALUE, value,
			      THREADPROF_A_SLOT_PAD) ||
	    nla_put_u32(skb, THREADPROF_A_SLOT_STATE, state))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_wait(struct sk_buff *skb, u32 reason,
		     const struct threadprof_page_wait *wait)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_PROFILE_WAIT);

	if (!nest ||
	    nla_put_u32(skb, THREADPROF_A_WAIT_REASON, reason) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_WAIT_COUNT, wait->count,
			      THREADPROF_A_WAIT_PAD) ||
	    nla_put_u64_64bit(skb, THREADPROF_A_WAIT_TIME, wait->time,
			      THREADPROF_A_WAIT_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_slots(struct sk_buff *skb, const struct threadprof_page *page)
{
	const struct threadprof_page_slot *slot;
	u32 i;

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		slot = &page->slot[i];
		if (slot->state != THREADPROF_SLOT_UNUSED &&
		    tprof_fill_slot(skb, THREADPROF_A_PROFILE_SLOT, i,
				    slot->total, slot->state))
			return -EMSGSIZE;
	}
	return 0;
}

static int fill_waits(struct sk_buff *skb, const struct threadprof_page *page)
{
	u32 i;

	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		if (page->wait[i].count && fill_wait(skb, i, &page->wait[i]))
			return -EMSGSIZE;
	}
	return 0;
}

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, THREADPROF_A_PROFILE_PAD);
}

/* @ended_id: 0 for none. */
int tprof_fill_profile(struct sk_buff *skb, const struct tprof_snapshot *from,
		       u64 ended_id)
{
	const struct threadprof_page *page = &from->page;
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_PROFILE);

	if (!nest ||
	    put_u64(skb, THREADPROF_A_PROFILE_PROFILE_ID, page->profile_id) ||
	    nla_put_u32(skb, THREADPROF_A_PROFILE_FLAGS, from->flags) ||
	    nla_put_u32(skb, THREADPROF_A_PROFILE_PID, from->pid) ||
	    nla_put_u32(skb, THREADPROF_A_PROFILE_TID, from->tid) ||
	    nla_put_string(skb, THREADPROF_A_PROFILE_COMM, from->comm) ||
	    put_u64(skb, THREADPROF_A_PROFILE_HARDWARE_COUNTERS,
		    page->hardware_counters) ||
	    put_u64(skb, THREADPROF_A_PROFILE_SWITCHES, page->switches) ||
	    put_u64(skb, THREADPROF_A_PROFILE_VOLUNTARY, page->voluntary) ||
	    put_u64(skb, THREADPROF_A_PROFILE_CYCLES, page->cycles) ||
	    put_u64(skb, THREADPROF_A_PROFILE_ELAPSED, from->elapsed) ||
	    (ended_id &&
	     put_u64(skb, THREADPROF_A_PROFILE_ENDED_ID, ended_id)) ||
	    fill_slots(skb, page) ||
	    fill_waits(skb, page))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int tprof_fill_dropped(struct sk_buff *skb, const struct tprof_dropped *from)
{
	struct nlattr *nest = nla_nest_start(skb, THREADPROF_A_PROFILE);
	unsigned long slots = from->slots;
	u32 i;

	if (!nest ||
	    put_u64(skb, THREADPROF_A_PROFILE_ENDED_DROPPED, from->count) ||
	    put_u64(skb, THREADPROF_A_PROFILE_HARDWARE_COUNTERS, slots) ||
	    put_u64(skb, THREADPROF_A_PROFILE_SWITCHES, from->switches) ||
	    put_u64(skb, THREADPROF_A_PROFILE_VOLUNTARY, from->voluntary) ||
	    put_u64(skb, THREADPROF_A_PROFILE_CYCLES, from->cycles))
		return -EMSGSIZE;
	for_each_set_bit(i, &slots, THREADPROF_MAX_COUNTERS) {
		if (tprof_fill_slot(skb, THREADPROF_A_PROFILE_SLOT, i,
				    from->slot[i], from->lost & BIT(i) ?
				    THREADPROF_SLOT_LOST :
				    THREADPROF_SLOT_COUNTING))
			return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}
