/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel API of threadprof for other modules, under the names of ntddk.h.
 *
 * Build against it with -I.../kmod/include -I.../uapi and threadprof's
 * Module.symvers (KBUILD_EXTRA_SYMBOLS).
 */
#ifndef _THREADPROF_NTDDK_H
#define _THREADPROF_NTDDK_H

#include <linux/types.h>

#include <linux/threadprof.h>

typedef s32 NTSTATUS;
typedef u32 ULONG;
typedef ULONG *PULONG;
typedef u64 ULONG64;

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

#endif /* _THREADPROF_NTDDK_H */
