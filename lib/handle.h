/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's handle: its profile as the Windows calls know it. A thread makes one at its
 * first Enable and has it until it exits: each Enable gives it a new value, and
 * between profiles it has none. A value that a caller passes is compared, never
 * followed, so that any bits are safe.
 *
 * - All but `value` is for its own thread alone (and for what runs in its place: a
 *   signal handler's Read, a vfork child). Other threads look at `value` under the
 *   process' lock, which keeps the handle in its bucket and its memory there.
 * - It stays in one bucket: the low bits of all its values are the bucket's number.
 *   The others come from one counter, so that no value comes twice.
 * - While it has a value it is a user of its seat's area. Otherwise the seat, if there
 *   is one, may be in an area that is no more: threadprof_area_enter() tells.
 * - `mark` is that of the process that made it. In a fork's child it is another
 *   process' handle, which nothing but its memory is good of.
 */
#ifndef THREADPROF_HANDLE_H
#define THREADPROF_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "area.h"
#include "direct.h"
#include "process.h"
#include "reasons.h"
#include "slice.h"

/* No process' mark. */
#define HANDLE_NO_MARK	UINT64_MAX

struct handle {
	_Atomic uintptr_t value;	/* what callers hold: never an address; 0: none */
	/* As mark, if it has a value and a fork's child would see it by the process' mark. */
	uint64_t live_mark;
	struct process *process;
	uint64_t mark;
	struct seat seat;
	uint64_t id;			/* PROFILE_ID */
	int64_t position;		/* what lseek() says: for it, and only for it */
	uint64_t cycles;		/* highest CycleTime given */
	uint32_t allowed;		/* READ_THREAD_PROFILING_FLAG_ bits */
	struct direct direct;
	struct slice slice;
	struct reasons reasons;
	pid_t tid;
	uint8_t bucket;
	struct handle *next;		/* in the bucket, under the process' lock */
	struct handle **link;
};

/* initial-exec: its first use in a thread must not allocate, in a signal handler. */
extern _Thread_local struct handle *threadprof_own
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Is it the calling thread's with this value? True is the truth, false may be wrong. */
static inline bool threadprof_handle_is(const struct handle *handle, uintptr_t value)
{
	return atomic_load_explicit(&handle->value, memory_order_relaxed) == value &&
	       atomic_load_explicit(&handle->process->mark, memory_order_relaxed) ==
	       handle->live_mark;
}

static inline bool threadprof_handle_is_live(const struct handle *handle)
{
	return atomic_load_explicit(&handle->value, memory_order_relaxed) != 0;
}

/* *out: the calling thread's handle, which it now has. 0 or a negative errno. */
int threadprof_handle_make(struct process *process, struct handle **out);

/* Gives it a value, which this process never had, for the profile that its seat shows. */
uintptr_t threadprof_handle_begin(struct handle *handle, uint32_t allowed);

/* Takes the value away: its profile is over. */
void threadprof_handle_end(struct handle *handle);

/*
 * The calling thread's handle if it has this value, else a Windows error with its
 * reason in words. Async-signal-safe.
 */
DWORD threadprof_handle_find(uintptr_t value, struct handle **out);

#endif
