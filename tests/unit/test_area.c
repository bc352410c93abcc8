// SPDX-License-Identifier: GPL-2.0-only
/* The area of a process: what Enable and Disable take, share, keep and give back. */
#include <sys/resource.h>

#include "area.h"
#include "unit.h"
#include "child.h"
#include "crowd.h"

/* --- given back, and kept --------------------------------------------------------- */

static int first_and_second(void)
{
	HANDLE handle;
	int i;

	CHECK(fake_area_descriptor() < 0 && !fake_mapped());
	CHECK(!enable(&handle));
	CHECK(fake_area_descriptor() >= 0 && fake_mapped() == AREA_CHUNK);
	CHECK(!DisableThreadProfiling(handle));
	CHECK(fake_area_descriptor() < 0 && !fake_mapped());
	/* It does so again: from now on it keeps what it has. */
	for (i = 0; i < 10; i++) {
		CHECK(cycle());
		CHECK(fake_area_descriptor() >= 0 && fake_mapped() == AREA_CHUNK);
		CHECK(fake.enabled - fake.enabled_here == 2);
	}
	return 0;
}

static void D1_first_time_all_goes(void **state)
{
	(void)state;
	run_in_child(first_and_second);
}

static void *cycle_in_thread(void *arg)
{
	*(bool *)arg = cycle();
	return NULL;
}

/* It is the last profile that counts, whichever thread has it and however it ends. */
static int last_of_many(void)
{
	HANDLE handle;
	int fd;

	CHECK(!enable(&handle));
	fd = fake_area_descriptor();
	CHECK(run_thread(cycle_in_thread) && run_thread(enable_and_exit));
	CHECK(fake_area_descriptor() == fd);
	CHECK(fake.enabled_here == 2);
	CHECK(!DisableThreadProfiling(handle));
	CHECK(fake_area_descriptor() < 0 && !fake_mapped());
	return 0;
}

static int last_exits(void)
{
	CHECK(run_thread(enable_and_exit));
	CHECK(fake_area_descriptor() < 0 && !fake_mapped() && !fake_count());
	/* Before the kernel would: its page is free when the next thread comes. */
	CHECK(fake.disabled_here == 1);
	return 0;
}

/* What ended by other means is no profile of the process any more. */
static int over_a_dead_one(void)
{
	HANDLE handle;

	CHECK(!enable(&handle));
	fake_end();
	CHECK(!enable(&handle));
	CHECK(!DisableThreadProfiling(handle));
	CHECK(fake_area_descriptor() < 0 && !fake_mapped());
	return 0;
}

static void E7_last_of_many(void **state)
{
	(void)state;
	run_in_child(last_of_many);
	run_in_child(last_exits);
	run_in_child(over_a_dead_one);
}

/* --- pages ---------------------------------------------------------------------------- */

static size_t most_mapped;

static void look_at_map(void)
{
	most_mapped = fake_mapped();
}

/* Each thread has a page of its own, the lowest that are free; they are mapped in pieces. */
static void a_page_each(void **state)
{
	unsigned int seen[CROWD_MAX + 1] = { 0 }, i, round;
	HANDLE handle = enable_or_fail(DISPATCH, 1);

	(void)state;
	assert_int_equal(fake_page_number(), 0);
	for (round = 1; round <= 3; round++) {
		assert_true(crowd(CROWD_MAX, look_at_map));
		assert_int_equal(most_mapped, 4 * AREA_CHUNK);
		for (i = 0; i < CROWD_MAX; i++) {
			assert_in_range(crowd_page[i], 1, CROWD_MAX);
			assert_int_equal(++seen[crowd_page[i]], round);
		}
	}
	assert_int_equal(fake.enabled, fake.enabled_here + 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static int with_few_descriptors(void)
{
	struct rlimit limit = { .rlim_cur = 64, .rlim_max = 64 };
	HANDLE handle;

	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	CHECK(!enable(&handle));
	CHECK(crowd(CROWD_MAX, NULL));
	CHECK(!DisableThreadProfiling(handle));
	return 0;
}

static void few_descriptors(void **state)
{
	(void)state;
	run_in_child(with_few_descriptors);
}

/* A page that still shows a thread is passed over, and comes into use later. */
static void busy_pages(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);

	(void)state;
	fake.slow_exit = true;
	assert_true(run_thread(enable_and_exit));
	assert_true(run_thread(enable_and_exit));	/* pages 1 and 2 */
	fake.slow_exit = false;
	assert_true(crowd(1, NULL));
	assert_int_equal(crowd_page[0], 3);
	fake_free_pages();
	assert_true(crowd(1, NULL));
	assert_int_equal(crowd_page[0], 1);
	assert_int_equal(fake.enabled, fake.enabled_here + 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(D1_first_time_all_goes),
		fake_test(E7_last_of_many),
		fake_test(a_page_each),
		fake_test(few_descriptors),
		fake_test(busy_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
