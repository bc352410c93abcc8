// SPDX-License-Identifier: LGPL-2.1-or-later
/* The calling thread's profile, and the reading of anybody's. */
#include <errno.h>
#include <string.h>

#include "profile.h"
#include "request.h"

static void take_slot(struct nlattr *nest, struct threadprof_profile *out)
{
	struct nlattr *a[THREADPROF_A_SLOT_MAX + 1];
	uint32_t number;

	threadprof_attr_sort(a, THREADPROF_A_SLOT_MAX, nla_data(nest), nla_len(nest));
	number = threadprof_attr_u32(a[THREADPROF_A_SLOT_NUMBER], UINT32_MAX);
	if (number >= THREADPROF_MAX_COUNTERS)
		return;
	out->slot[number].value = threadprof_attr_u64(a[THREADPROF_A_SLOT_VALUE], 0);
	out->slot[number].state = threadprof_attr_u32(a[THREADPROF_A_SLOT_STATE],
						      THREADPROF_SLOT_UNUSED);
}

static void take_wait(struct nlattr *nest, struct threadprof_profile *out)
{
	struct nlattr *a[THREADPROF_A_WAIT_MAX + 1];
	uint32_t reason;

	threadprof_attr_sort(a, THREADPROF_A_WAIT_MAX, nla_data(nest), nla_len(nest));
	reason = threadprof_attr_u32(a[THREADPROF_A_WAIT_REASON], UINT32_MAX);
	if (reason >= THREADPROF_WAIT_REASONS)
		return;
	out->wait[reason].count = threadprof_attr_u64(a[THREADPROF_A_WAIT_COUNT], 0);
	out->wait[reason].time = threadprof_attr_u64(a[THREADPROF_A_WAIT_TIME], 0);
}

int threadprof_profile_take(const struct nlmsghdr *header, struct threadprof_profile *out)
{
	struct nlattr *top[THREADPROF_A_MAX + 1], *a[THREADPROF_A_PROFILE_MAX + 1];
	struct nlattr *first, *attr;
	int size, left;

	memset(out, 0, sizeof(*out));
	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(top, THREADPROF_A_MAX, first, size);
	if (!top[THREADPROF_A_PROFILE])
		return -EPROTO;
	first = nla_data(top[THREADPROF_A_PROFILE]);
	size = nla_len(top[THREADPROF_A_PROFILE]);
	threadprof_attr_sort(a, THREADPROF_A_PROFILE_MAX, first, size);

	out->id = threadprof_attr_u64(a[THREADPROF_A_PROFILE_PROFILE_ID], 0);
	out->ended_id = threadprof_attr_u64(a[THREADPROF_A_PROFILE_ENDED_ID], 0);
	out->dropped = threadprof_attr_u64(a[THREADPROF_A_PROFILE_ENDED_DROPPED], 0);
	out->hardware_counters =
		threadprof_attr_u64(a[THREADPROF_A_PROFILE_HARDWARE_COUNTERS], 0);
	out->switches = threadprof_attr_u64(a[THREADPROF_A_PROFILE_SWITCHES], 0);
	out->voluntary = threadprof_attr_u64(a[THREADPROF_A_PROFILE_VOLUNTARY], 0);
	out->cycles = threadprof_attr_u64(a[THREADPROF_A_PROFILE_CYCLES], 0);
	out->elapsed = threadprof_attr_u64(a[THREADPROF_A_PROFILE_ELAPSED], 0);
	out->flags = threadprof_attr_u32(a[THREADPROF_A_PROFILE_FLAGS], 0);
	out->pid = threadprof_attr_u32(a[THREADPROF_A_PROFILE_PID], 0);
	out->tid = threadprof_attr_u32(a[THREADPROF_A_PROFILE_TID], 0);
	threadprof_attr_string(a[THREADPROF_A_PROFILE_COMM], out->comm, sizeof(out->comm));
	for_each_attr(attr, first, size, left) {
		if (nla_type(attr) == THREADPROF_A_PROFILE_SLOT)
			take_slot(attr, out);
		else if (nla_type(attr) == THREADPROF_A_PROFILE_WAIT)
			take_wait(attr, out);
	}
	return 0;
}

struct enabled {
	uint32_t fd;
	uint64_t id;
	uint32_t generation;
};

static int take_enabled(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *first;
	struct enabled *out = arg;
	int size;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(a, THREADPROF_A_MAX, first, size);
	out->fd = threadprof_attr_u32(a[THREADPROF_A_FD], UINT32_MAX);
	out->id = threadprof_attr_u64(a[THREADPROF_A_PROFILE_ID], 0);
	out->generation = threadprof_attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	return out->fd > INT32_MAX ? -EPROTO : 0;
}

int threadprof_enable(struct threadprof *tp, uint32_t flags, uint64_t hardware_counters,
		      int *fd, uint64_t *id, uint32_t *generation)
{
	struct enabled enabled;
	struct message m;
	int err;

	threadprof_request(tp, &m, THREADPROF_CMD_ENABLE);
	if (flags)
		threadprof_message_put_u32(&m, THREADPROF_A_ENABLE_FLAGS, flags);
	if (hardware_counters)
		threadprof_message_put_u64(&m, THREADPROF_A_HARDWARE_COUNTERS,
					   hardware_counters);
	err = threadprof_ask(tp, &m, take_enabled, &enabled);
	if (err)
		return err;
	*fd = enabled.fd;
	if (id)
		*id = enabled.id;
	if (generation)
		*generation = enabled.generation;
	return 0;
}

static void request_own(struct threadprof *tp, struct message *m, uint8_t command, uint64_t id)
{
	threadprof_request(tp, m, command);
	if (id)
		threadprof_message_put_u64(m, THREADPROF_A_PROFILE_ID, id);
}

int threadprof_profile_end(struct threadprof *tp, uint64_t id)
{
	struct message m;

	request_own(tp, &m, THREADPROF_CMD_DISABLE, id);
	return threadprof_ask(tp, &m, NULL, NULL);
}

int threadprof_disable(struct threadprof *tp)
{
	return threadprof_profile_end(tp, 0);
}

/* The values are in the page: that an answer came is enough. */
static int take_nothing(const struct nlmsghdr *header, void *arg)
{
	(void)header;
	(void)arg;
	return 0;
}

int threadprof_profile_update(struct threadprof *tp, uint64_t id)
{
	struct message m;

	request_own(tp, &m, THREADPROF_CMD_READ, id);
	return threadprof_ask(tp, &m, take_nothing, NULL);
}

static int take_profile(const struct nlmsghdr *header, void *arg)
{
	return threadprof_profile_take(header, arg);
}

int threadprof_read(struct threadprof *tp, struct threadprof_profile *out)
{
	struct message m;

	request_own(tp, &m, THREADPROF_CMD_READ, 0);
	return threadprof_ask(tp, &m, take_profile, out);
}

static int take_queried(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *first;
	uint32_t *enabled = arg;
	int size;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(a, THREADPROF_A_MAX, first, size);
	*enabled = threadprof_attr_u32(a[THREADPROF_A_ENABLED], UINT32_MAX);
	return *enabled > 1 ? -EPROTO : 0;
}

int threadprof_profile_query(struct threadprof *tp, uint32_t *enabled)
{
	struct message m;

	threadprof_request(tp, &m, THREADPROF_CMD_QUERY);
	return threadprof_ask(tp, &m, take_queried, enabled);
}
