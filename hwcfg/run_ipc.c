// SPDX-License-Identifier: GPL-2.0-only
/* Which slots are cycles and instructions, and do they fit together? */
#include <string.h>
#include <strings.h>

#include <linux/perf_event.h>

#include "run_ipc.h"

/* Is the name, without PMU and modifiers, one of these? */
static bool named(const char *name, const char *const *known)
{
	const char *begin = strstr(name, "::");
	const char *slash = strchr(name, '/');
	size_t length;

	begin = begin ? begin + 2 : slash ? slash + 1 : name;
	length = strcspn(begin, ":/");
	for (; *known; known++)
		if (strlen(*known) == length && !strncasecmp(begin, *known, length))
			return true;
	return false;
}

bool run_is_cycles(const struct event *event)
{
	static const char *const names[] = {
		"cycles", "cpu-cycles", "cpu_cycles", "unhalted_core_cycles",
		"cpu_clk_unhalted", NULL
	};

	if (event->type == PERF_TYPE_HARDWARE)
		return (uint32_t)event->config == PERF_COUNT_HW_CPU_CYCLES;
	return event->type >= PERF_TYPE_RAW && named(event->name, names);
}

bool run_is_instructions(const struct event *event)
{
	static const char *const names[] = {
		"instructions", "inst_retired", "instruction_retired", "instructions_retired", NULL
	};

	if (event->type == PERF_TYPE_HARDWARE)
		return (uint32_t)event->config == PERF_COUNT_HW_INSTRUCTIONS;
	return event->type >= PERF_TYPE_RAW && named(event->name, names);
}

bool run_ipc_slots(const struct threadprof_configuration *config, uint64_t mask,
			 unsigned int *cycles, unsigned int *instructions)
{
	struct event a, b;
	unsigned int i, k;

	for (i = 0; i < config->count; i++) {
		event_from_counter(&config->counter[i], &a);
		if (!(mask >> i & 1) || !run_is_cycles(&a))
			continue;
		for (k = 0; k < config->count; k++) {
			event_from_counter(&config->counter[k], &b);
			if (!(mask >> k & 1) || !run_is_instructions(&b) || a.modes != b.modes)
				continue;
			*cycles = i;
			*instructions = k;
			return true;
		}
	}
	return false;
}
