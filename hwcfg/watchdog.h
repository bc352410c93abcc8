/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_WATCHDOG_H
#define HWCFG_WATCHDOG_H

#include <stdbool.h>

#include <threadprof.h>

/* The kernel's symbols; tests put a file of their own here. */
extern const char *watchdog_symbols;

/* Does the NMI watchdog hold a hardware counter on each CPU? */
bool watchdog_holds_counter(const struct threadprof_status *status);

#endif
