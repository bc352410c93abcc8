// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that close what they did not open: the library's descriptors are gone,
 * their numbers may be other files', and these must not notice that it is there.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "area.h"
#include "unit.h"

#define TEXT		"0123456789"
#define AT		5
#define NUMBERS		16

static void count(struct threadprof_page *page)
{
	page->cycles_start = 1;	/* as it is in a thread that runs */
	page->slot[0].total += 10;
}

static int setup(void **state)
{
	setup_fake(state);
	fake.config.count = 1;
	fake.on_read = count;
	return 0;
}

static DWORD64 counter(HANDLE handle)
{
	PERFORMANCE_DATA data = fresh_data();

	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 0);
	return data.HwCounters[0].Value;
}

/* Files of the program, at all numbers that the library may have had. */
static struct {
	int fd;
	struct stat stat;
} foreign[NUMBERS];

static void open_foreign(void)
{
	char name[] = "/tmp/test_closed.XXXXXX";
	int first = mkstemp(name), ends[2], i;

	assert_int_equal(first, 3);
	unlink(name);
	assert_int_equal(write(first, TEXT, sizeof(TEXT)), sizeof(TEXT));
	for (i = 0; i < NUMBERS; i++) {
		foreign[i].fd = 3 + i;
		if (i && i < NUMBERS - 2)
			assert_int_equal(dup(first), 3 + i);
	}
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(ends[1], 3 + NUMBERS - 1);
	/* One offset for all: whoever moves it by any of them is seen. */
	assert_int_equal(lseek(first, AT, SEEK_SET), AT);
	for (i = 0; i < NUMBERS; i++)
		assert_int_equal(fstat(foreign[i].fd, &foreign[i].stat), 0);
}

static void foreign_untouched(void)
{
	struct stat now;
	char text[sizeof(TEXT)];
	int i;

	for (i = 0; i < NUMBERS; i++) {
		assert_int_equal(fstat(foreign[i].fd, &now), 0);
		assert_int_equal(now.st_ino, foreign[i].stat.st_ino);
		assert_int_equal(now.st_size, foreign[i].stat.st_size);
	}
	assert_int_equal(lseek(foreign[0].fd, 0, SEEK_CUR), AT);
	assert_int_equal(pread(foreign[0].fd, text, sizeof(text), 0), sizeof(text));
	assert_string_equal(text, TEXT);
}

static void close_foreign(void)
{
	int i;

	for (i = 0; i < NUMBERS; i++)
		close(foreign[i].fd);
}

static void by_position(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	unsigned int sent = fake.sent;

	(void)state;
	assert_int_equal(counter(handle), 10);
	assert_int_equal(counter(handle), 20);
	assert_int_equal(fake.positions, 2);
	assert_int_equal(fake.sent, sent);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake.sent, sent);
}

/* What comes next is as ever. */
static void as_ever(void)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	unsigned int positions = fake.positions, sent = fake.sent;

	assert_int_equal(counter(handle), 10);
	assert_true(fake.positions > positions);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake.sent, sent);
}

static void numbers_are_others(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	unsigned int asked;

	(void)state;
	closefrom(3);
	open_foreign();
	asked = fake.asked_others;
	assert_int_equal(counter(handle), 10);
	assert_true(fake.asked_others > asked);
	asked = fake.asked_others;
	assert_int_equal(counter(handle), 20);
	assert_int_equal(fake.asked_others, asked);	/* forgotten then */
	assert_int_equal(fake.positions, 0);
	assert_int_equal(fake.reads, 2);
	foreign_untouched();
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake.disabled - fake.disabled_here, 1);
	foreign_untouched();
	as_ever();
	foreign_untouched();
	close_foreign();
}

/*
 * Without a Read in between, Disable and Enable themselves have to see it: a regular file
 * says 0 to both, and it is not done.
 */
