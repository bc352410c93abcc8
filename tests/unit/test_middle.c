// SPDX-License-Identifier: GPL-2.0-only
/* R3: what comes in the middle of a direct read: a switch, an end, a signal's handler. */
#include <signal.h>

#include "machine.h"

static int middle;	/* so many registers are read before it */

static void switch_in_the_middle(unsigned int n)
{
	(void)n;
	if (!middle--)
		machine_switch();
}

static void torn(void **state)
{
	PERFORMANCE_DATA data;
	int i;

	(void)state;
	machine_earn();
	for (i = 0; i < SLOTS; i++) {
		machine_count(100);
		assert_true(machine_read_is_direct());
		machine_count(100);
		simulated_on_read = switch_in_the_middle;
		middle = i;
		data = machine_read();
		simulated_on_read = machine_on_register;
		assert_int_equal(data.RetryCount, 2);
		assert_true(data.HwCounters[2].Value == machine.counted[2]);
		assert_true(data.WaitReasonBitMap == 1ULL << WrPreempted);
	}
	/* Also in a slice that is new to begin with. */
	machine_switch();
	simulated_on_read = switch_in_the_middle;
	middle = 1;
	data = machine_read();
	assert_int_equal(data.RetryCount, 2);
	assert_int_equal(data.ContextSwitchCount, machine.page->switches);
}

static void break_in_the_middle(unsigned int n)
{
	(void)n;
	machine.page->seq |= 1;		/* and so it stays */
}

/* A pass that failed has not touched what an error leaves alone. */
static void torn_and_given_up(void **state)
{
	PERFORMANCE_DATA data = fresh_data(), copy = data;

	(void)state;
	machine_earn();
	machine_count(10);
	simulated_on_read = break_in_the_middle;
	assert_int_equal(ReadThreadProfilingData(machine.handle, READ_BOTH, &data), 13);
	assert_message("never stood still");
	assert_memory_equal(&data, &copy, sizeof(data));
	machine.page->seq++;
}

static void lose_in_the_middle(unsigned int n)
{
	(void)n;
	machine.page->seq++;
	machine.page->slot[2].index = 0;
	machine.page->seq++;
}

/* Nor has one behind which the kernel refused. */
static void torn_and_refused(void **state)
{
	PERFORMANCE_DATA data = fresh_data(), copy = data;

	(void)state;
	machine_earn();
	fake.no_descriptor = true;
	fake.refuse_command = THREADPROF_CMD_READ;
	fake.refuse_error = ENOMEM;
	simulated_on_read = lose_in_the_middle;
	assert_int_equal(ReadThreadProfilingData(machine.handle, READ_BOTH, &data), 8);
	assert_memory_equal(&data, &copy, sizeof(data));
	fake.no_descriptor = false;
	fake.refuse_command = 0;
}

static uint64_t in_handler[SLOTS];

static void read_in_handler(int signal)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };
	int i;

	(void)signal;
	simulated_on_read = NULL;
	ReadThreadProfilingData(machine.handle, READ_BOTH, &data);
	for (i = 0; i < SLOTS; i++)
		in_handler[i] = data.HwCounters[i].Value;
}

static void (*before_handler)(void);

static void signal_in_the_middle(unsigned int n)
{
	(void)n;
	if (middle--)
		return;
	machine_count(50);
	before_handler();
	raise(SIGUSR1);
	machine_count(50);
}

static void nothing(void)
{
}

static void write_now(void)
{
	machine_write(machine.page);
}

/*
 * A handler that reads in the middle of a Read, which has begun with a slice that is
 * known or new: each gets values of its time, the Read's own not before the handler's.
 */
static void handler_in_the_middle(void **state)
{
	static void (*const before[])(void) = { nothing, machine_switch, write_now };
	PERFORMANCE_DATA data;
	uint64_t first[SLOTS];
	int i, k, s, anew;

	(void)state;
	signal(SIGUSR1, read_in_handler);
	machine_earn();
	for (k = 0; k < 3 * SLOTS * 2; k++) {
		i = k % SLOTS;
		anew = k / SLOTS % 2;
		before_handler = before[k / SLOTS / 2];
		assert_true(machine_read_is_direct());
		memcpy(first, machine.counted, sizeof(first));
		if (anew)
			machine_switch();
		middle = i;
		simulated_on_read = signal_in_the_middle;
		data = machine_read();
		simulated_on_read = machine_on_register;
		for (s = 0; s < SLOTS; s++) {
			assert_true(in_handler[s] == first[s] + 50 * (s + 1));
			assert_true(data.HwCounters[s].Value >= in_handler[s]);
			assert_true(data.HwCounters[s].Value <= machine.counted[s]);
		}
		assert_true(machine_read_is_direct());
	}
	signal(SIGUSR1, SIG_DFL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		machine_test(torn),
		machine_test(torn_and_given_up),
		machine_test(torn_and_refused),
		machine_test(handler_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
