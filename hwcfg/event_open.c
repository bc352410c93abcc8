// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "event.h"

/* 0 or the errno. Always disabled: nothing is counted, nobody is disturbed. */
static int try_open(const struct event *event)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->type,
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.disabled = 1,
		.exclude_user = !(event->modes & THREADPROF_MODE_USER),
		.exclude_kernel = !(event->modes & THREADPROF_MODE_KERNEL),
		.exclude_hv = !(event->modes & THREADPROF_MODE_HYPERVISOR),
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

bool event_machine_has_pmu(void)
{
	static const struct event cycles = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.modes = THREADPROF_MODE_USER,
	};
	static int known = -1;

	if (known < 0) {
		int err = try_open(&cycles);

		known = err != ENOENT && err != EOPNOTSUPP && err != ENODEV && err != ENXIO;
	}
	return known;
}

enum event_opens event_try(const struct event *event)
{
	switch (try_open(event)) {
	case 0:
		return EVENT_OPENS;
	case EACCES:
	case EPERM:
	case ENOSYS:	/* some containers refuse the call with this */
		return EVENT_NO_PERMISSION;
	case EBUSY:
	case ENOSPC:
		return EVENT_BUSY;
	}
	if (event_pmu_is_uncore(event->type))
		return EVENT_UNCORE;
	if (event->type != PERF_TYPE_SOFTWARE && !event_machine_has_pmu())
		return EVENT_NO_PMU;
	return EVENT_NOT_HERE;
}

const char *event_opens_name(enum event_opens opens)
{
	static const char *const names[] = {
		[EVENT_OPENS] = "yes",
		[EVENT_NO_PERMISSION] = "no permission",
		[EVENT_NO_PMU] = "no PMU",
		[EVENT_NOT_HERE] = "not on this CPU",
		[EVENT_UNCORE] = "not per thread",
		[EVENT_BUSY] = "in use",
	};

	return names[opens];
}
