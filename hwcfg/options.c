// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>

#include "command.h"
#include "say.h"

int command_options(int argc, char **argv, const char *usage, bool *json,
		    const char **direct)
{
	static const struct option options[] = {
		{ "direct", required_argument, NULL, 'd' },
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
		else if (c == 'd' && direct)
			*direct = optarg;
		else
			return say_usage(argv[0], "unknown option '%s'", argv[optind - 1]);
	}
	return -1;
}
