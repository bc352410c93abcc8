/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_SHOW_H
#define HWCFG_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include <threadprof.h>

/* Prints a configuration as `hwcfg show` does; returns the exit code. */
int show_configuration(FILE *out, const struct threadprof_configuration *config, bool json);

#endif
