// SPDX-License-Identifier: GPL-2.0-only
/*
 * OP_DIRECT where it can't work: no PMU, no user access in the processor, or counters
 * too narrow. It is refused, no register is shown, nobody is killed by a signal,
 * and counting goes on as before.
 */
#include <linux/perf_event.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define CYCLES	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)

static struct raw r;

static unsigned int shown(const volatile struct threadprof_page *page)
{
	unsigned int i, slots = 0;

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		slots |= (page->slot[i].index || page->slot[i].width) << i;
	return slots;
}

static void with(const char *what, const uint64_t *list)
{
	const volatile struct threadprof_page *page;
	uint64_t before;
	char name[96];
	int fd;

	if (raw_config_set(&r, list, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	fd = raw_enable(&r, 0, 1, NULL);
	page = area_map(fd, 0, 1);
	snprintf(name, sizeof(name), "%s: OP_DIRECT is EOPNOTSUPP", what);
	ok_num(name, -EOPNOTSUPP, area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0));
	snprintf(name, sizeof(name), "%s: no register is shown", what);
	ok_num(name, 0, shown(page));
	area_wait_switch(page);
	snprintf(name, sizeof(name), "%s: nor after a switch", what);
	ok_num(name, 0, shown(page));
	area_refresh(fd);
	before = page->slot[0].total;
	burn_ms(20);
	area_refresh(fd);
	snprintf(name, sizeof(name), "%s: lseek() brings the counter up to date", what);
	ok(page->slot[0].total > before + 1000000, name);
	area_unmap(page, 1);
	close(fd);
}

int main(void)
{
	const uint64_t clock = CLOCK, cycles = CYCLES;
	int cpu, open = 0;

	if (raw_open(&r))
		tap_die("no family");
	if (!access("/proc/sys/kernel/perf_user_access", F_OK))
		direct_access(true);
	with("a software event", &clock);
	if (raw_has_pmu(&r))
		with("counters of 32 bits", &cycles);
	for (cpu = 0; cpu < proc_cpus(); cpu++)
		open += direct_allowed_in_child(cpu);
	ok_num("no CPU is open to user mode", 0, open);
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	return tap_end();
}
