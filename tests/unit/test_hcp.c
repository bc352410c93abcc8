// SPDX-License-Identifier: GPL-2.0-only
/* The Windows calls in one thread. */
#include <unistd.h>

#include "error.h"
#include "pool.h"
#include <pthread.h>

#include "unit.h"

static void E1_only_the_calling_thread(void **state)
{
	HANDLE handle = (HANDLE)0x1234;

	(void)state;
	assert_int_equal(EnableThreadProfiling(NULL, DISPATCH, 0, &handle), 6);
	assert_int_equal(EnableThreadProfiling((HANDLE)0x5678, DISPATCH, 0, &handle), 5);
	assert_message("only itself");
	assert_int_equal(EnableThreadProfiling(INVALID_HANDLE_VALUE, DISPATCH, 0, &handle), 5);
	assert_ptr_equal(handle, (HANDLE)0x1234);
	assert_int_equal(fake.sent, 0);
}

static void E2_unknown_flags(void **state)
{
	HANDLE handle;
	int bit;

	(void)state;
	for (bit = 1; bit < 32; bit++)
		assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1U << bit, 0,
						       &handle), 87);
	assert_int_equal(fake.sent, 0);
}

static void E3_masks(void **state)
{
	HANDLE handle;
	int bit;

	(void)state;
	for (bit = 16; bit < 64; bit++)
		assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 0, 1ULL << bit,
						       &handle), 87);
	assert_message("above 15");
	for (bit = 0; bit < 16; bit++) {
		handle = enable_or_fail(0, 1ULL << bit);
		assert_int_equal(fake_page()->hardware_counters, 1ULL << bit);
		assert_int_equal(DisableThreadProfiling(handle), 0);
	}
	handle = enable_or_fail(0, 0xffff);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	handle = enable_or_fail(0, 0);	/* nothing at all: accepted */
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void E5_handles(void **state)
{
	uintptr_t seen[1000];
	HANDLE handle;
	int i, j;

	(void)state;
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 0, 0, NULL), 87);
	for (i = 0; i < 1000; i++) {
		handle = enable_or_fail(0, 0);
		seen[i] = (uintptr_t)handle;
		assert_true(seen[i] > 65535 && seen[i] < UINTPTR_MAX - 65535);
		for (j = 0; j < i; j++)
			assert_int_not_equal(seen[i], seen[j]);
		assert_int_equal(DisableThreadProfiling(handle), 0);
	}
	for (i = 0; i < 1000; i++)
		assert_int_equal(DisableThreadProfiling((HANDLE)seen[i]), 6);
}

static void E6_enabled_twice(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0), second = (HANDLE)0x77;

	(void)state;
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &second), 4206);
	assert_message("profiled already");
	assert_ptr_equal(second, (HANDLE)0x77);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake.enabled, 1);
}

static void E6_kernel_errors(void **state)
{
	static const struct {
		int err;
		DWORD code;
	} row[] = {
		{ EPERM, 5 }, { EACCES, 5 }, { EINVAL, 87 }, { EBUSY, 4206 }, { EOPNOTSUPP, 50 },
		{ ENOSYS, 50 }, { ENOENT, 50 }, { ENOMEM, 8 }, { EMFILE, 1450 },
		{ E2BIG, 1450 }, { EPROTO, 13 }, { ERANGE, 13 }, { ESTALE, 13 },
	};
	HANDLE handle;
	size_t i;

	(void)state;
	fake.refuse_command = THREADPROF_CMD_ENABLE;
	fake.refuse_text = "reason in words";
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		fake.refuse_error = row[i].err;
		fake.uncapped = i & 1;
		assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1, 1, &handle),
				 row[i].code);
		assert_string_equal(threadprof_last_message(), "reason in words");
	}
}

static void error_table(void **state)
{
	static const int to_6[] = { EBADF, ENOENT, ESRCH }, to_50[] = { EOPNOTSUPP, ENOSYS };
	static const int to_1450[] = { EAGAIN, EMFILE, ENFILE, ENOBUFS, ENOSPC, E2BIG };
	size_t i;

	(void)state;
	assert_int_equal(threadprof_error_code(0), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(threadprof_error_code(-to_6[i]), 6);
	for (i = 0; i < 2; i++)
		assert_int_equal(threadprof_error_code(-to_50[i]), 50);
	for (i = 0; i < 6; i++)
		assert_int_equal(threadprof_error_code(-to_1450[i]), 1450);
	assert_int_equal(threadprof_error_code(-EACCES), 5);
	assert_int_equal(threadprof_error_code(-EINVAL), 87);
	assert_int_equal(threadprof_error_code(-ENOMEM), 8);
	assert_int_equal(threadprof_error_code(-EPROTONOSUPPORT), 1306);
	assert_int_equal(threadprof_error_code(-EIO), 13);
	assert_int_equal(threadprof_error_code(-4000), 13);
}

static void no_module(void **state)
{
	BOOLEAN enabled = 7;
	HANDLE handle;

	(void)state;
	fake.loaded = false;
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1, 0, &handle), 50);
	assert_message("modprobe threadprof");
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &enabled), 50);
	assert_message("modprobe threadprof");
	assert_int_equal(enabled, 7);
}

