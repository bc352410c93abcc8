// SPDX-License-Identifier: GPL-2.0-only
/* Many threads at once, other threads' handles, and signal handlers. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "handle.h"
#include "unit.h"

#define THREADS	16
#define ROUNDS	500
#define SIGNALS	1000

static _Atomic unsigned int wrong;
static _Atomic(HANDLE) handles[THREADS];
static pthread_barrier_t barrier;

/* Counts what is not as it should be, for the main thread to assert. */
static void expect(DWORD is, DWORD should)
{
	if (is == should)
		return;
	wrong++;
	fprintf(stderr, "%u instead of %u: %s\n", is, should, threadprof_last_message());
}

static void run(void *(*body)(void *), unsigned int count)
{
	pthread_t thread[64];
	unsigned int i;

	wrong = 0;
	pthread_barrier_init(&barrier, NULL, count);
	for (i = 0; i < count; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, body,
						(void *)(uintptr_t)i), 0);
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(wrong, 0);
}

static void *own_profile(void *arg)
{
	unsigned int number = (uintptr_t)arg, i;
	HANDLE handle = NULL, second;
	PERFORMANCE_DATA data;

	for (i = 0; i < ROUNDS; i++) {
		expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 1, &handle), 0);
		expect(EnableThreadProfiling(GetCurrentThread(), 0, 0, &second), 4206);
		fake_page()->switches = number * 1000 + i;
		data = fresh_data();
		expect(ReadThreadProfilingData(handle, READ_BOTH, &data), 0);
		if (data.ContextSwitchCount != number * 1000 + i)
			wrong++;
		expect(DisableThreadProfiling(handle), 0);
		expect(DisableThreadProfiling(handle), 6);
	}
	return NULL;
}

static void each_thread_its_own(void **state)
{
	(void)state;
	run(own_profile, THREADS);
	assert_int_equal(fake.enabled, THREADS * ROUNDS);
	/* Not a socket per thread, and all that are not idle are closed. */
	assert_true(fake.opened - fake.closed <= PROCESS_IDLE);
}

static void *others_handles(void *arg)
{
	unsigned int number = (uintptr_t)arg, i;
	uint64_t seed = (number + 1) * 0x2545f4914f6cdd1dULL;
	PERFORMANCE_DATA data = fresh_data(), copy = data;
	HANDLE handle = NULL, other;

	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	handles[number] = handle;
	pthread_barrier_wait(&barrier);
	for (i = 0; i < ROUNDS; i++) {
		other = handles[(number + 1 + i % (THREADS - 1)) % THREADS];
		expect(ReadThreadProfilingData(other, READ_DISPATCH, &data), 5);
		expect(DisableThreadProfiling(other), 5);
		other = (HANDLE)(uintptr_t)unit_random(&seed);
		expect(ReadThreadProfilingData(other, READ_DISPATCH, &data), 6);
		expect(DisableThreadProfiling(other), 6);
		expect(DisableThreadProfiling(NULL), 6);
		expect(DisableThreadProfiling((HANDLE)-1), 6);
		expect(DisableThreadProfiling(GetCurrentThread()), 6);
		expect(DisableThreadProfiling((HANDLE)&data), 6);
	}
	if (memcmp(&data, &copy, sizeof(data)))
		wrong++;
	pthread_barrier_wait(&barrier);
	expect(DisableThreadProfiling(handle), 0);
	pthread_barrier_wait(&barrier);
	/* Now they are all stale. */
	for (i = 0; i < THREADS; i++) {
		expect(ReadThreadProfilingData(handles[i], READ_DISPATCH, &data), 6);
		expect(DisableThreadProfiling(handles[i]), 6);
	}
	return NULL;
}

static void D2_other_threads_handles(void **state)
{
	(void)state;
	run(others_handles, THREADS);
	assert_int_equal(fake.disabled, THREADS);
}

static void *exits_without_disable(void *arg)
{
	unsigned int number = (uintptr_t)arg;
	HANDLE handle = NULL;

	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	handles[number] = handle;
	fake_end();	/* as the kernel does when the thread exits */
	return NULL;
}

static void E7_exit_without_disable(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	unsigned int i, round;
	struct handle *h;

	(void)state;
	for (round = 0; round < 20; round++) {
		run(exits_without_disable, THREADS);
		for (i = 0; i < THREADS; i++) {
			assert_int_equal(DisableThreadProfiling(handles[i]), 6);
			assert_int_equal(ReadThreadProfilingData(handles[i], READ_DISPATCH,
								 &data), 6);
		}
	}
	for (i = 0; i < PROCESS_BUCKETS; i++)
		for (h = threadprof_process()->bucket[i]; h; h = h->next)
			assert_ptr_equal(h, threadprof_own);
}

static HANDLE signal_handle;
static _Atomic unsigned int signals;

