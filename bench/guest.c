// SPDX-License-Identifier: GPL-2.0-only
/* What runs in the guest. */
#include "parts.h"

const struct part parts[] = {
	{ .name = "bare", .run = part_bare },
	{ .name = "perf-read", .run = part_perf_read },
	{ .name = "perf-mmap", .run = part_perf_mmap },
	{ .name = "papi", .run = part_papi },
	{ .name = "papi-slow", .run = part_papi_slow },
	{ .name = "dispatch-peers", .run = part_dispatch_peers },
	{ .name = "taskstats", .run = part_taskstats },
	{ .name = "switch-unloaded", .run = part_switch_unloaded },
	{ .name = "enable-peers", .run = part_enable_peers },
	{ .name = "load" },
	{ .name = "switch-perf", .run = part_switch_perf },
	{ .name = "direct", .run = part_direct },
	{ .name = "entered", .run = part_entered, .no_direct = true },
	{ .name = "dispatch", .run = part_dispatch },
	{ .name = "dispatch-entered", .run = part_dispatch_entered, .no_direct = true },
	{ .name = "switch", .run = part_switch_ours, .no_direct = true },
	{ .name = "switch-direct", .run = part_switch_direct },
	{ .name = "doors", .run = part_doors },
	{ .name = "enable", .run = part_enable },
	{ .name = "enable-first", .run = part_enable_first },
	{ .name = "scale-plain", .run = part_scale_plain, .no_direct = true },
	{ .name = "scale", .run = part_scale, .no_direct = true },
	{ .name = "scale-direct", .run = part_scale_direct },
	{ .name = "memory", .run = part_memory, .no_direct = true },
};

const size_t part_count = sizeof(parts) / sizeof(parts[0]);
const char * const parts_limits = "/tests/bench/limits";
