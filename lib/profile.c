// SPDX-License-Identifier: LGPL-2.1-or-later
/* The calling thread's profile, and the reading of anybody's. */
#include <errno.h>
#include <string.h>

#include "profile.h"
#include "request.h"

static const struct nla_policy slot_policy[THREADPROF_A_SLOT_MAX + 1] = {
	[THREADPROF_A_SLOT_NUMBER]	= { .type = NLA_U32 },
	[THREADPROF_A_SLOT_VALUE]	= { .type = NLA_U64 },
	[THREADPROF_A_SLOT_STATE]	= { .type = NLA_U32 },
};

static const struct nla_policy wait_policy[THREADPROF_A_WAIT_MAX + 1] = {
	[THREADPROF_A_WAIT_REASON]	= { .type = NLA_U32 },
	[THREADPROF_A_WAIT_COUNT]	= { .type = NLA_U64 },
	[THREADPROF_A_WAIT_TIME]	= { .type = NLA_U64 },
};

static const struct nla_policy profile_policy[THREADPROF_A_PROFILE_MAX + 1] = {
	[THREADPROF_A_PROFILE_PROFILE_ID] = { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_FLAGS]	= { .type = NLA_U32 },
	[THREADPROF_A_PROFILE_PID]	= { .type = NLA_U32 },
	[THREADPROF_A_PROFILE_TID]	= { .type = NLA_U32 },
	[THREADPROF_A_PROFILE_COMM]	= { .type = NLA_STRING },
	[THREADPROF_A_PROFILE_HARDWARE_COUNTERS] = { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_SWITCHES]	= { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_VOLUNTARY] = { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_CYCLES]	= { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_ELAPSED]	= { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_SLOT]	= { .type = NLA_NESTED },
	[THREADPROF_A_PROFILE_WAIT]	= { .type = NLA_NESTED },
	[THREADPROF_A_PROFILE_ENDED_ID]	= { .type = NLA_U64 },
	[THREADPROF_A_PROFILE_ENDED_DROPPED] = { .type = NLA_U64 },
};

static int take_slot(struct nlattr *nest, struct threadprof_profile *out)
{
	struct nlattr *a[THREADPROF_A_SLOT_MAX + 1];
	uint32_t number;
	int err;

	err = threadprof_nest_parse(nest, a, THREADPROF_A_SLOT_MAX, slot_policy);
	if (err)
		return err;
	number = attr_u32(a[THREADPROF_A_SLOT_NUMBER], UINT32_MAX);
	if (number >= THREADPROF_MAX_COUNTERS)
		return 0;
	out->slot[number].value = attr_u64(a[THREADPROF_A_SLOT_VALUE]);
	out->slot[number].state = attr_u32(a[THREADPROF_A_SLOT_STATE], THREADPROF_SLOT_UNUSED);
	return 0;
}

static int take_wait(struct nlattr *nest, struct threadprof_profile *out)
{
	struct nlattr *a[THREADPROF_A_WAIT_MAX + 1];
	uint32_t reason;
	int err;

	err = threadprof_nest_parse(nest, a, THREADPROF_A_WAIT_MAX, wait_policy);
	if (err)
		return err;
	reason = attr_u32(a[THREADPROF_A_WAIT_REASON], UINT32_MAX);
	if (reason >= THREADPROF_WAIT_REASONS)
		return 0;
	out->wait[reason].count = attr_u64(a[THREADPROF_A_WAIT_COUNT]);
	out->wait[reason].time = attr_u64(a[THREADPROF_A_WAIT_TIME]);
	return 0;
}

int threadprof_profile_take(struct nlmsghdr *header, struct threadprof_profile *out)
{
	struct nlattr *top[THREADPROF_A_MAX + 1], *a[THREADPROF_A_PROFILE_MAX + 1];
	struct nlattr *profile, *attr;
	int err, left;

	memset(out, 0, sizeof(*out));
	err = threadprof_message_parse(header, top);
	if (err)
		return err;
	profile = top[THREADPROF_A_PROFILE];
	if (!profile)
		return -EPROTO;
	err = threadprof_nest_parse(profile, a, THREADPROF_A_PROFILE_MAX, profile_policy);
	if (err)
		return err;

	out->id = attr_u64(a[THREADPROF_A_PROFILE_PROFILE_ID]);
	out->ended_id = attr_u64(a[THREADPROF_A_PROFILE_ENDED_ID]);
	out->dropped = attr_u64(a[THREADPROF_A_PROFILE_ENDED_DROPPED]);
	out->hardware_counters = attr_u64(a[THREADPROF_A_PROFILE_HARDWARE_COUNTERS]);
	out->switches = attr_u64(a[THREADPROF_A_PROFILE_SWITCHES]);
	out->voluntary = attr_u64(a[THREADPROF_A_PROFILE_VOLUNTARY]);
	out->cycles = attr_u64(a[THREADPROF_A_PROFILE_CYCLES]);
	out->elapsed = attr_u64(a[THREADPROF_A_PROFILE_ELAPSED]);
	out->flags = attr_u32(a[THREADPROF_A_PROFILE_FLAGS], 0);
	out->pid = attr_u32(a[THREADPROF_A_PROFILE_PID], 0);
	out->tid = attr_u32(a[THREADPROF_A_PROFILE_TID], 0);
	attr_string(a[THREADPROF_A_PROFILE_COMM], out->comm, sizeof(out->comm));
	nla_for_each_nested(attr, profile, left) {
		if (nla_type(attr) == THREADPROF_A_PROFILE_SLOT)
			err = take_slot(attr, out);
		else if (nla_type(attr) == THREADPROF_A_PROFILE_WAIT)
			err = take_wait(attr, out);
		if (err)
			return err;
	}
	return 0;
}

