// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cycle source of this machine: its name, rate and whether that is fixed.
 */
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

#include "cycles.h"

u64 tprof_cycle_hz __read_mostly;
u32 tprof_irq_mult __read_mostly;

const char *tprof_cycle_source(void)
{
	if (IS_ENABLED(CONFIG_X86))
		return "tsc";
	if (IS_ENABLED(CONFIG_ARM64))
		return "arch_sys_counter";
	return "get_cycles";
}

bool tprof_cycles_stable(void)
{
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC);
#else
	return IS_ENABLED(CONFIG_ARM64);
#endif
}

/* Without a stable clock the kernel gives up accounting interrupts. */
bool tprof_no_irq_time(void)
{
	return IS_ENABLED(CONFIG_IRQ_TIME_ACCOUNTING) && tprof_cycles_stable();
}

static u64 rate(void)
{
#ifdef CONFIG_X86
	return (u64)tsc_khz * 1000;
#elif defined(CONFIG_ARM64)
	return arch_timer_get_cntfrq();
#else
	return 0;
#endif
}

void tprof_cycles_init(void)
{
	tprof_cycle_hz = rate();
	tprof_irq_mult = div_u64(tprof_cycle_hz << TPROF_IRQ_SHIFT, NSEC_PER_SEC);
}
