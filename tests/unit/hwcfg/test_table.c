// SPDX-License-Identifier: GPL-2.0-only
/* Made-up profiles to the exact text and JSON. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_ipc.h"
#include "run_table.h"
#include "unit.h"

#define HZ 1000000000	/* a tick is a nanosecond */

static struct threadprof_counter counter(const char *name, uint64_t index, uint32_t modes)
{
	struct threadprof_counter out = { .index = index, .modes = modes };

	strcpy(out.name, name);
	return out;
}

static struct threadprof_profile profile(uint32_t tid, const char *comm, uint64_t cycles)
{
	struct threadprof_profile p = {
		.id = tid + 1000, .ended_id = tid, .hardware_counters = 3, .switches = 12,
		.voluntary = 10, .cycles = cycles, .elapsed = 2 * cycles, .pid = 40, .tid = tid,
		.flags = THREADPROF_PROFILE_INHERITED | THREADPROF_PROFILE_ENDED,
	};

	strcpy(p.comm, comm);
	p.slot[0] = (struct threadprof_slot){ .value = cycles, .state = THREADPROF_SLOT_COUNTING };
	p.slot[1] = (struct threadprof_slot){ .value = cycles + cycles / 2,
					      .state = THREADPROF_SLOT_COUNTING };
	return p;
}

static struct run_result result(void)
{
	struct run_result r = { .command = "demo", .status = 3, .elapsed_ns = 5000000,
				.cycle_hz = HZ, .mask = 3 };

	r.config.count = 2;
	r.config.generation = 7;
	r.config.counter[0] = counter("cycles", THREADPROF_INDEX(0, 0), 0);
	r.config.counter[1] = counter("instructions:u", THREADPROF_INDEX(0, 1), 1);
	return r;
}

static void expect(struct run_result *r, const char *table, const char *notes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(run_table_print(out, r), 0);
	fclose(out);
	if (table)
		assert_string_equal(text, table);
	free(text);
	out = open_memstream(&text, &size);
	run_table_notes(out, r);
	fclose(out);
	assert_string_equal(text, notes);
	free(text);
	run_threads_free(&r->threads);
}

static void test_plain(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(41, "small", 2000000);

	(void)state;
	p.wait[THREADPROF_WAIT_DELAY_EXECUTION] = (struct threadprof_wait){ 3, 1500000 };
	p.wait[THREADPROF_WAIT_EXECUTIVE] = (struct threadprof_wait){ 1, 2000 };
	p.wait[THREADPROF_WAIT_WR_QUANTUM_END] = (struct threadprof_wait){ 2, 30000000 };
	p.wait[THREADPROF_WAIT_USER_REQUEST] = (struct threadprof_wait){ 5, 1000 };
	run_threads_add(&r.threads, &p);
	p = profile(42, "large", 1234567890);
	p.flags &= ~THREADPROF_PROFILE_ENDED;
	p.wait[THREADPROF_WAIT_WR_QUEUE].count = 1;
	run_threads_add(&r.threads, &p);
	p = profile(43, "never exec'd", 99);
	p.flags |= THREADPROF_PROFILE_WAITS_EXEC;
	run_threads_add(&r.threads, &p);
	expect(&r,
"TID NAME                     CPU MS    REF CYCLES VOL SWITCHES INVOL        cycles instructions:u  IPC WAITED FOR\n"
" 42 large (still running) 1,234.568 1,234,567,890           10     2 1,234,567,890  1,851,851,835 1.50 WrQueue now\n"
" 41 small                     2.000     2,000,000           10     2     2,000,000      3,000,000 1.50 WrQuantumEnd 30.0 ms, DelayExecution 1.50 ms, Executive 2.00 us\n"
"    total                 1,236.568 1,236,567,890           20     4 1,236,567,890  1,854,851,835 1.50 WrQuantumEnd 30.0 ms, DelayExecution 1.50 ms, Executive 2.00 us\n",
	       "");
}

