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
 *
 * A program may close what it did not open, and our socket's number may be another
 * file's then: what comes out of a place is used only if it is still that socket.
 */
#include <errno.h>
#include <stdbool.h>

#include "pool.h"
#include "process.h"

/*
 * For want of a place. What a signal handler gives up may hold memory of malloc()'s:
 * the next call outside of one frees it. Taken from the stack only all at once, so
 * that no entry comes back while another thread looks at it.
 */
static void discard(struct process *process, struct threadprof *tp)
{
	if (!tp->request) {
		threadprof_close(tp);
		return;
	}
	if (tp->fd >= 0)
		threadprof_transport->close(tp->fd);
	tp->fd = -1;
	if (!process)
		return;
	tp->next = atomic_load(&process->parked);
	while (!atomic_compare_exchange_weak(&process->parked, &tp->next, tp))
		;
}

static void free_parked(struct process *process)
{
	struct threadprof *tp, *next;

	for (tp = atomic_exchange(&process->parked, NULL); tp; tp = next) {
		next = tp->next;
		threadprof_close(tp);
	}
}

int threadprof_pool_take_bare(struct threadprof **out)
{
	struct process *process = threadprof_process();
	struct threadprof *tp;
	int i, err;

	*out = NULL;
	if (!process)
		return -ENOMEM;
	for (i = 0; i < PROCESS_IDLE; i++) {
		if (!atomic_load_explicit(&process->idle[i], memory_order_relaxed))
			continue;
		tp = atomic_exchange(&process->idle[i], NULL);
		if (tp && threadprof_is_intact(tp)) {
			*out = tp;
			return 0;
		}
		if (tp) {
			tp->fd = -1;	/* somebody else's now */
			discard(process, tp);
		}
	}
	err = threadprof_connect(out);
	if (*out)
		(*out)->mark = atomic_load(&process->mark);
	return err;
}

int threadprof_pool_take(struct threadprof **out)
{
	int err = threadprof_pool_take_bare(out);
	struct process *process = threadprof_process();

	if (process && atomic_load_explicit(&process->parked, memory_order_relaxed))
		free_parked(process);
	return err ?: threadprof_provide(*out);
}

static bool put(struct process *process, struct threadprof *tp)
{
	struct threadprof *none;
	int i;

	/* A fork in a signal handler may have changed the process meanwhile. */
	if (tp->fd < 0 || !process || tp->mark != atomic_load(&process->mark))
		return false;
	for (i = 0; i < PROCESS_IDLE; i++) {
		none = NULL;
		if (!atomic_load_explicit(&process->idle[i], memory_order_relaxed) &&
		    atomic_compare_exchange_strong(&process->idle[i], &none, tp))
			return true;
	}
	return false;
}

void threadprof_pool_put(struct threadprof *tp)
{
	if (tp && !put(threadprof_process(), tp))
		threadprof_close(tp);
}

void threadprof_pool_put_bare(struct threadprof *tp)
{
	struct process *process = threadprof_process();

	if (tp && !put(process, tp))
		discard(process, tp);
}
