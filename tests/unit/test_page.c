// SPDX-License-Identifier: GPL-2.0-only
/* The reader of the page against a writer, and against arbitrary contents. */
#include <pthread.h>
#include <sched.h>

#include "page.h"
#include "unit.h"

#define READS	1000000

static struct threadprof_page page;
static _Atomic int stop;

#define STORE(field, value)	__atomic_store_n(&(field), value, __ATOMIC_RELEASE)

/* All fields are made of one number, so that a mixture of two would show. */
static void write_page(uint64_t n)
{
	unsigned int i;

	/* A full barrier after it: exchange rather than store. */
	__atomic_exchange_n(&page.seq, page.seq + 1, __ATOMIC_SEQ_CST);
	STORE(page.switches, n);
	STORE(page.cycles, n * 3);
	for (i = 0; i < 16; i++) {
		STORE(page.slot[i].total, n + i);
		STORE(page.slot[i].state, n & 1 ? THREADPROF_SLOT_COUNTING : THREADPROF_SLOT_LOST);
	}
	for (i = 0; i < 64; i++)
		STORE(page.wait[i].count, n ^ i);
	STORE(page.seq, page.seq + 1);
}

static void *writer(void *arg)
{
	uint64_t n = 0;

	(void)arg;
	while (!stop) {
		write_page(++n);
		/* Leave room: it is for torn reads, not for starved ones. */
		if (n % 4 == 0)
			sched_yield();
	}
	return NULL;
}

static void never_torn(void **state)
{
	struct page_snapshot snapshot;
	uint64_t n, last = 0, retried = 0, given_up = 0;
	unsigned int i, k;
	pthread_t thread;

	(void)state;
	write_page(0);
	pthread_create(&thread, NULL, writer, NULL);
	for (k = 0; k < READS; k++) {
		/* Unlike the kernel, this writer may lose its CPU in the middle. */
		while (threadprof_page_read(&page, PAGE_DISPATCH | PAGE_SLOTS, 0xffff, UINT64_MAX,
					    &snapshot) == -EIO)
			given_up++;
		n = snapshot.switches;
		if (snapshot.cycles != n * 3 || snapshot.configured != 0xffff || n < last)
			fail_msg("torn read: %llu", (unsigned long long)n);
		for (i = 0; i < 16; i++)
			if (snapshot.slot[i] != n + i)
				fail_msg("torn read of slot %u", i);
		for (i = 0; i < 64; i++)
			if (snapshot.wait[i] != (n ^ i))
				fail_msg("torn read of wait %u", i);
		retried += snapshot.passes > 1;
		last = n;
	}
	stop = 1;
	pthread_join(thread, NULL);
	printf("%u reads, the last of write %llu, %llu in more than one pass, %llu given up\n",
	       READS, (unsigned long long)last, (unsigned long long)retried,
	       (unsigned long long)given_up);
	assert_true(last > 1);
}

static void parts_and_masks(void **state)
{
	struct page_snapshot snapshot;
	unsigned int i;

	(void)state;
	memset(&page, 0, sizeof(page));
	write_page(1000);
	memset(&snapshot, 0xee, sizeof(snapshot));
	assert_int_equal(threadprof_page_read(&page, PAGE_SLOTS, 0x8001, 0, &snapshot), 0);
	assert_int_equal(snapshot.passes, 1);
	assert_int_equal(snapshot.configured, 0x8001);
	assert_true(snapshot.switches == 0xeeeeeeeeeeeeeeeeULL);
	for (i = 0; i < 16; i++)
		assert_int_equal(snapshot.slot[i], i == 0 || i == 15 ? 1000 + i : 0);
	page.slot[0].state = THREADPROF_SLOT_NOT_CONFIGURED;
	page.slot[15].state = 77;	/* a newer kernel's */
	assert_int_equal(threadprof_page_read(&page, PAGE_SLOTS, 0x8001, 0, &snapshot), 0);
	assert_int_equal(snapshot.configured, 0);
	assert_int_equal(snapshot.slot[15], 0);
}

static void arbitrary_bytes(void **state)
{
	uint64_t seed = unit_seed(), *word = (uint64_t *)&page;
	struct page_snapshot snapshot;
	unsigned int k;
	size_t i;
	int err;

	(void)state;
	for (k = 0; k < 2000; k++) {
		for (i = 0; i < sizeof(page) / sizeof(*word); i++)
			word[i] = unit_random(&seed);
		if (k >= 5)	/* an odd one takes its time to be given up */
			page.seq &= ~1U;
		err = threadprof_page_read(&page, PAGE_DISPATCH | PAGE_SLOTS,
					   unit_random(&seed), 0, &snapshot);
		assert_int_equal(err, page.seq & 1 ? -EIO : 0);
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
		cmocka_unit_test(parts_and_masks),
		cmocka_unit_test(never_torn),
		cmocka_unit_test(arbitrary_bytes),
		cmocka_unit_test(versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
