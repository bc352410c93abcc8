/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cycle source: one reading stamps a switch, for cycles on the CPU and for
 * time off it.
 */
#ifndef _TPROF_CYCLES_H
#define _TPROF_CYCLES_H

#include <linux/kernel_stat.h>
#include <linux/math64.h>
#include <linux/timex.h>
#include <linux/types.h>

#define TPROF_IRQ_SHIFT		28

extern u64 tprof_cycle_hz;
extern u32 tprof_irq_mult;

static inline u64 tprof_cycles(void)
{
	return get_cycles();
}

/*
 * Ticks between two readings; none where the later one is behind: clocks of two
 * CPUs may differ by a hair, and a suspend may set one back.
 */
static inline u64 tprof_since(u64 now, u64 then)
{
	return now > then ? now - then : 0;
}

/*
 * Time that this CPU has spent in interrupts, in ticks; 0 where the kernel does
 * not account it. Interrupts off.
 */
static inline u64 tprof_irq_ticks(void)
{
	const u64 *stat;

	if (!IS_ENABLED(CONFIG_IRQ_TIME_ACCOUNTING))
		return 0;
	stat = kcpustat_this_cpu->cpustat;
	return mul_u64_u32_shr(stat[CPUTIME_IRQ] + stat[CPUTIME_SOFTIRQ],
			       tprof_irq_mult, TPROF_IRQ_SHIFT);
}

const char *tprof_cycle_source(void);
bool tprof_cycles_stable(void);
bool tprof_no_irq_time(void);
void tprof_cycles_init(void);

#endif /* _TPROF_CYCLES_H */
