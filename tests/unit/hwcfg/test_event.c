// SPDX-License-Identifier: GPL-2.0-only
/* Names of events to what the kernel calls them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event.h"
#include "set.h"
#include "unit.h"

#define U THREADPROF_MODE_USER
#define K THREADPROF_MODE_KERNEL
#define H THREADPROF_MODE_HYPERVISOR

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint32_t modes;
} good[] = {
	{ "cycles", PERF_TYPE_HARDWARE, 0, U },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, 0, U },
	{ "INSTRUCTIONS", PERF_TYPE_HARDWARE, 1, U },
	{ "cache-references", PERF_TYPE_HARDWARE, 2, U },
	{ "cache-misses:k", PERF_TYPE_HARDWARE, 3, K },
	{ "branches:u", PERF_TYPE_HARDWARE, 4, U },
	{ "branch-misses:uk", PERF_TYPE_HARDWARE, 5, U | K },
	{ "bus-cycles:ukh", PERF_TYPE_HARDWARE, 6, U | K | H },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, 7, U },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, 8, U },
	{ "ref-cycles", PERF_TYPE_HARDWARE, 9, U },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, U },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, U },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, U },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, U },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, U },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, U },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, U | K },
	{ "cs:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, U },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, U | K },
	{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x000000, U },
	{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x010000, U },
	{ "l1-DCACHE-store-misses:k", PERF_TYPE_HW_CACHE, 0x010100, K },
	{ "L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x010001, U },
	{ "LLC-prefetches", PERF_TYPE_HW_CACHE, 0x000202, U },
	{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, 0x010003, U },
	{ "iTLB-loads", PERF_TYPE_HW_CACHE, 0x000004, U },
	{ "branch-load-misses", PERF_TYPE_HW_CACHE, 0x010005, U },
	{ "node-stores", PERF_TYPE_HW_CACHE, 0x000106, U },
	{ "r1c2", PERF_TYPE_RAW, 0x1c2, U },
	{ "rFFFFffffFFFFffff:k", PERF_TYPE_RAW, UINT64_MAX, K },
	/* libpfm4's Skylake table, forced by main(). */
	{ "skl::INST_RETIRED:ANY_P", PERF_TYPE_RAW, 0xc0, U },
	{ "inst_retired", PERF_TYPE_RAW, 0xc0, U },
	{ "INST_RETIRED:ANY_P:uk", PERF_TYPE_RAW, 0xc0, U | K },
	{ "mem_load_retired:l1_hit:k", PERF_TYPE_RAW, 0x1d1, K },
	{ "skl::UNHALTED_CORE_CYCLES:u=1:k=1", PERF_TYPE_RAW, 0x3c, U | K },
};

static void test_good(void **state)
{
	char error[EVENT_ERROR];
	struct event event;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		memset(&event, 0xcc, sizeof(event));
		if (event_parse(good[i].name, &event, error))
			fail_msg("%s: %s", good[i].name, error);
		if (event.type != good[i].type || event.config != good[i].config ||
		    event.modes != good[i].modes)
			fail_msg("%s: type %u config %#llx modes %#x", good[i].name, event.type,
				 (unsigned long long)event.config, event.modes);
		assert_string_equal(event.name, good[i].name);
	}
}

static const struct {
	const char *name;
	const char *reason;	/* part of it */
} bad[] = {
	{ "", "without a name" },
	{ "cylces", "did you mean cycles" },
	{ "instrutions:k", "did you mean instructions" },
	{ "inst_retierd", "did you mean skl::INST_RETIRED" },
	{ "qqqqqqqqqqqqqqqq", "unknown event 'qqqqqqqqqqqqqqqq'" },
	{ "cycles:x", "unknown modifier 'x' of 'cycles'" },
	{ "cycles:", "unknown modifier '' of 'cycles'" },
	{ "cycles:u:", "unknown modifier" },
	{ ":u", "unknown event" },
	{ ":", "unknown event" },
	{ "cycles:p", "'p' (precise) is for sampling" },
	{ "cycles:upp", "'p' (precise) is for sampling" },
	{ "instructions:P", "'P' (precise) is for sampling" },
	{ "cycles:G", "'G' is not for counters" },
	{ "cycles instructions", "no blanks" },
	{ "cycles\n", "no blanks" },
	{ "r", "unknown event 'r'" },
	{ "r12345678123456789", "wider than 64 bits" },
	{ "r12xyz", "unknown event" },
	{ "mem_load_retired", "unit mask" },
	{ "INST_RETIRED:nosuch", "attribute" },
	{ "skl::INST_RETIRED:ANY_P:period=1000", "sampling" },
	{ "mem_load_retired:l1_hit:precise=1", "sampling" },
	{ "cpu/event=1", "closing slash" },
	{ "cpu/", "closing slash" },
	{ "nosuchpmu/event=1/", "no PMU 'nosuchpmu'" },
	{ "//", "no PMU ''" },
	{ "../event=1/", "no PMU" },
};