static void success_of_others_is_none(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	struct threadprof_page *page;

	(void)state;
	closefrom(3);
	open_foreign();
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake_count(), 0);
	foreign_untouched();
	close_foreign();

	as_ever();
	handle = enable_or_fail(DISPATCH, 1);
	page = fake_page();
	assert_int_equal(DisableThreadProfiling(handle), 0);
	page->flags = 0;	/* as if it were not over: but it is no new one */
	closefrom(3);
	open_foreign();
	handle = enable_or_fail(DISPATCH, 1);
	assert_int_equal(fake_count(), 1);
	assert_int_equal(counter(handle), 10);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	foreign_untouched();
	close_foreign();
}

static void nothing_at_the_numbers(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);

	(void)state;
	closefrom(3);
	assert_int_equal(counter(handle), 10);
	assert_int_equal(counter(handle), 20);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	as_ever();
	closefrom(3);
	as_ever();
}

static pthread_barrier_t barrier;

static void *second_profile(void *arg)
{
	HANDLE handle = NULL;
	PERFORMANCE_DATA data = fresh_data();
	long bad = EnableThreadProfiling(GetCurrentThread(), DISPATCH, 1, &handle);

	(void)arg;
	bad |= ReadThreadProfilingData(handle, READ_COUNTERS, &data);
	pthread_barrier_wait(&barrier);	/* the other one reads */
	pthread_barrier_wait(&barrier);
	bad |= DisableThreadProfiling(handle);
	return (void *)bad;
}

/* A thread that was never profiled before: what it gets may be a page, or may be none. */
static void with_second_profile(HANDLE handle, DWORD64 expected)
{
	unsigned int reads = fake.reads;
	pthread_t thread;
	void *bad;

	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, second_profile, NULL), 0);
	pthread_barrier_wait(&barrier);
	/* The area that it has begun has a descriptor, which does for all threads. */
	assert_int_equal(counter(handle), expected);
	assert_int_equal(fake.reads, reads);
	assert_int_equal(fake_mapped(), 2 * AREA_CHUNK);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, &bad);
	assert_null(bad);
	pthread_barrier_destroy(&barrier);
}

/* The old area lasts as long as what is in it, and the next one stands in for it. */
static void disabled_in_an_old_area(HANDLE handle)
{
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake_mapped(), AREA_CHUNK);
	as_ever();
	assert_int_equal(fake_mapped(), AREA_CHUNK);
}

/* The next area's descriptor comes under the number of the one that was closed. */
static void number_is_ours_again(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	int number = fake_area_descriptor();

	(void)state;
	close(number);
	with_second_profile(handle, 10);
	assert_int_equal(fake_area_descriptor(), number);
	disabled_in_an_old_area(handle);
}

/* The same after the loss was seen, and with another file at the number. */
static void another_area(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);

	(void)state;
	closefrom(3);
	open_foreign();
	assert_int_equal(counter(handle), 10);
	assert_int_equal(fake.reads, 1);
	with_second_profile(handle, 20);
	foreign_untouched();
	disabled_in_an_old_area(handle);
	foreign_untouched();
	close_foreign();
}

/* A new thread's page would be SIGBUS, did it believe a regular file's 0. */
static void never_shown(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);

	(void)state;
	closefrom(3);
	open_foreign();
	with_second_profile(handle, 10);
	foreign_untouched();
	disabled_in_an_old_area(handle);
	close_foreign();
}

/* A profile that is over does not make its descriptor somebody else's. */
static void ended_is_still_ours(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	int number = fake_area_descriptor();

	(void)state;
	fake_end();
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 6);
	assert_int_equal(fake_area_descriptor(), number);
	assert_int_equal(DisableThreadProfiling(handle), 6);
	as_ever();
	assert_int_equal(fake_area_descriptor(), number);
}

#define closed_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown_fake)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		closed_test(by_position),
		closed_test(numbers_are_others),
		closed_test(success_of_others_is_none),
		closed_test(nothing_at_the_numbers),
		closed_test(number_is_ours_again),
		closed_test(another_area),
		closed_test(never_shown),
		closed_test(ended_is_still_ours),
	};

	/* What the caller left open is not what is tested. */
	closefrom(3);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
