// SPDX-License-Identifier: GPL-2.0-only
/*
 * HalAllocateHardwareCounters and HalFreeHardwareCounters.
 */
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>

#include "config.h"
#include "hal.h"
#include "probe.h"
#include "reserve.h"
#include "status.h"

#define CPUS_OF_A_GROUP	64

/* As the compilers for 64-bit Windows lay them out, from Windows 10 1903 on. */
static_assert(sizeof(GROUP_AFFINITY) == 16);
static_assert(offsetof(GROUP_AFFINITY, Group) == 8);
static_assert(sizeof(PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION) == 16);
static_assert(sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR) == 24);
static_assert(offsetof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, u.Range.End) == 12);
static_assert(offsetof(PHYSICAL_COUNTER_RESOURCE_LIST, Descriptors) == 8);
static_assert(sizeof(PHYSICAL_COUNTER_RESOURCE_LIST) == 32);

static NTSTATUS add_group(const GROUP_AFFINITY *group, struct cpumask *cpus)
{
	unsigned int bit, cpu;

	if (!group->Mask || group->Reserved[0] || group->Reserved[1] ||
	    group->Reserved[2])
		return STATUS_INVALID_PARAMETER;
	for (bit = 0; bit < CPUS_OF_A_GROUP; bit++) {
		if (!(group->Mask & BIT_ULL(bit)))
			continue;
		cpu = group->Group * CPUS_OF_A_GROUP + bit;
		if (cpu >= nr_cpu_ids || !cpu_online(cpu))
			return STATUS_INVALID_PARAMETER;
		cpumask_set_cpu(cpu, cpus);
	}
	return STATUS_SUCCESS;
}

static NTSTATUS cpus_of(const GROUP_AFFINITY *groups, ULONG count,
			struct cpumask *cpus)
{
	NTSTATUS status = STATUS_SUCCESS;
	ULONG i;

	if (!groups != !count)
		return STATUS_INVALID_PARAMETER;
	if (!groups) {
		cpumask_copy(cpus, cpu_online_mask);
		return STATUS_SUCCESS;
	}
	/* More can't be without naming a CPU twice or one that is not there. */
	if (count > DIV_ROUND_UP(nr_cpu_ids, CPUS_OF_A_GROUP))
		return STATUS_INVALID_PARAMETER;
	for (i = 0; i < count && status == STATUS_SUCCESS; i++)
		status = add_group(&groups[i], cpus);
	return status;
}

/* Bits of the counters that it names. */
static NTSTATUS add_resource(const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *resource,
			     u64 *counters)
{
	ULONG begin, end;
	u64 named;

	switch (resource->Type) {
	case ResourceTypeSingle:
		begin = resource->u.CounterIndex;
		end = begin;
		break;
	case ResourceTypeRange:
		begin = resource->u.Range.Begin;
		end = resource->u.Range.End;
		break;
	case ResourceTypeExtendedCounterConfiguration:
	case ResourceTypeOverflow:
	case ResourceTypeEventBuffer:
	case ResourceTypeIdenitificationTag:
		/* perf programs the registers, and takes the interrupts. */
		return STATUS_NOT_SUPPORTED;
	default:
		return STATUS_INVALID_PARAMETER;
	}
	if (resource->Flags || begin > end || end >= TPROF_MAX_RESERVED)
		return STATUS_INVALID_PARAMETER;
	named = GENMASK_ULL(end, begin);
	if (*counters & named)
		return STATUS_INVALID_PARAMETER;
	*counters |= named;
	return STATUS_SUCCESS;
}

static NTSTATUS counters_of(const PHYSICAL_COUNTER_RESOURCE_LIST *list,
			    u64 *counters)
{
	const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *resource;
	NTSTATUS status = STATUS_SUCCESS;
	ULONG i;

	if (!list) {
		*counters = U64_MAX;
		return STATUS_SUCCESS;
	}
	/* Each names one of its own. */
	if (!list->Count || list->Count > TPROF_MAX_RESERVED)
		return STATUS_INVALID_PARAMETER;
	*counters = 0;
	/* Declared with one element, as the documents do it. */
	resource = list->Descriptors;
	for (i = 0; i < list->Count && status == STATUS_SUCCESS; i++)
		status = add_resource(&resource[i], counters);
	return status;
}

static NTSTATUS allocate(const GROUP_AFFINITY *groups, ULONG group_count,
			 u64 counters, struct module *owner, u64 *id)
{
	struct cpumask *cpus = kzalloc(cpumask_size(), GFP_KERNEL);
	NTSTATUS status;

	if (!cpus)
		return STATUS_INSUFFICIENT_RESOURCES;
	tprof_config_lock();
	status = cpus_of(groups, group_count, cpus);
	if (status == STATUS_SUCCESS && !tprof_pmu_present())
		status = STATUS_NOT_SUPPORTED;
	if (status == STATUS_SUCCESS) {
		switch (tprof_reserve(cpus, counters, owner, id)) {
		case 0:
			break;
		case -EINVAL:
			status = STATUS_INVALID_PARAMETER;
			break;
		default:
			status = STATUS_INSUFFICIENT_RESOURCES;
		}
	}
	tprof_config_unlock();
	kfree(cpus);
	return status;
}

NTSTATUS TprofHalAllocateHardwareCounters(PGROUP_AFFINITY GroupAffinty,
					  ULONG GroupCount,
					  PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList,
					  PHANDLE CounterSetHandle,
					  struct module *owner)
{
	NTSTATUS status;
	u64 counters, id;

	if (!CounterSetHandle)
		return STATUS_INVALID_PARAMETER;
	*CounterSetHandle = NULL;
	status = counters_of(ResourceList, &counters);
	if (status != STATUS_SUCCESS)
		return status;
	status = allocate(GroupAffinty, GroupCount, counters, owner, &id);
	if (status == STATUS_SUCCESS)
		*CounterSetHandle = (HANDLE)(uintptr_t)id;
	return status;
}
EXPORT_SYMBOL_GPL(TprofHalAllocateHardwareCounters);

NTSTATUS HalFreeHardwareCounters(HANDLE CounterSetHandle)
{
	bool known;

	tprof_config_lock();
	known = tprof_unreserve((uintptr_t)CounterSetHandle);
	tprof_config_unlock();
	return known ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}
EXPORT_SYMBOL_GPL(HalFreeHardwareCounters);

/* A module that goes gives back what it kept. */
static int module_event(struct notifier_block *block, unsigned long event,
			void *module)
{
	if (event == MODULE_STATE_GOING) {
		tprof_config_lock();
		tprof_unreserve_all_of(module);
		tprof_config_unlock();
	}
	return NOTIFY_DONE;
}

static struct notifier_block module_block = {
	.notifier_call = module_event,
};

int tprof_hal_init(void)
{
	return register_module_notifier(&module_block);
}

/* Whoever kept counters uses our symbols, and has gone before us. */
void tprof_hal_exit(void)
{
	unregister_module_notifier(&module_block);
}
