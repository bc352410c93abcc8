// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the functions that threadprof exports to other modules, run once
 * at load. The parameter tells what the machine's state is.
 */
#include <linux/module.h>

#include "check.h"

static bool busy;
module_param(busy, bool, 0);
MODULE_PARM_DESC(busy, "somebody uses or holds the configuration");

static bool pmu_only;
module_param(pmu_only, bool, 0);
MODULE_PARM_DESC(pmu_only, "test nothing, only offer the PMUs");

static bool keep;
module_param(keep, bool, 0);
MODULE_PARM_DESC(keep, "test nothing, only keep the whole PMU of each CPU");

static int __init ke_test_init(void)
{
	int error = ke_pmu_register();

	if (error || pmu_only)
		return error;
	if (keep)
		return ke_hal_keep() ? 0 : -EBUSY;
	if (busy) {
		ke_busy_tests();
	} else {
		ke_set_tests();
		ke_query_tests();
		ke_race_tests();
		ke_hal_tests();
	}
	ke_plan();
	return 0;
}

static void __exit ke_test_exit(void)
{
	ke_pmu_unregister();
}

module_init(ke_test_init);
module_exit(ke_test_exit);

MODULE_DESCRIPTION("Tests of threadprof's kernel API");
MODULE_AUTHOR("threadprof developers");
MODULE_LICENSE("GPL");
