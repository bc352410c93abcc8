/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_SET_H
#define HWCFG_SET_H

#include <threadprof.h>

#include "event.h"

/* Words of a command line to counters (room for THREADPROF_MAX_COUNTERS). */
int set_parse(char **names, int count, struct threadprof_counter *out, unsigned int *n,
	      char error[EVENT_ERROR]);

/* Sets the list; tells a refusal and returns its exit code, else 0. */
int set_apply(struct threadprof *tp, const struct threadprof_counter *counters,
	      unsigned int count, uint32_t flags);

#endif
