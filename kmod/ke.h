/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_KE_H
#define _TPROF_KE_H

#include <linux/kconfig.h>
#include <linux/types.h>

/* KS6, KQ6: where perf and the switch callbacks are known to do what we need. */
static inline bool tprof_arch_supported(void)
{
	return IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64);
}

#endif /* _TPROF_KE_H */
