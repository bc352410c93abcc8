/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PROCESS_H
#define THREADPROF_PROCESS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct threadprof;
struct handle;
struct area;

#define PROCESS_IDLE	8
#define PROCESS_BUCKETS	256

/*
 * What belongs to this process alone, in a page that a fork's child finds wiped:
 * there it reads as a fresh one, also after a fork that no library hears of.
 * All zero is its valid first state.
 */
struct process {
	_Atomic uint64_t mark;		/* differs in each process that fork made */
	pid_t pid;			/* where the kernel can't wipe, else 0 */
	_Atomic(struct threadprof *) idle[PROCESS_IDLE];	/* pool.c */
	_Atomic(struct threadprof *) parked;			/* pool.c */
	pthread_mutex_t lock;		/* of all below */
	_Atomic(struct area *) area;	/* where threads enable; written under the lock */
	_Atomic int enabling;		/* threads that do so by the descriptor, enable.c */
	struct area *spare;					/* area.c */
	uint64_t areas;			/* that there have been */
	bool gave_back;			/* one of them, when its last profile ended */
	_Atomic uint16_t family;	/* netlink's number; an area holds the module */
	struct handle *bucket[PROCESS_BUCKETS];			/* handle.c */
};

/* This process', or NULL without memory. Async-signal-safe. */
struct process *threadprof_process(void);

/*
 * No handler runs while it is held: one that looks for a handle must not wait for the
 * lock that its own thread holds. *signals is for the unlock.
 */
void threadprof_process_lock(struct process *process, sigset_t *signals);
void threadprof_process_unlock(struct process *process, const sigset_t *signals);

/* For tests: behave as on a kernel that can't wipe pages. */
extern _Atomic int threadprof_process_no_wipe;

#endif
