// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile counts from Enable on, not from the switch before it: a thread that
 * was switched to from a profiled one, and has run for a while, starts at zero.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "tap.h"

#define READ_H		READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS
#define TASK_CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define ROUNDS		20
#define BURN_MS		20

static int to_late[2], to_early[2];

static HANDLE enable(void)
{
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), 0, 1, &handle))
		tap_die("Enable: %s", threadprof_last_message());
	return handle;
}

static uint64_t counted(HANDLE handle)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };

	if (ReadThreadProfilingData(handle, READ_H, &data))
		tap_die("Read: %s", threadprof_last_message());
	return data.HwCounters[0].Value;
}

/* Profiled all the time; each round it hands the CPU over and waits. */
static void *early(void *arg)
{
	HANDLE handle = enable();
	char c = 0;
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++)
		if (write(to_late[1], &c, 1) != 1 || read(to_early[0], &c, 1) != 1)
			tap_die("pipe");
	DisableThreadProfiling(handle);
	return NULL;
}

int main(void)
{
	struct threadprof_counter counter = { .index = TASK_CLOCK };
	unsigned int too_much = 0;
	struct threadprof *tp;
	pthread_t thread;
	HANDLE handle;
	uint64_t got;
	char c = 0;
	int i;

	if (threadprof_open(&tp) || threadprof_set_configuration(tp, &counter, 1, 0, NULL))
		tap_die("configuration: %s", threadprof_message(tp));
	/* One CPU, so that each hand-over is a switch from one to the other. */
	if (!proc_pin(0))
		tap_die("pin");
	if (pipe(to_late) || pipe(to_early) || pthread_create(&thread, NULL, early, NULL))
		tap_die("setup");
	for (i = 0; i < ROUNDS; i++) {
		if (read(to_late[0], &c, 1) != 1)
			tap_die("pipe");
		burn_ms(BURN_MS);
		handle = enable();
		got = counted(handle);
		printf("# counted %llu ns since Enable\n", (unsigned long long)got);
		too_much += got > BURN_MS * 1000000ull / 2;
		DisableThreadProfiling(handle);
		if (write(to_early[1], &c, 1) != 1)
			tap_die("pipe");
	}
	pthread_join(thread, NULL);
	ok_num("R3 what ran before Enable is not counted", 0, too_much);
	threadprof_set_configuration(tp, NULL, 0, 0, NULL);
	threadprof_close(tp);
	return tap_end();
}