static void no_socket(void **state)
{
	struct threadprof *tp;
	HANDLE handle;

	(void)state;
	fake.open_error = EMFILE;
	while (!threadprof_pool_take(&tp))	/* until none is idle */
		threadprof_close(tp);
	threadprof_pool_put(tp);
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1, 0, &handle), 1450);
	assert_message("can't open a netlink socket");
	fake.open_error = EPROTONOSUPPORT;
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1, 0, &handle), 50);
	assert_message("no generic netlink");
}

static void module_loaded_anew(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);

	(void)state;
	assert_int_equal(DisableThreadProfiling(handle), 0);
	fake.family = 44;
	handle = enable_or_fail(DISPATCH, 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static int lowest_free_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void unknown_page_version(void **state)
{
	int before = lowest_free_descriptor();
	HANDLE handle;

	(void)state;
	fake.page_version = THREADPROF_PAGE_VERSION + 1;
	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), 1, 0, &handle), 1306);
	assert_message("version 2");
	assert_int_equal(fake.disabled, 1);
	assert_int_equal(lowest_free_descriptor(), before);
}

static void D3_disable_twice(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data();

	(void)state;
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(DisableThreadProfiling(handle), 6);
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 6);
	assert_int_equal(fake.disabled, 1);
	/* Nor does nothing stand for nothing. */
	assert_int_equal(DisableThreadProfiling(NULL), 6);
	assert_int_equal(ReadThreadProfilingData(NULL, READ_DISPATCH, &data), 6);
}

static void D4_handles_that_are_none(void **state)
{
	static const intptr_t values[] = { 0, -1, -2, 1, 6, 0x7fffffffffffffff, 0x1000 };
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data(), copy = data;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		assert_int_equal(DisableThreadProfiling((HANDLE)values[i]), 6);
		assert_int_equal(ReadThreadProfilingData((HANDLE)values[i], READ_DISPATCH,
							 &data), 6);
	}
	assert_memory_equal(&data, &copy, sizeof(data));
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(DisableThreadProfiling(GetCurrentThread()), 6);
}

static void D_profile_ended_by_other_means(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data();

	(void)state;
	fake_end();
	assert_int_equal(DisableThreadProfiling(handle), 6);
	handle = enable_or_fail(DISPATCH, 0);
	fake_end();
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 6);
	handle = enable_or_fail(DISPATCH, 0);
	fake_end();
	handle = enable_or_fail(DISPATCH, 0);	/* over a handle that is dead */
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void D_failure_keeps_the_handle(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data();

	(void)state;
	fake.refuse_command = THREADPROF_CMD_DISABLE;
	fake.refuse_error = ENOMEM;
	assert_int_equal(DisableThreadProfiling(handle), 8);
	fake.refuse_command = 0;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void Q1_query(void **state)
{
	unsigned char guard[3] = { 0xaa, 0xaa, 0xaa };	/* BOOLEAN is one byte */
	HANDLE handle;

	(void)state;
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &guard[1]), 0);
	assert_int_equal(guard[1], FALSE);
	handle = enable_or_fail(0, 1);
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &guard[1]), 0);
	assert_int_equal(guard[1], TRUE);
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), NULL), 87);
	assert_int_equal(QueryThreadProfiling(NULL, &guard[1]), 6);
	assert_int_equal(QueryThreadProfiling(handle, &guard[1]), 6);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(QueryThreadProfiling(GetCurrentThread(), &guard[1]), 0);
	assert_int_equal(guard[1], FALSE);
	assert_int_equal(guard[0], 0xaa);
	assert_int_equal(guard[2], 0xaa);
}

static void errno_stays(void **state)
{
	HANDLE handle;

	(void)state;
	errno = 4711;
	handle = enable_or_fail(0, 1);
	DisableThreadProfiling(handle);
	DisableThreadProfiling(handle);
	assert_int_equal(errno, 4711);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(E1_only_the_calling_thread),
		fake_test(E2_unknown_flags),
		fake_test(E3_masks),
		fake_test(E5_handles),
		fake_test(E6_enabled_twice),
		fake_test(E6_kernel_errors),
		fake_test(error_table),
		fake_test(no_module),
		fake_test(no_socket),
		fake_test(module_loaded_anew),
		fake_test(unknown_page_version),
		fake_test(D3_disable_twice),
		fake_test(D4_handles_that_are_none),
		fake_test(D_profile_ended_by_other_means),
		fake_test(D_failure_keeps_the_handle),
		fake_test(Q1_query),
		fake_test(errno_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
