/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_SET_H
#define HWCFG_SET_H

#include <threadprof.h>

#include "event.h"

/* Words of a command line to counters (room for THREADPROF_MAX_COUNTERS). */
int set_parse(char **names, int count, struct threadprof_counter *out, unsigned int *n,
	      char error[EVENT_ERROR]);

#endif
