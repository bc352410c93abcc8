// SPDX-License-Identifier: GPL-2.0-only
/* Many threads enable and disable while one closes the library's descriptor under them. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "area.h"
#include "unit.h"

#define THREADS		4
#define ROUNDS		400

static _Atomic unsigned int failed;
static _Atomic int stop;

static void expect(DWORD code)
{
	if (!code)
		return;
	failed++;
	fprintf(stderr, "%u: %s\n", code, threadprof_last_message());
}

static void *user(void *arg)
{
	PERFORMANCE_DATA data = fresh_data();
	HANDLE handle = NULL;
	int i, k;

	for (i = 0; i < ROUNDS; i++) {
		expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 1, &handle));
		for (k = 0; k < 3; k++)
			expect(ReadThreadProfilingData(handle, READ_BOTH, &data));
		expect(DisableThreadProfiling(handle));
	}
	return arg;
}

static void *comes_and_goes(void *arg)
{
	HANDLE handle = NULL;

	expect(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 1, &handle));
	return arg;
}

static void *makes_threads(void *arg)
{
	pthread_t thread;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (!pthread_create(&thread, NULL, comes_and_goes, NULL))
			pthread_join(thread, NULL);
	return arg;
}

/* Closes what is the library's, and opens its own there. */
static void *closes(void *arg)
{
	int fd, file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i;

	for (i = 0; !stop; i++) {
		fd = fake_take_number(i % 2 ? -1 : file);
		usleep(2000);
		if (fd >= 0 && !(i % 2))
			syscall(SYS_close, fd);	/* as in fake_take_number() */
	}
	close(file);
	return arg;
}

/* Whatever is closed when: each call does what it is asked for. */
static void at_any_time(void **state)
{
	pthread_t thread[THREADS + 1], closer;
	unsigned int i;

	(void)state;
	failed = stop = 0;
	pthread_create(&closer, NULL, closes, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, user, NULL);
	pthread_create(&thread[THREADS], NULL, makes_threads, NULL);
	for (i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	stop = 1;
	pthread_join(closer, NULL);
	printf("%u profiles, %u of them by a descriptor\n", fake.enabled, fake.enabled_here);
	assert_int_equal(failed, 0);
	/* One may have been shown in a page that was not its thread's, and was ended. */
	assert_true(fake.enabled >= (THREADS + 1) * ROUNDS);
	assert_int_equal(fake_count(), 0);
	user(NULL);
	assert_int_equal(failed, 0);
	assert_int_equal(fake_mapped(), AREA_CHUNK);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { fake_test(at_any_time) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