static void test_states(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(41, "a", 50000000);

	(void)state;
	p.slot[0].state = THREADPROF_SLOT_LOST;
	p.slot[1].value = 0;
	run_threads_add(&r.threads, &p);
	p = profile(42, "b", 1000);
	p.slot[0] = (struct threadprof_slot){ .state = THREADPROF_SLOT_NOT_CONFIGURED };
	p.slot[1] = (struct threadprof_slot){ .state = THREADPROF_SLOT_UNUSED };
	run_threads_add(&r.threads, &p);
	expect(&r,
"TID NAME  CPU MS REF CYCLES VOL SWITCHES INVOL            cycles instructions:u IPC WAITED FOR\n"
" 41 a     50.000 50,000,000           10     2 50,000,000 (lost)    not counted   - \n"
" 42 b      0.001      1,000           10     2    not configured              -   - \n"
"    total 50.001 50,001,000           20     4 50,000,000 (lost)    not counted   - \n",
"hwcfg: 'cycles' was lost in 1 row: it did not count for a part of the time, the number is too small\n"
"hwcfg: 'instructions:u' counted nothing: is it implemented by this (virtual) CPU?\n");
}

/* A short thread may well have none of an event; a long one not. */
static void test_zero(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(41, "a", 100);

	(void)state;
	run_threads_add(&r.threads, &p);
	p.tid = 42;
	p.slot[1].value = 0;
	run_threads_add(&r.threads, &p);
	expect(&r, NULL, "");
	p.cycles = 20000000;
	run_threads_add(&r.threads, &p);
	p = profile(41, "a", 100);
	run_threads_add(&r.threads, &p);
	expect(&r, NULL,
	       "hwcfg: 'instructions:u' counted nothing: is it implemented by this (virtual) CPU?\n");
	expect(&r, NULL, "hwcfg: no thread was profiled\n");

	/* Others may be 0 for good reasons, in a long time it is worth a word. */
	p = profile(41, "a", 9000000);
	p.slot[1].value = 0;
	r.config.counter[1] = counter("LLC-stores", THREADPROF_INDEX(3, 0x102), 1);
	run_threads_add(&r.threads, &p);
	expect(&r, NULL, "");
	run_threads_add(&r.threads, &p);
	run_threads_add(&r.threads, &p);
	expect(&r, NULL, "hwcfg: 'LLC-stores' is 0 everywhere: either it never happened, or this (virtual) "
	       "CPU does not implement it\n");
	r.config.counter[1] = counter("major-faults", THREADPROF_INDEX(1, 6), 1);
	p.cycles = 90000000;
	run_threads_add(&r.threads, &p);
	expect(&r, NULL, "");
}

