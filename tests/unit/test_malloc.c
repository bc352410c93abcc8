// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Read in a signal handler may have interrupted malloc(): it must not come there
 * again, neither by this library nor by libnl, also where it opens a connection.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "connection.h"
#include "handle.h"
#include "pool.h"
#include "process.h"
#include "unit.h"

/* Those of glibc, which ours stand in front of in the whole program, libnl included. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

#define EXPORT	__attribute__((visibility("default")))

static _Thread_local unsigned int calls;
static _Thread_local unsigned int in_kernel;	/* the fake one may allocate */
static _Atomic int raise_in_malloc;

static void count(void)
{
	if (in_kernel)
		return;
	calls++;
	if (raise_in_malloc) {
		raise_in_malloc = 0;
		raise(SIGUSR1);
	}
}

EXPORT void *malloc(size_t size)
{
	count();
	return __libc_malloc(size);
}

EXPORT void *calloc(size_t number, size_t size)
{
	count();
	return __libc_calloc(number, size);
}

EXPORT void *realloc(void *old, size_t size)
{
	count();
	return __libc_realloc(old, size);
}

EXPORT void free(void *old)
{
	if (old)
		count();
	__libc_free(old);
}

static const struct transport *kernel;

static int open_socket(uint32_t *port)
{
	int fd;

	in_kernel++;
	fd = kernel->open(port);
	in_kernel--;
	return fd;
}

static ssize_t send_message(int fd, const void *data, size_t size)
{
	ssize_t n;

	in_kernel++;
	n = kernel->send(fd, data, size);
	in_kernel--;
	return n;
}

static ssize_t receive_message(int fd, void *data, size_t size)
{
	ssize_t n;

	in_kernel++;
	n = kernel->receive(fd, data, size);
	in_kernel--;
	return n;
}

static void close_socket(int fd)
{
	in_kernel++;
	kernel->close(fd);
	in_kernel--;
}

static int64_t position(int fd)
{
	int64_t at;

	in_kernel++;
	at = kernel->position(fd);
	in_kernel--;
	return at;
}

static int operate(int fd, uint64_t at)
{
	int err;

	in_kernel++;
	err = kernel->operate(fd, at);
	in_kernel--;
	return err;
}

static const struct transport counted = {
	.open = open_socket,
	.send = send_message,
	.receive = receive_message,
	.close = close_socket,
	.position = position,
	.operate = operate,
};

static int setup(void **state)
{
	setup_fake(state);
	fake.no_descriptor = true;	/* the way that needs most */
	kernel = threadprof_transport;
	threadprof_transport = &counted;
	return 0;
}

/* Takes what is idle away, so that the next call has to open a connection. */
static void empty_pool(void)
{
	int i;

	for (i = 0; i < PROCESS_IDLE; i++)
		threadprof_close(atomic_exchange(&threadprof_process()->idle[i], NULL));
}

static DWORD counted_read(HANDLE handle, unsigned int *counted_calls)
{
	PERFORMANCE_DATA data = fresh_data();
	unsigned int before = calls;
	DWORD code;

	code = ReadThreadProfilingData(handle, READ_BOTH, &data);
	*counted_calls = calls - before;
	return code;
}

