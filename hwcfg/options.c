// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <threadprof.h>

#include "command.h"
#include "say.h"

int command_options(int argc, char **argv, const char *usage, bool *json,
		    uint32_t *flags)
{
	static const struct option options[] = {
		{ "direct", optional_argument, NULL, 'd' },
		{ "exclusive", no_argument, NULL, 'x' },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ }
	};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "hj", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return EXIT_OK;
		}
		if (c == 'j' && json)
			*json = true;
		else if (c == 'd' && flags && !optarg)
			*flags |= THREADPROF_CONFIG_DIRECT;
		else if (c == 'd' && flags && !strcmp(optarg, "relaxed"))
			*flags |= THREADPROF_CONFIG_DIRECT_RELAXED;
		else if (c == 'd' && flags)
			return say_usage(argv[0], "--direct can only be =relaxed");
		else if (c == 'x' && flags)
			*flags |= THREADPROF_CONFIG_EXCLUSIVE;
		else
			return say_usage(argv[0], "unknown option '%s'", argv[optind - 1]);
	}
	return -1;
}
