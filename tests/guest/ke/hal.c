// SPDX-License-Identifier: GPL-2.0-only
/*
 * HalAllocateHardwareCounters and HalFreeHardwareCounters: arguments, conflicts, and
 * the two ways in which known drivers call them (KS17).
 */
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "check.h"

#define CYCLES	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define CYCLES_RAW	THREADPROF_INDEX(PERF_TYPE_RAW, 0x11)
#define MOST	64

static HANDLE kept;

static PPHYSICAL_COUNTER_RESOURCE_LIST list_of(ULONG count)
{
	PPHYSICAL_COUNTER_RESOURCE_LIST list;

	list = kzalloc(offsetof(PHYSICAL_COUNTER_RESOURCE_LIST,
				Descriptors[MOST]), GFP_KERNEL);
	if (list)
		list->Count = count;
	return list;
}

static NTSTATUS allocate_single(ULONG counter, PHANDLE handle)
{
	PHYSICAL_COUNTER_RESOURCE_LIST list = { .Count = 1 };

	list.Descriptors[0].Type = ResourceTypeSingle;
	list.Descriptors[0].u.CounterIndex = counter;
	return HalAllocateHardwareCounters(NULL, 0, &list, handle);
}

/* As a driver does that wants whatever is free: each is tried by itself. */
static ULONG free_counters(void)
{
	HANDLE handle;
	ULONG n = 0;

	while (n < MOST && allocate_single(n, &handle) == STATUS_SUCCESS) {
		HalFreeHardwareCounters(handle);
		n++;
	}
	return n;
}

static void one_resource(const char *name, int type, ULONG begin, ULONG end,
			 ULONG flags, NTSTATUS expected)
{
	PHYSICAL_COUNTER_RESOURCE_LIST list = { .Count = 1 };
	HANDLE handle = &list;

	list.Descriptors[0].Type = type;
	list.Descriptors[0].Flags = flags;
	list.Descriptors[0].u.Range.Begin = begin;
	list.Descriptors[0].u.Range.End = end;
	ke_status(name, expected,
		  HalAllocateHardwareCounters(NULL, 0, &list, &handle));
	if (expected == STATUS_SUCCESS)
		ke_status("and can be given back", STATUS_SUCCESS,
			  HalFreeHardwareCounters(handle));
	else
		ke_true(!handle, "and gives no handle");
}

static void resources(ULONG counters)
{
	PPHYSICAL_COUNTER_RESOURCE_LIST list = list_of(0);
	HANDLE handle;

	if (!list)
		return;
	one_resource("the last counter", ResourceTypeSingle, counters - 1, 0, 0,
		     STATUS_SUCCESS);
	one_resource("one behind the last", ResourceTypeSingle, counters, 0, 0,
		     STATUS_INVALID_PARAMETER);
	one_resource("a number that no machine has", ResourceTypeSingle,
		     0xffffffff, 0, 0, STATUS_INVALID_PARAMETER);
	one_resource("a range of all", ResourceTypeRange, 0, counters - 1, 0,
		     STATUS_SUCCESS);
	one_resource("a range of one", ResourceTypeRange, 0, 0, 0,
		     STATUS_SUCCESS);
	one_resource("a range beyond the last", ResourceTypeRange, 0, counters, 0,
		     STATUS_INVALID_PARAMETER);
	one_resource("a range that ends before it begins", ResourceTypeRange, 1,
		     0, 0, STATUS_INVALID_PARAMETER);
	one_resource("flags", ResourceTypeSingle, 0, 0, 1,
		     STATUS_INVALID_PARAMETER);
	one_resource("a register address", ResourceTypeExtendedCounterConfiguration,
		     0, 0, 0, STATUS_NOT_SUPPORTED);
	one_resource("an overflow interrupt", ResourceTypeOverflow, 0, 0, 0,
		     STATUS_NOT_SUPPORTED);
	one_resource("an event buffer", ResourceTypeEventBuffer, 0, 0, 0,
		     STATUS_NOT_SUPPORTED);
	one_resource("an identification tag", ResourceTypeIdenitificationTag, 0, 0,
		     0, STATUS_NOT_SUPPORTED);
	one_resource("an unknown type", ResourceTypeMax, 0, 0, 0,
		     STATUS_INVALID_PARAMETER);
	ke_status("an empty list", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(NULL, 0, list, &handle));
	list->Count = 0xffffffff;
	ke_status("a list longer than any machine", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(NULL, 0, list, &handle));
	list->Count = 2;
	ke_status("a counter twice", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(NULL, 0, list, &handle));
	ke_status("no room for the handle", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(NULL, 0, NULL, NULL));
	kfree(list);
}

