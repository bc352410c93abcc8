// SPDX-License-Identifier: GPL-2.0-only
/* perf's own two ways: read(2) of a group, and the pages of its events. */
#include <sys/mman.h>
#include <unistd.h>

#include "counter.h"
#include "die.h"
#include "events.h"
#include "figure.h"
#include "parts.h"

struct group {
	int fd[EVENTS];
	int count;
	struct perf_event_mmap_page *page[EVENTS];
	uint64_t value[1 + EVENTS];
};

static void read_group(void *arg)
{
	struct group *g = arg;
	ssize_t size = (1 + g->count) * sizeof(g->value[0]);

	if (read(g->fd[0], g->value, sizeof(g->value)) != size)
		die("read of a group: %m");
}

void part_perf_read(void)
{
	struct measured m;
	struct group g;
	unsigned int i;

	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		g.count = events_sizes[i];
		events_open(g.fd, g.count, 0);
		m = measure(read_group, &g);
		figure_send("read", "perf-read", g.count, FIGURE_NONE, &m);
		events_close(g.fd, g.count);
	}
}

#define barrier()	__asm__ volatile("" : : : "memory")

/* The protocol of struct perf_event_mmap_page, for a thread that reads itself. */
static uint64_t read_page(const volatile struct perf_event_mmap_page *page)
{
	uint64_t enabled, running;
	uint32_t seq, index;
	int64_t count, pmc;

	do {
		seq = page->lock;
		barrier();
		enabled = page->time_enabled;
		running = page->time_running;
		index = page->index;
		count = page->offset;
		if (page->cap_user_rdpmc && index) {
			pmc = counter_read(index - 1);
			pmc = (int64_t)((uint64_t)pmc << (64 - page->pmc_width));
			pmc >>= 64 - page->pmc_width;
			count += pmc;
		} else {
			die("perf's page has no register to read");
		}
		barrier();
	} while (page->lock != seq);
	/* Shared by several groups: not here. */
	if (enabled != running)
		die("perf's event was not always on the PMU");
	return count;
}

static void read_pages(void *arg)
{
	struct group *g = arg;
	int i;

	for (i = 0; i < g->count; i++)
		g->value[i] = read_page(g->page[i]);
}

void part_perf_mmap(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	struct measured m;
	struct group g;
	unsigned int i;
	int k;

	setting("kernel/perf_user_access", 1);
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		g.count = events_sizes[i];
		events_open(g.fd, g.count, EVENTS_READ);
		for (k = 0; k < g.count; k++) {
			g.page[k] = mmap(NULL, size, PROT_READ, MAP_SHARED, g.fd[k], 0);
			if (g.page[k] == MAP_FAILED)
				die("mmap of an event: %m");
		}
		m = measure(read_pages, &g);
		figure_send("read", "perf-mmap", g.count, FIGURE_NONE, &m);
		for (k = 0; k < g.count; k++)
			munmap(g.page[k], size);
		events_close(g.fd, g.count);
	}
	setting("kernel/perf_user_access", 0);
}
