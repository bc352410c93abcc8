// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of the reasons of a wait. */
#include <threadprof.h>
#include <threadprof/hcp.h>

#define NAME(reason) [reason] = #reason

static const char *const names[] = {
	NAME(Executive), NAME(FreePage), NAME(PageIn), NAME(PoolAllocation),
	NAME(DelayExecution), NAME(Suspended), NAME(UserRequest), NAME(WrExecutive),
	NAME(WrFreePage), NAME(WrPageIn), NAME(WrPoolAllocation), NAME(WrDelayExecution),
	NAME(WrSuspended), NAME(WrUserRequest), NAME(WrSpare0), NAME(WrQueue),
	NAME(WrLpcReceive), NAME(WrLpcReply), NAME(WrVirtualMemory), NAME(WrPageOut),
	NAME(WrRendezvous), NAME(WrKeyedEvent), NAME(WrTerminated), NAME(WrProcessInSwap),
	NAME(WrCpuRateControl), NAME(WrCalloutStack), NAME(WrKernel), NAME(WrResource),
	NAME(WrPushLock), NAME(WrMutex), NAME(WrQuantumEnd), NAME(WrDispatchInt),
	NAME(WrPreempted), NAME(WrYieldExecution), NAME(WrFastMutex), NAME(WrGuardedMutex),
	NAME(WrRundown), NAME(WrAlertByThreadId), NAME(WrDeferredPreempt),
	NAME(WrPhysicalFault), NAME(WrIoRing), NAME(WrMdlCache), NAME(WrRcu),
};

_Static_assert(sizeof(names) / sizeof(names[0]) == MaximumWaitReason, "a name is missing");

const char *threadprof_wait_name(unsigned int reason)
{
	return reason < MaximumWaitReason ? names[reason] : "";
}
