/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hardware counter profiling with the names, types and layouts of Windows
 * (winbase.h, winnt.h and, for the reasons of a wait, wdm.h).
 *
 * A thread switches profiling on for itself, reads as often as it likes, and
 * switches it off before it ends. Totals run from the Enable; two reads
 * subtracted give what happened between them. Numbers such as E3 name statements
 * of the Windows documentation; where it is silent, the choice made here is
 * marked "ours".
 *
 * The four calls are safe in any thread. ReadThreadProfilingData may be called
 * in a signal handler too. threadprof_last_message() of <threadprof.h> says in words
 * why the calling thread's last failed call failed.
 */
#ifndef THREADPROF_HCP_H
#define THREADPROF_HCP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t BYTE;
typedef uint16_t WORD;
typedef uint32_t DWORD;
typedef uint64_t DWORD64;
typedef uint32_t ULONG;
typedef uint64_t ULONG64;
typedef uint64_t ULONGLONG;
typedef int32_t LONG;
typedef int64_t LONG64;
typedef int64_t LONGLONG;
typedef int32_t BOOL;
typedef uint8_t BOOLEAN;
typedef int32_t NTSTATUS;
typedef void *PVOID;
typedef void *LPVOID;
typedef void *HANDLE;
typedef BYTE *PBYTE;
typedef DWORD *PDWORD;
typedef DWORD64 *PDWORD64;
typedef ULONG *PULONG;
typedef BOOLEAN *PBOOLEAN;
typedef HANDLE *PHANDLE;

/* The calling convention is the platform's own. */
#ifndef WINAPI
#define WINAPI
#endif
#ifndef APIENTRY
#define APIENTRY
#endif
#ifndef WINBASEAPI
#define WINBASEAPI
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

#define INVALID_HANDLE_VALUE ((HANDLE)(intptr_t)-1)

/* Flags of EnableThreadProfiling (E2). */
#define THREAD_PROFILING_FLAG_DISPATCH			0x00000001

/* Flags of ReadThreadProfilingData (R1). */
#define READ_THREAD_PROFILING_FLAG_DISPATCHING		0x00000001
#define READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS	0x00000002

#define MAX_HW_COUNTERS			16
#define PERFORMANCE_DATA_VERSION	1

/* What the four calls return. */
#define ERROR_SUCCESS			0
#define ERROR_ACCESS_DENIED		5
#define ERROR_INVALID_HANDLE		6
#define ERROR_NOT_ENOUGH_MEMORY		8
#define ERROR_INVALID_DATA		13
#define ERROR_NOT_SUPPORTED		50
#define ERROR_INVALID_PARAMETER		87
#define ERROR_REVISION_MISMATCH		1306
#define ERROR_NO_SYSTEM_RESOURCES	1450
#define ERROR_WMI_ALREADY_ENABLED	4206

/* Relatives of these, for code that compares with them. */
#define ERROR_INVALID_FUNCTION		1
#define ERROR_CALL_NOT_IMPLEMENTED	120
#define ERROR_INSUFFICIENT_BUFFER	122
#define ERROR_WMI_ALREADY_DISABLED	4212

#define STATUS_SUCCESS			((NTSTATUS)0x00000000)
#define STATUS_NOT_IMPLEMENTED		((NTSTATUS)0xC0000002)
#define STATUS_INVALID_HANDLE		((NTSTATUS)0xC0000008)
#define STATUS_INVALID_PARAMETER	((NTSTATUS)0xC000000D)
#define STATUS_ACCESS_DENIED		((NTSTATUS)0xC0000022)
#define STATUS_BUFFER_TOO_SMALL		((NTSTATUS)0xC0000023)
#define STATUS_REVISION_MISMATCH	((NTSTATUS)0xC0000059)
#define STATUS_INSUFFICIENT_RESOURCES	((NTSTATUS)0xC000009A)
#define STATUS_NOT_SUPPORTED		((NTSTATUS)0xC00000BB)
#define STATUS_WMI_ALREADY_DISABLED	((NTSTATUS)0xC0000302)
#define STATUS_WMI_ALREADY_ENABLED	((NTSTATUS)0xC0000303)

