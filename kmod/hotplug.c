// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go get and lose their events, by the work item: creating or
 * releasing a software event takes the hotplug lock, which is held for writing
 * while these callbacks run. A thread that runs on a new CPU before its
 * events are there sees its slots LOST, never a wrong value.
 */
#include <linux/cpuhotplug.h>

#include "hotplug.h"
#include "reaper.h"

static int state;

static int cpu_changed(unsigned int cpu)
{
	tprof_reaper_sync_cpus();
	return 0;
}

int tprof_hotplug_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					    "threadprof:online", cpu_changed,
					    cpu_changed);

	if (ret < 0)
		return ret;
	state = ret;
	return 0;
}

void tprof_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}