struct enabled {
	uint32_t fd;
	uint64_t id;
	uint32_t generation;
};

static int take_enabled(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1];
	struct enabled *out = arg;
	int err;

	err = threadprof_message_parse(header, a);
	if (err)
		return err;
	out->fd = attr_u32(a[THREADPROF_A_FD], UINT32_MAX);
	out->id = attr_u64(a[THREADPROF_A_PROFILE_ID]);
	out->generation = attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	return out->fd > INT32_MAX ? -EPROTO : 0;
}

int threadprof_enable(struct threadprof *tp, uint32_t flags, uint64_t hardware_counters,
		      int *fd, uint64_t *id, uint32_t *generation)
{
	struct nl_msg *request = threadprof_request(tp, THREADPROF_CMD_ENABLE);
	struct enabled enabled;
	int err;

	if (flags)
		NLA_PUT_U32(request, THREADPROF_A_ENABLE_FLAGS, flags);
	if (hardware_counters)
		NLA_PUT_U64(request, THREADPROF_A_HARDWARE_COUNTERS, hardware_counters);
	err = threadprof_ask(tp, request, take_enabled, &enabled);
	if (err)
		return err;
	*fd = enabled.fd;
	if (id)
		*id = enabled.id;
	if (generation)
		*generation = enabled.generation;
	return 0;
nla_put_failure:
	return threadprof_too_long(tp);
}

int threadprof_profile_end(struct threadprof *tp, uint64_t id)
{
	struct nl_msg *request = threadprof_request(tp, THREADPROF_CMD_DISABLE);

	if (id)
		NLA_PUT_U64(request, THREADPROF_A_PROFILE_ID, id);
	return threadprof_ask(tp, request, NULL, NULL);
nla_put_failure:
	return threadprof_too_long(tp);
}

int threadprof_disable(struct threadprof *tp)
{
	return threadprof_profile_end(tp, 0);
}

/* The values are in the page: that an answer came is enough. */
static int take_nothing(struct nlmsghdr *header, void *arg)
{
	(void)header;
	(void)arg;
	return 0;
}

int threadprof_profile_update(struct threadprof *tp, uint16_t family, uint64_t id)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
		struct nlattr attr;
		uint64_t id;
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.genl = { .cmd = THREADPROF_CMD_READ, .version = THREADPROF_GENL_VERSION },
		.attr = {
			.nla_len = NLA_HDRLEN + sizeof(request.id),
			.nla_type = THREADPROF_A_PROFILE_ID,
		},
		.id = id,
	};
	int err;

	err = threadprof_exchange(tp, &request.header, take_nothing, NULL);
	if (err == -ENOENT && !tp->message[0])
		threadprof_refused(tp, err, NULL);
	return err;
}

static int take_profile(struct nlmsghdr *header, void *arg)
{
	return threadprof_profile_take(header, arg);
}

int threadprof_read(struct threadprof *tp, struct threadprof_profile *out)
{
	return threadprof_ask(tp, threadprof_request(tp, THREADPROF_CMD_READ),
			      take_profile, out);
}

static int take_queried(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1];
	uint32_t *enabled = arg;
	int err;

	err = threadprof_message_parse(header, a);
	if (err)
		return err;
	*enabled = attr_u32(a[THREADPROF_A_ENABLED], UINT32_MAX);
	return *enabled > 1 ? -EPROTO : 0;
}

int threadprof_profile_query(struct threadprof *tp, uint32_t *enabled)
{
	return threadprof_ask(tp, threadprof_request(tp, THREADPROF_CMD_QUERY),
			      take_queried, enabled);
}