typedef enum _HARDWARE_COUNTER_TYPE {
	PMCCounter,
	MaxHardwareCounterType
} HARDWARE_COUNTER_TYPE, *PHARDWARE_COUNTER_TYPE;

/* An element of the configuration (kernel side of Windows). */
typedef struct _HARDWARE_COUNTER {
	HARDWARE_COUNTER_TYPE Type;	/* PMCCounter */
	ULONG Reserved;			/* 0 */
	ULONG64 Index;			/* here: THREADPROF_INDEX() of <linux/threadprof.h> */
} HARDWARE_COUNTER, *PHARDWARE_COUNTER;

typedef struct _HARDWARE_COUNTER_DATA {
	HARDWARE_COUNTER_TYPE Type;	/* PMCCounter */
	DWORD Reserved;			/* 0 */
	DWORD64 Value;			/* total since Enable */
} HARDWARE_COUNTER_DATA, *PHARDWARE_COUNTER_DATA;

/*
 * What a Read gives. DISPATCHING fills ContextSwitchCount, WaitReasonBitMap,
 * CycleTime and RetryCount; HARDWARE_COUNTERS fills HwCountersCount and
 * HwCounters. Members of a group not asked for keep what they had, Reserved
 * becomes 0 in any case (ours).
 */
typedef struct _PERFORMANCE_DATA {
	WORD Size;		/* in: sizeof(PERFORMANCE_DATA) */
	BYTE Version;		/* in: PERFORMANCE_DATA_VERSION */
	BYTE HwCountersCount;	/* bits of the mask that are configured (ours) */
	DWORD ContextSwitchCount; /* since Enable; wraps at 2^32 */
	DWORD64 WaitReasonBitMap; /* bit n: KWAIT_REASON n occurred since the last
				   * Read with DISPATCHING, or since Enable */
	DWORD64 CycleTime;	/* ticks of the cycle source on a CPU since Enable */
	DWORD RetryCount;	/* passes that the read took, 1 = first try (ours) */
	DWORD Reserved;
	HARDWARE_COUNTER_DATA HwCounters[MAX_HW_COUNTERS]; /* [n] = bit n of the mask */
} PERFORMANCE_DATA, *PPERFORMANCE_DATA;

/*
 * Bit numbers of WaitReasonBitMap. Define THREADPROF_NO_KWAIT_REASON before
 * including this header in a source that has the enumeration itself.
 */
#ifndef THREADPROF_NO_KWAIT_REASON
typedef enum _KWAIT_REASON {
	Executive,
	FreePage,
	PageIn,
	PoolAllocation,
	DelayExecution,
	Suspended,
	UserRequest,
	WrExecutive,
	WrFreePage,
	WrPageIn,
	WrPoolAllocation,
	WrDelayExecution,
	WrSuspended,
	WrUserRequest,
	WrSpare0,
	WrQueue,
	WrLpcReceive,
	WrLpcReply,
	WrVirtualMemory,
	WrPageOut,
	WrRendezvous,
	WrKeyedEvent,
	WrTerminated,
	WrProcessInSwap,
	WrCpuRateControl,
	WrCalloutStack,
	WrKernel,
	WrResource,
	WrPushLock,
	WrMutex,
	WrQuantumEnd,
	WrDispatchInt,
	WrPreempted,
	WrYieldExecution,
	WrFastMutex,
	WrGuardedMutex,
	WrRundown,
	WrAlertByThreadId,
	WrDeferredPreempt,
	WrPhysicalFault,
	WrIoRing,
	WrMdlCache,
	WrRcu,
	MaximumWaitReason
} KWAIT_REASON;
#endif

