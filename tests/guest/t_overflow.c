// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of 32 bits that overflow several times within one slice: the values go
 * on, by 64 bits. OVERFLOW [ROUNDS]: without, cycles, which the emulator makes of
 * nanoseconds; with, exact instructions in a guest that counts them (--icount).
 */
#include <linux/perf_event.h>
#include <sched.h>
#include <unistd.h>

#include "area.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define RAW(n)	THREADPROF_INDEX(PERF_TYPE_RAW, n)
#define CYCLES	RAW(0x11)
#define INSTRUCTIONS	RAW(0x08)
/* Overflows 2^31 apart, as perf sets a counter of 32 bits back. */
#define SPAN_NS		8500000000ULL

static struct raw r;
static int fd;
static const volatile struct threadprof_page *page;

static uint64_t value(unsigned int slot)
{
	if (area_refresh(fd) < 0)
		tap_die("lseek");
	return page->slot[slot].total;
}

/* One slice: nobody takes this CPU from here on, the watchdog's stopper neither. */
static void alone(void)
{
	struct sched_param param = { .sched_priority = 98 };

	proc_pin(proc_cpus() - 1);
	if (!proc_write("/proc/sys/kernel/sched_rt_runtime_us", "-1") ||
	    !proc_write("/proc/sys/kernel/soft_watchdog", "0") ||
	    sched_setscheduler(0, SCHED_FIFO, &param))
		tap_die("sched_setscheduler");
	usleep(10000);
}

static void by_cycles(void)
{
	uint64_t began, ended, got, last, next, switches, back = 0;

	alone();
	last = value(0);
	switches = page->switches;
	began = now_ns();
	/* Nobody reads before the third is past. */
	while (now_ns() - began < SPAN_NS)
		loop_exact(1000000);
	got = value(0) - last;
	ended = now_ns();
	printf("# %llu cycles in %llu ns\n", (unsigned long long)got,
	       (unsigned long long)(ended - began));
	ok_num("it was one slice", switches, page->switches);
	/* One overflow lost or counted twice would be 2^31 or more. */
	ok_range("three overflows and more: as many cycles as nanoseconds, but for interrupts",
		 (ended - began) * 0.8, ended - began, got);
	ok_range("that is more than 3 * 2^31", 3.0 * (1U << 31), 1e12, got);
	/* Across one more, read all the time. */
	last = value(0);
	while (now_ns() - ended < SPAN_NS / 3) {
		loop_exact(1000);
		next = value(0);
		back += next < last || next - last > SPAN_NS / 4;
		last = next;
	}
	ok_num("cycles neither step back nor jump", 0, back);
	ok_num("the slot counts", THREADPROF_SLOT_COUNTING, page->slot[0].state);
}

/* As the other tests of this guest expect it. */
static void not_alone(void)
{
	struct sched_param param = { .sched_priority = 0 };

	sched_setscheduler(0, SCHED_OTHER, &param);
	proc_write("/proc/sys/kernel/sched_rt_runtime_us", "950000");
	proc_write("/proc/sys/kernel/soft_watchdog", "1");
}

static uint64_t __attribute__((noipa)) measured(uint64_t rounds)
{
	uint64_t before = value(0);

	loop_exact(rounds);
	return value(0) - before;
}

static void by_instructions(uint64_t rounds)
{
	uint64_t constant, switches, got;

	alone();
	measured(1);
	constant = measured(1) - 2;
	switches = page->switches;
	got = measured(rounds);
	ok_num("it was one slice", switches, page->switches);
	ok_range("of more instructions than 2^31, three times", 3.0 * (1U << 31), 1e13,
		 rounds * 2.0);
	ok_num("overflows lose no instruction", rounds * 2 + constant, got);
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	const uint64_t list = rounds ? INSTRUCTIONS : CYCLES;

	if (raw_open(&r) || raw_config_set(&r, &list, 1, 0, 0))
		tap_die("family: %s", r.message);
	fd = raw_enable(&r, 0, 1, NULL);
	page = area_map(fd, 0, 1);
	if (rounds)
		by_instructions(rounds);
	else
		by_cycles();
	not_alone();
	area_unmap(page, 1);
	close(fd);
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	return tap_end();
}
