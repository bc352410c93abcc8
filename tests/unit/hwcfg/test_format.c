// SPDX-License-Identifier: GPL-2.0-only
#include "format.h"
#include "unit.h"

static char out[FORMAT_SIZE];

static void test_count(void **state)
{
	(void)state;
	assert_string_equal(format_count(out, 0), "0");
	assert_string_equal(format_count(out, 999), "999");
	assert_string_equal(format_count(out, 1000), "1,000");
	assert_string_equal(format_count(out, 1234567), "1,234,567");
	assert_string_equal(format_count(out, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void test_ns(void **state)
{
	(void)state;
	assert_int_equal(format_ns(62500000, 62500000), 1000000000);
	assert_int_equal(format_ns(1, 62500000), 16);
	assert_int_equal(format_ns(5, 0), 0);
	/* Ticks times 10^9 does not fit into 64 bits here. */
	assert_int_equal(format_ns(UINT64_C(1) << 60, 2400000000), UINT64_C(480383960252852906));
	assert_int_equal(format_ns(UINT64_MAX, 1), UINT64_MAX);
}

static void test_time(void **state)
{
	(void)state;
	assert_string_equal(format_time(out, 0), "0 ns");
	assert_string_equal(format_time(out, 999), "999 ns");
	assert_string_equal(format_time(out, 1000), "1.00 us");
	assert_string_equal(format_time(out, 12345), "12.3 us");
	assert_string_equal(format_time(out, 123456), "123 us");
	assert_string_equal(format_time(out, 999400), "999 us");
	assert_string_equal(format_time(out, 999600), "1.00 ms");
	assert_string_equal(format_time(out, 1234567), "1.23 ms");
	assert_string_equal(format_time(out, 99960000), "100 ms");
	assert_string_equal(format_time(out, 1500000000), "1.50 s");
	assert_string_equal(format_time(out, 3600000000000), "3600 s");
}

static void test_ms(void **state)
{
	(void)state;
	assert_string_equal(format_ms(out, 0), "0.000");
	assert_string_equal(format_ms(out, 499), "0.000");
	assert_string_equal(format_ms(out, 500), "0.001");
	assert_string_equal(format_ms(out, 1234567890), "1,234.568");
	assert_string_equal(format_ms(out, 999999999), "1,000.000");
}

static void test_others(void **state)
{
	(void)state;
	assert_string_equal(format_hz(out, 2400000000), "2.4 GHz");
	assert_string_equal(format_hz(out, 62500000), "62.5 MHz");
	assert_string_equal(format_hz(out, 32768), "32.77 kHz");
	assert_string_equal(format_hz(out, 100), "100 Hz");
	assert_string_equal(format_ipc(out, 3, 2), "1.50");
	assert_string_equal(format_ipc(out, 0, 2), "0.00");
	assert_string_equal(format_ipc(out, 3, 0), "-");
	assert_string_equal(format_modes(out, 0), "user");
	assert_string_equal(format_modes(out, 2), "kernel");
	assert_string_equal(format_modes(out, 7), "user+kernel+hypervisor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_ns),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_ms),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
