// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "command.h"
#include "connect.h"
#include "event.h"
#include "say.h"
#include "set.h"
#include "show.h"
#include "watchdog.h"

static const char usage[] =
	"Usage: hwcfg set [--json] [--exclusive] [--direct[=relaxed]] EVENT[,EVENT]...\n\n"
	"Configures the counters of this machine, in place of those before. Wants\n"
	"CAP_PERFMON. An EVENT is\n\n"
	"  cycles, L1-dcache-load-misses, page-faults ...   a generic name\n"
	"  INST_RETIRED, skl::BR_INST_RETIRED:ALL_BRANCHES  a name of this CPU (libpfm4)\n"
	"  r1c2                                             its number, in hex\n"
	"  cpu/event=0x3c,umask=1/, cpu/config=0x13c,name=c/  terms of a PMU\n"
	"  armv8_pmuv3/cpu_cycles/                          an event of a PMU\n\n"
	"with :u (user), :k (kernel), :h (hypervisor) behind it, or a mix like :uk.\n"
	"User mode alone is the default. hwcfg list names the events.\n\n"
	"With --exclusive all other counters of each CPU are taken too, as long as this\n"
	"configuration is in force: no other user of perf finds one.\n\n"
	"With --direct programs of users without CAP_PERFMON may read registers without a\n"
	"system call on x86, too. With --direct=relaxed also where another user of perf can\n"
	"make registers move: a value may be wrong for a moment then.\n";

int set_parse(char **names, int count, struct threadprof_counter *out, unsigned int *n,
	      char error[EVENT_ERROR])
{
	struct event events[THREADPROF_MAX_COUNTERS];
	unsigned int i;
	int k;

	*n = 0;
	for (k = 0; k < count; k++)
		if (event_parse_list(names[k], events, n, error))
			return -1;
	for (i = 0; i < *n; i++)
		if (event_to_counter(&events[i], &out[i], error))
			return -1;
	return 0;
}

int set_apply(struct threadprof *tp, const struct threadprof_counter *counters,
	      unsigned int count, uint32_t flags)
{
	struct threadprof_status status;
	int err, code;

	err = threadprof_set_configuration(tp, counters, count, flags, NULL);
	if (!err)
		return 0;
	code = connect_refused(tp, err);
	/* The one holder of a counter that nobody thinks of. */
	if (err == -ENOSPC && !threadprof_get_status(tp, &status) && watchdog_holds_counter(&status))
		say("the NMI watchdog holds one counter on each CPU; kernel.nmi_watchdog=0 frees it");
	return code;
}

int command_set(int argc, char **argv)
{
	struct threadprof_counter counters[THREADPROF_MAX_COUNTERS];
	struct threadprof_configuration config;
	char error[EVENT_ERROR];
	struct threadprof *tp;
	unsigned int count;
	uint32_t flags = 0;
	bool json = false;
	int err, code;

	err = command_options(argc, argv, usage, &json, &flags);
	if (err >= 0)
		return err;
	if (!argv[optind])
		return say_usage("set", "which events?");
	if (set_parse(argv + optind, argc - optind, counters, &count, error)) {
		say("%s", error);
		return EXIT_REFUSED;
	}
	err = connect_module(&tp);
	if (err)
		return err;
	code = set_apply(tp, counters, count, flags);
	if (!code) {
		err = threadprof_get_configuration(tp, &config);
		code = err ? connect_refused(tp, err) : show_configuration(stdout, &config, json);
	}
	threadprof_close(tp);
	return code;
}