/* A zero that is no count never stands alone, neither in the table nor in JSON. */
static void test_doubt(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(41, "dead", 50000000);
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	p.slot[0].value = 0;
	p.slot[2] = (struct threadprof_slot){ .state = THREADPROF_SLOT_COUNTING };
	r.mask = 7;
	r.config.count = 3;
	r.config.counter[2] = counter("LLC-stores", THREADPROF_INDEX(3, 0x102), 1);
	r.config.counter[0].modes = 1;
	run_threads_add(&r.threads, &p);
	/* Short: its zero is believed, as another one has cycles. */
	p = profile(42, "short", 100);
	p.slot[0].value = 0;
	p.slot[2] = (struct threadprof_slot){ .state = THREADPROF_SLOT_COUNTING };
	run_threads_add(&r.threads, &p);
	p = profile(43, "alive", 1000);
	p.slot[2] = (struct threadprof_slot){ .state = THREADPROF_SLOT_COUNTING };
	run_threads_add(&r.threads, &p);
	out = open_memstream(&text, &size);
	assert_int_equal(run_table_json(out, &r), 0);
	fclose(out);
	/* The dead one's cycles have no number and give no IPC. */
	assert_non_null(strstr(text, "\"value\": null,\n         \"note\": \"not counted\""));
	assert_non_null(strstr(text, "\"value\": 0,\n         \"note\": \"0 everywhere\""));
	assert_non_null(strstr(text, "\"value\": 0,\n         \"note\": null"));
	assert_non_null(strstr(text, "\"value\": 1000,\n         \"note\": null"));
	free(text);
	expect(&r,
"TID NAME  CPU MS REF CYCLES VOL SWITCHES INVOL      cycles instructions:u LLC-stores  IPC WAITED FOR\n"
" 41 dead  50.000 50,000,000           10     2 not counted     75,000,000      0 (?)    - \n"
" 43 alive  0.001      1,000           10     2       1,000          1,500      0 (?) 1.50 \n"
" 42 short  0.000        100           10     2           0            150      0 (?)    - \n"
"    total 50.001 50,001,100           30     6   1,000 (?)     75,001,650      0 (?)    - \n",
"hwcfg: 'cycles' counted nothing: is it implemented by this (virtual) CPU?\n"
"hwcfg: 'LLC-stores' is 0 everywhere: either it never happened, or this (virtual) "
"CPU does not implement it\n");

	/* Zero in all rows: no thread has no cycles, however short. IPC of nothing is none. */
	p = profile(41, "a", 100);
	p.slot[1].value = 0;
	r.mask = 3;
	run_threads_add(&r.threads, &p);
	expect(&r,
"TID NAME  CPU MS REF CYCLES VOL SWITCHES INVOL cycles instructions:u IPC WAITED FOR\n"
" 41 a      0.000        100           10     2    100    not counted   - \n"
"    total  0.000        100           10     2    100    not counted   - \n",
	       "hwcfg: 'instructions:u' counted nothing: is it implemented by this (virtual) CPU?\n");
}

static void test_dropped(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(0, "", 3000000);

	(void)state;
	r.mask = 0;
	p.dropped = 1500;
	p.ended_id = 0;
	run_threads_add(&r.threads, &p);
	p.dropped = 2000;	/* the sums grow, the newest count */
	p.cycles = 4000000;
	run_threads_add(&r.threads, &p);
	p = profile(41, "a", 1000000);
	run_threads_add(&r.threads, &p);
	assert_int_equal(r.threads.last_ended, 41);
	expect(&r,
"TID NAME               CPU MS REF CYCLES VOL SWITCHES INVOL WAITED FOR\n"
" 41 a                   1.000  1,000,000           10     2 \n"
"    (2,000 more ended)  4.000  4,000,000           10     2 \n"
"    total               5.000  5,000,000           20     4 \n", "");
}

static void test_many(void **state)
{
	struct run_result r = result();
	struct threadprof_profile lost, p;
	unsigned int i;

	(void)state;
	for (i = 0; i < RUN_THREADS_MAX + 1; i++) {
		p = profile(i + 1, "x", i + 1);
		run_threads_add(&r.threads, &p);
	}
	assert_int_equal(r.threads.count, RUN_THREADS_MAX / 2 + 1);
	run_threads_lost(&r.threads, &lost);
	assert_int_equal(lost.dropped, RUN_THREADS_MAX / 2);
	/* The small ones went: 1 + 2 + ... */
	assert_int_equal(lost.cycles, (uint64_t)(RUN_THREADS_MAX / 2) * (RUN_THREADS_MAX / 2 + 1) / 2);
	assert_int_equal(lost.switches, 12 * (RUN_THREADS_MAX / 2));
	run_threads_free(&r.threads);
}