static void reads(int signal)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };

	(void)signal;
	expect(ReadThreadProfilingData(signal_handle, READ_DISPATCH, &data), 0);
	expect(ReadThreadProfilingData((HANDLE)0x123456789, READ_DISPATCH, &data), 6);
	signals++;
}

static void *sends_signals(void *arg)
{
	pthread_t target = *(pthread_t *)arg;

	while (signals < SIGNALS) {
		pthread_kill(target, SIGUSR1);
		sched_yield();
	}
	return NULL;
}

/* Handlers that read in the middle of Read, and of looking for a foreign handle. */
static void read_in_a_signal_handler(void **state)
{
	struct sigaction action = { .sa_handler = reads, .sa_flags = SA_RESTART };
	PERFORMANCE_DATA data = fresh_data();
	pthread_t self = pthread_self(), sender;
	uint64_t switches = 0;

	(void)state;
	wrong = signals = 0;
	signal_handle = enable_or_fail(DISPATCH, 0);
	assert_int_equal(ReadThreadProfilingData(signal_handle, READ_DISPATCH, &data), 0);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&sender, NULL, sends_signals, &self);
	while (signals < SIGNALS) {
		fake_page()->switches = ++switches;
		data.ContextSwitchCount = 0;
		expect(ReadThreadProfilingData(signal_handle, READ_DISPATCH, &data), 0);
		if (data.ContextSwitchCount != (DWORD)switches)
			wrong++;
	}
	pthread_join(sender, NULL);
	signal(SIGUSR1, SIG_IGN);
	assert_int_equal(wrong, 0);
	assert_int_equal(DisableThreadProfiling(signal_handle), 0);
}

static _Atomic int raise_in_lock;

/* The linker puts this in the place of the library's and the test's calls. */
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int err = __real_pthread_mutex_lock(mutex);

	if (raise_in_lock && mutex == &threadprof_process()->lock) {
		raise_in_lock = 0;
		raise(SIGUSR1);
	}
	return err;
}

static void looks_up(int signal)
{
	(void)signal;
	expect(DisableThreadProfiling((HANDLE)0x123456789), 6);
	signals++;
}

/* The handle goes out of the table when its thread exits. */
static void *exits_under_the_lock(void *arg)
{
	HANDLE handle = NULL;

	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	expect(DisableThreadProfiling(handle), 0);
	raise_in_lock = 1;
	return arg;
}

/* Takes it because nothing of this thread's is there yet. */
static void *begins_under_the_lock(void *arg)
{
	HANDLE handle = NULL;

	raise_in_lock = 1;
	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	expect(DisableThreadProfiling(handle), 0);
	return arg;
}

/* A signal comes just when the process' lock was taken, by each call that does. */
static void signal_under_the_lock(void **state)
{
	struct sigaction action = { .sa_handler = looks_up, .sa_flags = SA_RESTART };

	(void)state;
	alarm(20);	/* the handler would wait for its own thread */
	signals = 0;
	sigaction(SIGUSR1, &action, NULL);
	threadprof_process();
	run(begins_under_the_lock, 1);
	assert_int_equal(signals, 1);
	raise_in_lock = 1;
	assert_int_equal(DisableThreadProfiling((HANDLE)0x987654321), 6);
	assert_int_equal(signals, 2);
	run(exits_under_the_lock, 1);
	assert_int_equal(signals, 3);
	signal(SIGUSR1, SIG_IGN);
	alarm(0);
	assert_int_equal(wrong, 0);
}

/* ASan does not see a cancelled function's variables go. */
__attribute__((no_sanitize_address))
static void *cancelled(void *arg)
{
	HANDLE handle = NULL;
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };

	(void)arg;
	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	pthread_cancel(pthread_self());
	/* A pending cancellation takes effect in none of the calls ... */
	expect(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	expect(DisableThreadProfiling(handle), 0);
	handles[0] = handle;
	pthread_testcancel();	/* ... but here */
	wrong++;
	return NULL;
}

static void cancellation(void **state)
{
	(void)state;
	handles[0] = NULL;
	run(cancelled, 1);
	assert_non_null(handles[0]);
}

static void *many(void *arg)
{
	HANDLE handle = NULL;
	PERFORMANCE_DATA data = fresh_data();

	(void)arg;
	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle), 0);
	pthread_barrier_wait(&barrier);
	expect(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	pthread_barrier_wait(&barrier);
	expect(DisableThreadProfiling(handle), 0);
	return NULL;
}

static void no_descriptor_per_thread(void **state)
{
	int before, after;

	(void)state;
	run(many, 1);
	before = dup(0);
	close(before);
	run(many, 64);
	after = dup(0);
	close(after);
	assert_true(after - before < PROCESS_IDLE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(each_thread_its_own),
		fake_test(D2_other_threads_handles),
		fake_test(E7_exit_without_disable),
		fake_test(read_in_a_signal_handler),
		fake_test(signal_under_the_lock),
		fake_test(cancellation),
		fake_test(no_descriptor_per_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
