// SPDX-License-Identifier: GPL-2.0-only
/*
 * R3: counters read without a system call, on a processor and by a kernel that are made
 * up: the same numbers as with one, and no register is read that the page does not
 * offer.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "handle.h"
#include "machine.h"

/* Each entered read is a point, and with enough of them the kernel is asked once. */
static void asked_when_it_pays(void **state)
{
	int i;

	(void)state;
	for (i = 1; i < DIRECT_GOAL; i++) {
		machine_count(1000);
		assert_false(machine_read_is_direct());
		assert_int_equal(machine.register_reads, 0);
	}
	assert_int_equal(fake.asked_direct, 0);
	assert_false(machine_read_is_direct());
	assert_int_equal(fake.asked_direct, 1);
	for (i = 0; i < 1000; i++) {
		machine_count(1000);
		assert_true(machine_read_is_direct());
		assert_int_equal(machine.register_reads, SLOTS);
	}
	assert_int_equal(fake.asked_direct, 1);
	assert_int_equal(fake.reads, 0);

	/* The next profile begins anew. */
	assert_int_equal(DisableThreadProfiling(machine.handle), 0);
	machine_begin(7);
	assert_false(machine_read_is_direct());
	assert_int_equal(machine.register_reads, 0);
}

/* A thread that is switched as often as it reads never earns it. */
static void switches_take_points(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		assert_false(machine_read_is_direct());
		if (i % 2)
			machine_switch();
	}
	assert_int_equal(fake.asked_direct, 0);

	/* Nor does one debt outlast a switch: the floor is 0. */
	machine.page->seq += 2;
	machine.page->switches += 1000000;
	for (i = 1; i < DIRECT_GOAL; i++)
		assert_false(machine_read_is_direct());
	assert_int_equal(fake.asked_direct, 0);
	machine_read_is_direct();
	assert_int_equal(fake.asked_direct, 1);
}

static void asked_again_after_a_refusal(void **state)
{
	int i;

	(void)state;
	machine.shows = false;
	fake.direct_error = EACCES;
	machine_earn();
	for (i = 1; i < DIRECT_AGAIN; i++)
		assert_false(machine_read_is_direct());
	assert_int_equal(fake.asked_direct, 1);

	/* Allowed since. */
	fake.direct_error = 0;
	machine.shows = true;
	for (i = 0; i < DIRECT_GOAL + 1; i++)
		machine_read_is_direct();
	assert_int_equal(fake.asked_direct, 2);
	assert_true(machine_read_is_direct());
}

/* The switch that the program is started with. */
static void never(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 3 * DIRECT_AGAIN; i++) {
		assert_false(machine_read_is_direct());
		assert_int_equal(machine.register_reads, 0);
	}
	assert_int_equal(fake.asked_direct, 0);
}

/* Direct and entered reads by turns, with switches between: no step back, no loss. */
static void both_ways_agree(void **state)
{
	uint64_t seed = unit_seed(), cycles = 0, direct = 0;
	PERFORMANCE_DATA data;
	int i;

	(void)state;
	machine_earn();
	for (i = 0; i < 20000; i++) {
		machine_count(unit_random(&seed) % 100000);
		switch (unit_random(&seed) % 8) {
		case 0:
			machine_switch();
			break;
		case 1:		/* on the CPU where it runs now they can't be read */
			machine.shows = !machine.shows;
			machine_switch();
			break;
		case 2:
			machine_write(machine.page);
		}
		direct += machine_read_is_direct();
		machine_count(7);
		data = machine_read();
		assert_true(data.CycleTime >= cycles);
		cycles = data.CycleTime;
	}
	assert_true(direct > 5000 && direct < 15000);
}

/* Whatever is in the page: values out of a register only where the rules allow it. */
static void offers_that_are_none(void **state)
{
	static const struct {
		uint32_t index;
		uint16_t width;
	} bad[] = {
		{ 0, 0 }, { 0, 64 }, { 33, 64 }, { 0x40000001, 64 }, { UINT32_MAX, 64 },
		{ 6, 0 }, { 6, 3 }, { 6, 65 }, { 6, 128 }, { 6, UINT16_MAX },
	};
	unsigned int i;

	(void)state;
	machine_earn();
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		machine.page->seq++;
		machine.page->slot[0].index = bad[i].index;
		machine.page->slot[0].width = bad[i].width;
		machine.page->seq++;
		machine_count(10);
		assert_false(machine_read_is_direct());
		assert_int_equal(machine.register_reads, 0);
		/* What the kernel has written since is in order. */
		assert_true(machine_read_is_direct());
	}
}

/* One slot that has no register makes the whole read enter the kernel. */
static void all_or_none(void **state)
{
	int i;

	(void)state;
	machine_earn();
	for (i = 0; i < 10; i++) {
		machine.page->seq++;
		machine.page->slot[1].index = 0;
		machine.page->slot[1].width = 0;
		machine.page->seq++;
		machine_count(10);
		assert_false(machine_read_is_direct());
		assert_int_equal(machine.register_reads, 0);
	}
}

