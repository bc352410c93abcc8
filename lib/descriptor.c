// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A program may close what it did not open (closefrom() in a daemon), and the number
 * may be another file's then. Neither call here does anything to any other file, and
 * none but ours answers the question for its position as ours does: so what is to be
 * closed or mapped is asked first, and what is not ours is forgotten, not closed.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"
#include "handle.h"

/* Not in struct process: a fork's child has to know what it shall close. */
_Atomic int threadprof_descriptor = -1;

/* ENOENT is the answer to a thread without a profile; no other file gives it. */
static bool is_ours(int64_t position)
{
	return position >= (int64_t)THREADPROF_POSITION || position == -ENOENT;
}

bool threadprof_descriptor_close(int fd)
{
	if (fd < 0 || !is_ours(threadprof_transport->position(fd)))
		return false;
	syscall(SYS_close, fd);		/* close() is a cancellation point */
	return true;
}

void threadprof_descriptor_drop(void)
{
	threadprof_descriptor_close(atomic_exchange(&threadprof_descriptor, -1));
}

void threadprof_descriptor_keep(int fd)
{
	/* What was closed behind our back may have left its number to this one. */
	if (atomic_load(&threadprof_descriptor) != fd)
		threadprof_descriptor_drop();
	atomic_store(&threadprof_descriptor, fd);
}

int threadprof_descriptor_ours(void)
{
	int fd = atomic_load(&threadprof_descriptor);

	return fd >= 0 && is_ours(threadprof_transport->position(fd)) ? fd : -EBADF;
}

void threadprof_descriptor_failed(const struct handle *handle)
{
	int fd = atomic_load(&threadprof_descriptor);

	/* Another thread may have taken care of it. */
	if (fd < 0 || is_ours(threadprof_transport->position(fd)))
		return;
	/* A vfork child shares this memory, but may have closed its own descriptors. */
	if (handle->tid == syscall(SYS_gettid))
		atomic_compare_exchange_strong(&threadprof_descriptor, &fd, -1);
}

int threadprof_descriptor_operate(enum threadprof_op op, const struct seat *seat,
				  uint32_t flags, uint64_t mask)
{
	int fd = atomic_load_explicit(&threadprof_descriptor, memory_order_relaxed);

	return threadprof_transport->operate(fd, THREADPROF_AT(op, seat->page_number, flags,
							       mask));
}
