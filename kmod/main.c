// SPDX-License-Identifier: GPL-2.0-only
/*
 * threadprof: per-thread hardware counter profiling with the semantics of
 * Windows' HCP. Loading and unloading.
 *
 * The family comes last and goes first: it is the only door.
 */
#include <linux/module.h>

#include "config.h"
#include "cycles.h"
#include "hal.h"
#include "hotplug.h"
#include "life.h"
#include "netlink.h"
#include "probe.h"
#include "profile.h"
#include "reaper.h"

static int __init threadprof_init(void)
{
	int error;

	tprof_cycles_init();
	tprof_probe();
	error = tprof_profile_init();
	if (error)
		return error;
	error = tprof_config_init();
	if (error)
		goto exit_profile;
	error = tprof_hal_init();
	if (error)
		goto exit_config;
	error = tprof_hotplug_init();
	if (error)
		goto exit_reaper;
	error = tprof_life_init();
	if (error)
		goto exit_hotplug;
	error = tprof_netlink_init();
	if (error)
		goto exit_life;
	return 0;

exit_life:
	tprof_life_exit();
exit_hotplug:
	tprof_hotplug_exit();
exit_reaper:
	tprof_reaper_close();
	tprof_reaper_exit();
	tprof_hal_exit();
exit_config:
	tprof_config_exit();
exit_profile:
	tprof_profile_exit();
	return error;
}

/* No profile is attached: each holds the module. */
static void __exit threadprof_exit(void)
{
	tprof_reaper_close();
	tprof_netlink_exit();
	tprof_life_exit();
	tprof_hotplug_exit();
	tprof_reaper_exit();
	tprof_hal_exit();
	tprof_config_exit();
	tprof_profile_exit();
}

module_init(threadprof_init);
module_exit(threadprof_exit);

MODULE_DESCRIPTION("Per-thread hardware counter profiling");
MODULE_AUTHOR("threadprof developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(TPROF_VERSION);
