// SPDX-License-Identifier: GPL-2.0-only
/* A module that does nothing but warn: the door must not let that pass. */
#include <linux/module.h>

static int __init warn_init(void)
{
	WARN(1, "asked for\n");
	return 0;
}

static void __exit warn_exit(void)
{
}

module_init(warn_init);
module_exit(warn_exit);
MODULE_DESCRIPTION("warns when loaded");
MODULE_LICENSE("GPL");