static void read_without_malloc(void **state)
{
	unsigned int n, opened;
	struct threadprof *tp;
	BOOLEAN enabled;
	HANDLE handle;

	(void)state;
	empty_pool();
	calls = 0;
	assert_int_equal(threadprof_open(&tp), 0);
	assert_true(calls >= 2);	/* libnl's calls are seen here */
	threadprof_close(tp);
	handle = enable_or_fail(DISPATCH, 1);

	assert_int_equal(counted_read(handle, &n), 0);
	assert_int_equal(n, 0);

	opened = fake.opened;
	empty_pool();
	assert_int_equal(counted_read(handle, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(fake.opened, opened + 1);

	/* That connection is as good as any for the other calls. */
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &enabled), 0);
	assert_int_equal(enabled, TRUE);
	assert_int_equal(counted_read(handle, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(fake.opened, opened + 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* Nor when it is refused. */
static void refused_without_malloc(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	unsigned int n;

	(void)state;
	fake.refuse_command = THREADPROF_CMD_READ;
	fake.refuse_error = ENOMEM;
	fake.refuse_text = "short of something";
	assert_int_equal(counted_read(handle, &n), 8);
	assert_message("short of something");
	assert_int_equal(n, 0);
	fake.refuse_text = NULL;
	assert_int_equal(counted_read(handle, &n), 8);
	assert_int_equal(n, 0);
	fake.refuse_command = 0;
	assert_int_equal(counted_read((HANDLE)0x123456789, &n), 6);
	assert_int_equal(n, 0);
	empty_pool();
	fake.open_error = EMFILE;
	assert_int_equal(counted_read(handle, &n), 1450);
	assert_int_equal(n, 0);
	fake.open_error = 0;

	fake_end();
	assert_int_equal(counted_read(handle, &n), 6);
	assert_int_equal(n, 0);
	assert_int_equal(counted_read(handle, &n), 6);
	assert_int_equal(DisableThreadProfiling(handle), 6);
	assert_int_equal(atomic_load(&threadprof_own->value), 0);
}

/* What is done often: once this thread has a handle and a page. */
static void enable_again_without_malloc(void **state)
{
	HANDLE handle;
	int i;

	(void)state;
	fake.no_descriptor = false;
	handle = enable_or_fail(DISPATCH, 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	calls = 0;
	for (i = 0; i < 10; i++) {
		handle = enable_or_fail(DISPATCH, 1);
		assert_int_equal(DisableThreadProfiling(handle), 0);
	}
	assert_int_equal(calls, 0);
}

static struct threadprof *spare;

static void fill_a_place(struct threadprof_page *page)
{
	(void)page;
	threadprof_pool_put(spare);
}

/* The place that the connection came from is taken when it comes back. */
static void no_place_left(void **state)
{
	struct process *process = threadprof_process();
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	struct threadprof *taken[PROCESS_IDLE + 1], *tp;
	unsigned int closed, n;
	BOOLEAN enabled;
	int i;

	(void)state;
	for (i = 0; i <= PROCESS_IDLE; i++)
		assert_int_equal(threadprof_pool_take(&taken[i]), 0);
	for (i = 0; i < PROCESS_IDLE; i++)
		threadprof_pool_put(taken[i]);
	spare = taken[PROCESS_IDLE];
	closed = fake.closed;
	fake.on_read = fill_a_place;
	assert_int_equal(counted_read(handle, &n), 0);
	fake.on_read = NULL;
	assert_int_equal(n, 0);
	tp = process->parked;
	assert_non_null(tp);
	assert_true(tp->fd < 0 && tp->request && !tp->next);
	assert_int_equal(fake.closed, closed + 1);

	calls = 0;
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &enabled), 0);
	assert_null(process->parked);
	assert_true(calls > 0);
	assert_int_equal(fake.closed, closed + 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* Idle ones whose sockets the program closed are given up by a Read. */
static void closed_without_malloc(void **state)
{
	struct process *process = threadprof_process();
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	struct threadprof *tp, *other;
	unsigned int n;

	(void)state;
	empty_pool();
	assert_int_equal(threadprof_pool_take(&tp), 0);
	assert_int_equal(threadprof_pool_take(&other), 0);
	threadprof_pool_put(tp);
	threadprof_pool_put(other);
	close(tp->fd);
	close(other->fd);
	assert_int_equal(counted_read(handle, &n), 0);
	assert_int_equal(n, 0);
	assert_ptr_equal(process->parked, other);
	assert_ptr_equal(other->next, tp);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_null(process->parked);
}

static HANDLE signal_handle;
static unsigned int signal_calls;
static DWORD signal_code;

static void reads(int signal)
{
	(void)signal;
	signal_code = counted_read(signal_handle, &signal_calls);
}

static void read_inside_malloc(void **state)
{
	struct sigaction action = { .sa_handler = reads };
	struct threadprof *tp;

	(void)state;
	sigaction(SIGUSR1, &action, NULL);
	signal_handle = enable_or_fail(DISPATCH, 1);
	empty_pool();
	signal_code = signal_calls = ~0U;
	raise_in_malloc = 1;
	assert_int_equal(threadprof_open(&tp), 0);
	assert_int_equal(raise_in_malloc, 0);
	assert_int_equal(signal_code, 0);
	assert_int_equal(signal_calls, 0);
	threadprof_close(tp);
	signal(SIGUSR1, SIG_IGN);
	assert_int_equal(DisableThreadProfiling(signal_handle), 0);
}

#define malloc_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown_fake)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		malloc_test(read_without_malloc),
		malloc_test(refused_without_malloc),
		malloc_test(enable_again_without_malloc),
		malloc_test(no_place_left),
		malloc_test(closed_without_malloc),
		malloc_test(read_inside_malloc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
