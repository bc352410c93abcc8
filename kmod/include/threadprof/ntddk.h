/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel API of threadprof for other modules, under the names of ntddk.h.
 *
 * Build against it with -I.../kmod/include -I.../uapi and threadprof's
 * Module.symvers (KBUILD_EXTRA_SYMBOLS).
 */
#ifndef _THREADPROF_NTDDK_H
#define _THREADPROF_NTDDK_H

#include <linux/module.h>
#include <linux/types.h>

#include <linux/threadprof.h>

typedef s32 NTSTATUS;
typedef u32 ULONG;
typedef ULONG *PULONG;
typedef u16 USHORT;
typedef u64 ULONG64;
typedef u64 KAFFINITY;
typedef void *HANDLE;
typedef HANDLE *PHANDLE;

#define STATUS_SUCCESS			((NTSTATUS)0x00000000)
#define STATUS_NOT_IMPLEMENTED		((NTSTATUS)0xC0000002)
#define STATUS_INVALID_PARAMETER	((NTSTATUS)0xC000000D)
#define STATUS_NO_MEMORY		((NTSTATUS)0xC0000017)
#define STATUS_BUFFER_TOO_SMALL		((NTSTATUS)0xC0000023)
#define STATUS_INSUFFICIENT_RESOURCES	((NTSTATUS)0xC000009A)
#define STATUS_NOT_SUPPORTED		((NTSTATUS)0xC00000BB)
#define STATUS_WMI_ALREADY_ENABLED	((NTSTATUS)0xC0000303)

#define NT_SUCCESS(status)		((NTSTATUS)(status) >= 0)

#define MAX_HW_COUNTERS			THREADPROF_MAX_COUNTERS

typedef enum _HARDWARE_COUNTER_TYPE {
	PMCCounter,
	MaxHardwareCounterType
} HARDWARE_COUNTER_TYPE, *PHARDWARE_COUNTER_TYPE;

/* Index: THREADPROF_INDEX(perf event type, config). */
typedef struct _HARDWARE_COUNTER {
	HARDWARE_COUNTER_TYPE Type;
	ULONG Reserved;
	ULONG64 Index;
} HARDWARE_COUNTER, *PHARDWARE_COUNTER;

/*
 * KeSetHardwareCounterConfiguration - replace the system-wide list of counters
 * @CounterArray: Count elements, copied before the return (KS2); they count
 *	user mode
 * @Count: 0 to MAX_HW_COUNTERS; 0 sets the empty list (KS10)
 *
 * Process context, may sleep. All or nothing: a failed call changes nothing.
 *
 * STATUS_NOT_IMPLEMENTED	architecture without support (KS6)
 * STATUS_INVALID_PARAMETER	Count above MAX_HW_COUNTERS (KS4); ours: NULL with
 *				Count > 0, unknown Type, Reserved not 0, duplicate
 * STATUS_WMI_ALREADY_ENABLED	a thread has hardware counters enabled, or somebody
 *				holds the list (KS5, KS7)
 * STATUS_NOT_SUPPORTED		ours: no PMU, or an event it does not know
 * STATUS_INSUFFICIENT_RESOURCES ours: no room for them all on some CPU
 * STATUS_NO_MEMORY
 */
NTSTATUS KeSetHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray,
					   ULONG Count);

/*
 * KeQueryHardwareCounterConfiguration - the list in force
 * @CounterArray: room for MaximumCount elements; untouched on any failure (KQ5)
 * @MaximumCount: in elements; ours: 0 with a NULL array asks for the size
 * @Count: elements written, or, with STATUS_BUFFER_TOO_SMALL, needed (ours: in
 *	elements)
 *
 * Process context, may sleep.
 *
 * STATUS_NOT_IMPLEMENTED	as above (KQ6)
 * STATUS_BUFFER_TOO_SMALL	(KQ4)
 * STATUS_INVALID_PARAMETER	ours: Count is NULL; CounterArray is NULL with
 *				MaximumCount > 0
 */
