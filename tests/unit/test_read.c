// SPDX-License-Identifier: GPL-2.0-only
/* What ReadThreadProfilingData puts into PERFORMANCE_DATA. */
#include "clock.h"
#include "unit.h"

static void R1_flags(void **state)
{
	PERFORMANCE_DATA data = fresh_data(), copy = data;
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	int bit;

	(void)state;
	assert_int_equal(ReadThreadProfilingData(handle, 0, &data), 87);
	for (bit = 2; bit < 32; bit++)
		assert_int_equal(ReadThreadProfilingData(handle, 1U << bit | READ_DISPATCH,
							 &data), 87);
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 87);
	assert_message("no hardware counters were asked for");
	assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data), 87);
	assert_memory_equal(&data, &copy, sizeof(data));
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);

	handle = enable_or_fail(0, 1);
	data = copy;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 87);
	assert_message("DISPATCHING was not asked for");
	assert_memory_equal(&data, &copy, sizeof(data));
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void R2_size_and_version(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	PERFORMANCE_DATA data, copy;
	int i;

	(void)state;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, NULL), 87);
	for (i = 0; i < 65536; i += i < 300 ? 1 : 777) {
		copy = data = fresh_data();
		copy.Size = data.Size = i;
		assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data),
				 i == 288 ? 0 : 87);
		if (i != 288)
			assert_memory_equal(&data, &copy, sizeof(data));
	}
	for (i = 0; i < 256; i++) {
		copy = data = fresh_data();
		copy.Version = data.Version = i;
		assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data),
				 i == 1 ? 0 : 87);
		if (i != 1)
			assert_memory_equal(&data, &copy, sizeof(data));
	}
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void R3_untouched_members(void **state)
{
	PERFORMANCE_DATA data = fresh_data(), copy = data;
	HANDLE handle = enable_or_fail(DISPATCH, 0x5);

	(void)state;
	fake_page()->switches = 7;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 7);
	assert_int_equal(data.Reserved, 0);
	assert_int_equal(data.HwCountersCount, copy.HwCountersCount);
	assert_memory_equal(data.HwCounters, copy.HwCounters, sizeof(data.HwCounters));

	data = copy;
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 0);
	assert_int_equal(data.ContextSwitchCount, copy.ContextSwitchCount);
	assert_int_equal(data.WaitReasonBitMap, copy.WaitReasonBitMap);
	assert_int_equal(data.CycleTime, copy.CycleTime);
	assert_int_equal(data.RetryCount, copy.RetryCount);
	assert_int_equal(data.Reserved, 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* Element n is bit n; no packing to the front. */
static void E4_counters(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	struct threadprof_page *page;
	HANDLE handle;
	int i;

	(void)state;
	fake.config.count = 4;
	handle = enable_or_fail(0, 0xffff & ~0x5);	/* 1 and 3 configured, 4 to 15 not */
	page = fake_page();
	for (i = 0; i < 16; i++)
		page->slot[i].total = 1000 + i;
	page->slot[3].state = THREADPROF_SLOT_LOST;
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 0);
	assert_int_equal(data.HwCountersCount, 2);
	for (i = 0; i < 16; i++) {
		assert_int_equal(data.HwCounters[i].Type, PMCCounter);
		assert_int_equal(data.HwCounters[i].Reserved, 0);
		assert_int_equal(data.HwCounters[i].Value, i == 1 || i == 3 ? 1000 + i : 0);
	}
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void R3_totals(void **state)
{
	HANDLE handle;
	PERFORMANCE_DATA data = fresh_data();
	struct threadprof_page *page;

	(void)state;
	fake.config.count = 1;
	handle = enable_or_fail(DISPATCH, 1);
	page = fake_page();
	page->switches = (1ULL << 32) - 1;
	page->cycles = 1ULL << 40;
	page->slot[0].total = UINT64_MAX - 1;
	assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, UINT32_MAX);
	assert_true(data.CycleTime == 1ULL << 40);
	assert_int_equal(data.RetryCount, 1);
	assert_true(data.HwCounters[0].Value == UINT64_MAX - 1);

	page->switches += 3;	/* wraps at 2^32 */
	page->cycles -= 5;	/* and time does not step back */
	assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 2);
	assert_true(data.CycleTime == 1ULL << 40);
	page->cycles += 6;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_true(data.CycleTime == (1ULL << 40) + 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static uint64_t reasons(HANDLE handle)
{
	PERFORMANCE_DATA data = fresh_data();

	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	return data.WaitReasonBitMap;
}

static void wait_reasons_since_last_read(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	struct threadprof_page *page = fake_page();
	PERFORMANCE_DATA data = fresh_data();
	int i;

	(void)state;
	page->switches = 4;
	page->wait[WrPreempted].count = 3;
	page->wait[DelayExecution].count = 1;
	assert_true(reasons(handle) == (1ULL << WrPreempted | 1ULL << DelayExecution));
	assert_true(reasons(handle) == 0);
	page->switches++;
	page->wait[WrPreempted].count++;
	/* A Read of counters alone does not clear. */
	assert_int_equal(ReadThreadProfilingData(handle, READ_COUNTERS, &data), 0);
	assert_true(reasons(handle) == 1ULL << WrPreempted);
	page->switches += 64;
	for (i = 0; i < 64; i++)
		page->wait[i].count += 1ULL << i;
	assert_true(reasons(handle) == UINT64_MAX);
	assert_true(reasons(handle) == 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);

	/* Enable starts from zero. */
	handle = enable_or_fail(DISPATCH, 0);
	fake_page()->switches = 1;
	fake_page()->wait[WrQueue].count = 1;
	assert_true(reasons(handle) == 1ULL << WrQueue);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void bring_up_to_date(struct threadprof_page *page)
{
	page->seq++;
	page->switches += 10;
	page->seq++;
}

/* What the scheduler knows is in the page: a running thread needs no system call. */
static void R3_dispatch_asks_nobody(void **state)
{
	PERFORMANCE_DATA first = fresh_data(), second = first;
	struct threadprof_page *page;
	HANDLE handle;

	(void)state;
	fake.cycles_start = threadprof_ticks();
	handle = enable_or_fail(DISPATCH, 1);
	page = fake_page();
	page->cycles = 1000;
	page->switches = 7;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &first), 0);
	assert_int_equal(first.ContextSwitchCount, 7);
	assert_true(first.CycleTime > 1000);
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &second), 0);
	assert_true(second.CycleTime > first.CycleTime);
	assert_int_equal(fake.positions, 0);

	/* Counters have to be asked for. */
	assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &second), 0);
	assert_int_equal(fake.positions, 1);

	/* An ended profile's page is not of a running thread, whatever it says. */
	page->seq += 2;
	page->flags |= THREADPROF_PROFILE_ENDED;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &second), 0);
	assert_int_equal(fake.positions, 2);
	assert_int_equal(fake.reads, 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* A new profile may look like the last one, to the sequence word and the clock. */
static void nothing_of_the_last_profile(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	HANDLE handle;
	uint32_t seq;

	(void)state;
	fake.cycles_start = 1;
	handle = enable_or_fail(DISPATCH, 1);
	fake_page()->switches = 7;
	seq = fake_page()->seq;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 7);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	fake_close_areas();
	handle = enable_or_fail(DISPATCH, 1);
	assert_int_equal(fake_page()->seq, seq);
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* A page that says its thread does not run is the kernel's business. */
static void R3_read_asks_the_kernel(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data();

	(void)state;
	fake.on_read = bring_up_to_date;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 10);
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 20);
	assert_int_equal(fake.positions, 2);
	assert_int_equal(fake.reads, 0);

	/* Where there is no descriptor, by a request. */
	fake.no_descriptor = true;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 30);
	assert_int_equal(fake.reads, 1);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void page_that_never_stands_still(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data(), copy = data;

	(void)state;
	fake_page()->seq = 1;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 13);
	assert_memory_equal(&data, &copy, sizeof(data));
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

static void read_errors(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0);
	PERFORMANCE_DATA data = fresh_data(), copy = data;

	(void)state;
	fake.no_descriptor = true;
	fake.refuse_command = THREADPROF_CMD_READ;
	fake.refuse_error = ENOMEM;
	fake.refuse_text = "short of something";
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 8);
	assert_message("short of something");
	assert_memory_equal(&data, &copy, sizeof(data));
	fake.refuse_command = 0;
	fake.silent = true;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 13);
	assert_message("no answer");
	fake.silent = false;
	fake.bare_ack = true;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 13);
	fake.bare_ack = false;
	fake.stale = 3;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(R1_flags),
		fake_test(R2_size_and_version),
		fake_test(R3_untouched_members),
		fake_test(E4_counters),
		fake_test(R3_totals),
		fake_test(wait_reasons_since_last_read),
		fake_test(R3_dispatch_asks_nobody),
		fake_test(nothing_of_the_last_profile),
		fake_test(R3_read_asks_the_kernel),
		fake_test(page_that_never_stands_still),
		fake_test(read_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
