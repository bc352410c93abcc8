// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Windows calls between threads: E1, E7, E8, D2, R4, Q1, KS12, KS16; and in
 * signal handlers.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define READ_D	READ_THREAD_PROFILING_FLAG_DISPATCHING
#define READ_H	READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS

static struct raw r;

static PERFORMANCE_DATA fresh(void)
{
	return (PERFORMANCE_DATA) { .Size = sizeof(PERFORMANCE_DATA),
				    .Version = PERFORMANCE_DATA_VERSION };
}

static HANDLE enable(DWORD64 mask)
{
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, mask,
				  &handle))
		tap_die("Enable: %s", threadprof_last_message());
	return handle;
}

struct foreign {
	HANDLE handle;
	DWORD read, disable, query;
	BOOLEAN enabled;
	bool written;
	HANDLE own;
};

static void *stranger(void *arg)
{
	struct foreign *f = arg;
	PERFORMANCE_DATA data = fresh(), same = data;

	f->read = ReadThreadProfilingData(f->handle, READ_D, &data);
	f->written = memcmp(&data, &same, sizeof(data));
	f->disable = DisableThreadProfiling(f->handle);
	f->enabled = TRUE;
	f->query = QueryThreadProfiling(GetCurrentThread(), &f->enabled);
	return NULL;
}

static void strangers(void)
{
	PERFORMANCE_DATA data = fresh();
	struct foreign f = { .handle = enable(0) };
	pthread_t thread;

	pthread_create(&thread, NULL, stranger, &f);
	pthread_join(thread, NULL);
	ok_num("R4 another thread may not Read (ours)", ERROR_ACCESS_DENIED, f.read);
	ok(!f.written, "R4 and gets nothing");
	ok_num("D2 another thread may not Disable (ours)", ERROR_ACCESS_DENIED, f.disable);
	ok(!f.query && !f.enabled, "E1 KS16 Q1 another thread is not profiled by it");
	ok_num("D2 the profile outlives that", 0,
	       ReadThreadProfilingData(f.handle, READ_D, &data));
	ok_num("D2 its own thread may Disable", 0, DisableThreadProfiling(f.handle));
}

static void *leaver(void *arg)
{
	*(HANDLE *)arg = enable(1);
	return NULL;
}

static void left_behind(void)
{
	PERFORMANCE_DATA data = fresh();
	pthread_t thread;
	HANDLE handle;

	pthread_create(&thread, NULL, leaver, &handle);
	pthread_join(thread, NULL);
	ok_num("E7 the handle of a thread that has exited is worth nothing to Read",
	       ERROR_INVALID_HANDLE, ReadThreadProfilingData(handle, READ_D, &data));
	ok_num("E7 D2 nor to Disable", ERROR_INVALID_HANDLE, DisableThreadProfiling(handle));
	ok(raw_quiet(&r, 2000), "E7 the profile went with its thread");
}

/* --- E8: one configuration for all ----------------------------------------------------- */

struct member {
	pthread_barrier_t *barrier;
	uint64_t least, most, counted;	/* of its CPU time */
	int count;
	HANDLE handle;
};

static void *member(void *arg)
{
	struct member *m = arg;
	PERFORMANCE_DATA a = fresh(), b = fresh();

	m->handle = enable(3);
	pthread_barrier_wait(m->barrier);
	m->most = cpu_ns();
	ReadThreadProfilingData(m->handle, READ_H, &a);
	m->least = cpu_ns();
	burn_ms(60 + 60 * (proc_tid() % 3));
	m->least = cpu_ns() - m->least;
	ReadThreadProfilingData(m->handle, READ_H, &b);
	m->most = cpu_ns() - m->most;
	m->counted = b.HwCounters[0].Value - a.HwCounters[0].Value;
	m->count = b.HwCountersCount;
	DisableThreadProfiling(m->handle);
	return NULL;
}

static int other_process(void)
{
	PERFORMANCE_DATA data = fresh();
	int status;
	pid_t pid = fork();

	if (!pid) {
		HANDLE handle = enable(0xffff);

		burn_ms(5);
		ReadThreadProfilingData(handle, READ_H, &data);
		_exit(data.HwCountersCount == 2 && data.HwCounters[0].Value ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void together(void)
{
	struct member m[6] = { { 0 } };
	pthread_barrier_t barrier;
	pthread_t thread[6];
	int i, k, same = 1, own = 0, handles = 0;
	double least = 0, most = 0, counted = 0;

	pthread_barrier_init(&barrier, NULL, 6);
	for (i = 0; i < 6; i++) {
		m[i].barrier = &barrier;
		pthread_create(&thread[i], NULL, member, &m[i]);
	}
	for (i = 0; i < 6; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 6; i++) {
		/*
		 * An emulated CPU may stand still for a while in the middle of a
		 * switch: the kernel gives that to the next thread, its perf to the
		 * one before.
		 */
		bool good = m[i].counted + 10e6 >= m[i].least && m[i].counted <= m[i].most + 10e6;

		same &= m[i].count == 2;
		least += m[i].least;
		most += m[i].most;
		counted += m[i].counted;
		own += good;
		if (!good)
			printf("# thread %d: %llu of %llu to %llu\n", i,
			       (unsigned long long)m[i].counted, (unsigned long long)m[i].least,
			       (unsigned long long)m[i].most);
		for (k = 0; k < i; k++)
			handles += m[i].handle == m[k].handle;
	}
	ok(same, "E8 KS12 KS15 six threads at once see the same configuration");
	ok_num("E8 KS8 each counts its own time alone", 6, own);
	ok_range("E8 KS8 together they count what they used", least * 0.97, most * 1.03, counted);
	ok_num("E5 no two have the same handle", 0, handles);
	ok_num("E8 KS12 another process sees the same configuration", 0, other_process());
}

/* --- signals ---------------------------------------------------------------------------- */

static HANDLE shared_handle;
static volatile int handled, handler_bad;
static volatile uint64_t handler_last;

static void handler(int signal)
{
	PERFORMANCE_DATA data = fresh();

	(void)signal;
	handled++;
	if (ReadThreadProfilingData(shared_handle, READ_D | READ_H, &data) ||
	    data.HwCounters[0].Value < handler_last)
		handler_bad++;
	handler_last = data.HwCounters[0].Value;
}

static void signals(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = handler };
	PERFORMANCE_DATA data;
	uint64_t last = 0;
	int bad = 0, reads;

	shared_handle = enable(1);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (reads = 0; reads < 200000 && handled < 300; reads++) {
		data = fresh();
		bad += ReadThreadProfilingData(shared_handle, READ_D | READ_H, &data) ||
		       data.HwCounters[0].Value < last || !data.RetryCount;
		last = data.HwCounters[0].Value;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("# %d reads, %d signals\n", reads, handled);
	ok_num("R3 reads interrupted by signals never step back", 0, bad);
	ok_num("R3 nor do reads in the handler", 0, handler_bad);
	ok_range("signals came", 20, 1e6, handled);
	DisableThreadProfiling(shared_handle);
}

int main(void)
{
	static const uint64_t list[] = {
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK),
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	};

	if (raw_open(&r) || raw_config_set(&r, list, 2, 0, 0))
		tap_die("family: %s", r.message);
	strangers();
	left_behind();
	together();
	signals();
	raw_config_set(&r, NULL, 0, 0, 0);
	return tap_end();
}
