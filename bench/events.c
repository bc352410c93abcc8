// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <sys/syscall.h>
#include <threadprof.h>
#include <unistd.h>

#include "die.h"
#include "events.h"

#define LONG	1	/* config1: 64 bits, two counters each before PMUv3p5 */

const int events_sizes[4] = { 1, 2, 4, 6 };

/* The emulated processor counts the first four; registers cost the same anyway. */
static const struct {
	unsigned int type;
	unsigned int config;
} event[EVENTS] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_RAW, 0x11 },	/* CPU_CYCLES in an event counter */
	{ PERF_TYPE_RAW, 0x08 },	/* INST_RETIRED */
	{ PERF_TYPE_RAW, 0x23 },	/* STALL_FRONTEND */
	{ PERF_TYPE_RAW, 0x24 },	/* STALL_BACKEND */
};

const char * const events_perf_name[EVENTS] = {
	"cycles:u", "instructions:u", "r11:u", "r08:u", "r23:u", "r24:u",
};

static struct perf_event_attr attr_of(int i, unsigned int config1)
{
	return (struct perf_event_attr) {
		.type = event[i].type,
		.size = sizeof(struct perf_event_attr),
		.config = event[i].config,
		.config1 = config1,
		.read_format = PERF_FORMAT_GROUP,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

/* Number opened; a group that can't ever be scheduled is refused by the last. */
static int try_open(int *fd, int count, unsigned int config1)
{
	struct perf_event_attr attr;
	int i;

	for (i = 0; i < count; i++) {
		attr = attr_of(i, config1);
		fd[i] = syscall(SYS_perf_event_open, &attr, 0, -1, i ? fd[0] : -1,
				PERF_FLAG_FD_CLOEXEC);
		if (fd[i] < 0)
			return i;
	}
	return count;
}

void events_close(const int *fd, int count)
{
	while (count--)
		close(fd[count]);
}

/* Wide counters are asked for where all six have room as such. */
static unsigned int width(void)
{
	static int known = -1;
	int fd[EVENTS], n;

	if (known < 0) {
		n = try_open(fd, EVENTS, LONG);
		events_close(fd, n);
		known = n == EVENTS ? LONG : 0;
	}
	return known;
}

struct perf_event_attr events_attr(int i, unsigned int config1)
{
	return attr_of(i, config1 | width());
}

void events_open(int *fd, int count, unsigned int config1)
{
	int n = try_open(fd, count, config1 | width());

	if (n < count)
		die("can't open event %d of %d: %m", n, count);
}

void events_configure(bool on)
{
	struct threadprof_counter counter[EVENTS] = { 0 };
	struct threadprof *tp;
	int i, error;

	error = threadprof_open(&tp);
	for (i = 0; i < EVENTS; i++) {
		counter[i].index = THREADPROF_INDEX(event[i].type, event[i].config);
		counter[i].config1 = width();
		snprintf(counter[i].name, sizeof(counter[i].name), "%s", events_perf_name[i]);
	}
	if (!error)
		error = threadprof_set_configuration(tp, counter, on ? EVENTS : 0, 0, NULL);
	if (error)
		die("configuration: %s", threadprof_message(tp));
	threadprof_close(tp);
}
