// SPDX-License-Identifier: GPL-2.0-only
/* The same with many profiled threads in the background. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crowd.h"
#include "die.h"
#include "events.h"
#include "figure.h"
#include "ours.h"
#include "pair.h"
#include "parts.h"

#define COUNTERS	2
#define MAX_THREADS	20000

static const int sizes[] = { 1, 10, 100, 1000, 10000 };

static struct ours pair_ours[2];

static void begin(void *arg, int side)
{
	(void)arg;
	ours_enable(&pair_ours[side], COUNTERS);
}

static void end(void *arg, int side)
{
	(void)arg;
	ours_disable(&pair_ours[side]);
}

static void cycle(void *arg)
{
	ours_enable(arg, COUNTERS);
	ours_disable(arg);
}

static void reads(const char *contender, int threads)
{
	struct measured m;
	struct ours o;

	ours_enable(&o, COUNTERS);
	m = measure(ours_read, &o);
	figure_send("read", contender, COUNTERS, threads, &m);
	ours_disable(&o);
}

/* What each thread's own page takes at least, and how that grows with their number. */
static void map_page(void *fd)
{
	size_t size = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, *(int *)fd, 0);

	if (page == MAP_FAILED || munmap(page, size))
		die("mmap: %m");
}

/* The same number of threads that nobody profiles: what they take by themselves. */
void part_scale_plain(void)
{
	struct pair none = { 0 };
	struct measured m;
	struct ours o;
	unsigned int i;
	int fd;

	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	setting("kernel/threads-max", MAX_THREADS);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		crowd_grow(sizes[i], CROWD_PLAIN);
		m = pair_measure(&none);
		figure_send("switch", "plain", FIGURE_NONE, sizes[i], &m);
		m = measure(map_page, &fd);
		figure_send("enable", "mmap-munmap", FIGURE_NONE, sizes[i], &m);
		events_configure(true);
		m = measure(cycle, &o);
		figure_send("enable", "plain", COUNTERS, sizes[i], &m);
		events_configure(false);
	}
	close(fd);
}

/* Started with THREADPROF_NO_DIRECT=1. */
void part_scale(void)
{
	struct pair none = { 0 }, pair = { .begin = begin, .end = end };
	struct measured m;
	struct ours o;
	unsigned int i;

	setting("kernel/threads-max", MAX_THREADS);
	events_configure(true);
	if (ours_is_direct(COUNTERS))
		die("THREADPROF_NO_DIRECT=1 does not keep the library from reading registers");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		crowd_grow(sizes[i], COUNTERS);
		reads("entered", sizes[i]);
		m = pair_measure(&none);
		figure_send("switch", "unprofiled", FIGURE_NONE, sizes[i], &m);
		m = pair_measure(&pair);
		figure_send("switch", "threadprof", COUNTERS, sizes[i], &m);
		m = measure(cycle, &o);
		figure_send("enable", "threadprof", COUNTERS, sizes[i], &m);
	}
}

void part_scale_direct(void)
{
	unsigned int i;
	bool direct;

	setting("kernel/threads-max", MAX_THREADS);
	setting("kernel/perf_user_access", 1);
	events_configure(true);
	direct = ours_is_direct(COUNTERS);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (!direct) {
			figure_not_built("read", "direct", COUNTERS, sizes[i]);
			continue;
		}
		crowd_grow(sizes[i], COUNTERS);
		reads("direct", sizes[i]);
	}
}
