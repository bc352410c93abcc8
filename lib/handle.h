/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_HANDLE_H
#define THREADPROF_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/threadprof.h>

#include "profile.h"

struct process;

/* A thread's profile as the Windows calls know it; used by that thread alone. */
struct handle {
	uintptr_t value;	/* what callers hold: never an address */
	uint64_t mark;		/* process that it is good in */
	pid_t tid;
	uint32_t flags;		/* of EnableThreadProfiling */
	uint64_t mask;
	uint64_t id;		/* PROFILE_ID */
	union prepared update;	/* what each Read asks for */
	const struct threadprof_page *page;
	size_t mapped;
	uint64_t cycles;	/* highest CycleTime given */
	uint64_t seen_switches;			/* of the last Read */
	uint64_t seen[THREADPROF_WAIT_REASONS];	/* counts, likewise */
	bool attached;		/* to its thread, and in the process' table */
	struct handle *next;	/* in the process' bucket, under its lock */
	struct handle **link;
};

/* With a value that this process never had, or NULL. */
struct handle *threadprof_handle_new(struct process *process);

/*
 * Makes it the calling thread's; the thread's exit drops it. 0 or a negative errno.
 * fd, the profile's descriptor, is taken over on success alone.
 */
int threadprof_handle_attach(struct process *process, struct handle *handle, int fd);

/*
 * The calling thread's handle if it has this value. -EACCES: a live handle of
 * another thread; -EBADF: none of this process. Async-signal-safe.
 */
int threadprof_handle_find(struct process *process, uintptr_t value, struct handle **out);

/* Unmaps the page and forgets the handle. */
void threadprof_handle_drop(struct handle *handle);

/*
 * Called when the kernel knows no such profile: drops the handle in its own
 * thread; a vfork child, which sees its parent's, leaves it alone.
 */
void threadprof_handle_gone(struct handle *handle);

#endif
