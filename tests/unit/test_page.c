// SPDX-License-Identifier: GPL-2.0-only
/* The pieces that a page is read by, also against arbitrary contents. */
#include "page.h"
#include "reasons.h"
#include "simulated.h"
#include "slice.h"
#include "unit.h"

static struct threadprof_page page;
static struct slice slice;

static void fill_page(void)
{
	unsigned int i;

	memset(&page, 0, sizeof(page));
	page.cycles_start = 1;
	page.switches = 77;
	page.cycles = 1000;
	page.hardware_counters = 0x8001;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		page.slot[i].total = 1000 + i;
		page.slot[i].start = 10;
		page.slot[i].index = i + 1;
		page.slot[i].width = 64;
		page.slot[i].state = i & 1 ? THREADPROF_SLOT_COUNTING : THREADPROF_SLOT_LOST;
	}
	for (i = 0; i < SIMULATED_REGISTERS; i++)
		simulated_register[i] = 10 + i * 5;
}

static void a_pass(void **state)
{
	struct page_pass pass = { 0 };

	(void)state;
	fill_page();
	page.seq = 4;
	assert_true(threadprof_page_begin(&page, &pass));
	assert_int_equal(pass.seq, 4);
	assert_int_equal(pass.number, 1);
	assert_true(threadprof_page_has(&page, pass.seq));
	page.seq = 6;
	assert_false(threadprof_page_has(&page, pass.seq));
	assert_true(threadprof_page_begin(&page, &pass));
	assert_int_equal(pass.number, 2);
	page.seq = 7;
	assert_false(threadprof_page_begin(&page, &pass));	/* in the end */
}

static void masks(void **state)
{
	unsigned int i;

	(void)state;
	fill_page();
	memset(&slice, 0xee, sizeof(slice));
	threadprof_slice_reset(&slice, &page);
	assert_int_equal(slice.slots, 0x8001);
	assert_int_equal(slice.configured, 2);
	threadprof_slice_copy_totals(&slice, &page);
	for (i = 0; i < MAX_HW_COUNTERS; i++)
		assert_int_equal(slice.data[i].Value, i == 0 || i == 15 ? 1000 + i : 0);

	threadprof_slice_copy(&slice, &page);
	assert_int_equal(slice.switches, 77);
	assert_true(slice.is_running);
	threadprof_slice_copy_counters(&slice, &page);
	assert_true(slice.is_readable);
	assert_int_equal(slice.counters, 2);
	assert_true(threadprof_slice_advance(&slice));
	for (i = 0; i < MAX_HW_COUNTERS; i++)
		assert_int_equal(slice.data[i].Value, i == 0 ? 1000 : i == 15 ? 1015 + 75 : 0);

	/* E4: what is not configured, or of a state that a newer kernel has, reads 0. */
	page.slot[0].state = THREADPROF_SLOT_NOT_CONFIGURED;
	page.slot[15].state = 77;
	threadprof_slice_reset(&slice, &page);
	assert_int_equal(slice.slots, 0);
	threadprof_slice_copy_counters(&slice, &page);
	assert_int_equal(slice.configured, 0);
	assert_int_equal(slice.data[15].Value, 0);
}

static void reasons_are_told_once(void **state)
{
	static struct reasons reasons;

	(void)state;
	fill_page();
	page.wait[3].count = 2;
	page.wait[63].count = UINT64_MAX;
	threadprof_reasons_copy(&reasons, &page, 77);
	/* Only what was copied is told, and only what is told is seen. */
	page.wait[4].count = 1;
	assert_true(threadprof_reasons_tell(&reasons) == (1ULL << 3 | 1ULL << 63));
	assert_int_equal(reasons.told, 77);
	assert_true(threadprof_reasons_tell(&reasons) == 0);
	page.wait[63].count = 0;	/* a step back is no reason */
	threadprof_reasons_copy(&reasons, &page, 78);
	assert_true(threadprof_reasons_tell(&reasons) == 1ULL << 4);
	threadprof_reasons_reset(&reasons);
	threadprof_reasons_copy(&reasons, &page, 1);
	assert_true(threadprof_reasons_tell(&reasons) == (1ULL << 3 | 1ULL << 4));
}

static void arbitrary_bytes(void **state)
{
	uint64_t seed = unit_seed(), *word = (uint64_t *)&page;
	static struct reasons reasons;
	unsigned int k;
	size_t i;

	(void)state;
	for (k = 0; k < 20000; k++) {
		for (i = 0; i < sizeof(page) / sizeof(*word); i++)
			word[i] = unit_random(&seed);
		/* Else none of them is ever right. */
		for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
			page.slot[i].state %= 5;
			page.slot[i].index %= unit_random(&seed) % 2 ? 40 : UINT32_MAX;
			page.slot[i].width %= 70;
		}
		threadprof_slice_reset(&slice, &page);
		assert_int_equal(slice.slots & ~page.hardware_counters, 0);
		threadprof_slice_copy(&slice, &page);
		threadprof_slice_copy_counters(&slice, &page);
		assert_true(slice.counters <= slice.configured);
		assert_int_equal(slice.is_readable, slice.counters == slice.configured);
		threadprof_slice_advance(&slice);
		for (i = 0; i < slice.counters; i++) {
			assert_true(slice.counter[i].where < SIMULATED_REGISTERS);
			assert_true(slice.counter[i].slot < MAX_HW_COUNTERS);
			assert_true(slice.counter[i].shift <= 60);
		}
		threadprof_reasons_copy(&reasons, &page, k);
		threadprof_reasons_tell(&reasons);
		threadprof_page_check(&page);
	}
}

static void versions(void **state)
{
	(void)state;
	memset(&page, 0, sizeof(page));
	assert_int_equal(threadprof_page_check(&page), -EPROTONOSUPPORT);
	page.version = THREADPROF_PAGE_VERSION;
	page.page_size = sizeof(page) - 1;
	assert_int_equal(threadprof_page_check(&page), -EPROTONOSUPPORT);
	page.page_size = sizeof(page);
	assert_int_equal(threadprof_page_check(&page), 0);
	page.page_size = sizeof(page) + 64;	/* fields of a newer module behind */
	assert_int_equal(threadprof_page_check(&page), 0);
	page.version++;
	assert_int_equal(threadprof_page_check(&page), -EPROTONOSUPPORT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass),
		cmocka_unit_test(masks),
		cmocka_unit_test(reasons_are_told_once),
		cmocka_unit_test(arbitrary_bytes),
		cmocka_unit_test(versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
