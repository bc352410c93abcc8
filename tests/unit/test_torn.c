// SPDX-License-Identifier: GPL-2.0-only
/*
 * R3: one Read is of one moment. A writer keeps relations between all that is in the
 * page and in the registers; a Read that mixes two of its writes breaks them.
 *
 *	test_torn [READS]
 */
#include <pthread.h>
#include <sched.h>

#include "direct.h"
#include "simulated.h"
#include "unit.h"

#define READS	10000000
/* Fewer writes than that in the middle of a Read, and nothing is proven yet. */
#define TORN	100
#define SLOTS	4
#define WIDTH	48

/* What slot i, and the cycles, are after the n-th write. */
#define VALUE(n, i)	((n) * ((i) + 3))
#define CYCLES(n)	((n) * 7)

static unsigned long reads = READS;
static struct threadprof_page *page;
static _Atomic int stop;

#define STORE(field, value)	__atomic_store_n(&(field), value, __ATOMIC_RELEASE)

static void write_page(uint64_t n, uint64_t *seed)
{
	uint64_t start, since;
	unsigned int i;

	/* A full barrier after it: exchange rather than store. */
	__atomic_exchange_n(&page->seq, page->seq + 1, __ATOMIC_SEQ_CST);
	STORE(page->switches, n);
	STORE(page->cycles, CYCLES(n));
	STORE(page->wait[WrQueue].count, n);
	for (i = 0; i < SLOTS; i++) {
		start = unit_random(seed) & ((1ULL << WIDTH) - 1);
		since = unit_random(seed) % (1ULL << (WIDTH - 3));
		STORE(page->slot[i].total, VALUE(n, i) - since);
		STORE(page->slot[i].start, start);
		STORE(page->slot[i].index, (i + n) % SIMULATED_REGISTERS + 1);
		atomic_store(&simulated_register[(i + n) % SIMULATED_REGISTERS], start + since);
	}
	STORE(page->seq, page->seq + 1);
}

static void *writer(void *arg)
{
	uint64_t seed = *(uint64_t *)arg, n = 0;
	volatile unsigned int pause;

	while (!stop) {
		write_page(++n, &seed);
		/* From none to some Reads in between. */
		for (pause = unit_random(&seed) % 512; pause; pause--)
			;
		if (n % 64 == 0)
			sched_yield();
	}
	return NULL;
}

/* Where the two share a CPU, the writer comes in the middle of a Read too. */
static void let_the_writer(unsigned int number)
{
	static unsigned int calls;

	(void)number;
	if (!(++calls % 4093))
		sched_yield();
}

/* Direct from here on: the writer brings nothing up to date when it is asked. */
static HANDLE earn(void)
{
	PERFORMANCE_DATA data = fresh_data();
	uint64_t seed = 1;
	HANDLE handle;
	int i;

	fake.config.count = SLOTS;
	/* It has begun, and has not come that far: CycleTime is the page's own. */
	fake.cycles_start = INT64_MAX;
	handle = enable_or_fail(DISPATCH, (1 << SLOTS) - 1);
	page = fake_page();
	for (i = 0; i < SLOTS; i++) {
		page->slot[i].index = i + 1;
		page->slot[i].width = WIDTH;
	}
	for (i = 0; i < DIRECT_GOAL; i++)
		assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data), 0);
	assert_int_equal(fake.asked_direct, 1);
	write_page(0, &seed);
	return handle;
}

static bool is_of_one_moment(const PERFORMANCE_DATA *data, uint64_t n, uint64_t last)
{
	bool good = data->CycleTime == CYCLES(n) && n >= last &&
		    data->WaitReasonBitMap == (n > last ? 1ULL << WrQueue : 0);
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		good &= data->HwCounters[i].Value == VALUE(n, i);
	return good;
}

static void never_torn(void **state)
{
	uint64_t seed = unit_seed(), n, last = 0, retried = 0, given_up = 0, renewed = 0;
	PERFORMANCE_DATA data = fresh_data();
	HANDLE handle = earn();
	unsigned int positions = fake.positions;
	pthread_t thread;
	unsigned long k;
	DWORD code;

	(void)state;
	simulated_on_read = let_the_writer;
	assert_int_equal(pthread_create(&thread, NULL, writer, &seed), 0);
	for (k = 0; k < reads || retried < TORN; k++) {
		/* Unlike the kernel, this writer may lose its CPU in the middle. */
		while ((code = ReadThreadProfilingData(handle, READ_BOTH, &data)) == 13)
			given_up++;
		/* The count has 32 bits; the first slot's value tells the others. */
		n = data.HwCounters[0].Value / 3;
		if (code || data.ContextSwitchCount != (DWORD)n ||
		    !is_of_one_moment(&data, n, last)) {
			stop = 1;
			fail_msg("read %lu is torn: %llu, after %llu", k, (unsigned long long)n,
				 (unsigned long long)last);
		}
		retried += data.RetryCount > 1;
		renewed += n != last;
		last = n;
	}
	stop = 1;
	pthread_join(thread, NULL);
	printf("%lu reads of %llu different writes, the last of write %llu; "
	       "%llu in more than one pass, %llu given up\n", k,
	       (unsigned long long)renewed, (unsigned long long)last,
	       (unsigned long long)retried, (unsigned long long)given_up);
	assert_int_equal(fake.positions, positions);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = { fake_test(never_torn) };

	if (argc > 1)
		reads = strtoul(argv[1], NULL, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