static void read_slot(unsigned int width, uint64_t start, uint64_t now, bool trusted)
{
	unsigned int positions = fake.positions;
	PERFORMANCE_DATA data = fresh_data();

	machine.page->seq++;
	machine.page->slot[0].total = 1000;
	machine.page->slot[0].start = start;
	machine.page->slot[0].width = width;
	machine.page->seq++;
	fake.on_read = NULL;
	simulated_register[machine_register[0]] = now;
	assert_int_equal(ReadThreadProfilingData(machine.handle, READ_COUNTERS, &data), 0);
	assert_int_equal(fake.positions != positions, !trusted);
	assert_true(data.HwCounters[0].Value ==
		    1000 + (trusted ? (now - start) & machine_mask(width) : 0));
}

/* An eighth of the register's range is trusted, also across its end. */
static void since(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	unsigned int width;
	uint64_t eighth;

	(void)state;
	DisableThreadProfiling(machine.handle);
	machine_begin(1);
	for (width = 0; width < DIRECT_GOAL; width++)
		assert_int_equal(ReadThreadProfilingData(machine.handle, READ_COUNTERS, &data), 0);
	for (width = 4; width <= 64; width++) {
		eighth = 1ULL << (width - 3);
		read_slot(width, 0, 0, true);
		read_slot(width, 0, eighth - 1, true);
		read_slot(width, 0, eighth, false);
		read_slot(width, 0, machine_mask(width), false);
		read_slot(width, machine_mask(width), 0, true);	/* one, beyond the end */
		read_slot(width, machine_mask(width), eighth - 2, true);
		read_slot(width, machine_mask(width), eighth - 1, false);
		read_slot(width, 5, 4, false);			/* a step back */
		/* What is above the register's own bits is none of it (A1). */
		if (width < 64) {
			read_slot(width, 1, ~machine_mask(width) | 2, true);
			read_slot(width, ~machine_mask(width) | 1, 2, true);
		}
	}
}

/* The page is as it was, but the register has come too far since. */
static void too_far_in_one_slice(void **state)
{
	(void)state;
	machine_earn();
	machine_count(1000);
	assert_true(machine_read_is_direct());
	machine_count(1ULL << (WIDTH - 3));
	assert_false(machine_read_is_direct());
	machine_count(1000);
	assert_true(machine_read_is_direct());
}

/* What one Read has copied serves no other one that wants more. */
static void parts_of_a_slice(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	int i;

	(void)state;
	machine_earn();
	for (i = 0; i < 10; i++) {
		machine_count(1000);
		assert_true(machine_read_is_direct());
		machine_switch();
		machine_count(1000);
		/* Dispatch data first: the counters are still the old slice's. */
		assert_int_equal(ReadThreadProfilingData(machine.handle, READ_DISPATCH, &data), 0);
		assert_true(data.WaitReasonBitMap == 1ULL << WrPreempted);
		assert_true(machine_read_is_direct());
		/* Counters first: the reasons are told by the next one. */
		machine_switch();
		assert_int_equal(ReadThreadProfilingData(machine.handle, READ_COUNTERS, &data), 0);
		assert_true(data.HwCounters[0].Value == machine.counted[0]);
		data = machine_read();
		assert_true(data.WaitReasonBitMap == 1ULL << WrPreempted);
	}
}

/* After 2^31 switches seq is what it was: the slice is another, though. */
static void same_seq_other_slice(void **state)
{
	(void)state;
	machine_earn();
	machine_count(10);
	assert_true(machine_read_is_direct());
	machine_switch();
	machine.page->seq = (uint32_t)atomic_load(&threadprof_own->slice.key);
	assert_true(machine_read_is_direct());
}

#define SWITCH	"THREADPROF_NO_DIRECT"

/* This program again, with the switch set to what the library looks at once. */
static int run_with(const char *value)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		setenv(SWITCH, value, 1);
		execl("/proc/self/exe", "test_direct", NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	return status != 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		machine_test(asked_when_it_pays),
		machine_test(switches_take_points),
		machine_test(asked_again_after_a_refusal),
		machine_test(both_ways_agree),
		machine_test(offers_that_are_none),
		machine_test(all_or_none),
		machine_test(since),
		machine_test(too_far_in_one_slice),
		machine_test(parts_of_a_slice),
		machine_test(same_seq_other_slice),
	};
	static const struct CMUnitTest when_set[] = { machine_test(never) };
	static const struct CMUnitTest when_not[] = { machine_test(asked_when_it_pays) };
	const char *value = getenv(SWITCH);

	if (value && *value && strcmp(value, "0"))
		return cmocka_run_group_tests(when_set, NULL, NULL);
	if (value)
		return cmocka_run_group_tests(when_not, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL) + run_with("1") + run_with("no") +
	       run_with("0") + run_with("");
}
