// SPDX-License-Identifier: GPL-2.0-only
/* One read of so many counters, by each of the library's ways. */
#include <threadprof.h>

#include "die.h"
#include "events.h"
#include "figure.h"
#include "genl.h"
#include "ours.h"
#include "parts.h"

static void read_each(const char *contender, bool direct)
{
	struct measured m;
	struct ours o;
	unsigned int i;
	int n;

	events_configure(true);
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		n = events_sizes[i];
		if (ours_is_direct(n) != direct) {
			figure_not_built("read", contender, n, FIGURE_NONE);
			continue;
		}
		ours_enable(&o, n);
		m = measure(ours_read, &o);
		figure_send("read", contender, n, FIGURE_NONE, &m);
		ours_disable(&o);
	}
}

void part_direct(void)
{
	setting("kernel/perf_user_access", 1);
	read_each("direct", true);
	events_configure(false);
	setting("kernel/perf_user_access", 0);
}

static void library_read(void *arg)
{
	static struct threadprof_profile profile;

	if (threadprof_read(arg, &profile))
		die("threadprof_read: %s", threadprof_message(arg));
}

static void genl_reads(void)
{
	struct threadprof *tp;
	struct measured m;
	static struct genl g;
	struct ours o;
	unsigned int i;

	if (threadprof_open(&tp))
		die("%s", threadprof_message(tp));
	genl_prepare(&g, THREADPROF_GENL_NAME, THREADPROF_GENL_VERSION,
		     THREADPROF_CMD_READ, 0, 0);
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		ours_enable(&o, events_sizes[i]);
		m = measure(library_read, tp);
		figure_send("read", "threadprof_read", events_sizes[i], FIGURE_NONE, &m);
		m = measure(genl_ask, &g);
		figure_send("read", "genl-read", events_sizes[i], FIGURE_NONE, &m);
		ours_disable(&o);
	}
	genl_end(&g);
	threadprof_close(tp);
}

/* Started with THREADPROF_NO_DIRECT=1. */
void part_entered(void)
{
	read_each("entered", false);
	genl_reads();
	events_configure(false);
}
