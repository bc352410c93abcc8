/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMUs of this machine, one for each kind of core.
 */
#ifndef _TPROF_PROBE_H
#define _TPROF_PROBE_H

#include <linux/cpumask.h>
#include <linux/types.h>

#define TPROF_MAX_PMUS	8

struct tprof_pmu_info {
	char name[64];
	u32 type;		/* perf event type */
	u32 counters;		/* that fit at once */
	struct cpumask cpus;
};

bool tprof_pmu_present(void);
unsigned int tprof_probe_count(void);
const struct tprof_pmu_info *tprof_probe_get(unsigned int i);
u32 tprof_probe_counters(int cpu);
void tprof_probe(void);

#endif /* _TPROF_PROBE_H */