NTSTATUS KeQueryHardwareCounterConfiguration(PHARDWARE_COUNTER CounterArray,
					     ULONG MaximumCount, PULONG Count);

/* CPU n of the machine is bit n % 64 of group n / 64. */
typedef struct _GROUP_AFFINITY {
	KAFFINITY Mask;
	USHORT Group;
	USHORT Reserved[3];
} GROUP_AFFINITY, *PGROUP_AFFINITY;

typedef enum _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE {
	ResourceTypeSingle,
	ResourceTypeRange,
	ResourceTypeExtendedCounterConfiguration,
	ResourceTypeOverflow,
	ResourceTypeEventBuffer,
	ResourceTypeIdenitificationTag,
	ResourceTypeMax
} PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE;

typedef struct _PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION {
	void *OverflowHandler;
	ULONG CustomEventBufferEntrySize;
	ULONG EventThreshold;
} PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION,
	*PPHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION;

typedef struct _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR {
	PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE Type;
	ULONG Flags;
	union {
		ULONG CounterIndex;
		struct {
			ULONG Begin;
			ULONG End;
		} Range;
		void *OverflowHandler;
		PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION
			EventBufferConfiguration;
		ULONG IdentificationTag;
	} u;
} PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
	*PPHYSICAL_COUNTER_RESOURCE_DESCRIPTOR;

/* With Count descriptors. */
typedef struct _PHYSICAL_COUNTER_RESOURCE_LIST {
	ULONG Count;
	PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR Descriptors[1];
} PHYSICAL_COUNTER_RESOURCE_LIST, *PPHYSICAL_COUNTER_RESOURCE_LIST;

/*
 * HalAllocateHardwareCounters - keep counters from being used by others
 * @GroupAffinty: GroupCount elements; NULL with 0: all CPUs that are online (the
 *	name is the documents')
 * @ResourceList: single counters and ranges, Begin to End inclusive; NULL: the whole
 *	PMU of each CPU
 * @CounterSetHandle: for HalFreeHardwareCounters(); NULL on failure
 *
 * Process context, may sleep. All or nothing. Counters are numbered from 0 to what
 * fits at once on a CPU's PMU. Ours: perf does not let anybody choose a register, so
 * each is kept by a pinned event in some counter, which perf's other users and
 * our configuration find taken. KeSetHardwareCounterConfiguration() alone may use
 * what drivers keep, since those who keep are those who set: the events make
 * room for the list, and come back after it. What a module has not given back
 * when it is unloaded is given back then.
 *
 * STATUS_INSUFFICIENT_RESOURCES somebody has one of them; ours: no memory, or eight
 *				allocations are there already
 * STATUS_INVALID_PARAMETER	CounterSetHandle is NULL; ours: a counter that a CPU
 *				does not have, one that comes twice, an empty list, an
 *				unknown Type, Flags or Reserved not 0, a CPU that is
 *				not online, an empty Mask, one of GroupAffinty and
 *				GroupCount without the other
 * STATUS_NOT_SUPPORTED		a resource that is no counter; ours: no PMU
 */
NTSTATUS TprofHalAllocateHardwareCounters(PGROUP_AFFINITY GroupAffinty,
					  ULONG GroupCount,
					  PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList,
					  PHANDLE CounterSetHandle,
					  struct module *owner);
#define HalAllocateHardwareCounters(GroupAffinty, GroupCount, ResourceList, \
				    CounterSetHandle) \
	TprofHalAllocateHardwareCounters(GroupAffinty, GroupCount, \
					 ResourceList, CounterSetHandle, \
					 THIS_MODULE)

/*
 * HalFreeHardwareCounters - give them back
 *
 * STATUS_INVALID_PARAMETER	no handle of an allocation
 */
NTSTATUS HalFreeHardwareCounters(HANDLE CounterSetHandle);

#endif /* _THREADPROF_NTDDK_H */
