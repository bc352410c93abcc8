// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layouts in words, as a compiler for x86-64 Windows prints them: member,
 * offset, size.
 */
#include "unit.h"

#define SIZE(type) { sizeof(type), _Alignof(type) }
#define AT(type, member) { offsetof(type, member), sizeof(((type *)0)->member) }

struct pair {
	size_t first, second;
};

static void layouts(void **state)
{
	static const struct {
		const char *name;
		struct pair ours, theirs;
	} row[] = {
		{ "BYTE", SIZE(BYTE), { 1, 1 } },
		{ "WORD", SIZE(WORD), { 2, 2 } },
		{ "DWORD", SIZE(DWORD), { 4, 4 } },
		{ "DWORD64", SIZE(DWORD64), { 8, 8 } },
		{ "ULONG", SIZE(ULONG), { 4, 4 } },
		{ "LONG", SIZE(LONG), { 4, 4 } },
		{ "BOOLEAN", SIZE(BOOLEAN), { 1, 1 } },
		{ "HANDLE", SIZE(HANDLE), { 8, 8 } },
		{ "HARDWARE_COUNTER_TYPE", SIZE(HARDWARE_COUNTER_TYPE), { 4, 4 } },
		{ "HARDWARE_COUNTER", SIZE(HARDWARE_COUNTER), { 16, 8 } },
		{ "HARDWARE_COUNTER.Type", AT(HARDWARE_COUNTER, Type), { 0, 4 } },
		{ "HARDWARE_COUNTER.Reserved", AT(HARDWARE_COUNTER, Reserved), { 4, 4 } },
		{ "HARDWARE_COUNTER.Index", AT(HARDWARE_COUNTER, Index), { 8, 8 } },
		{ "HARDWARE_COUNTER_DATA", SIZE(HARDWARE_COUNTER_DATA), { 16, 8 } },
		{ "HARDWARE_COUNTER_DATA.Type", AT(HARDWARE_COUNTER_DATA, Type), { 0, 4 } },
		{ "HARDWARE_COUNTER_DATA.Reserved", AT(HARDWARE_COUNTER_DATA, Reserved), { 4, 4 } },
		{ "HARDWARE_COUNTER_DATA.Value", AT(HARDWARE_COUNTER_DATA, Value), { 8, 8 } },
		{ "PERFORMANCE_DATA", SIZE(PERFORMANCE_DATA), { 288, 8 } },
		{ "Size", AT(PERFORMANCE_DATA, Size), { 0, 2 } },
		{ "Version", AT(PERFORMANCE_DATA, Version), { 2, 1 } },
		{ "HwCountersCount", AT(PERFORMANCE_DATA, HwCountersCount), { 3, 1 } },
		{ "ContextSwitchCount", AT(PERFORMANCE_DATA, ContextSwitchCount), { 4, 4 } },
		{ "WaitReasonBitMap", AT(PERFORMANCE_DATA, WaitReasonBitMap), { 8, 8 } },
		{ "CycleTime", AT(PERFORMANCE_DATA, CycleTime), { 16, 8 } },
		{ "RetryCount", AT(PERFORMANCE_DATA, RetryCount), { 24, 4 } },
		{ "Reserved", AT(PERFORMANCE_DATA, Reserved), { 28, 4 } },
		{ "HwCounters", AT(PERFORMANCE_DATA, HwCounters), { 32, 256 } },
		{ "HwCounters[0]", AT(PERFORMANCE_DATA, HwCounters[0]), { 32, 16 } },
		{ "HwCounters[1]", AT(PERFORMANCE_DATA, HwCounters[1]), { 48, 16 } },
		{ "HwCounters[15]", AT(PERFORMANCE_DATA, HwCounters[15]), { 272, 16 } },
		{ "KWAIT_REASON", SIZE(KWAIT_REASON), { 4, 4 } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		if (row[i].ours.first == row[i].theirs.first &&
		    row[i].ours.second == row[i].theirs.second)
			continue;
		fail_msg("%s: %zu %zu instead of %zu %zu", row[i].name, row[i].ours.first,
			 row[i].ours.second, row[i].theirs.first, row[i].theirs.second);
	}
}

static void constants(void **state)
{
	(void)state;
	assert_int_equal(THREAD_PROFILING_FLAG_DISPATCH, 1);
	assert_int_equal(READ_THREAD_PROFILING_FLAG_DISPATCHING, 1);
	assert_int_equal(READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS, 2);
	assert_int_equal(PERFORMANCE_DATA_VERSION, 1);
	assert_int_equal(MAX_HW_COUNTERS, 16);
	assert_int_equal(PMCCounter, 0);
	assert_int_equal(MaxHardwareCounterType, 1);
	assert_int_equal((uint32_t)STATUS_NOT_IMPLEMENTED, 3221225474U);
	assert_int_equal((uint32_t)STATUS_INVALID_HANDLE, 3221225480U);
	assert_int_equal((uint32_t)STATUS_INVALID_PARAMETER, 3221225485U);
	assert_int_equal((uint32_t)STATUS_ACCESS_DENIED, 3221225506U);
	assert_int_equal((uint32_t)STATUS_BUFFER_TOO_SMALL, 3221225507U);
	assert_int_equal((uint32_t)STATUS_REVISION_MISMATCH, 3221225561U);
	assert_int_equal((uint32_t)STATUS_INSUFFICIENT_RESOURCES, 3221225626U);
	assert_int_equal((uint32_t)STATUS_NOT_SUPPORTED, 3221225659U);
	assert_int_equal((uint32_t)STATUS_WMI_ALREADY_DISABLED, 3221226242U);
	assert_int_equal((uint32_t)STATUS_WMI_ALREADY_ENABLED, 3221226243U);
	assert_true(STATUS_NOT_SUPPORTED < 0);	/* NTSTATUS has a sign */
	assert_int_equal(ERROR_ACCESS_DENIED, 5);
	assert_int_equal(ERROR_INVALID_HANDLE, 6);
	assert_int_equal(ERROR_NOT_ENOUGH_MEMORY, 8);
	assert_int_equal(ERROR_INVALID_DATA, 13);
	assert_int_equal(ERROR_NOT_SUPPORTED, 50);
	assert_int_equal(ERROR_INVALID_PARAMETER, 87);
	assert_int_equal(ERROR_CALL_NOT_IMPLEMENTED, 120);
	assert_int_equal(ERROR_INSUFFICIENT_BUFFER, 122);
	assert_int_equal(ERROR_REVISION_MISMATCH, 1306);
	assert_int_equal(ERROR_NO_SYSTEM_RESOURCES, 1450);
	assert_int_equal(ERROR_WMI_ALREADY_ENABLED, 4206);
	assert_int_equal(ERROR_WMI_ALREADY_DISABLED, 4212);
}

static void wait_names(void **state)
{
	(void)state;
	assert_string_equal(threadprof_wait_name(0), "Executive");
	assert_string_equal(threadprof_wait_name(4), "DelayExecution");
	assert_string_equal(threadprof_wait_name(10), "WrPoolAllocation");
	assert_string_equal(threadprof_wait_name(14), "WrSpare0");
	assert_string_equal(threadprof_wait_name(15), "WrQueue");
	assert_string_equal(threadprof_wait_name(21), "WrKeyedEvent");
	assert_string_equal(threadprof_wait_name(30), "WrQuantumEnd");
	assert_string_equal(threadprof_wait_name(32), "WrPreempted");
	assert_string_equal(threadprof_wait_name(37), "WrAlertByThreadId");
	assert_string_equal(threadprof_wait_name(39), "WrPhysicalFault");
	assert_string_equal(threadprof_wait_name(42), "WrRcu");
	assert_string_equal(threadprof_wait_name(43), "");
	assert_string_equal(threadprof_wait_name(UINT32_MAX), "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts),
		cmocka_unit_test(constants),
		cmocka_unit_test(wait_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
