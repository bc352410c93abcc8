// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop.h"
#include "storm.h"
#include "tap.h"

struct raw storm_raw;
static unsigned int seed;

unsigned int storm_random(unsigned int bound)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % bound;
}

int storm_main(int argc, char **argv, const struct storm *storms)
{
	static const uint64_t list[] = {
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK),
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	};

	seed = argc > 2 ? strtoul(argv[2], NULL, 0) : (unsigned int)now_ns();
	printf("# seed %u\n", seed);
	if (raw_open(&storm_raw) || raw_config_set(&storm_raw, list, 2, 0, 0))
		tap_die("family: %s", storm_raw.message);
	while (storms->name && (argc < 2 || strcmp(argv[1], storms->name)))
		storms++;
	if (!storms->name)
		tap_die("no storm of the name %s", argc < 2 ? "" : argv[1]);
	storms->run();
	ok_num("the configuration can be cleared", 0,
	       raw_config_set(&storm_raw, NULL, 0, 0, 0));
	return tap_end();
}
