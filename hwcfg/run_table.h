/* SPDX-License-Identifier: GPL-2.0-only */
/* The table that `hwcfg run` prints in the end. */
#ifndef HWCFG_RUN_TABLE_H
#define HWCFG_RUN_TABLE_H

#include <stdio.h>

#include "run_thread.h"

struct run_result {
	const char *command;
	int status;		/* exit code of hwcfg for it */
	uint64_t elapsed_ns;	/* wall clock */
	uint64_t cycle_hz;
	uint64_t mask;		/* slots that were asked for */
	struct threadprof_configuration config;
	struct run_threads threads;
};

/* Sorts the rows and prints them; 0 or a negative errno. */
int run_table_print(FILE *out, struct run_result *result);
int run_table_json(FILE *out, struct run_result *result);

/* Sentences about what the numbers do not show. */
void run_table_notes(FILE *err, const struct run_result *result);

#endif
