// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "say.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "show",   command_show,   "print the counters configured now" },
	{ "set",    command_set,    "configure the counters of this machine" },
	{ "clear",  command_clear,  "remove all counters" },
	{ "list",   command_list,   "list the events that can be counted here" },
	{ "status", command_status, "tell what the module and this machine can do" },
	{ "run",    command_run,    "run a command and print what its threads did" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *out)
{
	size_t i;

	fputs("Usage: hwcfg [COMMAND [OPTION]... [ARGUMENT]...]\n\n"
	      "Per-thread hardware counter profiling with the threadprof module.\n"
	      "Without COMMAND: show.\n\n", out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	fputs("\nhwcfg COMMAND --help tells more; hwcfg --version prints the version.\n", out);
}

int main(int argc, char **argv)
{
	char *show[] = { "show", NULL };
	size_t i;

	if (argc < 2)
		return command_show(1, show);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("hwcfg " HWCFG_VERSION);
		return EXIT_OK;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return say_usage("", "unknown command '%s'", argv[1]);
}
