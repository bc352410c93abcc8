// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which process is this? Sockets, mappings and locks that a fork brought along
 * must not be used by the child. MADV_WIPEONFORK clears the page in the child's
 * memory; a vfork child shares it with its parent and is the same process here.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"

_Static_assert(sizeof(struct process) <= 4096, "struct process must fit into a page");

_Atomic int threadprof_process_no_wipe;

static _Atomic(struct process *) current;
/* Not wiped, so that a child's marks go on where its parent's ended. */
static _Atomic uint64_t last_mark;

static struct process *create(struct process *expected)
{
	struct process *process;

	process = mmap(NULL, sizeof(*process), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (process == MAP_FAILED)
		return NULL;
	if (threadprof_process_no_wipe ||
	    madvise(process, sizeof(*process), MADV_WIPEONFORK) < 0)
		process->pid = getpid();

	/* The loser of a race uses what the winner published. */
	if (!atomic_compare_exchange_strong(&current, &expected, process)) {
		munmap(process, sizeof(*process));
		return expected;
	}
	return process;
}

struct process *threadprof_process(void)
{
	struct process *process = atomic_load_explicit(&current, memory_order_acquire);
	uint64_t none = 0;

	if (!process || (process->pid && process->pid != getpid()))
		process = create(process);
	if (process && !atomic_load_explicit(&process->mark, memory_order_acquire))
		atomic_compare_exchange_strong(&process->mark, &none,
					       atomic_fetch_add(&last_mark, 1) + 1);
	return process;
}

void threadprof_process_lock(struct process *process, sigset_t *signals)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, signals);
	pthread_mutex_lock(&process->lock);
}

void threadprof_process_unlock(struct process *process, const sigset_t *signals)
{
	pthread_mutex_unlock(&process->lock);
	pthread_sigmask(SIG_SETMASK, signals, NULL);
}
