// SPDX-License-Identifier: LGPL-2.1-or-later
/* What this machine can do. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "request.h"

static int read_switch(const char *path, int fallback)
{
	FILE *file = fopen(path, "re");
	int value;

	if (!file)
		return fallback;
	if (fscanf(file, "%d", &value) != 1)
		value = fallback;
	fclose(file);
	return value;
}

static const struct nla_policy pmu_policy[THREADPROF_A_PMU_MAX + 1] = {
	[THREADPROF_A_PMU_NAME]		= { .type = NLA_STRING },
	[THREADPROF_A_PMU_TYPE]		= { .type = NLA_U32 },
	[THREADPROF_A_PMU_CPUS]		= { .type = NLA_STRING },
	[THREADPROF_A_PMU_COUNTERS]	= { .type = NLA_U32 },
};

static int take_pmu(struct nlattr *nest, struct threadprof_pmu *out)
{
	struct nlattr *a[THREADPROF_A_PMU_MAX + 1];
	int err;

	err = threadprof_nest_parse(nest, a, THREADPROF_A_PMU_MAX, pmu_policy);
	if (err)
		return err;
	attr_string(a[THREADPROF_A_PMU_NAME], out->name, sizeof(out->name));
	attr_string(a[THREADPROF_A_PMU_CPUS], out->cpus, sizeof(out->cpus));
	out->type = attr_u32(a[THREADPROF_A_PMU_TYPE], 0);
	out->counters = attr_u32(a[THREADPROF_A_PMU_COUNTERS], 0);
	return 0;
}

static const struct nla_policy reservation_policy[THREADPROF_A_RESERVATION_MAX + 1] = {
	[THREADPROF_A_RESERVATION_OWNER] = { .type = NLA_STRING },
	[THREADPROF_A_RESERVATION_CPUS]	= { .type = NLA_STRING },
	[THREADPROF_A_RESERVATION_COUNTERS] = { .type = NLA_U32 },
};

static int take_reservation(struct nlattr *nest, struct threadprof_reservation *out)
{
	struct nlattr *a[THREADPROF_A_RESERVATION_MAX + 1];
	int err;

	err = threadprof_nest_parse(nest, a, THREADPROF_A_RESERVATION_MAX, reservation_policy);
	if (err)
		return err;
	attr_string(a[THREADPROF_A_RESERVATION_OWNER], out->owner, sizeof(out->owner));
	attr_string(a[THREADPROF_A_RESERVATION_CPUS], out->cpus, sizeof(out->cpus));
	out->counters = attr_u32(a[THREADPROF_A_RESERVATION_COUNTERS], 0);
	return 0;
}

static int take_status(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *attr;
	struct threadprof_status *out = arg;
	int err, left;

	err = threadprof_message_parse(header, a);
	if (err)
		return err;
	attr_string(a[THREADPROF_A_MODULE_VERSION], out->module_version,
		    sizeof(out->module_version));
	attr_string(a[THREADPROF_A_CONFIG_HOLDER_COMM], out->holder_comm,
		    sizeof(out->holder_comm));
	attr_string(a[THREADPROF_A_CYCLE_SOURCE], out->cycle_source, sizeof(out->cycle_source));
	out->max_counters = attr_u32(a[THREADPROF_A_MAX_COUNTERS], 0);
	out->page_version = attr_u32(a[THREADPROF_A_PAGE_VERSION], 0);
	out->flags = attr_u32(a[THREADPROF_A_STATUS_FLAGS], 0);
	out->profiles = attr_u32(a[THREADPROF_A_PROFILES], 0);
	out->hardware_users = attr_u32(a[THREADPROF_A_HARDWARE_USERS], 0);
	out->generation = attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	out->holder_pid = attr_u32(a[THREADPROF_A_CONFIG_HOLDER_PID], 0);
	out->cycle_hz = attr_u64(a[THREADPROF_A_CYCLE_HZ]);
	for_each_attr_of(header, attr, left) {
		if (nla_type(attr) == THREADPROF_A_PMU && out->pmus < THREADPROF_MAX_PMUS)
			err = take_pmu(attr, &out->pmu[out->pmus++]);
		else if (nla_type(attr) == THREADPROF_A_RESERVATION &&
			 out->reservations < THREADPROF_MAX_RESERVATIONS)
			err = take_reservation(attr, &out->reservation[out->reservations++]);
		if (err)
			return err;
	}
	return 0;
}

int threadprof_get_status(struct threadprof *tp, struct threadprof_status *out)
{
	memset(out, 0, sizeof(*out));
	out->nmi_watchdog = read_switch("/proc/sys/kernel/nmi_watchdog", -1);
	out->perf_event_paranoid = read_switch("/proc/sys/kernel/perf_event_paranoid", -100);
	return threadprof_ask(tp, threadprof_request(tp, THREADPROF_CMD_STATUS),
			      take_status, out);
}
