/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one descriptor of a profile that this process keeps open while a thread of it
 * is profiled. Asking for its position brings the page of the thread that asks up to
 * date, whichever profile the descriptor is of: the cheapest way into the kernel,
 * and the only one that a Read needs.
 *
 * It holds the module. A child of fork() closes its copy at once; one of a bare clone
 * system call, which no library hears of, keeps it until its exec, its exit, or the
 * end of profiling of its own.
 */
#ifndef THREADPROF_DESCRIPTOR_H
#define THREADPROF_DESCRIPTOR_H

#include <stdbool.h>

struct handle;

/* Takes fd over: keeps it if none is kept, else closes it. Under the table's lock. */
void threadprof_descriptor_take(int fd);

/*
 * Closes it: no thread of the process is profiled any more. Under the table's lock,
 * or in a fork's child. Async-signal-safe.
 */
void threadprof_descriptor_drop(void);

/* False: it could not be done this way. Async-signal-safe. */
bool threadprof_descriptor_update(const struct handle *handle);

#endif
