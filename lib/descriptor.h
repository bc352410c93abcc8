/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one descriptor that this process keeps open: of its area, see area.h. What the
 * kernel does by it, it does for the thread that asks.
 *
 * It holds the module. A child of fork() closes its copy at once; one of a bare clone
 * system call, which no library hears of, keeps it until its exec, its exit, or an
 * Enable of its own.
 */
#ifndef THREADPROF_DESCRIPTOR_H
#define THREADPROF_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <linux/threadprof.h>

#include "connection.h"
#include "handle.h"

/* Takes fd over in the place of what was kept. Under the process' lock. */
void threadprof_descriptor_keep(int fd);

/* Closes it. Under the process' lock, or in a fork's child. Async-signal-safe. */
void threadprof_descriptor_drop(void);

/* Closes fd if it is an area's: false: it is not, any more. */
bool threadprof_descriptor_close(int fd);

/* Its number if it is still ours, else -EBADF. */
int threadprof_descriptor_ours(void);

/* Its number, -1: none. */
extern _Atomic int threadprof_descriptor __attribute__((visibility("hidden")));

/* It did not answer as for this handle: forgets it, if it is ours no more. */
void threadprof_descriptor_failed(const struct handle *handle);

/*
 * Brings the page of the handle's profile up to date; false: it could not be done
 * this way. Async-signal-safe.
 */
static inline bool threadprof_descriptor_update(const struct handle *handle)
{
	int fd = atomic_load_explicit(&threadprof_descriptor, memory_order_relaxed);

	if (__builtin_expect(threadprof_transport->position(fd) == handle->position, true))
		return true;
	threadprof_descriptor_failed(handle);
	return false;
}

/*
 * pread() at THREADPROF_AT(): 0 or a negative errno. Where the program has closed
 * the descriptor, another file gives either, and 0 says nothing: look at the page. The
 * errno of the C library stays. Async-signal-safe.
 */
int threadprof_descriptor_operate(enum threadprof_op op, const struct seat *seat,
				  uint32_t flags, uint64_t mask);

#endif
