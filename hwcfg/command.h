/* SPDX-License-Identifier: GPL-2.0-only */
/* The subcommands: one file each. argv[0] is the command's name. */
#ifndef HWCFG_COMMAND_H
#define HWCFG_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

int command_list(int argc, char **argv);
int command_set(int argc, char **argv);
int command_show(int argc, char **argv);
int command_clear(int argc, char **argv);
int command_status(int argc, char **argv);
int command_run(int argc, char **argv);

/*
 * The options of most commands: --help and, where there is a place for them, --json,
 * and those of a configuration (enum threadprof_config_flags). Returns -1 to go on (operands start at optind), else the exit code.
 */
int command_options(int argc, char **argv, const char *usage, bool *json,
		    uint32_t *flags);

#endif