static void test_bad(void **state)
{
	char error[EVENT_ERROR];
	struct event event;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		strcpy(error, "(no reason)");
		if (!event_parse(bad[i].name, &event, error))
			fail_msg("'%s' was taken", bad[i].name);
		if (!strstr(error, bad[i].reason) || strchr(error, '\n'))
			fail_msg("'%s': %s", bad[i].name, error);
	}
}

/* Whatever comes in, the answer is an event with a mode or a reason. */
static void test_garbage(void **state)
{
	static const char letters[] = "cyles:ukhpr0x/,=-_.(~ \t\xff";
	char error[EVENT_ERROR], name[700];
	struct event event;
	unsigned int seed = 1;
	int i, k, length;

	(void)state;
	for (i = 0; i < 20000; i++) {
		length = rand_r(&seed) % (i % 100 ? 12 : sizeof(name) - 1);
		for (k = 0; k < length; k++)
			name[k] = letters[rand_r(&seed) % (sizeof(letters) - 1)];
		name[length] = '\0';
		error[0] = '\0';
		if (event_parse(name, &event, error)) {
			assert_true(error[0]);
			assert_null(strchr(error, '\n'));
		} else {
			assert_true(event.modes && event.name[0]);
		}
	}
	memset(name, 'a', 600);
	name[600] = '\0';
	assert_int_equal(event_parse(name, &event, error), -1);
	assert_non_null(strstr(error, "too long"));
}

static void test_list(void **state)
{
	char *words[] = { "cycles:u,instructions:u", "page-faults", "cycles:k" };
	char *twice[] = { "cycles", "page-faults", "cpu-cycles:u" };
	char *empty[] = { "cycles,,instructions" };
	struct threadprof_counter counters[THREADPROF_MAX_COUNTERS];
	char error[EVENT_ERROR], many[128] = "", *word = many;
	unsigned int n;
	int i;

	(void)state;
	assert_int_equal(set_parse(words, 3, counters, &n, error), 0);
	assert_int_equal(n, 4);
	assert_int_equal(counters[1].index, THREADPROF_INDEX(0, 1));
	assert_string_equal(counters[3].name, "cycles:k");
	assert_int_equal(counters[3].modes, K);

	assert_int_equal(set_parse(twice, 3, counters, &n, error), -1);
	assert_string_equal(error, "'cycles' and 'cpu-cycles:u' are the same event");
	assert_int_equal(set_parse(empty, 1, counters, &n, error), -1);
	assert_non_null(strstr(error, "without a name"));

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		sprintf(many + strlen(many), "%sr%d", i ? "," : "", i);
	assert_int_equal(set_parse(&word, 1, counters, &n, error), 0);
	assert_int_equal(n, THREADPROF_MAX_COUNTERS);
	strcat(many, ",rff");
	assert_int_equal(set_parse(&word, 1, counters, &n, error), -1);
	assert_string_equal(error, "more than 16 events");
}

static void test_counter(void **state)
{
	struct event event = { .type = 4, .config = 0xffffffffffff, .modes = U, .config1 = 7,
			       .config2 = 8, .name = "x" };
	struct threadprof_counter counter;
	char error[EVENT_ERROR];
	struct event back;

	(void)state;
	assert_int_equal(event_to_counter(&event, &counter, error), 0);
	assert_int_equal(counter.has_config, 0);
	assert_int_equal(counter.index, 0x0004ffffffffffff);
	assert_int_equal(counter.config1, 7);
	assert_int_equal(counter.config2, 8);
	event.config++;
	assert_int_equal(event_to_counter(&event, &counter, error), 0);
	assert_int_equal(counter.has_config, 1);
	assert_int_equal(counter.config, 0x1000000000000);
	event_from_counter(&counter, &back);
	assert_true(event_same(&back, &event));
	event.type = 0x10000;
	assert_int_equal(event_to_counter(&event, &counter, error), -1);
	assert_non_null(strstr(error, "does not fit"));
}

static void test_near(void **state)
{
	char near[256];

	(void)state;
	assert_int_equal(event_distance("cycles", "cycles"), 0);
	assert_int_equal(event_distance("CYCLES", "cycles"), 0);
	assert_int_equal(event_distance("cylces", "cycles"), 1);
	assert_int_equal(event_distance("cycle", "cycles"), 1);
	assert_int_equal(event_distance("", "abc"), 3);
	assert_int_equal(event_distance("kitten", "sitting"), 3);
	event_near("branch-mises", near, sizeof(near));
	assert_true(!strncmp(near, "branch-misses", 13));
	event_near("LLC-lores", near, sizeof(near));
	assert_string_equal(near, "LLC-loads or LLC-stores");
	event_near("zzzzzzzzzzzz", near, sizeof(near));
	assert_string_equal(near, "");
}

static int count(const char *name, const char *what, void *arg)
{
	struct event event;
	char error[EVENT_ERROR];

	assert_non_null(what);
	if (event_parse(name, &event, error))
		fail_msg("%s: %s", name, error);
	++*(int *)arg;
	return 0;
}

static void test_each(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(event_generic_each(count, &n), 0);
	assert_int_equal(n, 19 + 7 * 3 * 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_counter),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_each),
	};

	/* One known CPU, on whatever machine the tests run. */
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	event_pmu_root = "/nonexistent";
	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
