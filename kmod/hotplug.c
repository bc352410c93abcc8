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

static int online_state, dead_state;

static int cpu_changed(unsigned int cpu)
{
	tprof_reaper_sync_cpus();
	return 0;
}

/*
 * Two states: a new CPU is asked for when perf is ready on it, a dead one when
 * perf has taken its events off, which is later than the first one's end.
 */
int tprof_hotplug_init(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "threadprof:dead",
					NULL, cpu_changed);
	if (ret < 0)
		return ret;
	dead_state = ret;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					"threadprof:online", cpu_changed, NULL);
	if (ret < 0) {
		cpuhp_remove_state_nocalls(dead_state);
		return ret;
	}
	online_state = ret;
	return 0;
}

void tprof_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(online_state);
	cpuhp_remove_state_nocalls(dead_state);
}
