// SPDX-License-Identifier: GPL-2.0-only
/* What stands in the fake kernel's requests and answers. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "fake_internal.h"

#define TEXT	64	/* longest name with its NUL */

static const int counter_length[THREADPROF_A_COUNTER_MAX + 1] = {
	[THREADPROF_A_COUNTER_TYPE] = 4,
	[THREADPROF_A_COUNTER_RESERVED] = 4,
	[THREADPROF_A_COUNTER_INDEX] = 8,
	[THREADPROF_A_COUNTER_CONFIG] = 8,
	[THREADPROF_A_COUNTER_CONFIG1] = 8,
	[THREADPROF_A_COUNTER_CONFIG2] = 8,
	[THREADPROF_A_COUNTER_MODES] = 4,
	[THREADPROF_A_COUNTER_NAME] = -1,
};

int fake_parse(struct nlattr **table, int max, const int *length, struct nlattr *first,
	       int size)
{
	struct nlattr *attr;
	int left, want;

	memset(table, 0, (max + 1) * sizeof(*table));
	nla_for_each_attr(attr, first, size, left) {
		if (nla_type(attr) < 1 || nla_type(attr) > max || !length[nla_type(attr)])
			return -EINVAL;
		want = length[nla_type(attr)];
		if (want > 0 && nla_len(attr) != want)
			return -EINVAL;
		if (want == -1 && (nla_len(attr) < 1 || nla_len(attr) > TEXT ||
				   ((char *)nla_data(attr))[nla_len(attr) - 1]))
			return -EINVAL;
		if (want == -2 && !(attr->nla_type & NLA_F_NESTED))
			return -EINVAL;
		table[nla_type(attr)] = attr;
	}
	return left ? -EINVAL : 0;
}

void fake_put_profile(struct nl_msg *message, const struct threadprof_page *page,
		      unsigned int tid, uint64_t ended_id, uint64_t dropped)
{
	struct nlattr *nest = nla_nest_start(message, THREADPROF_A_PROFILE), *inner;
	unsigned int i;

	nla_put_u64(message, THREADPROF_A_PROFILE_PROFILE_ID, page->profile_id);
	nla_put_u32(message, THREADPROF_A_PROFILE_FLAGS, page->flags);
	nla_put_u32(message, THREADPROF_A_PROFILE_PID, getpid());
	nla_put_u32(message, THREADPROF_A_PROFILE_TID, tid);
	nla_put_string(message, THREADPROF_A_PROFILE_COMM, "worker");
	nla_put_u64(message, THREADPROF_A_PROFILE_HARDWARE_COUNTERS, page->hardware_counters);
	nla_put_u64(message, THREADPROF_A_PROFILE_SWITCHES, page->switches);
	nla_put_u64(message, THREADPROF_A_PROFILE_VOLUNTARY, page->voluntary);
	nla_put_u64(message, THREADPROF_A_PROFILE_CYCLES, page->cycles);
	nla_put_u64(message, THREADPROF_A_PROFILE_ELAPSED, page->cycles + 5);
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		if (!(page->hardware_counters & (1U << i)))
			continue;
		inner = nla_nest_start(message, THREADPROF_A_PROFILE_SLOT);
		nla_put_u32(message, THREADPROF_A_SLOT_NUMBER, i);
		nla_put_u64(message, THREADPROF_A_SLOT_VALUE, page->slot[i].total);
		nla_put_u32(message, THREADPROF_A_SLOT_STATE, page->slot[i].state);
		nla_nest_end(message, inner);
	}
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		if (!page->wait[i].count)
			continue;
		inner = nla_nest_start(message, THREADPROF_A_PROFILE_WAIT);
		nla_put_u32(message, THREADPROF_A_WAIT_REASON, i);
		nla_put_u64(message, THREADPROF_A_WAIT_COUNT, page->wait[i].count);
		nla_put_u64(message, THREADPROF_A_WAIT_TIME, page->wait[i].time);
		nla_nest_end(message, inner);
	}
	if (ended_id)
		nla_put_u64(message, THREADPROF_A_PROFILE_ENDED_ID, ended_id);
	if (dropped)
		nla_put_u64(message, THREADPROF_A_PROFILE_ENDED_DROPPED, dropped);
	nla_nest_end(message, nest);
}