#pragma GCC visibility push(default)

/*
 * Profiles the calling thread.
 *
 * ThreadHandle must be GetCurrentThread() (E1). Flags is 0 or
 * THREAD_PROFILING_FLAG_DISPATCH (E2). HardwareCounters is a mask, bit n = n-th
 * counter of the configuration, 0 = none (E3); a bit without a configured counter
 * is no error and reads 0 (E4). Flags and mask may both be 0 (ours).
 * *PerformanceDataHandle becomes an opaque value, never NULL, for Read and
 * Disable in this thread (E5); it is left alone when the call fails.
 *
 * ERROR_INVALID_HANDLE: ThreadHandle is NULL. ERROR_ACCESS_DENIED: it is another
 * handle; or the configuration counts kernel mode and the caller is not
 * privileged. ERROR_INVALID_PARAMETER: NULL for the result, unknown Flags, a mask
 * bit above 15. ERROR_WMI_ALREADY_ENABLED: this thread is profiled already.
 * ERROR_NOT_SUPPORTED: the module is not loaded. ERROR_REVISION_MISMATCH: module
 * and library do not fit together. ERROR_NO_SYSTEM_RESOURCES,
 * ERROR_NOT_ENOUGH_MEMORY. (All codes: ours.)
 */
WINBASEAPI DWORD APIENTRY EnableThreadProfiling(HANDLE ThreadHandle, DWORD Flags,
						DWORD64 HardwareCounters,
						HANDLE *PerformanceDataHandle);

/*
 * Ends profiling, in the thread that enabled it (D2). The handle is of no use
 * from then on (D3). A thread that ends without it leaks nothing (ours).
 *
 * With the last profiled thread of a process goes what the process has of the module, so
 * that this can be unloaded. A process that enables anew after that keeps one
 * descriptor and some pages from then on, until it exits or executes another program:
 * it begins and ends often, and to enable is cheap then (ours).
 *
 * ERROR_INVALID_HANDLE: not a live handle of this process, whatever the value
 * (D4). ERROR_ACCESS_DENIED: another thread's. (All codes: ours.)
 */
WINBASEAPI DWORD APIENTRY DisableThreadProfiling(HANDLE PerformanceDataHandle);

/*
 * Is the thread profiled? (Q1) Only GetCurrentThread() is a thread's handle here;
 * any other value gives ERROR_INVALID_HANDLE (ours).
 */
WINBASEAPI DWORD APIENTRY QueryThreadProfiling(HANDLE ThreadHandle, PBOOLEAN Enabled);

/*
 * One consistent snapshot of the calling thread's profile (R3), in the thread
 * that enabled it. Size and Version must be set (R2). Flags: one or both READ_
 * flags, each only if asked for at Enable: DISPATCHING needs
 * THREAD_PROFILING_FLAG_DISPATCH, HARDWARE_COUNTERS a mask other than 0 (R1).
 *
 * Without a system call where the thread may read the counters' registers and reads
 * often enough to pay for that; never with THREADPROF_NO_DIRECT=1 in the environment
 * of the process (ours).
 *
 * ERROR_INVALID_PARAMETER: Size, Version, Flags, NULL. ERROR_ACCESS_DENIED:
 * another thread's handle. ERROR_INVALID_HANDLE: no live handle of this process;
 * a handle that a fork brought along is none. *PerformanceData is left alone
 * then. (All codes: ours.)
 */
WINBASEAPI DWORD APIENTRY ReadThreadProfilingData(HANDLE PerformanceDataHandle,
						  DWORD Flags,
						  PPERFORMANCE_DATA PerformanceData);

#pragma GCC visibility pop

/* The pseudo handle of the calling thread, whichever thread that is. */
static inline HANDLE WINAPI GetCurrentThread(void)
{
	return (HANDLE)(intptr_t)-2;
}

#ifdef __cplusplus
}
#endif

#endif /* THREADPROF_HCP_H */
