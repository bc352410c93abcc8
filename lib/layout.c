// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Layouts that others rely on: those of Windows' own headers as a compiler for
 * x86-64 Windows lays them out, and the page shared with the kernel.
 */
#include <stddef.h>

#include <linux/threadprof.h>
#include <threadprof/hcp.h>

#define SIZE(type, bytes, align) \
	_Static_assert(sizeof(type) == (bytes) && _Alignof(type) == (align), #type)
#define MEMBER(type, member, offset, bytes) \
	_Static_assert(offsetof(type, member) == (offset) && \
		       sizeof(((type *)0)->member) == (bytes), #type "." #member)

SIZE(BYTE, 1, 1);
SIZE(WORD, 2, 2);
SIZE(DWORD, 4, 4);
SIZE(ULONG, 4, 4);
SIZE(LONG, 4, 4);
SIZE(BOOL, 4, 4);
SIZE(BOOLEAN, 1, 1);
SIZE(NTSTATUS, 4, 4);
SIZE(DWORD64, 8, 8);
SIZE(ULONG64, 8, 8);
SIZE(HANDLE, 8, 8);

SIZE(HARDWARE_COUNTER_TYPE, 4, 4);
_Static_assert(PMCCounter == 0 && MaxHardwareCounterType == 1, "HARDWARE_COUNTER_TYPE");

SIZE(HARDWARE_COUNTER, 16, 8);
MEMBER(HARDWARE_COUNTER, Type, 0, 4);
MEMBER(HARDWARE_COUNTER, Reserved, 4, 4);
MEMBER(HARDWARE_COUNTER, Index, 8, 8);

SIZE(HARDWARE_COUNTER_DATA, 16, 8);
MEMBER(HARDWARE_COUNTER_DATA, Type, 0, 4);
MEMBER(HARDWARE_COUNTER_DATA, Reserved, 4, 4);
MEMBER(HARDWARE_COUNTER_DATA, Value, 8, 8);

SIZE(PERFORMANCE_DATA, 288, 8);
MEMBER(PERFORMANCE_DATA, Size, 0, 2);
MEMBER(PERFORMANCE_DATA, Version, 2, 1);
MEMBER(PERFORMANCE_DATA, HwCountersCount, 3, 1);
MEMBER(PERFORMANCE_DATA, ContextSwitchCount, 4, 4);
MEMBER(PERFORMANCE_DATA, WaitReasonBitMap, 8, 8);
MEMBER(PERFORMANCE_DATA, CycleTime, 16, 8);
MEMBER(PERFORMANCE_DATA, RetryCount, 24, 4);
MEMBER(PERFORMANCE_DATA, Reserved, 28, 4);
MEMBER(PERFORMANCE_DATA, HwCounters, 32, 256);
MEMBER(PERFORMANCE_DATA, HwCounters[1], 48, 16);
MEMBER(PERFORMANCE_DATA, HwCounters[15], 272, 16);

SIZE(KWAIT_REASON, 4, 4);
_Static_assert(WrPoolAllocation == 10 && WrQueue == 15 && WrKernel == 26 &&
	       WrAlertByThreadId == 37 && WrPhysicalFault == 39 &&
	       MaximumWaitReason == 43, "KWAIT_REASON");
_Static_assert(MAX_HW_COUNTERS == THREADPROF_MAX_COUNTERS, "MAX_HW_COUNTERS");
_Static_assert(MaximumWaitReason <= THREADPROF_WAIT_REASONS, "WaitReasonBitMap");

/* The reasons that the kernel reports, by their Windows numbers. */
#define REASON(linux_name, name) \
	_Static_assert((int)THREADPROF_WAIT_##linux_name == (int)name, #name)

REASON(EXECUTIVE, Executive);
REASON(DELAY_EXECUTION, DelayExecution);
REASON(SUSPENDED, Suspended);
REASON(USER_REQUEST, UserRequest);
REASON(WR_PAGE_IN, WrPageIn);
REASON(WR_QUEUE, WrQueue);
REASON(WR_VIRTUAL_MEMORY, WrVirtualMemory);
REASON(WR_RESOURCE, WrResource);
REASON(WR_QUANTUM_END, WrQuantumEnd);
REASON(WR_PREEMPTED, WrPreempted);
REASON(WR_YIELD_EXECUTION, WrYieldExecution);
REASON(WR_ALERT_BY_THREAD_ID, WrAlertByThreadId);
REASON(WR_IO_RING, WrIoRing);

SIZE(struct threadprof_page_slot, 32, 8);
SIZE(struct threadprof_page_wait, 16, 8);
SIZE(struct threadprof_page, 1664, 8);
MEMBER(struct threadprof_page, profile_id, 16, 8);
MEMBER(struct threadprof_page, slot, 128, 512);
MEMBER(struct threadprof_page, wait, 640, 1024);
