// SPDX-License-Identifier: GPL-2.0-only
/*
 * PROFILE_GET and ENDED_GET: lists of profiles, a message each.
 *
 * A dump goes on over several calls with a cursor, the id of the last profile
 * that was sent: profiles that come or go in between do not disturb it.
 */
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "compat.h"
#include "fill.h"
#include "group.h"
#include "netlink.h"
#include "profile.h"
#include "refusal.h"
#include "snapshot.h"

const struct nla_policy tprof_ended_policy[THREADPROF_A_ENDED_AFTER + 1] = {
	[THREADPROF_A_ENDED_AFTER] = { .type = NLA_U64 },
};

/* In netlink_callback.ctx, between the calls of one dump. */
struct dump_state {
	u64 last;
	/* PROFILE_GET: who asked, whoever may receive the rest. */
	const struct cred *cred;
	bool privileged;
	/* ENDED_GET */
	bool dropped_sent;
	struct tprof_group *group;
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

/* RCU is held. */
static int dump_attached(struct tprof_profile *p, void *arg)
{
	struct dump *dump = arg;
	struct dump_state *state = dump_state(dump->cb);
	int error = 0;

	if (tprof_visible(p->task, state->cred, state->privileged)) {
		tprof_snapshot(p, task_active_pid_ns(current), dump->snapshot);
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
	dump_state(cb)->cred = get_current_cred();
	dump_state(cb)->privileged = tprof_privileged();
	return 0;
}

int tprof_nl_profile_done(struct netlink_callback *cb)
{
	put_cred(dump_state(cb)->cred);
	return 0;
}

int tprof_nl_profile_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump dump = { .skb = skb, .cb = cb };
	int error;

	dump.snapshot = kmalloc(sizeof(*dump.snapshot), GFP_KERNEL);
	if (!dump.snapshot)
		return -ENOMEM;
	error = tprof_profile_walk(dump_state(cb)->last, dump_attached, &dump);
	kfree(dump.snapshot);
	/* Full: the rest in the next call. An empty message is the end. */
	return skb->len || !error ? skb->len : error;
}

int tprof_nl_ended_start(struct netlink_callback *cb)
{
	const struct tprof_refusal why = { .extack = cb->extack };
	struct nlattr *after = genl_info_dump(cb)->attrs[THREADPROF_A_ENDED_AFTER];
	struct tprof_profile *p = tprof_profile_own();

	if (!p || !p->group || READ_ONCE(p->state) == TPROF_RELEASED) {
		tprof_refuse(&why, "this thread has no profile with INHERIT");
		return -ENOENT;
	}
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
	struct tprof_profile *p;
	int error = 0;

	while (!error) {
		p = tprof_group_next_ended(state->group, state->last);
		if (!p)
			break;
		tprof_snapshot(p, task_active_pid_ns(current), dump->snapshot);
		error = send_profile(dump, THREADPROF_CMD_ENDED_GET,
				     p->ended_id);
		if (!error)
			state->last = p->ended_id;
		tprof_profile_put(p);
	}
	return error;
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
	tprof_group_put(dump_state(cb)->group);
	return 0;
}
