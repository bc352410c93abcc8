// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"
#include "machine.h"

struct machine machine;
const unsigned int machine_register[SLOTS] = { 5, 31, 0 };

uint64_t machine_mask(unsigned int width)
{
	return width < 64 ? (1ULL << width) - 1 : ~0ULL;
}

void machine_count(uint64_t n)
{
	unsigned int i;

	for (i = 0; i < SLOTS; i++) {
		machine.counted[i] += n * (i + 1);
		simulated_register[machine_register[i]] += n * (i + 1);
	}
}

void machine_write(struct threadprof_page *page)
{
	struct threadprof_page_slot *slot;
	unsigned int i;

	page->seq++;
	for (i = 0; i < SLOTS; i++) {
		slot = &page->slot[i];
		slot->total = machine.counted[i];
		slot->start = simulated_register[machine_register[i]] & machine_mask(WIDTH);
		slot->index = machine.shows ? machine_register[i] + 1 : 0;
		slot->width = machine.shows ? WIDTH : 0;
	}
	page->cycles += threadprof_ticks() - page->cycles_start;
	page->cycles_start = threadprof_ticks();
	page->seq++;
}

void machine_on_register(unsigned int number)
{
	(void)number;
	machine.register_reads++;
}

void machine_switch(void)
{
	unsigned int i;

	machine.page->seq++;
	machine.page->switches++;
	machine.page->wait[WrPreempted].count++;
	machine.page->seq++;
	for (i = 0; i < SIMULATED_REGISTERS; i++)
		simulated_register[i] += 0x1234567890;
	machine_write(machine.page);
}

void machine_begin(DWORD64 mask)
{
	machine.handle = enable_or_fail(DISPATCH, mask);
	machine.page = fake_page();
	memset(machine.counted, 0, sizeof(machine.counted));
	machine_write(machine.page);
}

int machine_setup(void **state)
{
	setup_fake(state);
	fake.config.count = SLOTS;
	fake.cycles_start = threadprof_ticks();
	fake.on_read = machine_write;
	simulated_on_read = machine_on_register;
	machine.shows = true;
	machine_begin((1 << SLOTS) - 1);
	return 0;
}

int machine_teardown(void **state)
{
	DisableThreadProfiling(machine.handle);
	simulated_on_read = NULL;
	return teardown_fake(state);
}

PERFORMANCE_DATA machine_read(void)
{
	PERFORMANCE_DATA data = fresh_data();

	assert_int_equal(ReadThreadProfilingData(machine.handle, READ_BOTH, &data), 0);
	assert_int_equal(data.HwCountersCount, SLOTS);
	return data;
}

bool machine_read_is_direct(void)
{
	unsigned int positions = fake.positions, i;
	PERFORMANCE_DATA data;

	machine.register_reads = 0;
	data = machine_read();
	for (i = 0; i < MAX_HW_COUNTERS; i++)
		assert_true(data.HwCounters[i].Value == (i < SLOTS ? machine.counted[i] : 0));
	assert_int_equal(data.ContextSwitchCount, machine.page->switches);
	return fake.positions == positions;
}

void machine_earn(void)
{
	int i;

	for (i = 0; i < DIRECT_GOAL; i++)
		machine_read_is_direct();
	assert_int_equal(fake.asked_direct, 1);
}
