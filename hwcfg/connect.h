/* SPDX-License-Identifier: GPL-2.0-only */
/* The way to the module, and how its refusals are told. */
#ifndef HWCFG_CONNECT_H
#define HWCFG_CONNECT_H

#include <threadprof.h>

/* Opens the connection; else tells why and returns the exit code. */
int connect_module(struct threadprof **tp);

/* Tells the library's reason and returns the exit code. */
int connect_refused(const struct threadprof *tp, int err);

#endif
