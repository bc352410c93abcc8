// SPDX-License-Identifier: GPL-2.0-only
/*
 * OP_DIRECT where it works: when registers are shown in the page, which, what they
 * give, and that user mode's access goes with the profile. Needs an arm64 guest
 * with 64-bit counters.
 */
#include <linux/perf_event.h>
#include <pthread.h>
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
#define CLOCK		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define CYCLE_REGISTER	31
#define SLOTS		2
#define READS		1000

/* Two that count the same: one in the cycle counter, one in an event counter. */
static const uint64_t list[SLOTS] = { CYCLES, CYCLES_AGAIN };
static struct raw r;
static int fd;
static const volatile struct threadprof_page *page;

static void begin(unsigned int mask)
{
	int error = area_op(fd, THREADPROF_OP_ENABLE, 0, 0, mask);

	if (error)
		tap_die("OP_ENABLE: error %d", -error);
}

static void end(void)
{
	if (area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0))
		tap_die("OP_DISABLE");
}

static int direct(void)
{
	return area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0);
}

/* Slots that show a register. */
static unsigned int shown(void)
{
	unsigned int i, slots = 0;

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		slots |= (page->slot[i].index || page->slot[i].width) << i;
	return slots;
}

static int cpus_allowed(void)
{
	int cpu, allowed = 0;

	for (cpu = 0; cpu < proc_cpus(); cpu++)
		allowed += direct_allowed_in_child(cpu);
	return allowed;
}

/* --- refused -------------------------------------------------------------------- */

static void refusals(void)
{
	const uint64_t clock = CLOCK;

	direct_access(false);
	begin(3);
	ok_num("perf_user_access 0: OP_DIRECT is EACCES", -EACCES, direct());
	ok_num("and shows nothing", 0, shown());
	area_wait_switch(page);
	ok_num("nor after a switch", 0, shown());
	end();
	direct_access(true);
	ok_num("perf_user_access 1 alone opens no CPU", 0, cpus_allowed());
	begin(0);
	ok_num("without counters: EOPNOTSUPP", -EOPNOTSUPP, direct());
	end();
	begin(1 << SLOTS);
	ok_num("with a slot that is not configured: EOPNOTSUPP", -EOPNOTSUPP, direct());
	end();
	if (raw_config_set(&r, &clock, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	begin(1);
	ok_num("with a software event: EOPNOTSUPP", -EOPNOTSUPP, direct());
	end();
	if (raw_config_set(&r, list, SLOTS, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
}

/* --- shown ------------------------------------------------------------------------ */

static void bracketed(const char *name, unsigned int slot)
{
	uint64_t before, value, after;
	int i, missing = 0, wrong = 0;

	for (i = 0; i < READS; i++) {
		area_refresh(fd);
		before = page->slot[slot].total;
		missing += !direct_value(page, slot, &value);
		area_refresh(fd);
		after = page->slot[slot].total;
		wrong += value < before || value > after;
	}
	ok_num(name, 0, missing + wrong);
}

static void shows(void)
{
	const volatile struct threadprof_page_slot *slot = page->slot;
	uint64_t value = 0, again = 0;

	begin(3);
	ok_num("not asked for: nothing is shown", 0, shown());
	area_wait_switch(page);
	ok_num("nor after a switch", 0, shown());
	ok_num("OP_DIRECT", 0, direct());
	ok_num("shows the slots of the mask, and no others", 3, shown());
	ok_num("cycles are in the cycle counter", CYCLE_REGISTER + 1, slot[0].index);
	ok_num("the other in the first event counter", 1, slot[1].index);
	ok_num("width of the cycle counter", 64, slot[0].width);
	ok_num("width of an event counter", 64, slot[1].width);
	bracketed("the register is between two lseek(): cycle counter", 0);
	bracketed("the register is between two lseek(): event counter", 1);
	ok_num("OP_DIRECT again", 0, direct());
	ok_num("shows the same", 3, shown());
	area_wait_switch(page);
	ok_num("after a switch too", 3, shown());
	ok(direct_value(page, 0, &value) && direct_value(page, 1, &again) && again > value / 2,
	   "both can be read");
	end();
	ok_num("after DISABLE nothing is shown", 0, shown());
	ok(slot[0].total > value && slot[1].total > again, "and the totals have it all");

	begin(1);
	ok_num("the next profile has to ask anew", 0, shown());
	ok_num("OP_DIRECT with one counter", 0, direct());
	ok_num("shows that one", 1, shown());
	end();
	begin(2);
	ok_num("OP_DIRECT with the other alone", 0, direct());
	ok_num("shows the other", 2, shown());
	bracketed("in the register that it has for all threads", 1);
	end();
	begin(7);
	ok_num("OP_DIRECT with a slot that is not configured", 0, direct());
	ok_num("shows the others", 3, shown());
	end();
}

/* --- user mode's access --------------------------------------------------------------- */

static void *reader(void *arg)
{
	uint64_t value;
	int cpu, good = 0;

	if (area_op(fd, THREADPROF_OP_ENABLE, 1, 0, 3) ||
	    area_op(fd, THREADPROF_OP_DIRECT, 1, 0, 0))
		return NULL;
	for (cpu = 0; cpu < proc_cpus(); cpu++)
		good += proc_pin(cpu) && direct_value(area_page(page, 1), 0, &value) &&
			direct_value(area_page(page, 1), 1, &value);
	*(int *)arg = good;
	return NULL;
}

static void access_of_user_mode(void)
{
	pthread_t thread;
	int good = -1;

	begin(3);
	if (direct())
		tap_die("OP_DIRECT");
	ok_num("while this thread reads registers, no other process may", 0, cpus_allowed());
	pthread_create(&thread, NULL, reader, &good);
	pthread_join(thread, NULL);
	ok_num("each thread asks for itself, and reads on each CPU", proc_cpus(), good);
	ok_num("a thread that exits leaves no CPU open", 0, cpus_allowed());
	ok_num("this one still reads", 3, shown());
	end();
	ok_num("after DISABLE no CPU is open", 0, cpus_allowed());
}

int main(void)
{
	if (raw_open(&r) || raw_config_set(&r, list, SLOTS, 0, 0))
		tap_die("family: %s", r.message);
	ok_num("before, no CPU is open", 0, cpus_allowed());
	direct_hold_hooks();
	fd = raw_enable(&r, 0, 0, NULL);
	page = area_map(fd, 0, 2);
	end();
	refusals();
	shows();
	access_of_user_mode();
	area_unmap(page, 2);
	close(fd);
	direct_access(false);
	raw_config_set(&r, NULL, 0, 0, 0);
	direct_let_go();
	leak_check(&r, "all this");
	ok_num("in the end no CPU is open", 0, cpus_allowed());
	return tap_end();
}
