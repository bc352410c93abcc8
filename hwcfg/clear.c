// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>

#include "command.h"
#include "connect.h"
#include "say.h"

static const char usage[] =
	"Usage: hwcfg clear\n\n"
	"Removes all counters from the configuration. Wants CAP_PERFMON.\n";

int command_clear(int argc, char **argv)
{
	struct threadprof *tp;
	int err;

	err = command_options(argc, argv, usage, NULL, NULL);
	if (err >= 0)
		return err;
	if (argv[optind])
		return say_usage("clear", "'%s' is not wanted", argv[optind]);
	err = connect_module(&tp);
	if (err)
		return err;
	err = threadprof_set_configuration(tp, NULL, 0, 0, NULL);
	if (err)
		err = connect_refused(tp, err);
	threadprof_close(tp);
	return err;
}