int fake_set_config(const struct nlmsghdr *request, struct nlattr *flags, struct nl_msg *answer)
{
	struct nlattr *attr, *a[THREADPROF_A_COUNTER_MAX + 1];
	struct threadprof_configuration config = { .generation = fake.config.generation + 1 };
	struct threadprof_counter *c;
	int left;

	nlmsg_for_each_attr(attr, (struct nlmsghdr *)request, GENL_HDRLEN, left) {
		if (nla_type(attr) != THREADPROF_A_COUNTER)
			continue;
		if (config.count == THREADPROF_MAX_COUNTERS ||
		    fake_parse(a, THREADPROF_A_COUNTER_MAX, counter_length, nla_data(attr),
			       nla_len(attr)) || !a[THREADPROF_A_COUNTER_INDEX])
			return EINVAL;
		c = &config.counter[config.count++];
		c->index = nla_get_u64(a[THREADPROF_A_COUNTER_INDEX]);
		if (a[THREADPROF_A_COUNTER_TYPE])
			c->type = nla_get_u32(a[THREADPROF_A_COUNTER_TYPE]);
		if (a[THREADPROF_A_COUNTER_RESERVED])
			c->reserved = nla_get_u32(a[THREADPROF_A_COUNTER_RESERVED]);
		if (a[THREADPROF_A_COUNTER_CONFIG])
			c->config = nla_get_u64(a[THREADPROF_A_COUNTER_CONFIG]);
		c->has_config = a[THREADPROF_A_COUNTER_CONFIG] != NULL;
		if (a[THREADPROF_A_COUNTER_CONFIG1])
			c->config1 = nla_get_u64(a[THREADPROF_A_COUNTER_CONFIG1]);
		if (a[THREADPROF_A_COUNTER_CONFIG2])
			c->config2 = nla_get_u64(a[THREADPROF_A_COUNTER_CONFIG2]);
		c->modes = THREADPROF_MODE_USER;
		if (a[THREADPROF_A_COUNTER_MODES])
			c->modes = nla_get_u32(a[THREADPROF_A_COUNTER_MODES]);
		if (a[THREADPROF_A_COUNTER_NAME])
			strcpy(c->name, nla_get_string(a[THREADPROF_A_COUNTER_NAME]));
	}
	fake.config_flags = flags ? nla_get_u32(flags) : 0;
	config.holder_pid = fake.config_flags & THREADPROF_CONFIG_RELEASE ? getpid() : 0;
	fake.config = config;
	nla_put_u32(answer, THREADPROF_A_CONFIG_GENERATION, config.generation);
	return 0;
}

int fake_get_config(struct nl_msg *answer)
{
	const struct threadprof_counter *c;
	struct nlattr *nest;
	unsigned int i;

	nla_put_u32(answer, THREADPROF_A_CONFIG_GENERATION, fake.config.generation);
	if (fake.config.holder_pid)
		nla_put_u32(answer, THREADPROF_A_CONFIG_HOLDER_PID, fake.config.holder_pid);
	for (i = 0; i < fake.config.count; i++) {
		c = &fake.config.counter[i];
		nest = nla_nest_start(answer, THREADPROF_A_COUNTER);
		nla_put_u32(answer, THREADPROF_A_COUNTER_TYPE, c->type);
		nla_put_u64(answer, THREADPROF_A_COUNTER_INDEX, c->index);
		if (c->has_config)
			nla_put_u64(answer, THREADPROF_A_COUNTER_CONFIG, c->config);
		nla_put_u64(answer, THREADPROF_A_COUNTER_CONFIG1, c->config1);
		nla_put_u64(answer, THREADPROF_A_COUNTER_CONFIG2, c->config2);
		nla_put_u32(answer, THREADPROF_A_COUNTER_MODES, c->modes);
		nla_put_string(answer, THREADPROF_A_COUNTER_NAME, c->name);
		nla_nest_end(answer, nest);
	}
	return 0;
}

int fake_status(struct nl_msg *answer)
{
	struct nlattr *nest;
	unsigned int i;

	nla_put_string(answer, THREADPROF_A_MODULE_VERSION, "9.8.7");
	nla_put_u32(answer, THREADPROF_A_MAX_COUNTERS, 16);
	nla_put_u32(answer, THREADPROF_A_PAGE_VERSION, 1);
	nla_put_u32(answer, THREADPROF_A_STATUS_FLAGS, THREADPROF_STATUS_PMU);
	nla_put_string(answer, THREADPROF_A_CYCLE_SOURCE, "tsc");
	nla_put_u64(answer, THREADPROF_A_CYCLE_HZ, 2500000000ULL);
	nla_put_u32(answer, THREADPROF_A_PROFILES, 3);
	nla_put_u32(answer, THREADPROF_A_HARDWARE_USERS, 2);
	nla_put_u32(answer, THREADPROF_A_CONFIG_GENERATION, 77);
	nla_put_u32(answer, THREADPROF_A_CONFIG_HOLDER_PID, 4242);
	nla_put_string(answer, THREADPROF_A_CONFIG_HOLDER_COMM, "hwcfg");
	for (i = 0; i < THREADPROF_MAX_PMUS + 2; i++) {
		nest = nla_nest_start(answer, THREADPROF_A_PMU);
		nla_put_string(answer, THREADPROF_A_PMU_NAME, "cpu_core");
		nla_put_u32(answer, THREADPROF_A_PMU_TYPE, 4 + i);
		nla_put_string(answer, THREADPROF_A_PMU_CPUS, "0-3");
		nla_put_u32(answer, THREADPROF_A_PMU_COUNTERS, 6);
		nla_nest_end(answer, nest);
	}
	return 0;
}

