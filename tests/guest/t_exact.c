// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exact counts. Only where the emulated processor counts instructions as they
 * are (--icount): there a difference of one is a bug.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define INSTRUCTIONS	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)
#define READ_H		READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS
#define RUNS		1000

static HANDLE enable(void)
{
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), 0, 1, &handle))
		tap_die("Enable: %s", threadprof_last_message());
	return handle;
}

static uint64_t instructions(HANDLE handle)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };

	if (ReadThreadProfilingData(handle, READ_H, &data))
		tap_die("Read: %s", threadprof_last_message());
	return data.HwCounters[0].Value;
}

/* What the loop costs, reading included; the same code for any size. */
static uint64_t __attribute__((noipa)) measured(HANDLE handle, uint64_t rounds)
{
	uint64_t before = instructions(handle);

	loop_exact(rounds);
	return instructions(handle) - before;
}

/* What a measurement costs beside its loop; the first one binds symbols. */
static uint64_t constant(HANDLE handle)
{
	measured(handle, 1);
	return measured(handle, 1) - 2;
}

static void one_thread(void)
{
	static const uint64_t sizes[] = { 1, 2, 10, 1000, 12345, 1000000, 20000000 };
	uint64_t c, got, first, differs = 0;
	HANDLE handle = enable();
	unsigned int i;
	char name[96];

	c = constant(handle);
	printf("# a measurement costs %llu instructions\n", (unsigned long long)c);
	ok_range("a measurement costs a small constant", 1, 5000, c);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(name, sizeof(name), "R3 a loop of %llu instructions gives that and the constant",
			 (unsigned long long)sizes[i] * 2);
		got = measured(handle, sizes[i]);
		ok_num(name, sizes[i] * 2 + c, got);
	}
	first = measured(handle, 5000);
	for (i = 1; i < RUNS; i++)
		differs += measured(handle, 5000) != first;
	ok_num("R3 1,000 runs of 10,000 instructions", 10000 + c, first);
	ok_num("R3 1,000 runs all give the same", 0, differs);

	syscall(SYS_getppid);	/* binds the symbol */
	/* Sleeping and switching is done by the kernel: nothing is added or lost. */
	got = instructions(handle);
	for (i = 0; i < 200; i++)
		syscall(SYS_sched_yield);
	first = instructions(handle) - got;
	got = instructions(handle);
	for (i = 0; i < 200; i++)
		syscall(SYS_getppid);
	ok_num("R3 200 calls of sched_yield count as 200 calls of getppid", first,
	       instructions(handle) - got);
	DisableThreadProfiling(handle);
}

/*
 * --- two threads, sharing one CPU: the emulator's instruction counter is one for
 * all CPUs, so that two that run at once see each other's.
 */

struct part {
	uint64_t rounds, got, constant;
	int perf;
	uint64_t perf_got;
	pthread_barrier_t *start;
};

static int perf_open(int inherit, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = inherit,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t perf_value(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		tap_die("perf");
	return value;
}

static void *part_thread(void *arg)
{
	struct part *part = arg;
	HANDLE handle = enable();
	uint64_t perf_before;

	part->perf = perf_open(0, 0, -1);
	perf_value(part->perf);
	part->constant = constant(handle);
	pthread_barrier_wait(part->start);
	perf_before = perf_value(part->perf);
	part->got = measured(handle, part->rounds);
	part->perf_got = perf_value(part->perf) - perf_before;
	close(part->perf);
	DisableThreadProfiling(handle);
	return NULL;
}

static void two_threads(void)
{
	struct part part[2] = { { .rounds = 40000000 }, { .rounds = 27000001 } };
	uint64_t whole = 0, whole_before, sum = 0, least = 0, overhead;
	pthread_barrier_t start;
	pthread_t thread[2];
	char name[80];
	int i, fd;

	pthread_barrier_init(&start, NULL, 2);
	proc_pin(0);
	/* Everything that this process runs in user mode, from here on. */
	fd = perf_open(1, 0, -1);
	if (fd < 0)
		tap_die("perf_event_open");
	whole_before = perf_value(fd);
	for (i = 0; i < 2; i++) {
		part[i].start = &start;
		if (pthread_create(&thread[i], NULL, part_thread, &part[i]))
			tap_die("thread");
	}
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	whole = perf_value(fd) - whole_before;
	close(fd);
	for (i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "R3 KS12 thread %d of two at once counts its own loop",
			 i + 1);
		ok_num(name, part[i].rounds * 2 + part[i].constant, part[i].got);
		overhead = part[i].perf_got - part[i].got;
		snprintf(name, sizeof(name), "R3 thread %d: perf's own counter of it agrees", i + 1);
		ok_range(name, 0, 4000, (double)(int64_t)overhead);
		sum += part[i].got;
		least += part[i].rounds * 2 + part[i].constant;
	}
	ok_num("R3 two threads' counts sum to the two loops", least, sum);
	printf("# the process ran %llu instructions, %llu of them in the two spans\n",
	       (unsigned long long)whole, (unsigned long long)sum);
	ok_range("R3 the sum is the whole process's but for what is outside of the spans",
		 sum, sum * 1.001 + 100000, whole);
}

/* --- over CPUs -------------------------------------------------------------- */

static uint64_t moves(HANDLE handle, int cpus)
{
	uint64_t before;
	cpu_set_t set[2];
	int i;

	for (i = 0; i < 2; i++) {
		CPU_ZERO(&set[i]);
		CPU_SET(i % cpus, &set[i]);
	}
	before = instructions(handle);
	for (i = 0; i < 1000; i++) {
		syscall(SYS_sched_setaffinity, 0, sizeof(set[0]), &set[i % 2]);
		loop_exact(2000);
	}
	return instructions(handle) - before;
}

/*
 * The other CPU's own work, a tick or two, may fall into a span, and can only
 * add: what is lost by a migration would be missing in each try.
 */
static void migration(void)
{
	uint64_t still = UINT64_MAX, moved = UINT64_MAX, got;
	HANDLE handle = enable();
	int i;

	constant(handle);
	moves(handle, 1);
	for (i = 0; i < 5; i++) {
		got = moves(handle, 1);
		still = got < still ? got : still;
		got = moves(handle, 2);
		moved = got < moved ? got : moved;
	}
	ok_range("the loops are in it", 4000000, 4300000, still);
	ok_num("KS13 KS14 R3 1,000 migrations lose nothing", still, moved);
	i = sched_getcpu();
	proc_pin(!i);
	ok_num("it did migrate", !i, sched_getcpu());
	DisableThreadProfiling(handle);
}

int main(void)
{
	const uint64_t list = INSTRUCTIONS;
	struct raw r;

	/* One way of reading, for the constant: asking for the other is its own cost. */
	setenv("THREADPROF_NO_DIRECT", "1", 1);
	if (raw_open(&r))
		tap_die("no family");
	if (raw_config_set(&r, &list, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	if (proc_cpus() > 1) {
		migration();
	} else {
		one_thread();
		two_threads();
	}
	raw_config_set(&r, NULL, 0, 0, 0);
	return tap_end();
}
