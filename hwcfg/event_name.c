// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's generic events under the names that perf gives them. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <linux/perf_event.h>

#include "event.h"

#define USER THREADPROF_MODE_USER
/* These happen in the kernel alone: in user mode only they would count nothing. */
#define BOTH (THREADPROF_MODE_USER | THREADPROF_MODE_KERNEL)
#define HW(name, alias, id, what) \
	{ name, alias, what, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, USER }
#define SW(name, alias, id, modes, what) \
	{ name, alias, what, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, modes }

static const struct event_name names[] = {
	HW("cycles", "cpu-cycles", CPU_CYCLES, "CPU cycles, at the speed the core runs"),
	HW("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	HW("cache-references", NULL, CACHE_REFERENCES, "accesses to the last cache level"),
	HW("cache-misses", NULL, CACHE_MISSES, "misses of the last cache level"),
	HW("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branch instructions retired"),
	HW("branch-misses", NULL, BRANCH_MISSES, "branches predicted wrongly"),
	HW("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "cycles without a new instruction to issue"),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
	   "cycles in which instructions waited for data or units"),
	HW("ref-cycles", NULL, REF_CPU_CYCLES, "CPU cycles at a constant speed"),
	SW("cpu-clock", NULL, CPU_CLOCK, USER, "time on a CPU, ns, by the CPU's timer"),
	SW("task-clock", NULL, TASK_CLOCK, USER, "time on a CPU, ns, by the task's clock"),
	SW("page-faults", "faults", PAGE_FAULTS, USER, "page faults"),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN, USER, "page faults without input or output"),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ, USER, "page faults that had to read"),
	SW("context-switches", "cs", CONTEXT_SWITCHES, BOTH, "context switches"),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS, BOTH, "moves to another CPU"),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS, USER,
	   "unaligned accesses done by the kernel"),
	SW("emulation-faults", NULL, EMULATION_FAULTS, USER, "instructions done by the kernel"),
};

static const char *const caches[][2] = {
	[PERF_COUNT_HW_CACHE_L1D] = { "L1-dcache", "first level data cache" },
	[PERF_COUNT_HW_CACHE_L1I] = { "L1-icache", "first level instruction cache" },
	[PERF_COUNT_HW_CACHE_LL] = { "LLC", "last level cache" },
	[PERF_COUNT_HW_CACHE_DTLB] = { "dTLB", "data TLB" },
	[PERF_COUNT_HW_CACHE_ITLB] = { "iTLB", "instruction TLB" },
	[PERF_COUNT_HW_CACHE_BPU] = { "branch", "branch predictor" },
	[PERF_COUNT_HW_CACHE_NODE] = { "node", "memory of this node" },
};

static const char *const ops[][2] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "loads", "load" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "stores", "store" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetches", "prefetch" },
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct cache_name {
	char name[48];
	char what[64];
	uint64_t config;
};

/* The i-th of all cache events; false behind the last. */
static bool cache_name(size_t i, struct cache_name *out)
{
	size_t result = i % 2, op = i / 2 % ARRAY_SIZE(ops), cache = i / 2 / ARRAY_SIZE(ops);

	if (cache >= ARRAY_SIZE(caches))
		return false;
	snprintf(out->name, sizeof(out->name), "%s-%s%s", caches[cache][0], ops[op][result],
		 result ? "-misses" : "");
	snprintf(out->what, sizeof(out->what), "%s of the %s%s", ops[op][0], caches[cache][1],
		 result ? " that missed" : "");
	out->config = cache | op << 8 | result << 16;
	return true;
}

bool event_generic(const char *name, struct event *out)
{
	struct cache_name cache;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(name, names[i].name) &&
		    (!names[i].alias || strcasecmp(name, names[i].alias)))
			continue;
		out->type = names[i].type;
		out->config = names[i].config;
		out->modes = names[i].modes;
		return true;
	}
	for (i = 0; cache_name(i, &cache); i++) {
		if (strcasecmp(name, cache.name))
			continue;
		out->type = PERF_TYPE_HW_CACHE;
		out->config = cache.config;
		out->modes = USER;
		return true;
	}
	return false;
}

int event_generic_each(event_fn *fn, void *arg)
{
	struct cache_name cache;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		err = fn(names[i].name, names[i].what, arg);
		if (err)
			return err;
	}
	for (i = 0; cache_name(i, &cache); i++) {
		err = fn(cache.name, cache.what, arg);
		if (err)
			return err;
	}
	return 0;
}
