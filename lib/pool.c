// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Connections for the Windows calls, which have none of their own. The kernel
 * goes by the thread that sends, so any connection will do for any thread. A few
 * idle ones are kept in places that are taken and filled by single atomic
 * exchanges: no lock that a signal handler or a fork could find held, and no
 * descriptor per thread.
 *
 * Places belong to the process: a fork's child finds them empty. The descriptors
 * that it inherited stay open there, PROCESS_IDLE of them at most, until its exec.
 */
#include <errno.h>

#include "pool.h"
#include "process.h"

int threadprof_pool_take_bare(struct threadprof **out)
{
	struct process *process = threadprof_process();
	int i, err;

	*out = NULL;
	if (!process)
		return -ENOMEM;
	for (i = 0; i < PROCESS_IDLE; i++) {
		if (!atomic_load_explicit(&process->idle[i], memory_order_relaxed))
			continue;
		*out = atomic_exchange(&process->idle[i], NULL);
		if (*out)
			return 0;
	}
	err = threadprof_connect(out);
	if (*out)
		(*out)->mark = atomic_load(&process->mark);
	return err;
}

int threadprof_pool_take(struct threadprof **out)
{
	int err = threadprof_pool_take_bare(out);

	return err ?: threadprof_provide(*out);
}

void threadprof_pool_put(struct threadprof *tp)
{
	struct process *process = threadprof_process();
	struct threadprof *none;
	int i;

	/* A fork in a signal handler may have changed the process meanwhile. */
	if (tp && tp->fd >= 0 && process && tp->mark == atomic_load(&process->mark)) {
		for (i = 0; i < PROCESS_IDLE; i++) {
			none = NULL;
			if (!atomic_load_explicit(&process->idle[i], memory_order_relaxed) &&
			    atomic_compare_exchange_strong(&process->idle[i], &none, tp))
				return;
		}
	}
	threadprof_close(tp);
}
