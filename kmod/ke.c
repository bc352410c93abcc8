// SPDX-License-Identifier: GPL-2.0-only
/*
 * KeSetHardwareCounterConfiguration and KeQueryHardwareCounterConfiguration.
 */
#include <linux/export.h>
#include <linux/slab.h>

#include "config.h"
#include "ke.h"

NTSTATUS KeSetHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray,
					   ULONG Count)
{
	struct tprof_counter *counter = NULL;
	NTSTATUS status;
	ULONG i;

	if (!tprof_arch_supported())
		return STATUS_NOT_IMPLEMENTED;
	if (Count > MAX_HW_COUNTERS || (Count && !CounterArray))
		return STATUS_INVALID_PARAMETER;
	if (Count) {
		counter = kcalloc(Count, sizeof(*counter), GFP_KERNEL);
		if (!counter)
			return STATUS_NO_MEMORY;
	}
	for (i = 0; i < Count; i++) {
		counter[i].type = CounterArray[i].Type;
		counter[i].reserved = CounterArray[i].Reserved;
		counter[i].index = CounterArray[i].Index;
		counter[i].config = THREADPROF_INDEX_CONFIG(counter[i].index);
		counter[i].modes = THREADPROF_MODE_USER;
	}
	status = tprof_config_set(counter, Count, NULL, 0, NULL, NULL);
	kfree(counter);
	return status;
}
EXPORT_SYMBOL_GPL(KeSetHardwareCounterConfiguration);

NTSTATUS KeQueryHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray,
					     ULONG MaximumCount, PULONG Count)
{
	const struct tprof_config *config;
	NTSTATUS status = STATUS_SUCCESS;
	ULONG i;

	if (!tprof_arch_supported())
		return STATUS_NOT_IMPLEMENTED;
	if (!Count || (MaximumCount && !CounterArray))
		return STATUS_INVALID_PARAMETER;
	tprof_config_lock();
	config = tprof_config_locked();
	*Count = config->count;
	if (config->count > MaximumCount) {
		status = STATUS_BUFFER_TOO_SMALL;
		goto unlock;
	}
	for (i = 0; i < config->count; i++) {
		CounterArray[i] = (HARDWARE_COUNTER) {
			.Type = config->counter[i].type,
			.Index = config->counter[i].index,
		};
	}
unlock:
	tprof_config_unlock();
	return status;
}
EXPORT_SYMBOL_GPL(KeQueryHardwareCounterConfiguration);
