// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Handles of the Windows calls. A value that a caller passes is compared, never
 * followed, so that any bits are safe. A thread's own handle is found in
 * thread-local memory without a lock; the process' table is asked only to tell
 * another thread's handle from one that is none.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"
#include "handle.h"
#include "process.h"

/* Values this near to 0 and to its other side are pseudo handles and error codes. */
#define UNUSABLE	65536

/* initial-exec: its first use in a thread must not allocate, in a signal handler. */
static _Thread_local struct handle *own __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static int exit_key_error;

/* Goes on across a fork, so that a child's values differ from its parent's. */
static _Atomic uintptr_t counter;

/* One to one, so that no value comes twice; and without a pattern to guess. */
static uintptr_t mix(uintptr_t x)
{
	const int half = sizeof(x) * 4;

	x ^= x >> half;
	x *= (uintptr_t)0xd6e8feb86659fd93;
	x ^= x >> half;
	x *= (uintptr_t)0xd6e8feb86659fd93;
	x ^= x >> half;
	return x;
}

static uintptr_t new_value(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uintptr_t seed = 0, value;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	do
		value = mix(seed + atomic_fetch_add(&counter, 1));
	while (value < UNUSABLE || value > UINTPTR_MAX - UNUSABLE);
	return value;
}

/* A handler that reads must not wait for the lock that its own thread holds. */
static void lock_table(struct process *process, sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, old);
	pthread_mutex_lock(&process->lock);
}

static void unlock_table(struct process *process, const sigset_t *old)
{
	pthread_mutex_unlock(&process->lock);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

static struct handle **bucket(struct process *process, uintptr_t value)
{
	return &process->bucket[value % PROCESS_BUCKETS];
}

static void link_handle(struct process *process, struct handle *handle, int fd)
{
	struct handle **first = bucket(process, handle->value);
	sigset_t old;

	lock_table(process, &old);
	handle->next = *first;
	handle->link = first;
	if (handle->next)
		handle->next->link = &handle->next;
	*first = handle;
	process->handles++;
	/* Here, so that the end of the last other profile comes before or after both. */
	threadprof_descriptor_take(fd);
	unlock_table(process, &old);
}

static void unlink_handle(struct process *process, struct handle *handle)
{
	sigset_t old;

	lock_table(process, &old);
	*handle->link = handle->next;
	if (handle->next)
		handle->next->link = handle->link;
	/* It holds the module. */
	if (!--process->handles)
		threadprof_descriptor_drop();
	unlock_table(process, &old);
}

void threadprof_handle_drop(struct handle *handle)
{
	struct process *process = threadprof_process();

	/* First: a signal handler must not find it from now on. */
	if (own == handle) {
		own = NULL;
		pthread_setspecific(exit_key, NULL);
	}
	atomic_signal_fence(memory_order_seq_cst);

	/* In a fork's child, table and mapping are not there. */
	if (process && handle->mark == atomic_load(&process->mark)) {
		if (handle->attached)
			unlink_handle(process, handle);
		if (handle->page)
			munmap((void *)handle->page, handle->mapped);
	}
	free(handle);
}

void threadprof_handle_gone(struct handle *handle)
{
	if (handle->tid == syscall(SYS_gettid))
		threadprof_handle_drop(handle);
}

/* The kernel ends the profile of a thread that exits by itself. */
static void thread_exits(void *value)
{
	threadprof_handle_drop(value);
}

static void create_key(void)
{
	exit_key_error = pthread_key_create(&exit_key, thread_exits);
	/* Where this fails, children keep a descriptor until their exec. */
	pthread_atfork(NULL, NULL, threadprof_descriptor_drop);
}

struct handle *threadprof_handle_new(struct process *process)
{
	struct handle *handle = calloc(1, sizeof(*handle));

	if (!handle)
		return NULL;
	handle->value = new_value();
	handle->mark = atomic_load(&process->mark);
	handle->tid = syscall(SYS_gettid);
	return handle;
}

int threadprof_handle_attach(struct process *process, struct handle *handle, int fd)
{
	int err;

	pthread_once(&once, create_key);
	if (exit_key_error)
		return -exit_key_error;

	/* The kernel took a new profile, so whatever was here is over. */
	if (own && (own->mark != handle->mark || own->tid == handle->tid))
		threadprof_handle_drop(own);

	err = pthread_setspecific(exit_key, handle);
	if (err)
		return -err;
	link_handle(process, handle, fd);
	handle->attached = true;
	atomic_signal_fence(memory_order_seq_cst);
	own = handle;
	return 0;
}

int threadprof_handle_find(struct process *process, uintptr_t value, struct handle **out)
{
	uint64_t mark = atomic_load_explicit(&process->mark, memory_order_relaxed);
	struct handle *handle;
	sigset_t old;

	if (own && own->value == value && own->mark == mark) {
		*out = own;
		return 0;
	}

	lock_table(process, &old);
	for (handle = *bucket(process, value); handle; handle = handle->next)
		if (handle->value == value)
			break;
	unlock_table(process, &old);
	return handle ? -EACCES : -EBADF;
}
