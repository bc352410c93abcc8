// SPDX-License-Identifier: LGPL-2.1-or-later
/* The system-wide list of counters. */
#include <errno.h>
#include <string.h>

#include <netlink/errno.h>

#include "request.h"

static const struct nla_policy counter_policy[THREADPROF_A_COUNTER_MAX + 1] = {
	[THREADPROF_A_COUNTER_TYPE]	= { .type = NLA_U32 },
	[THREADPROF_A_COUNTER_RESERVED]	= { .type = NLA_U32 },
	[THREADPROF_A_COUNTER_INDEX]	= { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG]	= { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG1]	= { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_CONFIG2]	= { .type = NLA_U64 },
	[THREADPROF_A_COUNTER_MODES]	= { .type = NLA_U32 },
	[THREADPROF_A_COUNTER_NAME]	= { .type = NLA_STRING },
};

static int put_counter(struct nl_msg *request, const struct threadprof_counter *counter)
{
	struct nlattr *nest = nla_nest_start(request, THREADPROF_A_COUNTER);

	if (!nest)
		goto nla_put_failure;
	NLA_PUT_U32(request, THREADPROF_A_COUNTER_TYPE, counter->type);
	NLA_PUT_U32(request, THREADPROF_A_COUNTER_RESERVED, counter->reserved);
	NLA_PUT_U64(request, THREADPROF_A_COUNTER_INDEX, counter->index);
	if (counter->has_config)
		NLA_PUT_U64(request, THREADPROF_A_COUNTER_CONFIG, counter->config);
	if (counter->config1)
		NLA_PUT_U64(request, THREADPROF_A_COUNTER_CONFIG1, counter->config1);
	if (counter->config2)
		NLA_PUT_U64(request, THREADPROF_A_COUNTER_CONFIG2, counter->config2);
	if (counter->modes)
		NLA_PUT_U32(request, THREADPROF_A_COUNTER_MODES, counter->modes);
	if (counter->name[0])
		NLA_PUT_STRING(request, THREADPROF_A_COUNTER_NAME, counter->name);
	return nla_nest_end(request, nest);
nla_put_failure:
	return -NLE_NOMEM;
}

static int take_counter(struct nlattr *nest, struct threadprof_counter *out)
{
	struct nlattr *a[THREADPROF_A_COUNTER_MAX + 1];
	int err;

	err = threadprof_nest_parse(nest, a, THREADPROF_A_COUNTER_MAX, counter_policy);
	if (err)
		return err;
	*out = (struct threadprof_counter){
		.type = attr_u32(a[THREADPROF_A_COUNTER_TYPE], 0),
		.reserved = attr_u32(a[THREADPROF_A_COUNTER_RESERVED], 0),
		.index = attr_u64(a[THREADPROF_A_COUNTER_INDEX]),
		.config = attr_u64(a[THREADPROF_A_COUNTER_CONFIG]),
		.config1 = attr_u64(a[THREADPROF_A_COUNTER_CONFIG1]),
		.config2 = attr_u64(a[THREADPROF_A_COUNTER_CONFIG2]),
		.has_config = a[THREADPROF_A_COUNTER_CONFIG] != NULL,
		.modes = attr_u32(a[THREADPROF_A_COUNTER_MODES], THREADPROF_MODE_USER),
	};
	attr_string(a[THREADPROF_A_COUNTER_NAME], out->name, sizeof(out->name));
	return 0;
}

static int take_generation(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1];
	uint32_t *generation = arg;
	int err;

	err = threadprof_message_parse(header, a);
	if (!err)
		*generation = attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	return err;
}

int threadprof_set_configuration(struct threadprof *tp,
				 const struct threadprof_counter *counter,
				 unsigned int count, uint32_t flags, uint32_t *generation)
{
	struct nl_msg *request;
	uint32_t unwanted;
	unsigned int i;

	if (count > THREADPROF_MAX_COUNTERS)
		return threadprof_fail(tp, -EINVAL, "more than %d counters",
				       THREADPROF_MAX_COUNTERS);
	if (count && !counter)
		return threadprof_fail(tp, -EINVAL, "no counters given");
	for (i = 0; i < count; i++)
		if (!memchr(counter[i].name, '\0', sizeof(counter[i].name)))
			return threadprof_fail(tp, -EINVAL, "counter %u: the name is too long", i);

	request = threadprof_request(tp, THREADPROF_CMD_CONFIG_SET);
	if (flags)
		NLA_PUT_U32(request, THREADPROF_A_CONFIG_FLAGS, flags);
	for (i = 0; i < count; i++)
		if (put_counter(request, &counter[i]) < 0)
			goto nla_put_failure;
	return threadprof_ask(tp, request, take_generation, generation ?: &unwanted);
nla_put_failure:
	return threadprof_too_long(tp);
}

static int take_configuration(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *attr;
	struct threadprof_configuration *out = arg;
	int err, left;

	err = threadprof_message_parse(header, a);
	if (err)
		return err;
	out->generation = attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	out->holder_pid = attr_u32(a[THREADPROF_A_CONFIG_HOLDER_PID], 0);
	out->flags = attr_u32(a[THREADPROF_A_CONFIG_FLAGS], 0);
	for_each_attr_of(header, attr, left) {
		if (nla_type(attr) != THREADPROF_A_COUNTER)
			continue;
		if (out->count == THREADPROF_MAX_COUNTERS)
			return -EPROTO;
		err = take_counter(attr, &out->counter[out->count++]);
		if (err)
			return err;
	}
	return 0;
}

int threadprof_get_configuration(struct threadprof *tp, struct threadprof_configuration *out)
{
	memset(out, 0, sizeof(*out));
	return threadprof_ask(tp, threadprof_request(tp, THREADPROF_CMD_CONFIG_GET),
			      take_configuration, out);
}
