// SPDX-License-Identifier: GPL-2.0-only
/*
 * Direct reads to the instruction. Only where the emulated processor counts them as
 * they are (--icount, one CPU, 64-bit counters): a difference of one is a bug.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "leak.h"
#include "loop.h"
#include "raw.h"
#include "tap.h"

#define HARDWARE(n)	THREADPROF_INDEX(PERF_TYPE_HARDWARE, n)
#define RAW(n)		THREADPROF_INDEX(PERF_TYPE_RAW, n)
#define SLOTS		4
#define RUNS		1000
#define ALTERNATIONS	100000
#define SWITCHES	200

/* Under --icount an instruction is a cycle. */
static const uint64_t list[SLOTS] = {
	HARDWARE(PERF_COUNT_HW_CPU_CYCLES), HARDWARE(PERF_COUNT_HW_INSTRUCTIONS),
	RAW(0x11), RAW(0x08),
};
static const char * const of[SLOTS] = {
	"cycles", "instructions", "cycles in an event counter", "instructions, second counter",
};
static struct raw r;
static int fd;
static const volatile struct threadprof_page *pages;

/* One code for both ways, so that all but the read itself costs the same. */
static uint64_t read_by(const volatile struct threadprof_page *page, unsigned int slot,
			bool direct)
{
	uint64_t value = 0;

	if (!direct)
		area_refresh(fd);
	else if (!direct_value(page, slot, &value))
		tap_die("slot %u is not readable", slot);
	return direct ? value : page->slot[slot].total;
}

/* Volatile: calls must not be told apart by what the compiler knows. */
static volatile unsigned int which_slot;

static uint64_t __attribute__((noipa)) measured(unsigned int slot, bool first, bool second,
						uint64_t rounds)
{
	uint64_t before = read_by(pages, slot, first);

	loop_exact(rounds);
	return read_by(pages, slot, second) - before;
}

static void spans(unsigned int slot)
{
	static const uint64_t sizes[] = { 1, 2, 1000, 12345, 20000000 };
	static const char * const way[] = { "lseek", "direct" };
	uint64_t c, first;
	int i, k, bad, differs;
	char name[128];

	for (i = 0; i < 4; i++) {
		bool from = i & 1, to = i & 2;

		measured(slot, from, to, 1);
		c = measured(slot, from, to, 1) - 2;
		for (k = bad = 0; k < (int)(sizeof(sizes) / sizeof(sizes[0])); k++)
			bad += measured(slot, from, to, sizes[k]) != c + sizes[k] * 2;
		first = measured(slot, from, to, 500);
		for (k = differs = 0; k < RUNS; k++)
			differs += measured(slot, from, to, 500) != first;
		printf("# %s, %s to %s: %llu besides the loop\n", of[slot], way[from], way[to],
		       (unsigned long long)c);
		snprintf(name, sizeof(name), "%s, from %s to %s: the loop and a constant", of[slot],
			 way[from], way[to]);
		ok(!bad && c < 1000, name);
		snprintf(name, sizeof(name), "%s, from %s to %s: 1,000 times the same", of[slot],
			 way[from], way[to]);
		ok_num(name, 0, differs);
	}
}

/* Each step is one of two constants, whatever ticks came between. */
static void alternating(unsigned int slot)
{
	uint64_t value, last, step[2] = { 0 }, switches = 0;
	int i, odd = 0;
	char name[96];

	last = read_by(pages, slot, false);
	for (i = 0; i < ALTERNATIONS; i++) {
		value = read_by(pages, slot, i % 2);
		/* A read that is switched out in the middle begins again. */
		odd += (value - last != step[i % 2]) & (pages->switches == switches);
		switches = pages->switches;
		step[i % 2] = value - last;
		last = value;
	}
	snprintf(name, sizeof(name), "%s: 100,000 alternating reads, each as far as the others",
		 of[slot]);
	/* The first of each kind has none to be compared with. */
	ok_range(name, 1, 4, odd);
}

/* --- switches and a second thread ------------------------------------------------- */

static int bytes[2], wanted[2];

/* Writes a byte for each that is asked for. */
static void *writer(void *arg)
{
	char c;

	while (read(wanted[0], &c, 1) == 1)
		if (write(bytes[1], &c, 1) != 1)
			break;
	return arg;
}

