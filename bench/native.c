// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runs on the machine itself: what needs neither a PMU nor the module. The
 * kernel's side and its counters are those of the library's unit tests, the code
 * that reads them is the library's own.
 */
#include <time.h>

#include <threadprof.h>

#include "clock.h"
#include "die.h"
#include "direct.h"
#include "fake.h"
#include "figure.h"
#include "null_call.h"
#include "ours.h"
#include "parts.h"
#include "simulated.h"

#define WIDTH	48	/* bits of a register */

static const int sizes[] = { 1, 2, 4, 6 };

static void wall_clock(void *time)
{
	clock_gettime(CLOCK_MONOTONIC, time);
}

static void cpu_clock(void *time)
{
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, time);
}

static void report(const char *contender, measure_fn *op, void *arg)
{
	struct measured m = measure(op, arg);

	figure_send("read", contender, FIGURE_NONE, FIGURE_NONE, &m);
}

static void part_bare_native(void)
{
	struct timespec time;

	report("null-call", null_call, NULL);
	report("clock-monotonic", wall_clock, &time);
	report("clock-thread-cpu", cpu_clock, &time);
}

/* A kernel with counters whose threads run. */
static void simulate(void)
{
	int i;

	fake_reset();
	fake.cycles_start = threadprof_ticks();
	fake.config.count = sizes[sizeof(sizes) / sizeof(sizes[0]) - 1];
	for (i = 0; i < SIMULATED_REGISTERS; i++)
		simulated_register[i] = 1000 * (i + 1);
}

static void part_dispatch_native(void)
{
	simulate();
	part_dispatch();
}

/* As the kernel does that shows registers. */
static void show(struct threadprof_page *page, int counters)
{
	int i;

	page->seq++;
	for (i = 0; i < counters; i++) {
		page->slot[i].start = 100;
		page->slot[i].index = i + 1;
		page->slot[i].width = WIDTH;
	}
	page->seq++;
}

static void part_direct_native(void)
{
	struct measured m;
	unsigned int entered;
	struct ours o;
	size_t i;
	int n;

	simulate();
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ours_enable(&o, sizes[i]);
		show(fake_page(), sizes[i]);
		/* A thread earns it by reading. */
		for (n = 0; n < 2 * DIRECT_GOAL; n++)
			ours_read(&o);
		entered = fake.positions;
		ours_read(&o);
		if (o.data.HwCounters[sizes[i] - 1].Value != 1000ULL * sizes[i] - 100 ||
		    fake.positions != entered)
			die("a read was not direct");
		m = measure(ours_read, &o);
		figure_send("read", "direct", sizes[i], FIGURE_NONE, &m);
		ours_disable(&o);
	}
}

const struct part parts[] = {
	{ .name = "bare", .run = part_bare_native },
	{ .name = "direct", .run = part_direct_native },
	{ .name = "dispatch", .run = part_dispatch_native },
	{ .name = "dispatch-peers", .run = part_dispatch_peers },
};

const size_t part_count = sizeof(parts) / sizeof(parts[0]);
const char * const parts_limits;
