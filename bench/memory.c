// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's memory that a profiled thread takes besides what a thread takes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "crowd.h"
#include "die.h"
#include "events.h"
#include "figure.h"
#include "parts.h"

#define COUNTERS	2
#define THREADS		10000
#define MAX_THREADS	20000

static FILE *proc_open(const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		die("%s: %m", path);
	return f;
}

/* In bytes. What is free, or in use by programs and files, is not the kernel's. */
static int64_t kernel_memory(void)
{
	static const char * const others[] = {
		"MemFree:", "Buffers:", "Cached:", "SwapCached:", "AnonPages:",
	};
	long long total = 0, value;
	unsigned int i, found = 0;
	char line[128], key[64];
	FILE *f;

	/* CPUs keep a part of these counts to themselves. */
	setting("vm/stat_refresh", 1);
	f = proc_open("/proc/meminfo");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %lld", key, &value) != 2)
			continue;
		if (!strcmp(key, "MemTotal:"))
			total += value;
		for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
			if (!strcmp(key, others[i])) {
				total -= value;
				found++;
			}
		}
	}
	fclose(f);
	if (found != sizeof(others) / sizeof(others[0]))
		die("/proc/meminfo has not all of its lines");
	return total * 1024;
}

/* In bytes, of all caches: those of one size may be one. */
static int64_t slab_memory(void)
{
	long page = sysconf(_SC_PAGESIZE);
	FILE *f = proc_open("/proc/slabinfo");
	long pages, slabs, total = 0;
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %*d %*d %*d %*d %ld : tunables %*d %*d %*d : slabdata %*d %ld",
			   &pages, &slabs) == 2)
			total += pages * slabs;
	}
	fclose(f);
	if (!total)
		die("/proc/slabinfo has no slabs");
	return (int64_t)total * page;
}

static void report(const char *contender, int64_t bytes)
{
	struct measured m = { bytes / THREADS, bytes / THREADS, bytes / THREADS };

	figure_send("memory", contender, COUNTERS, THREADS, &m);
}

/* Started with THREADPROF_NO_DIRECT=1. */
void part_memory(void)
{
	int64_t kernel, slab;

	setting("kernel/threads-max", MAX_THREADS);
	events_configure(true);
	crowd_grow(THREADS, CROWD_PLAIN);
	kernel = kernel_memory();
	slab = slab_memory();
	crowd_enable(COUNTERS);
	kernel = kernel_memory() - kernel;
	slab = slab_memory() - slab;
	report("threadprof", kernel);
	report("threadprof-slab", slab);
}
