// SPDX-License-Identifier: GPL-2.0-only
/* pmu/terms/ against a folder laid out as sysfs is. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "event.h"
#include "unit.h"

static char root[] = "/tmp/hwcfg-unit-XXXXXX";

static const char *const files[][2] = {
	{ "cpu/type", "4\n" },
	{ "cpu/format/event", "config:0-7\n" },
	{ "cpu/format/umask", "config:8-15\n" },
	{ "cpu/format/edge", "config:18\n" },
	{ "cpu/format/split", "config:0-7,32-35\n" },
	{ "cpu/format/ldlat", "config1:0-15\n" },
	{ "cpu/format/frontend", "config2:8-31\n" },
	{ "cpu/format/whole", "config:0-63\n" },
	{ "cpu/format/config", "config2:0-7\n" },
	{ "cpu/format/odd", "config:7-0\n" },
	{ "cpu/format/four", "config4:0-7\n" },
	{ "cpu/events/cpu-cycles", "event=0x3c\n" },
	{ "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ "cpu/events/param", "event=0x1,umask=?\n" },
	{ "cpu/events/topdown-retiring", "event=0x00,umask=0x80\n" },
	{ "cpu/events/topdown-total-slots", "event=0x3c\n" },
	{ "cpu/events/loop", "loop\n" },
	{ "cpu/events/cpu-cycles.scale", "2\n" },
	{ "armv8_pmuv3/type", "8\n" },
	{ "armv8_pmuv3/format/event", "config:0-15\n" },
	{ "armv8_pmuv3/events/inst_retired", "event=0x008\n" },
	{ "uncore_imc/type", "23\n" },
	{ "uncore_imc/cpumask", "0\n" },
	{ "broken/type", "many\n" },
};

static int make(void **state)
{
	size_t i;

	(void)state;
	if (!mkdtemp(root))
		return -1;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[256];
		FILE *file;
		char *p;

		snprintf(path, sizeof(path), "%s/%s", root, files[i][0]);
		for (p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
		file = fopen(path, "w");
		if (!file)
			return -1;
		fputs(files[i][1], file);
		fclose(file);
	}
	event_pmu_root = root;
	return 0;
}

static int drop(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

#define U THREADPROF_MODE_USER
#define K THREADPROF_MODE_KERNEL

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config, config1, config2;
	uint32_t modes;
	const char *called;
} good[] = {
	{ "cpu/event=0x3c/", 4, 0x3c, 0, 0, U, "cpu/event=0x3c/" },
	{ "cpu/event=60,umask=1,edge/", 4, 0x4013c, 0, 0, U, NULL },
	{ "cpu/split=0xfab/", 4, 0xf000000ab, 0, 0, U, NULL },
	{ "cpu/config=0x13c/u", 4, 0x13c, 0, 0, U, NULL },
	{ "cpu/config=0x13c/:k", 4, 0x13c, 0, 0, K, NULL },
	{ "cpu/config=1,config1=0x22,config2=0x33/uk", 4, 1, 0x22, 0x33, U | K, NULL },
	{ "cpu/event=1,ldlat=5,frontend=7/", 4, 1, 5, 0x700, U, NULL },
	{ "cpu/whole=0xffffffffffffffff/", 4, UINT64_MAX, 0, 0, U, NULL },
	{ "cpu/cpu-cycles/", 4, 0x3c, 0, 0, U, NULL },
	{ "cpu/mem-loads,ldlat=9/", 4, 0x1cd, 9, 0, U, NULL },
	{ "cpu/topdown-total-slots/", 4, 0x3c, 0, 0, U, NULL },
	{ "cpu/event=2,name=my-loads/k", 4, 2, 0, 0, K, "my-loads" },
	{ "armv8_pmuv3/inst_retired/", 8, 8, 0, 0, U, NULL },
	{ "armv8_pmuv3/event=0xffff/", 8, 0xffff, 0, 0, U, NULL },
};

static void test_good(void **state)
{
	char error[EVENT_ERROR];
	struct event event;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (event_parse(good[i].name, &event, error))
			fail_msg("%s: %s", good[i].name, error);
		if (event.type != good[i].type || event.config != good[i].config ||
		    event.config1 != good[i].config1 || event.config2 != good[i].config2 ||
		    event.modes != good[i].modes)
			fail_msg("%s: %u:%#llx,%#llx,%#llx modes %#x", good[i].name, event.type,
				 (unsigned long long)event.config,
				 (unsigned long long)event.config1,
				 (unsigned long long)event.config2, event.modes);
		assert_string_equal(event.name, good[i].called ? good[i].called : good[i].name);
	}
}

static const char *const bad[][2] = {
	{ "cpu/event=0x100/", "too large" },
	{ "cpu/edge=2/", "too large" },
	{ "cpu/event=/", "no number" },
	{ "cpu/event=-1/", "no number" },
	{ "cpu/event=0x/", "no number" },
	{ "cpu/event=1z/", "no number" },
	{ "cpu/config=99999999999999999999/", "no number" },
	{ "cpu/event=1,,umask=1/", "empty term" },
	{ "cpu//", "empty term" },
	{ "cpu/nosuch=1/", "has no term 'nosuch'" },
	{ "cpu/nosuch/", "neither an event nor a term" },
	{ "cpu/cpu-cycels/", "did you mean cpu/cpu-cycles/" },
	{ "cpu/../", "neither" },
	{ "cpu/cpu-cycles.scale/", "neither" },
	{ "cpu/param/", "needs more terms" },
	{ "cpu/loop/", "has no term 'loop'" },
	{ "cpu/topdown-retiring/", "ratio and not a counter" },
	{ "cpu/event=1,period=1000/", "for sampling" },
	{ "cpu/event=1,freq=1000/", "for sampling" },
	{ "cpu/event=1,name=/", "name= wants" },
	{ "cpu/event=1/x", "unknown modifier 'x'" },
	{ "cpu/event=1/:", "unknown modifier ''" },
	{ "cpu/event=1/p", "for sampling" },
	{ "cpu/odd=1/", "not understood" },
	{ "cpu/four=1/", "cannot carry" },
	{ "broken/event=1/", "no PMU 'broken'" },
	{ "armv8_pmuv3/umask=1/", "has no term 'umask'" },
	{ "cpu/armv8_pmuv3/inst_retired/", "neither" },
};

static void test_bad(void **state)
{
	char error[EVENT_ERROR];
	struct event event;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!event_parse(bad[i][0], &event, error))
			fail_msg("'%s' was taken", bad[i][0]);
		if (!strstr(error, bad[i][1]))
			fail_msg("'%s': %s", bad[i][0], error);
	}
}

static void test_list(void **state)
{
	struct event events[THREADPROF_MAX_COUNTERS];
	char error[EVENT_ERROR];
	unsigned int n = 0;

	(void)state;
	assert_int_equal(event_parse_list("cpu/event=1,umask=2/u,cycles,armv8_pmuv3/inst_retired/",
					  events, &n, error), 0);
	assert_int_equal(n, 3);
	assert_int_equal(events[0].config, 0x201);
	assert_string_equal(events[1].name, "cycles");
	assert_int_equal(events[2].type, 8);
}

static int note(const char *name, const char *what, void *arg)
{
	char *all = arg;

	(void)what;
	strcat(strcat(all, name), " ");
	return 0;
}

static void test_each(void **state)
{
	char all[512] = "";
	char error[EVENT_ERROR];
	struct event event;

	(void)state;
	assert_int_equal(event_pmu_each(note, all), 0);
	assert_string_equal(all, "armv8_pmuv3/inst_retired/ cpu/cpu-cycles/ cpu/loop/ cpu/mem-loads/ "
			    "cpu/param/ cpu/topdown-retiring/ cpu/topdown-total-slots/ ");
	assert_true(event_pmu_is_uncore(23));
	assert_false(event_pmu_is_uncore(4));
	assert_false(event_pmu_is_uncore(99));
	/* A name without its PMU is still found. */
	assert_int_equal(event_parse("topdown-retirin", &event, error), -1);
	assert_non_null(strstr(error, "cpu/topdown-retiring/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_each),
	};

	return cmocka_run_group_tests_name("pmu", tests, make, drop);
}
