// SPDX-License-Identifier: GPL-2.0-only
/*
 * Direct reads of a thread to which everything happens: moved between CPUs, put to
 * sleep, interrupted by signals whose handler reads too. Needs an arm64 guest with
 * 64-bit counters; its cycles are nanoseconds, which bounds each step.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CYCLES		THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define CYCLES_AGAIN	THREADPROF_INDEX(PERF_TYPE_RAW, 0x11)
#define ALTERNATIONS	1000000
#define SIGNALS		100000
/* The clock's own step is 16 ns; an emulated CPU may be stopped between two reads. */
#define SLACK_NS	20000

static const uint64_t list[] = { CYCLES, CYCLES_AGAIN };
static struct raw r;
static int fd;
static const volatile struct threadprof_page *page;

static void begin(void)
{
	if (area_op(fd, THREADPROF_OP_ENABLE, 0, 0, 3) ||
	    area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0))
		tap_die("OP_ENABLE, OP_DIRECT");
}

static void end(void)
{
	if (area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0))
		tap_die("OP_DISABLE");
}

static uint64_t entered(unsigned int slot)
{
	if (area_refresh(fd) < 0)
		tap_die("lseek");
	return page->slot[slot].total;
}

/* --- alternating, moving ----------------------------------------------------------- */

static volatile bool stop;

static void *mover(void *arg)
{
	pid_t tid = *(pid_t *)arg;
	unsigned int moves = 0;
	cpu_set_t set;

	while (!stop) {
		CPU_ZERO(&set);
		CPU_SET(moves++ % proc_cpus(), &set);
		if (sched_setaffinity(tid, sizeof(set), &set))
			tap_die("sched_setaffinity");
		usleep(500);
	}
	return NULL;
}

static int perf_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = 0x11,
		.size = sizeof(attr),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (event < 0)
		tap_die("perf_event_open");
	return event;
}

static uint64_t perf_value(int event)
{
	uint64_t value;

	if (read(event, &value, sizeof(value)) != sizeof(value))
		tap_die("perf");
	return value;
}

struct alternating {
	uint64_t last, sum;
	unsigned long back, jumps;
};

static void step(struct alternating *a, uint64_t value, uint64_t most)
{
	a->back += value < a->last;
	a->jumps += value > a->last && value - a->last > most;
	a->sum += value - a->last;
	a->last = value;
}

static void judge(const struct alternating *a, unsigned int slot, uint64_t perf)
{
	static const char * const of[] = { "cycle counter", "event counter" };
	char name[96];

	snprintf(name, sizeof(name), "%s: alternating reads never step back", of[slot]);
	ok_num(name, 0, a->back);
	snprintf(name, sizeof(name), "%s: none jumps further than time went on", of[slot]);
	ok_num(name, 0, a->jumps);
	/* That goes on a little longer, and its CPU may stand still meanwhile. */
	snprintf(name, sizeof(name), "%s: their sum is perf's own count of the thread", of[slot]);
	ok_range(name, perf * 0.97, perf * 1.03, a->sum);
}

static void alternate(void)
{
	uint64_t value[2], before, earlier, now, perf;
	unsigned long direct = 0, cpus = 0;
	struct alternating a[2] = { 0 };
	int event = perf_open(), i, k;
	pid_t tid = proc_tid();
	pthread_t thread;
	uint32_t cpu;

	begin();
	stop = false;
	pthread_create(&thread, NULL, mover, &tid);
	perf = perf_value(event);
	before = earlier = now_ns();
	for (k = 0; k < 2; k++)
		a[k].last = k ? page->slot[k].total : entered(k);
	cpu = page->cpu;
	for (i = 0; i < ALTERNATIONS; i++) {
		if (i % 2 && direct_value(page, 0, &value[0]) && direct_value(page, 1, &value[1])) {
			direct++;
		} else {
			value[0] = entered(0);
			value[1] = page->slot[1].total;
		}
		now = now_ns();
		/* The last read was taken behind the look at the clock before it. */
		for (k = 0; k < 2; k++)
			step(&a[k], value[k], now - earlier + SLACK_NS);
		earlier = before;
		before = now;
		cpus += page->cpu != cpu;
		cpu = page->cpu;
		if (i % 50000 == 0)
			sleep_ms(1);
	}
	perf = perf_value(event) - perf;
	stop = true;
	pthread_join(thread, NULL);
	printf("# %lu direct of %d, %lu times on another CPU; counted %llu and %llu, perf %llu\n",
	       direct, ALTERNATIONS, cpus, (unsigned long long)a[0].sum,
	       (unsigned long long)a[1].sum, (unsigned long long)perf);
	for (k = 0; k < 2; k++)
		judge(&a[k], k, perf);
	ok_range("of 1,000,000 reads nearly half were direct", ALTERNATIONS / 2 * 0.9,
		 ALTERNATIONS / 2, direct);
	ok_range("the thread did move", 50, ALTERNATIONS, cpus);
	end();
	close(event);
}

