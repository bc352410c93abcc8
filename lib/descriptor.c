// SPDX-License-Identifier: LGPL-2.1-or-later
/* A descriptor to read, see descriptor.h. */
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"
#include "handle.h"
#include "process.h"

/* Kept as fd + 1: a wiped page, in a fork's child, has none. */

void threadprof_descriptor_take(struct process *process, int fd)
{
	int none = 0;

	if (!atomic_compare_exchange_strong(&process->descriptor, &none, fd + 1))
		syscall(SYS_close, fd);
}

void threadprof_descriptor_drop(struct process *process)
{
	int kept = atomic_exchange(&process->descriptor, 0);

	if (kept)
		syscall(SYS_close, kept - 1);
}

/*
 * A program may have closed what it did not open, and the number may be another
 * file's now. Reading nothing does that no harm, and the page tells: the kernel
 * counts each update in its sequence word.
 */
bool threadprof_descriptor_update(struct process *process, const struct handle *handle)
{
	int kept = atomic_load_explicit(&process->descriptor, memory_order_relaxed);
	uint32_t before;

	if (!kept)
		return false;
	before = __atomic_load_n(&handle->page->seq, __ATOMIC_ACQUIRE);
	return syscall(SYS_read, kept - 1, NULL, 0) == 0 &&
	       __atomic_load_n(&handle->page->seq, __ATOMIC_ACQUIRE) != before;
}
