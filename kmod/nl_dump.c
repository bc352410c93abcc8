// SPDX-License-Identifier: GPL-2.0-only
/*
 * PROFILE_GET and ENDED_GET: lists of profiles, a message each.
 *
 * A dump goes on over several calls with a cursor, the id of the last profile
 * that was sent: profiles that come or go in between do not disturb it.
 */
#include <linux/slab.h>

#include "asker.h"
#include "compat.h"
#include "fill.h"
#include "group.h"
#include "list.h"
#include "netlink.h"
#include "profile.h"
#include "refusal.h"
#include "snapshot.h"

const struct nla_policy tprof_ended_policy[THREADPROF_A_ENDED_AFTER + 1] = {
	[THREADPROF_A_ENDED_AFTER] = { .type = NLA_U64 },
};

/* In netlink_callback.ctx, between the calls of one dump. */
struct dump_state {
	struct tprof_asker *asker;
	u64 last;			/* PROFILE_GET: id of the last sent */
	struct tprof_group *group;	/* ENDED_GET, with what follows */
	struct tprof_profile *at;	/* next to be sent, referenced */
	bool begun;
	bool dropped_sent;
};

static struct dump_state *dump_state(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct dump_state) > sizeof(cb->ctx));
	return (struct dump_state *)cb->ctx;
}

/* One call of a dump. */
struct dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	struct tprof_snapshot *snapshot;
};

static void *message_begin(struct dump *dump, u8 cmd)
{
	return genlmsg_put(dump->skb, NETLINK_CB(dump->cb->skb).portid,
			   dump->cb->nlh->nlmsg_seq, &tprof_family, NLM_F_MULTI,
			   cmd);
}

static int message_end(struct dump *dump, void *head, int error)
{
	if (error)
		genlmsg_cancel(dump->skb, head);
	else
		genlmsg_end(dump->skb, head);
	return error;
}

static int send_profile(struct dump *dump, u8 cmd, u64 ended_id)
{
	void *head = message_begin(dump, cmd);

	if (!head)
		return -EMSGSIZE;
	return message_end(dump, head,
			   tprof_fill_profile(dump->skb, dump->snapshot,
					      ended_id));
}

static int state_init(struct netlink_callback *cb)
{
	struct tprof_asker *asker = kmalloc(sizeof(*asker), GFP_KERNEL);

	if (!asker)
		return -ENOMEM;
	tprof_asker_get(asker, cb->skb);
	dump_state(cb)->asker = asker;
	return 0;
}

static void state_exit(struct netlink_callback *cb)
{
	tprof_asker_put(dump_state(cb)->asker);
	kfree(dump_state(cb)->asker);
}

/* RCU is held. */
static int dump_attached(struct tprof_profile *p, void *arg)
{
	struct dump *dump = arg;
	struct dump_state *state = dump_state(dump->cb);
	const struct tprof_asker *asker = state->asker;
	int error = 0;

	if (tprof_asker_may_see(asker, p->task)) {
		tprof_snapshot(p, asker->ns, dump->snapshot);
		if (!asker->privileged)
			tprof_snapshot_hide_beyond_user(p, dump->snapshot);
		if (dump->snapshot->tid)
			error = send_profile(dump, THREADPROF_CMD_PROFILE_GET,
					     0);
	}
	if (!error)
		state->last = p->id;
	return error;
}

int tprof_nl_profile_start(struct netlink_callback *cb)
{
	return state_init(cb);
}

int tprof_nl_profile_done(struct netlink_callback *cb)
{
	state_exit(cb);
	return 0;
}

int tprof_nl_profile_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump dump = { .skb = skb, .cb = cb };
	int error;

	dump.snapshot = kmalloc(sizeof(*dump.snapshot), GFP_KERNEL);
	if (!dump.snapshot)
		return -ENOMEM;
	error = tprof_list_walk(dump_state(cb)->last, dump_attached, &dump);
	kfree(dump.snapshot);
	/* Full: the rest in the next call. An empty message is the end. */
	return skb->len || !error ? skb->len : error;
}

int tprof_nl_ended_start(struct netlink_callback *cb)
{
	const struct tprof_refusal why = { .extack = cb->extack };
	struct nlattr *after = genl_info_dump(cb)->attrs[THREADPROF_A_ENDED_AFTER];
	struct tprof_profile *p = tprof_profile_own();
	int error;

	if (!p || !p->group || READ_ONCE(p->state) == TPROF_RELEASED) {
		tprof_refuse(&why, "this thread has no profile with INHERIT");
		return -ENOENT;
	}
	error = state_init(cb);
	if (error)
		return error;
	if (after)
		tprof_group_forget(p->group, nla_get_u64(after));
	tprof_group_get(p->group);
	dump_state(cb)->group = p->group;
	return 0;
}

static int dump_dropped(struct dump *dump)
{
	struct dump_state *state = dump_state(dump->cb);
	struct tprof_dropped dropped;
	void *head;
	int error;

	if (state->dropped_sent || !tprof_group_dropped(state->group, &dropped))
		return 0;
	head = message_begin(dump, THREADPROF_CMD_ENDED_GET);
	if (!head)
		return -EMSGSIZE;
	error = message_end(dump, head,
			    tprof_fill_dropped(dump->skb, &dropped));
	if (!error)
		state->dropped_sent = true;
	return error;
}

static int dump_ended(struct dump *dump)
{
	struct dump_state *state = dump_state(dump->cb);
	int error;

	if (!state->begun) {
		state->at = tprof_group_next_ended(state->group, NULL);
		state->begun = true;
	}
	while (state->at) {
		tprof_snapshot(state->at, state->asker->ns, dump->snapshot);
		error = send_profile(dump, THREADPROF_CMD_ENDED_GET,
				     state->at->ended_id);
		if (error)
			return error;
		state->at = tprof_group_next_ended(state->group, state->at);
	}
	return 0;
}

int tprof_nl_ended_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump dump = { .skb = skb, .cb = cb };
	int error;

	dump.snapshot = kmalloc(sizeof(*dump.snapshot), GFP_KERNEL);
	if (!dump.snapshot)
		return -ENOMEM;
	error = dump_dropped(&dump) ?: dump_ended(&dump);
	kfree(dump.snapshot);
	return skb->len || !error ? skb->len : error;
}

int tprof_nl_ended_done(struct netlink_callback *cb)
{
	struct dump_state *state = dump_state(cb);

	if (state->at)
		tprof_profile_put(state->at);
	tprof_group_put(state->group);
	state_exit(cb);
	return 0;
}
