// SPDX-License-Identifier: GPL-2.0-only
/*
 * EXCLUSIVE: what a list leaves of each PMU is taken too, for as long as it is in
 * force, and given back whichever way it ends.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CYCLES		THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define EXCLUSIVE	THREADPROF_CONFIG_EXCLUSIVE
#define RELEASE		THREADPROF_CONFIG_RELEASE

static const uint64_t list[] = { CYCLES };
static struct raw r;

/* Does another user of perf find a counter on @cpu? */
static bool has_room(int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES, .pinned = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	uint64_t value;
	ssize_t n;

	if (fd < 0)
		tap_die("perf_event_open");
	/* A pinned event that is not on the PMU reads as the end of the file. */
	n = read(fd, &value, sizeof(value));
	close(fd);
	return n == sizeof(value);
}

static int cpus_with_room(void)
{
	int cpu, n = 0, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (cpu = 0; cpu < cpus; cpu++)
		n += has_room(cpu);
	return n;
}

static void set(const char *name, unsigned int count, uint32_t flags)
{
	ok_num(name, 0, raw_config_set(&r, list, count, 0, flags));
}

static uint32_t flags_in_force(void)
{
	raw_command(&r, THREADPROF_CMD_CONFIG_GET);
	return raw_reply_attr(&r, THREADPROF_A_CONFIG_FLAGS) ?
	       raw_u32(&r, THREADPROF_A_CONFIG_FLAGS) : 0;
}

int main(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct raw holder;

	if (raw_open(&r) || raw_open(&holder))
		tap_die("no family");
	set("the empty list", 0, 0);
	ok_num("without it there is room on each CPU", cpus, cpus_with_room());

	set("an exclusive list of one", 1, EXCLUSIVE);
	ok_num("leaves room on no CPU", 0, cpus_with_room());
	ok_num("CONFIG_GET says so", EXCLUSIVE, flags_in_force());
	set("an exclusive list follows another", 1, EXCLUSIVE);
	ok_num("no room still", 0, cpus_with_room());
	ok_num("a list that does not fit is refused", -EINVAL,
	       raw_config_set(&r, (const uint64_t[]){ CYCLES, CYCLES }, 2, 0, 0));
	ok_num("and the exclusive one stays exclusive", 0, cpus_with_room());

	set("a list that is not exclusive", 1, 0);
	ok_num("leaves room", cpus, cpus_with_room());
	ok_num("and does not say it were", 0, flags_in_force());

	set("an exclusive empty list takes all of it", 0, EXCLUSIVE);
	ok_num("no room", 0, cpus_with_room());
	set("it goes", 0, 0);
	ok_num("room again", cpus, cpus_with_room());

	ok_num("a holder's exclusive list", 0,
	       raw_config_set(&holder, list, 1, 0, EXCLUSIVE | RELEASE));
	ok_num("no room", 0, cpus_with_room());
	raw_close(&holder);
	sleep_ms(200);
	ok_num("room again when the holder has gone", cpus, cpus_with_room());
	return tap_end();
}
