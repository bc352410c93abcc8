// SPDX-License-Identifier: GPL-2.0-only
/*
 * What nothing can be below: the registers, one instruction each, and the null
 * system call. Access from user mode is on as long as perf has a task's event that
 * asks for it.
 */
#include "counter.h"
#include "die.h"
#include "events.h"
#include "figure.h"
#include "null_call.h"
#include "parts.h"

#define ONE(i, name)	(value[i] = COUNTER_REGISTER(name))

static void read1(void *arg)
{
	uint64_t *value = arg;

	ONE(0, "pmccntr_el0");
}

static void read2(void *arg)
{
	uint64_t *value = arg;

	ONE(0, "pmccntr_el0");
	ONE(1, "pmevcntr0_el0");
}

static void read4(void *arg)
{
	uint64_t *value = arg;

	read2(arg);
	ONE(2, "pmevcntr1_el0");
	ONE(3, "pmevcntr2_el0");
}

static void read6(void *arg)
{
	uint64_t *value = arg;

	read4(arg);
	ONE(4, "pmevcntr3_el0");
	ONE(5, "pmevcntr4_el0");
}

void part_bare(void)
{
	static measure_fn * const op[] = { read1, read2, read4, read6 };
	uint64_t value[EVENTS];
	struct measured m;
	int fd[EVENTS];
	unsigned int i;

	m = measure(null_call, NULL);
	figure_send("read", "null-call", FIGURE_NONE, FIGURE_NONE, &m);
	setting("kernel/perf_user_access", 1);
	events_open(fd, EVENTS, EVENTS_READ);
	for (i = 0; i < sizeof(op) / sizeof(op[0]); i++) {
		m = measure(op[i], value);
		figure_send("read", "registers", events_sizes[i], FIGURE_NONE, &m);
	}
	events_close(fd, EVENTS);
	setting("kernel/perf_user_access", 0);
}