/* --- CPUs that go and come -------------------------------------------------------------- */

static void *unplugger(void *arg)
{
	char path[64];
	int i;

	(void)arg;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", proc_cpus() - 1);
	for (i = 0; i < 10; i++) {
		proc_write(path, "0");
		usleep(20000);
		proc_write(path, "1");
		usleep(20000);
	}
	stop = true;
	return NULL;
}

static void hotplug(void)
{
	unsigned long back = 0, apart = 0, reads = 0, direct = 0;
	uint64_t value, last = 0, cycles, more;
	int cpus = proc_cpus();
	pthread_t thread;

	begin();
	stop = false;
	pthread_create(&thread, NULL, unplugger, NULL);
	for (; !stop; reads++) {
		proc_pin(reads % 50 ? cpus - 1 : 0);	/* fails while that CPU is away */
		if (direct_value(page, 1, &value))
			direct++;
		else
			value = entered(1);
		back += value < last;
		last = value;
	}
	pthread_join(thread, NULL);
	printf("# %lu of %lu direct; states %u and %u\n", direct, reads, page->slot[0].state,
	       page->slot[1].state);
	ok_num("a CPU goes and comes ten times: no step back", 0, back);
	/* Both missed the same, if anything. */
	cycles = entered(0);
	more = page->slot[1].total;
	apart = cycles > more ? cycles - more : more - cycles;
	ok_range("and both counters have the same, but for 5 %", 0, cycles / 20.0, apart);
	end();
}

/* --- signals ------------------------------------------------------------------------- */

static volatile uint64_t handler_last;
static volatile unsigned long handled, handler_back, handler_direct;

static void handler(int number)
{
	uint64_t value;

	(void)number;
	if (handled % 2 && direct_value(page, 0, &value))
		handler_direct++;
	else
		value = entered(0);
	handler_back += value < handler_last;
	handler_last = value;
	handled++;
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = handler };
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	unsigned long reads = 0, back = 0, behind = 0, fell_back = 0;
	uint64_t value, last = 0, seen;

	begin();
	handler_last = handled = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; handled < SIGNALS; reads++) {
		seen = handler_last;
		value = direct_or_entered(fd, page, 0, &fell_back);
		back += value < last;
		behind += value < seen;
		last = value;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("# %lu reads, %lu of them entered; %lu in the handler were direct\n", reads,
	       fell_back, handler_direct);
	ok_num("reads that 100,000 signals interrupted never step back", 0, back);
	ok_num("nor behind what a handler saw before", 0, behind);
	ok_num("nor do the handler's own", 0, handler_back);
	ok_range("the handler reads directly too", SIGNALS * 0.4, SIGNALS * 0.51, handler_direct);
	end();
}

int main(void)
{
	if (raw_open(&r) || raw_config_set(&r, list, 2, 0, 0))
		tap_die("family: %s", r.message);
	direct_access(true);
	direct_hold_hooks();
	fd = raw_enable(&r, 0, 0, NULL);
	page = area_map(fd, 0, 1);
	end();
	alternate();
	signals();
	hotplug();
	area_unmap(page, 1);
	close(fd);
	direct_access(false);
	raw_config_set(&r, NULL, 0, 0, 0);
	direct_let_go();
	leak_check(&r, "all this");
	return tap_end();
}