static void affinity(void)
{
	GROUP_AFFINITY first = { .Mask = 1 }, second = { .Mask = 2 };
	GROUP_AFFINITY bad = { .Mask = 0 };
	HANDLE a, b;

	ke_status("an empty mask", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(&bad, 1, NULL, &a));
	bad = (GROUP_AFFINITY) { .Mask = 1, .Group = 0xffff };
	ke_status("a group that is not there", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(&bad, 1, NULL, &a));
	bad = (GROUP_AFFINITY) { .Mask = 1, .Reserved = { 0, 0, 1 } };
	ke_status("Reserved", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(&bad, 1, NULL, &a));
	ke_status("a count without groups", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(NULL, 1, NULL, &a));
	ke_status("groups without a count", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(&first, 0, NULL, &a));
	ke_status("more groups than there can be", STATUS_INVALID_PARAMETER,
		  HalAllocateHardwareCounters(&first, 0xffffffff, NULL, &a));

	ke_status("the PMU of CPU 0", STATUS_SUCCESS,
		  HalAllocateHardwareCounters(&first, 1, NULL, &a));
	ke_status("is not free a second time", STATUS_INSUFFICIENT_RESOURCES,
		  HalAllocateHardwareCounters(&first, 1, NULL, &b));
	ke_status("nor with all others", STATUS_INSUFFICIENT_RESOURCES,
		  HalAllocateHardwareCounters(NULL, 0, NULL, &b));
	if (num_online_cpus() > 1) {
		ke_status("that of CPU 1 is", STATUS_SUCCESS,
			  HalAllocateHardwareCounters(&second, 1, NULL, &b));
		HalFreeHardwareCounters(b);
	} else {
		ke_status("that of CPU 1 is not there", STATUS_INVALID_PARAMETER,
			  HalAllocateHardwareCounters(&second, 1, NULL, &b));
	}
	HalFreeHardwareCounters(a);
}

static void handles(void)
{
	HANDLE handle, other;

	ke_status("a counter", STATUS_SUCCESS, allocate_single(0, &handle));
	ke_status("is not free a second time", STATUS_INSUFFICIENT_RESOURCES,
		  allocate_single(0, &other));
	ke_true(!other, "and gives no handle");
	ke_status("no handle", STATUS_INVALID_PARAMETER,
		  HalFreeHardwareCounters(NULL));
	ke_status("a handle of nobody's", STATUS_INVALID_PARAMETER,
		  HalFreeHardwareCounters(&handle));
	ke_status("the handle", STATUS_SUCCESS, HalFreeHardwareCounters(handle));
	ke_status("the same again", STATUS_INVALID_PARAMETER,
		  HalFreeHardwareCounters(handle));
	ke_status("the counter is free again", STATUS_SUCCESS,
		  allocate_single(0, &other));
	ke_true(other != handle, "no handle comes twice");
	HalFreeHardwareCounters(other);
}

/*
 * A driver's way, as they do it: the counters that are free, allocated in one
 * call, and then set one by one, each in place of the one before (KS9).
 */
static void driver(ULONG counters)
{
	PPHYSICAL_COUNTER_RESOURCE_LIST list = list_of(counters);
	HARDWARE_COUNTER wanted[2] = {
		{ .Type = PMCCounter, .Index = CYCLES },
		{ .Type = PMCCounter, .Index = CYCLES_RAW },
	};
	HANDLE handle, other;
	NTSTATUS status;
	ULONG i;

	if (!list)
		return;
	for (i = 0; i < counters; i++)
		list->Descriptors[i].u.CounterIndex = i;
	ke_status("all counters one by one in a list", STATUS_SUCCESS,
		  HalAllocateHardwareCounters(NULL, 0, list, &handle));
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		status = KeSetHardwareCounterConfiguration(&wanted[i], 1);
		ke_true(status == STATUS_SUCCESS,
			"what a driver keeps makes room for its list");
		ke_in_force("which is in force", &wanted[i], 1);
	}
	ke_status("another finds nothing", STATUS_INSUFFICIENT_RESOURCES,
		  allocate_single(0, &other));
	KeSetHardwareCounterConfiguration(NULL, 0);
	ke_status("it gives all back", STATUS_SUCCESS,
		  HalFreeHardwareCounters(handle));

	ke_status("a list in force", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(wanted, 1));
	ke_status("the whole PMU is not free then", STATUS_INSUFFICIENT_RESOURCES,
		  HalAllocateHardwareCounters(NULL, 0, NULL, &handle));
	KeSetHardwareCounterConfiguration(NULL, 0);
	ke_status("the whole PMU, exclusively", STATUS_SUCCESS,
		  HalAllocateHardwareCounters(NULL, 0, NULL, &handle));
	HalFreeHardwareCounters(handle);
	kfree(list);
}

void ke_hal_tests(void)
{
	HANDLE handle = &handle;
	ULONG counters;

	if (HalAllocateHardwareCounters(NULL, 0, NULL, &handle) ==
	    STATUS_NOT_SUPPORTED) {
		ke_true(!handle, "KS19 without a PMU there is nothing to allocate");
		return;
	}
	HalFreeHardwareCounters(handle);
	counters = free_counters();
	ke_true(counters > 1, "there are counters");
	resources(counters);
	affinity();
	handles();
	driver(counters);
	ke_number("and all are free again", counters, free_counters());
}

/* Until the module goes; it does not give them back itself. */
bool ke_hal_keep(void)
{
	return HalAllocateHardwareCounters(NULL, 0, NULL, &kept) ==
	       STATUS_SUCCESS;
}
