// SPDX-License-Identifier: GPL-2.0-only
/*
 * What counters of each kind count: software events anywhere, hardware events where
 * there is a PMU. Each for this thread alone.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <threadprof.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define SW(event)	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event)
#define HW(event)	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event)
#define PAGES		1000

static struct raw r;
static struct threadprof *tp;
static int profile_fd;

static void begin(const uint64_t *list, unsigned int count, uint32_t modes)
{
	if (raw_config_set(&r, list, count, modes, 0))
		tap_die("CONFIG_SET: %s", r.message);
	if (threadprof_enable(tp, 1, (1U << count) - 1, &profile_fd, NULL, NULL))
		tap_die("ENABLE: %s", threadprof_message(tp));
}

static void end(void)
{
	threadprof_disable(tp);
	close(profile_fd);
}

static void now(struct threadprof_profile *out)
{
	if (threadprof_read(tp, out))
		tap_die("READ: %s", threadprof_message(tp));
}

static long minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static char *fresh_pages(size_t count)
{
	char *memory = mmap(NULL, count * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		tap_die("mmap");
	madvise(memory, count * 4096, MADV_NOHUGEPAGE);
	return memory;
}

static void touch(char *memory, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		memory[i * 4096] = 1;
}

static void *touch_elsewhere(void *arg)
{
	touch(arg, PAGES);
	return NULL;
}

static void faults(void)
{
	static const uint64_t list[] = { SW(PAGE_FAULTS), SW(PAGE_FAULTS_MIN),
					 SW(PAGE_FAULTS_MAJ) };
	struct threadprof_profile a, b;
	char *memory = fresh_pages(PAGES), *other = fresh_pages(PAGES);
	pthread_t thread;
	long kernel;

	begin(list, 3, 0);
	now(&a);
	now(&b);
	minor_faults();
	now(&a);
	kernel = minor_faults();
	touch(memory, PAGES);
	kernel = minor_faults() - kernel;
	now(&b);
	ok_num("page-faults: 1,000 pages touched are 1,000 faults", PAGES,
	       b.slot[0].value - a.slot[0].value);
	ok_num("minor-faults: as many as getrusage has", kernel, b.slot[1].value - a.slot[1].value);
	ok_num("major-faults: none of them", 0, b.slot[2].value - a.slot[2].value);

	/* pthread_create's own faults come first: a thread that is kept. */
	pthread_create(&thread, NULL, touch_elsewhere, other);
	now(&a);
	pthread_join(thread, NULL);
	now(&b);
	ok_range("KS12 another thread's 1,000 faults are not this one's", 0, 20,
		 b.slot[0].value - a.slot[0].value);
	end();
	munmap(memory, PAGES * 4096);
	munmap(other, PAGES * 4096);
}

static void major(void)
{
	static const uint64_t list[] = { SW(PAGE_FAULTS_MAJ) };
	struct threadprof_profile a, b;
	volatile unsigned char *file;
	struct stat st;
	size_t at;
	int fd = open("/usr/bin/perf", O_RDONLY);

	if (fd < 0 || fstat(fd, &st))
		tap_die("file");
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	madvise((void *)file, st.st_size, MADV_RANDOM);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	proc_write("/proc/sys/vm/drop_caches", "3");
	begin(list, 1, 0);
	now(&a);
	for (at = 0; at < (size_t)st.st_size; at += 524288)
		(void)file[at];
	now(&b);
	ok_range("major-faults: pages that had to be read", 1, 1000,
		 b.slot[0].value - a.slot[0].value);
	end();
	munmap((void *)file, st.st_size);
	close(fd);
}

static void clocks(void)
{
	static const uint64_t list[] = { SW(TASK_CLOCK), SW(CPU_CLOCK) };
	struct threadprof_profile a, b;
	uint64_t least, most;

	begin(list, 2, 0);
	most = cpu_ns();
	now(&a);
	least = cpu_ns();
	burn_ms(100);
	least = cpu_ns() - least;
	now(&b);
	most = cpu_ns() - most;
	ok_range("task-clock is the thread's CPU time", least * 0.97, most * 1.03,
		 b.slot[0].value - a.slot[0].value);
	ok_range("cpu-clock is the thread's CPU time", least * 0.97, most * 1.03,
		 b.slot[1].value - a.slot[1].value);
	now(&a);
	sleep_ms(100);
	now(&b);
	ok_range("neither counts while it sleeps (ms)", 0, 50,
		 (b.slot[0].value - a.slot[0].value) / 1e6);
	end();
}

static void in_the_kernel(void)
{
	static const uint64_t list[] = { SW(CONTEXT_SWITCHES), SW(CPU_MIGRATIONS),
					 SW(PAGE_FAULTS) };
	struct threadprof_profile p;
	int i;

	begin(list, 3, THREADPROF_MODE_USER | THREADPROF_MODE_KERNEL);
	for (i = 0; i < 50; i++)
		sleep_ms(1);
	now(&p);
	ok(p.slot[0].state == THREADPROF_SLOT_COUNTING && p.slot[1].state == 1,
	   "context-switches and cpu-migrations count with kernel mode");
	ok_num("context-switches are the profile's own switches", p.switches, p.slot[0].value);
	end();
}

/* --- hardware -------------------------------------------------------------------------- */

static void *compute(void *arg)
{
	while (!*(volatile bool *)arg)
		loop_exact(100000);
	return NULL;
}

static void hardware(void)
{
	static const uint64_t list[] = { HW(CPU_CYCLES), THREADPROF_INDEX(PERF_TYPE_RAW, 0x11) };
	struct threadprof_profile a, b;
	bool stop = false;
	pthread_t thread;
	int cpu;

	begin(list, 2, 0);
	for (cpu = 0; cpu < proc_cpus(); cpu++) {
		char name[64];

		proc_pin(cpu);
		now(&a);
		burn_ms(20);
		now(&b);
		snprintf(name, sizeof(name), "KS13 KS14 cycles count on CPU %d", cpu);
		ok(b.slot[0].state == THREADPROF_SLOT_COUNTING &&
		   b.slot[0].value - a.slot[0].value > 1000000, name);
		snprintf(name, sizeof(name), "KS14 so does a raw event on CPU %d", cpu);
		/* The same event, read a moment later. */
		ok_range(name, 0.9, 1.1, (double)(b.slot[1].value - a.slot[1].value) /
			 (b.slot[0].value - a.slot[0].value));
	}
	/* A rival on the same CPU: its cycles are not ours. */
	proc_pin(0);
	pthread_create(&thread, NULL, compute, &stop);
	now(&a);
	sleep_ms(100);
	now(&b);
	stop = true;
	pthread_join(thread, NULL);
	ok_range("cycles of a thread that sleeps are next to none", 0, 20e6,
		 b.slot[0].value - a.slot[0].value);
	ok(b.switches > a.switches, "while another one computes");
	end();
}

int main(void)
{
	if (raw_open(&r) || threadprof_open(&tp))
		tap_die("no family");
	faults();
	major();
	clocks();
	in_the_kernel();
	if (raw_has_pmu(&r))
		hardware();
	raw_config_set(&r, NULL, 0, 0, 0);
	return tap_end();
}
