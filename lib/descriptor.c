// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A descriptor to ask for its position, see descriptor.h.
 *
 * A program may close what it did not open (closefrom() in a daemon), and the number
 * may be another file's then. Asking for a position does nothing to any file, and
 * no other file answers as a profile's does: so each use begins with the question,
 * and what is not ours is forgotten, not closed.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "connection.h"
#include "descriptor.h"
#include "handle.h"

/* fd + 1. Not in struct process: a fork's child has to know what it shall close. */
static _Atomic int kept;

/* ENOENT is the answer to a thread without a profile; no other file gives it. */
static bool is_ours(int64_t position)
{
	return position >= (int64_t)THREADPROF_POSITION || position == -ENOENT;
}

void threadprof_descriptor_take(int fd)
{
	int was = atomic_load(&kept);

	/* What was closed behind our back may have left its number to this one. */
	if (was && was - 1 != fd && is_ours(threadprof_transport->position(was - 1)))
		syscall(SYS_close, fd);
	else
		atomic_store(&kept, fd + 1);
}

void threadprof_descriptor_drop(void)
{
	int was = atomic_exchange(&kept, 0);

	if (was && is_ours(threadprof_transport->position(was - 1)))
		syscall(SYS_close, was - 1);
}

bool threadprof_descriptor_update(const struct handle *handle)
{
	int was = atomic_load_explicit(&kept, memory_order_relaxed);
	int64_t position;

	if (!was)
		return false;
	position = threadprof_transport->position(was - 1);
	if (position == (int64_t)(THREADPROF_POSITION + handle->id))
		return true;
	/* A vfork child shares this memory, but may have closed its own descriptors. */
	if (!is_ours(position) && handle->tid == syscall(SYS_gettid))
		atomic_compare_exchange_strong(&kept, &was, 0);
	return false;
}
