// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a program written for Windows' hardware counter profiling does: enable,
 * read before and after the region of interest, subtract, disable. It builds
 * there and, with -I.../threadprof/compat, here.
 */
#include <windows.h>
#include <stdio.h>

static volatile unsigned int sum;

int main(void)
{
	PERFORMANCE_DATA a = { .Size = sizeof(a), .Version = PERFORMANCE_DATA_VERSION };
	PERFORMANCE_DATA b = a;
	DWORD both = READ_THREAD_PROFILING_FLAG_DISPATCHING |
		     READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS;
	HANDLE handle;
	DWORD error;

	error = EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH,
				      0xffff, &handle);
	if (error == ERROR_SUCCESS) {
		error = ReadThreadProfilingData(handle, both, &a);
		for (unsigned int i = 0; i < 10000000; i++)
			sum += i;
		error = error ? error : ReadThreadProfilingData(handle, both, &b);
		DisableThreadProfiling(handle);
	}
	if (error != ERROR_SUCCESS)
		return fprintf(stderr, "error %u\n", (unsigned int)error), 1;
	printf("ContextSwitchCount %u\nWaitReasonBitMap   0x%llx\nCycleTime          %llu\n",
	       (unsigned int)(b.ContextSwitchCount - a.ContextSwitchCount),
	       (unsigned long long)b.WaitReasonBitMap,
	       (unsigned long long)(b.CycleTime - a.CycleTime));
	printf("RetryCount         %u\nHwCountersCount    %u\n", (unsigned int)b.RetryCount,
	       b.HwCountersCount);
	for (int i = 0; i < b.HwCountersCount; i++)
		printf("HwCounters[%d]      %llu\n", i,
		       (unsigned long long)(b.HwCounters[i].Value - a.HwCounters[i].Value));
	return 0;
}
