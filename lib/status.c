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

static void take_pmu(struct nlattr *nest, struct threadprof_pmu *out)
{
	struct nlattr *a[THREADPROF_A_PMU_MAX + 1];

	threadprof_attr_sort(a, THREADPROF_A_PMU_MAX, nla_data(nest), nla_len(nest));
	threadprof_attr_string(a[THREADPROF_A_PMU_NAME], out->name, sizeof(out->name));
	threadprof_attr_string(a[THREADPROF_A_PMU_CPUS], out->cpus, sizeof(out->cpus));
	out->type = threadprof_attr_u32(a[THREADPROF_A_PMU_TYPE], 0);
	out->counters = threadprof_attr_u32(a[THREADPROF_A_PMU_COUNTERS], 0);
}

static int take_status(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_MAX + 1], *first, *attr;
	struct threadprof_status *out = arg;
	int size, left;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(a, THREADPROF_A_MAX, first, size);
	threadprof_attr_string(a[THREADPROF_A_MODULE_VERSION], out->module_version,
			       sizeof(out->module_version));
	threadprof_attr_string(a[THREADPROF_A_CONFIG_HOLDER_COMM], out->holder_comm,
			       sizeof(out->holder_comm));
	threadprof_attr_string(a[THREADPROF_A_CYCLE_SOURCE], out->cycle_source,
			       sizeof(out->cycle_source));
	out->max_counters = threadprof_attr_u32(a[THREADPROF_A_MAX_COUNTERS], 0);
	out->page_version = threadprof_attr_u32(a[THREADPROF_A_PAGE_VERSION], 0);
	out->flags = threadprof_attr_u32(a[THREADPROF_A_STATUS_FLAGS], 0);
	out->profiles = threadprof_attr_u32(a[THREADPROF_A_PROFILES], 0);
	out->hardware_users = threadprof_attr_u32(a[THREADPROF_A_HARDWARE_USERS], 0);
	out->generation = threadprof_attr_u32(a[THREADPROF_A_CONFIG_GENERATION], 0);
	out->holder_pid = threadprof_attr_u32(a[THREADPROF_A_CONFIG_HOLDER_PID], 0);
	out->cycle_hz = threadprof_attr_u64(a[THREADPROF_A_CYCLE_HZ], 0);
	for_each_attr(attr, first, size, left)
		if (nla_type(attr) == THREADPROF_A_PMU && out->pmus < THREADPROF_MAX_PMUS)
			take_pmu(attr, &out->pmu[out->pmus++]);
	return 0;
}

int threadprof_get_status(struct threadprof *tp, struct threadprof_status *out)
{
	struct message m;

	memset(out, 0, sizeof(*out));
	out->nmi_watchdog = read_switch("/proc/sys/kernel/nmi_watchdog", -1);
	out->perf_event_paranoid = read_switch("/proc/sys/kernel/perf_event_paranoid", -100);
	threadprof_request(tp, &m, THREADPROF_CMD_STATUS);
	return threadprof_ask(tp, &m, take_status, out);
}
