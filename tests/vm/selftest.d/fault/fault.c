// SPDX-License-Identifier: GPL-2.0-only
/* A module that does wrong on purpose: the door must not let it pass. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

static char *kind = "none";
module_param(kind, charp, 0444);

static int __init fault_init(void)
{
	char *p = kmalloc(64, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	if (!strcmp(kind, "leak"))
		return 0;
	WARN(!strcmp(kind, "warn"), "asked for\n");
	if (!strcmp(kind, "overrun"))
		WRITE_ONCE(p[64], 1);
	kfree(p);
	return 0;
}

static void __exit fault_exit(void)
{
}

module_init(fault_init);
module_exit(fault_exit);
MODULE_DESCRIPTION("does wrong when loaded");
MODULE_LICENSE("GPL");
