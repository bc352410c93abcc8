// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why a thread was switched out, as a KWAIT_REASON. Windows says which reasons
 * there are (PERFORMANCE_DATA.WaitReasonBitMap); which of them a Linux switch
 * is, is our choice, and this file is its one place.
 */
#include <linux/compat.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/threadprof.h>
#include <linux/unistd.h>
#include <asm/syscall.h>

#include "wait.h"

#define NO_SYSCALL_NR	(-1)
#define NOT_SPECIAL	(-1)

/* What is known of a thread at the moment it is switched out. */
struct wait_facts {
	bool voluntary;		/* not runnable, as the kernel counts it */
	bool next_is_higher;	/* what runs next has a higher priority */
	bool in_iowait;
	unsigned int state;	/* task state bits */
	int syscall;		/* number, or -1 outside a system call */
};

/* System calls that wait for something of their own kind. */
static int reason_of_syscall(int nr)
{
	switch (nr) {
	case __NR_nanosleep:
	case __NR_clock_nanosleep:
		return THREADPROF_WAIT_DELAY_EXECUTION;
	case __NR_futex:
#ifdef __NR_futex_waitv
	case __NR_futex_waitv:
#endif
#ifdef __NR_futex_wait
	case __NR_futex_wait:
#endif
		return THREADPROF_WAIT_WR_ALERT_BY_THREAD_ID;
#ifdef __NR_epoll_wait
	case __NR_epoll_wait:
#endif
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
	case __NR_io_getevents:
	case __NR_io_pgetevents:
		return THREADPROF_WAIT_WR_QUEUE;
	case __NR_io_uring_enter:
		return THREADPROF_WAIT_WR_IO_RING;
#ifdef __NR_poll
	case __NR_poll:
#endif
#ifdef __NR_select
	case __NR_select:
#endif
#ifdef __NR_pause
	case __NR_pause:
#endif
	case __NR_ppoll:
	case __NR_pselect6:
	case __NR_wait4:
	case __NR_waitid:
	case __NR_rt_sigsuspend:
	case __NR_rt_sigtimedwait:
		return THREADPROF_WAIT_USER_REQUEST;
	default:
		return NOT_SPECIAL;
	}
}

static bool changes_mappings(int nr)
{
	switch (nr) {
	case __NR_mmap:
	case __NR_munmap:
	case __NR_mremap:
	case __NR_mprotect:
	case __NR_madvise:
	case __NR_mlock:
	case __NR_munlock:
	case __NR_brk:
		return true;
	default:
		return false;
	}
}

static unsigned int reason_runnable(const struct wait_facts *facts)
{
	if (facts->syscall == __NR_sched_yield)
		return THREADPROF_WAIT_WR_YIELD_EXECUTION;
	if (facts->next_is_higher)
		return THREADPROF_WAIT_WR_PREEMPTED;
	return THREADPROF_WAIT_WR_QUANTUM_END;
}

static unsigned int reason_of(const struct wait_facts *facts)
{
	int reason;

	if (!facts->voluntary)
		return reason_runnable(facts);
	if (facts->state & (__TASK_STOPPED | __TASK_TRACED | TASK_FROZEN))
		return THREADPROF_WAIT_SUSPENDED;
	if (facts->syscall == NO_SYSCALL_NR)
		return THREADPROF_WAIT_WR_PAGE_IN;
	if (changes_mappings(facts->syscall))
		return THREADPROF_WAIT_WR_VIRTUAL_MEMORY;
	/* Uninterruptible is no wait of the call's own kind: a lock or the disk. */
	if (facts->state & TASK_UNINTERRUPTIBLE)
		return facts->in_iowait ? THREADPROF_WAIT_EXECUTIVE :
					  THREADPROF_WAIT_WR_RESOURCE;
	reason = reason_of_syscall(facts->syscall);
	return reason == NOT_SPECIAL ? THREADPROF_WAIT_EXECUTIVE : reason;
}

/*
 * A 32-bit program on a 64-bit kernel has other call numbers; its calls count as
 * none of the table's (Executive or WrResource). A waker may have replaced the
 * state already (TASK_WAKING): the call alone decides then.
 */
unsigned int tprof_wait_reason_current(bool voluntary,
				       const struct task_struct *next)
{
	struct wait_facts facts = {
		.voluntary = voluntary,
		.next_is_higher = next->prio < current->prio,
		.in_iowait = current->in_iowait,
		.state = READ_ONCE(current->__state),
		.syscall = syscall_get_nr(current, current_pt_regs()),
	};

	if (facts.syscall < 0)
		facts.syscall = NO_SYSCALL_NR;
	else if (in_compat_syscall())
		facts.syscall = NR_syscalls;
	return reason_of(&facts);
}
