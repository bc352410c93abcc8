// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <threadprof/hcp.h>

#include "loop.h"
#include "tap.h"
#include "watch.h"

void watch(struct threadprof *tp, void (*work)(void), struct seen *out)
{
	uint64_t began = cpu_ns();
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, 0, &handle))
		tap_die("Enable: %s", threadprof_last_message());
	work();
	if (ReadThreadProfilingData(handle, READ_THREAD_PROFILING_FLAG_DISPATCHING, &data) ||
	    threadprof_read(tp, &out->profile))
		tap_die("Read: %s", threadprof_last_message());
	out->cpu_most = cpu_ns() - began;
	DisableThreadProfiling(handle);
	out->bits = data.WaitReasonBitMap;
	out->cycle_time = data.CycleTime;
}

void watch_reason(struct threadprof *tp, const char *what, void (*work)(void),
		  unsigned int expected, uint64_t least)
{
	const uint64_t forced = 1ULL << WrQuantumEnd | 1ULL << WrPreempted |
				1ULL << WrPageIn | 1ULL << WrResource |
				1ULL << WrVirtualMemory;	/* Enable maps a page */
	char name[128], others[256] = "";
	struct seen seen;
	unsigned int i;

	watch(tp, work, &seen);
	for (i = 0; i < 64; i++)
		if (seen.bits & ~forced & ~(1ULL << expected) & 1ULL << i)
			snprintf(others + strlen(others), sizeof(others) - strlen(others), " %s*%llu",
				 threadprof_wait_name(i),
				 (unsigned long long)seen.profile.wait[i].count);
	snprintf(name, sizeof(name), "R3 %s is %s", what, threadprof_wait_name(expected));
	tap_check((seen.bits & 1ULL << expected) &&
		  seen.profile.wait[expected].count >= least && !others[0], name,
		  "expected its bit, %llu or more, and no other got bits %#llx, count %llu,%s",
		  (unsigned long long)least, (unsigned long long)seen.bits,
		  (unsigned long long)seen.profile.wait[expected].count, others);
}
