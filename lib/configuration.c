// SPDX-License-Identifier: LGPL-2.1-or-later
/* The system-wide list of counters. */
#include <errno.h>
#include <string.h>

#include "request.h"

static int put_counter(struct message *m, const struct threadprof_counter *counter)
{
	size_t nest;

	if (strnlen(counter->name, sizeof(counter->name)) == sizeof(counter->name))
		return -EINVAL;

	nest = threadprof_message_nest(m, THREADPROF_A_COUNTER);
	threadprof_message_put_u32(m, THREADPROF_A_COUNTER_TYPE, counter->type);
	threadprof_message_put_u32(m, THREADPROF_A_COUNTER_RESERVED, counter->reserved);
	threadprof_message_put_u64(m, THREADPROF_A_COUNTER_INDEX, counter->index);
	if (counter->has_config)
		threadprof_message_put_u64(m, THREADPROF_A_COUNTER_CONFIG, counter->config);
	if (counter->config1)
		threadprof_message_put_u64(m, THREADPROF_A_COUNTER_CONFIG1, counter->config1);
	if (counter->config2)
		threadprof_message_put_u64(m, THREADPROF_A_COUNTER_CONFIG2, counter->config2);
	if (counter->modes)
		threadprof_message_put_u32(m, THREADPROF_A_COUNTER_MODES, counter->modes);
	if (counter->name[0])
		threadprof_message_put_string(m, THREADPROF_A_COUNTER_NAME, counter->name);
	threadprof_message_nest_end(m, nest);
	return 0;
}

static void take_counter(struct nlattr *nest, struct threadprof_counter *out)
{
	struct nlattr *a[THREADPROF_A_COUNTER_MAX + 1];

	threadprof_attr_sort(a, THREADPROF_A_COUNTER_MAX, nla_data(nest), nla_len(nest));
	*out = (struct threadprof_counter){
		.type = threadprof_attr_u32(a[THREADPROF_A_COUNTER_TYPE], 0),
		.reserved = threadprof_attr_u32(a[THREADPROF_A_COUNTER_RESERVED], 0),
		.index = threadprof_attr_u64(a[THREADPROF_A_COUNTER_INDEX], 0),
		.config = threadprof_attr_u64(a[THREADPROF_A_COUNTER_CONFIG], 0),
		.config1 = threadprof_attr_u64(a[THREADPROF_A_COUNTER_CONFIG1], 0),
		.config2 = threadprof_attr_u64(a[THREADPROF_A_COUNTER_CONFIG2], 0),
		.has_config = a[THREADPROF_A_COUNTER_CONFIG] != NULL,
		.modes = threadprof_attr_u32(a[THREADPROF_A_COUNTER_MODES],
					     THREADPROF_MODE_USER),
	};
	threadprof_attr_string(a[THREADPROF_A_COUNTER_NAME], out->name, sizeof(out->name));
}

static int take_generation(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *first;
	uint32_t *generation = arg;
	int size;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(a, THREADPROF_A_MAX, first, size);
	*generation = threadprof_attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	return 0;
}

int threadprof_set_configuration(struct threadprof *tp,
				 const struct threadprof_counter *counter,
				 unsigned int count, uint32_t flags, uint32_t *generation)
{
	uint32_t unwanted;
	struct message m;
	unsigned int i;

	if (count > THREADPROF_MAX_COUNTERS)
		return threadprof_fail(tp, -EINVAL, "more than %d counters",
				       THREADPROF_MAX_COUNTERS);
	if (count && !counter)
		return threadprof_fail(tp, -EINVAL, "no counters given");

	threadprof_request(tp, &m, THREADPROF_CMD_CONFIG_SET);
	if (flags)
		threadprof_message_put_u32(&m, THREADPROF_A_CONFIG_FLAGS, flags);
	for (i = 0; i < count; i++)
		if (put_counter(&m, &counter[i]))
			return threadprof_fail(tp, -EINVAL, "counter %u: the name is too long", i);
	return threadprof_ask(tp, &m, take_generation, generation ?: &unwanted);
}

static int take_configuration(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *first, *attr;
	struct threadprof_configuration *out = arg;
	int size, left;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(a, THREADPROF_A_MAX, first, size);
	out->generation = threadprof_attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	out->holder_pid = threadprof_attr_u32(a[THREADPROF_A_CONFIG_HOLDER_PID], 0);
	for_each_attr(attr, first, size, left) {
		if (nla_type(attr) != THREADPROF_A_COUNTER)
			continue;
		if (out->count == THREADPROF_MAX_COUNTERS)
			return -EPROTO;
		take_counter(attr, &out->counter[out->count++]);
	}
	return 0;
}

int threadprof_get_configuration(struct threadprof *tp, struct threadprof_configuration *out)
{
	struct message m;

	memset(out, 0, sizeof(*out));
	threadprof_request(tp, &m, THREADPROF_CMD_CONFIG_GET);
	return threadprof_ask(tp, &m, take_configuration, out);
}