/* A thread listed as running that ends before the last look has one row. */
static void test_replace(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p, lost;
	unsigned int i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		p = profile(i, "x", 100 * i);
		p.ended_id = 0;
		p.flags &= ~THREADPROF_PROFILE_ENDED;
		run_threads_add(&r.threads, &p);
	}
	assert_int_equal(r.threads.running, 3);
	p = profile(2, "last", 999);
	run_threads_add(&r.threads, &p);
	assert_int_equal(r.threads.count, 3);
	assert_int_equal(r.threads.running, 2);
	assert_int_equal(r.threads.last_ended, 2);
	run_threads_sort(&r.threads);
	assert_string_equal(r.threads.row[0].comm, "last");
	assert_int_equal(r.threads.row[0].cycles, 999);
	/* Running rows are not summed up, however small: their end would not find them. */
	for (i = 0; i < RUN_THREADS_MAX; i++) {
		p = profile(i + 10, "y", 5000);
		run_threads_add(&r.threads, &p);
	}
	assert_int_equal(r.threads.count, 2 + RUN_THREADS_MAX / 2 + 1);
	p = profile(1, "end", 1);
	run_threads_add(&r.threads, &p);
	p = profile(3, "end", 1);
	run_threads_add(&r.threads, &p);
	assert_int_equal(r.threads.running, 0);
	assert_int_equal(r.threads.count, 2 + RUN_THREADS_MAX / 2 + 1);
	run_threads_lost(&r.threads, &lost);
	assert_int_equal(lost.dropped + r.threads.count, 3 + RUN_THREADS_MAX);
	run_threads_free(&r.threads);
}

static void test_ipc(void **state)
{
	struct run_result r = result();
	unsigned int cycles = 99, instructions = 99;

	(void)state;
	assert_true(run_ipc_slots(&r.config, 3, &cycles, &instructions));
	assert_int_equal(cycles, 0);
	assert_int_equal(instructions, 1);
	assert_false(run_ipc_slots(&r.config, 1, &cycles, &instructions));
	r.config.counter[1].modes = THREADPROF_MODE_KERNEL;
	assert_false(run_ipc_slots(&r.config, 3, &cycles, &instructions));
	r.config.counter[0] = counter("arm_ac57::CPU_CYCLES:uk", THREADPROF_INDEX(8, 0x11), 3);
	r.config.counter[1] = counter("armv8_pmuv3/inst_retired/uk", THREADPROF_INDEX(8, 8), 3);
	assert_true(run_ipc_slots(&r.config, 3, &cycles, &instructions));
	/* Software events have other numbers for other things. */
	r.config.counter[0] = counter("cpu-clock", THREADPROF_INDEX(1, 0), 3);
	assert_false(run_ipc_slots(&r.config, 3, &cycles, &instructions));
}

static void test_json(void **state)
{
	struct run_result r = result();
	struct threadprof_profile p = profile(41, "q\"\\", 2000000);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	p.wait[THREADPROF_WAIT_WR_QUEUE] = (struct threadprof_wait){ 3, 1500 };
	p.slot[1].state = THREADPROF_SLOT_NOT_CONFIGURED;
	p.slot[1].value = 0;
	run_threads_add(&r.threads, &p);
	p = profile(0, "", 5);
	p.dropped = 2;
	run_threads_add(&r.threads, &p);
	assert_int_equal(run_table_json(out, &r), 0);
	fclose(out);
	run_threads_free(&r.threads);
	assert_non_null(strstr(text, "\"command\": \"demo\""));
	assert_non_null(strstr(text, "\"status\": 3"));
	assert_non_null(strstr(text, "\"name\": \"q\\\"\\\\\""));
	assert_non_null(strstr(text, "\"ref_cycles\": 2000000"));
	assert_non_null(strstr(text, "\"kind\": \"dropped\""));
	assert_non_null(strstr(text, "\"threads\": 2"));
	assert_non_null(strstr(text, "\"state\": \"not configured\""));
	assert_non_null(strstr(text, "\"value\": null"));
	assert_non_null(strstr(text, "\"value\": 2000000"));
	assert_non_null(strstr(text, "\"name\": \"WrQueue\""));
	assert_non_null(strstr(text, "\"tid\": null"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_ipc),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
