// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each index of a page reads its own register, and no other index reads any (A6). The
 * instructions are let to fail, as they do where nobody opened the counters, and
 * the signal's handler says which register was to be read, and gives a value.
 *
 *	test_counter [TABLE]	a file with the bytes of arm64's table, to be checked too
 */
#include <signal.h>
#include <ucontext.h>

#include "counter.h"
#include "unit.h"

#define NONE	UINT32_MAX

static volatile sig_atomic_t trapped;
static unsigned int traps;
static volatile uint32_t asked_for;	/* the register's number */

static uint64_t value_of(uint32_t number)
{
	return 0x123456789abcdef0ULL + number;
}

#ifdef __x86_64__

#define SIGNAL	SIGSEGV

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *gregs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *at = (const unsigned char *)gregs[REG_RIP];

	(void)info;
	if (at[0] != 0x0f || at[1] != 0x33) {	/* not RDPMC */
		raise(SIGABRT);
		return;
	}
	(void)signal;
	trapped = 1;
	asked_for = gregs[REG_RCX];
	gregs[REG_RAX] = (uint32_t)value_of(asked_for);
	gregs[REG_RDX] = value_of(asked_for) >> 32;
	gregs[REG_RIP] += 2;
}

static bool does_exist(uint32_t number)
{
	return number < 64 || (number >= 1U << 30 && number < (1U << 30) + 16);
}

#else

#define SIGNAL	SIGILL

static uint32_t number_of(uint32_t instruction);

static void on_trap(int signal, siginfo_t *info, void *context)
{
	mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
	uint32_t instruction = *(const uint32_t *)machine->pc;

	(void)info;
	(void)signal;
	if (number_of(instruction) == NONE || (instruction & 0x1f)) {
		raise(SIGABRT);
		return;
	}
	trapped = 1;
	asked_for = number_of(instruction);
	machine->regs[0] = value_of(asked_for);
	machine->pc += 4;
}

static bool does_exist(uint32_t number)
{
	return number < 32;
}

#endif

static void check_index(uint32_t index)
{
	uint32_t number = index - 1;
	threadprof_counter where;
	uint64_t value;

	if (threadprof_counter_find(index, &where) != does_exist(number))
		fail_msg("index %#x: %s", index, does_exist(number) ? "is not found" : "is found");
	if (!does_exist(number))
		return;
	trapped = 0;
	value = threadprof_counter_read(where);
	traps += trapped;
	/* Where somebody has opened the counters, it is not ours to say what is in them. */
	if (trapped && (asked_for != number || value != value_of(number)))
		fail_msg("index %#x reads register %#x", index, asked_for);
}

static void A6_each_its_own(void **state)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO }, before;
	uint32_t index;
	int bit;

	(void)state;
	sigaction(SIGNAL, &action, &before);
	for (index = 0; index < 100000; index++)
		check_index(index);
	for (bit = 17; bit < 32; bit++)
		for (index = 0; index < 200; index++)
			check_index((1U << bit) + index - 100);
	for (index = 0; index < 200; index++)
		check_index(-index);
	sigaction(SIGNAL, &before, NULL);
	/* No processor has all of them. */
	assert_true(traps > 0);
}

/* --- arm64's table, word by word ---------------------------------------------------- */

#define ENTRIES	32
#define WORDS	4		/* of an entry */
#define HINT	0xd503245fU	/* BTI c */
#define RET	0xd65f03c0U

/*
 * What an MRS of a counter into any register reads: PMEVCNTR<n>_EL0 is op0 3, op1 3,
 * CRn 14, CRm 8 + n / 8, op2 n % 8; PMCCNTR_EL0, called 31, is op0 3, op1 3, CRn 9, CRm
 * 13, op2 0.
 */
static uint32_t number_of(uint32_t instruction)
{
	uint32_t op1 = instruction >> 16 & 7, crn = instruction >> 12 & 15;
	uint32_t crm = instruction >> 8 & 15, op2 = instruction >> 5 & 7;

	if (instruction >> 19 != 0xd5380000U >> 19 || op1 != 3)
		return NONE;
	if (crn == 9 && crm == 13 && op2 == 0)
		return 31;
	if (crn != 14 || crm < 8 || crm > 11 || (crm == 11 && op2 == 7))
		return NONE;
	return (crm - 8) * 8 + op2;
}

static const uint32_t *table;

static void A6_arm64_table(void **state)
{
	const uint32_t *word;
	uint32_t i;

	(void)state;
	for (i = 0; i < ENTRIES; i++) {
		word = table + i * WORDS;
		word += *word == HINT;
		assert_int_equal(number_of(*word), i);
		assert_int_equal(*word & 0x1f, 0);	/* into x0 */
		assert_int_equal(word[1], RET);
	}
}

static void read_table(const char *name)
{
	static uint32_t words[ENTRIES * WORDS];
	FILE *file = fopen(name, "r");

	if (!file || fread(words, sizeof(words), 1, file) != 1) {
		perror(name);
		exit(1);
	}
	fclose(file);
	table = words;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest own[] = { cmocka_unit_test(A6_each_its_own) };
	static const struct CMUnitTest words[] = { cmocka_unit_test(A6_arm64_table) };
	int failed;

	if (argc > 1)
		read_table(argv[1]);
#ifdef __aarch64__
	else
		table = (const uint32_t *)threadprof_counter_table;
#endif
	failed = cmocka_run_group_tests(own, NULL, NULL);
	if (table)
		failed += cmocka_run_group_tests(words, NULL, NULL);
	return failed;
}