/* Asks for one and takes one, which sleeps where none is there yet. */
static uint64_t takes(uint64_t *switched)
{
	uint64_t before = read_by(pages, 1, true), switches = pages->switches;
	char c = 0;
	int i;

	/* libc's own read() looks for cancellation, once there is a second thread. */
	for (i = 0; i < SWITCHES; i++)
		if (syscall(SYS_write, wanted[1], &c, 1) != 1 ||
		    syscall(SYS_read, bytes[0], &c, 1) != 1)
			tap_die("pipe");
	*switched = pages->switches - switches;
	return read_by(pages, 1, true) - before;
}

static uint64_t round_of(bool sleeps, uint64_t *switched)
{
	char c[SWITCHES] = { 0 };
	pthread_t thread;
	uint64_t count;

	if (pipe(bytes) || pipe(wanted))
		tap_die("pipe");
	if (sleeps)
		pthread_create(&thread, NULL, writer, NULL);
	else if (write(bytes[1], c, sizeof(c)) != sizeof(c))
		tap_die("pipe");
	count = takes(switched);
	close(wanted[1]);
	if (sleeps)
		pthread_join(thread, NULL);
	close(wanted[0]);
	close(bytes[0]);
	close(bytes[1]);
	return count;
}

static void switches(void)
{
	uint64_t asleep, awake, switched;

	round_of(false, &switched);	/* binds symbols */
	awake = round_of(false, &switched);
	ok_range("200 bytes that are there are taken without a switch", 0, 5, switched);
	asleep = round_of(true, &switched);
	ok_range("200 bytes of another thread are waited for", SWITCHES, SWITCHES * 3, switched);
	ok_num("a direct read does not see switches: as many instructions as without", awake,
	       asleep);
}

struct part {
	unsigned int page;
	uint64_t rounds, constant, got;
	pthread_barrier_t *start;
};

static uint64_t __attribute__((noipa)) own(const struct part *part, uint64_t rounds)
{
	const volatile struct threadprof_page *page = area_page(pages, part->page);
	uint64_t before = read_by(page, 1, true);

	loop_exact(rounds);
	return read_by(page, 1, true) - before;
}

static void *part_thread(void *arg)
{
	struct part *part = arg;

	if (area_op(fd, THREADPROF_OP_ENABLE, part->page, 0, 3) ||
	    area_op(fd, THREADPROF_OP_DIRECT, part->page, 0, 0))
		tap_die("OP_DIRECT in page %u", part->page);
	own(part, 1);
	part->constant = own(part, 1) - 2;
	pthread_barrier_wait(part->start);
	part->got = own(part, part->rounds);
	return NULL;
}

static void two_threads(void)
{
	struct part part[2] = { { .page = 1, .rounds = 30000000 }, { .page = 2, .rounds = 27000001 } };
	pthread_barrier_t start;
	pthread_t thread[2];
	char name[96];
	int i;

	pthread_barrier_init(&start, NULL, 2);
	for (i = 0; i < 2; i++) {
		part[i].start = &start;
		if (pthread_create(&thread[i], NULL, part_thread, &part[i]))
			tap_die("thread");
	}
	for (i = 0; i < 2; i++) {
		pthread_join(thread[i], NULL);
		snprintf(name, sizeof(name), "thread %d of two that share the CPU counts its own loop",
			 i + 1);
		ok_num(name, part[i].rounds * 2 + part[i].constant, part[i].got);
		ok_range("it was switched out in the middle", 3, 1e6,
			 area_page(pages, part[i].page)->switches);
	}
}

int main(void)
{
	unsigned int i;

	if (raw_open(&r) || raw_config_set(&r, list, SLOTS, 0, 0))
		tap_die("family: %s", r.message);
	direct_access(true);
	fd = raw_enable(&r, 0, (1 << SLOTS) - 1, NULL);
	pages = area_map(fd, 0, 3);
	ok_num("OP_DIRECT", 0, area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0));
	for (i = 0; i < SLOTS; i++) {
		which_slot = i;
		spans(which_slot);
		alternating(which_slot);
	}
	switches();
	two_threads();
	area_unmap(pages, 3);
	close(fd);
	direct_access(false);
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	return tap_end();
}
