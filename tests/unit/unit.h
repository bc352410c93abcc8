/* SPDX-License-Identifier: GPL-2.0-only */
/* What every test program needs. cmocka's assertions hold in the main thread only. */
#ifndef UNIT_H
#define UNIT_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <threadprof.h>
#include <threadprof/hcp.h>

#include "fake.h"

#define DISPATCH	THREAD_PROFILING_FLAG_DISPATCH
#define READ_DISPATCH	READ_THREAD_PROFILING_FLAG_DISPATCHING
#define READ_COUNTERS	READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS
#define READ_BOTH	(READ_DISPATCH | READ_COUNTERS)

#define assert_message(text) assert_non_null(strstr(threadprof_last_message(), text))

static inline PERFORMANCE_DATA fresh_data(void)
{
	PERFORMANCE_DATA data;

	memset(&data, 0xcc, sizeof(data));
	data.Size = sizeof(data);
	data.Version = PERFORMANCE_DATA_VERSION;
	return data;
}

static inline HANDLE enable_or_fail(DWORD flags, DWORD64 mask)
{
	HANDLE handle = NULL;

	assert_int_equal(EnableThreadProfiling(GetCurrentThread(), flags, mask, &handle), 0);
	assert_non_null(handle);
	return handle;
}

/* Each test's first Enable goes over netlink. */
static inline int setup_fake(void **state)
{
	(void)state;
	fake_close_areas();
	fake_reset();
	return 0;
}

/* No test leaves a profile behind, nor to the next one. */
static inline int teardown_fake(void **state)
{
	unsigned int left = fake_count();

	(void)state;
	fake_end();
	return left ? -1 : 0;
}

#define fake_test(function) \
	cmocka_unit_test_setup_teardown(function, setup_fake, teardown_fake)

/* Seed of a test with chance in it: printed, and taken from UNIT_SEED to repeat. */
static inline uint64_t unit_seed(void)
{
	const char *given = getenv("UNIT_SEED");
	uint64_t seed = (uintptr_t)&given ^ 0x9e3779b97f4a7c15ULL * (uintptr_t)&fake;

	if (given)
		seed = strtoull(given, NULL, 0);
	printf("UNIT_SEED=0x%llx\n", (unsigned long long)seed);
	return seed ?: 1;
}

static inline uint64_t unit_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

#endif
