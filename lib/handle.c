// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"
#include "error.h"
#include "handle.h"

/* Values this near to 0 and to its other side are pseudo handles and error codes. */
#define UNUSABLE	65536

#define BUCKET_BITS	8
#define COUNTER_BITS	(64 - BUCKET_BITS)
#define COUNTER_MASK	((1ULL << COUNTER_BITS) - 1)

_Static_assert(PROCESS_BUCKETS == 1 << BUCKET_BITS, "a bucket's number is in its values");
_Static_assert(sizeof(uintptr_t) == sizeof(uint64_t), "values have room for both parts");

_Thread_local struct handle *threadprof_own;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static int exit_key_error;
static uint64_t seed;

/* Goes on across a fork, so that a child's values differ from its parent's. */
static _Atomic uint64_t counter;

/* One to one, so that no value comes twice; and without a pattern to guess. */
static uint64_t mix(uint64_t x)
{
	const uint64_t odd = 0xd6e8feb86659fd93;
	const int half = COUNTER_BITS / 2;

	x &= COUNTER_MASK;
	x ^= x >> half;
	x = x * odd & COUNTER_MASK;
	x ^= x >> half;
	x = x * odd & COUNTER_MASK;
	x ^= x >> half;
	return x;
}

static uintptr_t new_value(const struct handle *handle)
{
	uintptr_t value;

	do
		value = mix(seed + atomic_fetch_add(&counter, 1)) << BUCKET_BITS |
			handle->bucket;
	while (value < UNUSABLE || value > UINTPTR_MAX - UNUSABLE);
	return value;
}

uintptr_t threadprof_handle_begin(struct handle *handle, uint32_t allowed)
{
	uintptr_t value = new_value(handle);

	/* A handler's Read does not get to see what is written until there is a value. */
	handle->id = PAGE_LOAD(handle->seat.page->profile_id);
	handle->position = THREADPROF_POSITION + handle->id;
	handle->allowed = allowed;
	handle->cycles = 0;
	threadprof_slice_reset(&handle->slice, handle->seat.page);
	threadprof_reasons_reset(&handle->reasons);
	threadprof_direct_reset(&handle->direct);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store(&handle->value, value);
	atomic_signal_fence(memory_order_seq_cst);
	if (!handle->process->pid)
		handle->live_mark = handle->mark;
	return value;
}

void threadprof_handle_end(struct handle *handle)
{
	handle->live_mark = HANDLE_NO_MARK;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store(&handle->value, 0);
	threadprof_area_leave(handle->process, &handle->seat);
}

static bool is_of_this_process(const struct handle *handle)
{
	struct process *process = threadprof_process();

	return process == handle->process && handle->mark == atomic_load(&process->mark);
}

static void link_handle(struct process *process, struct handle *handle)
{
	struct handle **first = &process->bucket[handle->bucket];
	sigset_t signals;

	threadprof_process_lock(process, &signals);
	handle->next = *first;
	handle->link = first;
	if (handle->next)
		handle->next->link = &handle->next;
	*first = handle;
	threadprof_process_unlock(process, &signals);
}

static void unlink_handle(struct process *process, struct handle *handle)
{
	sigset_t signals;

	threadprof_process_lock(process, &signals);
	*handle->link = handle->next;
	if (handle->next)
		handle->next->link = handle->link;
	if (handle->seat.page)
		threadprof_seat_give_up(&handle->seat);
	threadprof_process_unlock(process, &signals);
}

static void drop(struct handle *handle)
{
	/* First: a signal handler must not find it from now on. */
	threadprof_own = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	if (is_of_this_process(handle)) {
		if (threadprof_handle_is_live(handle)) {
			/* The kernel does so too, but the page shall be free by then. */
			threadprof_descriptor_operate(THREADPROF_OP_DISABLE, &handle->seat, 0, 0);
			threadprof_handle_end(handle);
		}
		unlink_handle(handle->process, handle);
	}
	free(handle);
}

static void thread_exits(void *handle)
{
	drop(handle);
}

static void prepare(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random)
		memcpy(&seed, random, sizeof(seed));
	exit_key_error = pthread_key_create(&exit_key, thread_exits);
	/* Where this fails, children keep a descriptor until their exec. */
	pthread_atfork(NULL, NULL, threadprof_descriptor_drop);
}

int threadprof_handle_make(struct process *process, struct handle **out)
{
	struct handle *handle = threadprof_own;
	int err;

	pthread_once(&once, prepare);
	if (exit_key_error)
		return -exit_key_error;
	if (handle && !is_of_this_process(handle)) {
		drop(handle);
		handle = NULL;
	}
	if (!handle) {
		handle = calloc(1, sizeof(*handle));
		if (!handle)
			return -ENOMEM;
		handle->live_mark = HANDLE_NO_MARK;
		handle->process = process;
		handle->mark = atomic_load(&process->mark);
		handle->tid = syscall(SYS_gettid);
		handle->bucket = mix(seed ^ atomic_fetch_add(&counter, 1));
		err = pthread_setspecific(exit_key, handle);
		if (err) {
			free(handle);
			return -err;
		}
		link_handle(process, handle);
		atomic_signal_fence(memory_order_seq_cst);
		threadprof_own = handle;
	}
	*out = handle;
	return 0;
}

static bool is_in_table(struct process *process, uintptr_t value)
{
	struct handle *handle;
	sigset_t signals;

	threadprof_process_lock(process, &signals);
	for (handle = process->bucket[value % PROCESS_BUCKETS]; handle; handle = handle->next)
		if (atomic_load(&handle->value) == value)
			break;
	threadprof_process_unlock(process, &signals);
	return handle;
}

DWORD threadprof_handle_find(uintptr_t value, struct handle **out)
{
	struct handle *own = threadprof_own;
	struct process *process;

	/* Between profiles a handle's value is 0. */
	if (value && own && atomic_load(&own->value) == value && is_of_this_process(own)) {
		*out = own;
		return ERROR_SUCCESS;
	}
	process = value ? threadprof_process() : NULL;
	if (process && is_in_table(process, value))
		return threadprof_error(-EACCES, "the handle is another thread's");
	return threadprof_error(-EBADF, "not a live handle of this process");
}
