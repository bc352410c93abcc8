/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PROCESS_H
#define THREADPROF_PROCESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

struct threadprof;
struct handle;

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
	unsigned int handles;		/* in bucket, under lock */
	pthread_mutex_t lock;		/* of bucket */
	struct handle *bucket[PROCESS_BUCKETS];			/* handle.c */
};

/* This process', or NULL without memory. Async-signal-safe. */
struct process *threadprof_process(void);

/* For tests: behave as on a kernel that can't wipe pages. */
extern _Atomic int threadprof_process_no_wipe;

#endif
