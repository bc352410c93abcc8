/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter of a configuration, as it was asked for.
 */
#ifndef _TPROF_COUNTER_H
#define _TPROF_COUNTER_H

#include <linux/perf_event.h>
#include <linux/threadprof.h>

#include "refusal.h"
#include "status.h"

#define TPROF_MODES_ALL (THREADPROF_MODE_USER | THREADPROF_MODE_KERNEL | \
			 THREADPROF_MODE_HYPERVISOR)

struct tprof_counter {
	u32 type;		/* HARDWARE_COUNTER.Type */
	u32 reserved;		/* HARDWARE_COUNTER.Reserved */
	u64 index;		/* HARDWARE_COUNTER.Index */
	u64 config;		/* the event's, all 64 bits */
	u64 config1;
	u64 config2;
	u32 modes;		/* enum threadprof_modes, not 0 */
	char name[THREADPROF_NAME_MAX + 1];
};

static inline u32 tprof_counter_perf_type(const struct tprof_counter *counter)
{
	return THREADPROF_INDEX_TYPE(counter->index);
}

NTSTATUS tprof_counters_check(const struct tprof_counter *counter, ULONG count,
			      const struct tprof_refusal *why);
NTSTATUS tprof_counter_check_event(const struct tprof_counter *counter, ULONG i,
				   const struct perf_event *event,
				   const struct tprof_refusal *why);
void tprof_counter_attr(const struct tprof_counter *counter,
			struct perf_event_attr *attr);
bool tprof_counter_is_hardware(const struct tprof_counter *counter);
const char *tprof_counter_label(const struct tprof_counter *counter);

#endif /* _TPROF_COUNTER_H */
