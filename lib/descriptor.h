/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one descriptor of a profile that this process keeps open: reading it brings
 * the page of the thread that reads up to date, whichever profile it is of. It is
 * the cheapest way into the kernel, and the only one that a Read needs.
 */
#ifndef THREADPROF_DESCRIPTOR_H
#define THREADPROF_DESCRIPTOR_H

#include <stdbool.h>

struct handle;
struct process;

/* Takes fd over: keeps it for the process if that has none, else closes it. */
void threadprof_descriptor_take(struct process *process, int fd);

/* Closes it: no thread of the process is profiled any more. */
void threadprof_descriptor_drop(struct process *process);

/* False: it could not be done this way. Async-signal-safe. */
bool threadprof_descriptor_update(struct process *process, const struct handle *handle);

#endif
