// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ten million reads of pages whose threads switch all the time, none of them torn.
 * What has to fit together in each: every switch has one reason, and no tick is
 * both on and off the CPU. As many reads without the sequence word show that such
 * pages would be torn. TORN [READS]
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "area.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define READS		10000000
#define WRITERS		4
#define READERS		2

static struct raw r;
static int fd;
static const volatile struct threadprof_page *pages;
static unsigned long reads = READS;
static volatile bool stop;

/* --- threads that switch: two and two pass a byte to each other ---------------- */

static int pipes[WRITERS][2];
static pthread_barrier_t begun;

static void *writer(void *arg)
{
	unsigned int me = (uintptr_t)arg, other = me ^ 1;
	char c = 0;

	proc_pin(me / 2 % proc_cpus());
	if (area_op(fd, THREADPROF_OP_ENABLE, me, 0, 0))
		tap_die("OP_ENABLE");
	pthread_barrier_wait(&begun);
	if (me & 1 && write(pipes[other][1], &c, 1) != 1)
		tap_die("write");
	while (read(pipes[me][0], &c, 1) == 1) {
		if (stop || write(pipes[other][1], &c, 1) != 1)
			break;
		/* Reasons of all kinds. */
		if (c++ % 16 == 0)
			sched_yield();
		if (c % 64 == 0)
			usleep(10);
	}
	close(pipes[other][1]);
	return NULL;
}

/* --- threads that read -------------------------------------------------------------- */

struct reader {
	unsigned long reads, retries, torn, back;
	unsigned long bare_torn;
};

struct values {
	uint64_t switches, reasons, cycles, off, began, cycles_start;
};

static inline __attribute__((always_inline))
void take(const volatile struct threadprof_page *page, struct values *v)
{
	unsigned int i;

	v->began = page->began;
	v->switches = page->switches;
	v->cycles = page->cycles;
	v->cycles_start = page->cycles_start;
	v->reasons = v->off = 0;
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		v->reasons += page->wait[i].count;
		v->off += page->wait[i].time;
	}
}

static bool fits(const volatile struct threadprof_page *page, const struct values *v)
{
	/* Up to the beginning of this slice, which has to come after all of it. */
	return v->switches == v->reasons && v->began == page->began &&
	       (!v->cycles_start || v->began + v->cycles + v->off <= v->cycles_start);
}

static void read_once(const volatile struct threadprof_page *page, struct values *v,
		      unsigned long *retries)
{
	uint32_t seq;

	for (;; ++*retries) {
		seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE);
		if (seq & 1)
			continue;
		take(page, v);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&page->seq, __ATOMIC_RELAXED) == seq)
			return;
	}
}

static void *reader(void *arg)
{
	struct values v, last[WRITERS] = { { 0 } };
	const volatile struct threadprof_page *page;
	struct reader *reader = arg;
	unsigned int which;

	for (; reader->reads < reads / READERS; reader->reads++) {
		which = reader->reads % WRITERS;
		page = area_page(pages, which);
		read_once(page, &v, &reader->retries);
		reader->torn += !fits(page, &v);
		reader->back += v.switches < last[which].switches ||
				v.cycles < last[which].cycles || v.off < last[which].off;
		last[which] = v;
		take(page, &v);
		reader->bare_torn += !fits(page, &v);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct reader result[READERS] = { { 0 } }, sum = { 0 };
	pthread_t thread[WRITERS], reading[READERS];
	unsigned long switches = 0;
	uint64_t start;
	int i;

	if (argc > 1)
		reads = strtoul(argv[1], NULL, 0);
	if (raw_open(&r))
		tap_die("no family");
	fd = raw_enable(&r, 0, 0, NULL);
	pages = area_map(fd, 0, WRITERS);
	area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0);
	pthread_barrier_init(&begun, NULL, WRITERS + 1);
	for (i = 0; i < WRITERS; i++)
		if (pipe(pipes[i]))
			tap_die("pipe");
	for (i = 0; i < WRITERS; i++)
		pthread_create(&thread[i], NULL, writer, (void *)(uintptr_t)i);
	pthread_barrier_wait(&begun);
	start = now_ns();
	for (i = 0; i < READERS; i++)
		pthread_create(&reading[i], NULL, reader, &result[i]);
	for (i = 0; i < READERS; i++) {
		pthread_join(reading[i], NULL);
		sum.reads += result[i].reads;
		sum.retries += result[i].retries;
		sum.torn += result[i].torn;
		sum.back += result[i].back;
		sum.bare_torn += result[i].bare_torn;
	}
	start = now_ns() - start;
	for (i = 0; i < WRITERS; i++)
		switches += area_page(pages, i)->switches;
	stop = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	printf("# %lu reads beside %lu switches on %d CPUs in %llu ms: %lu repeated, %lu torn, "
	       "%lu without the word\n", sum.reads, switches, proc_cpus(),
	       (unsigned long long)start / 1000000, sum.retries, sum.torn, sum.bare_torn);
	ok_num("so many reads", reads / READERS * READERS, sum.reads);
	ok_num("none is torn", 0, sum.torn);
	ok_num("none steps back", 0, sum.back);
	ok(sum.retries > 0, "some had to be repeated");
	ok(sum.bare_torn > 0, "without the sequence word some are torn");
	area_unmap(pages, WRITERS);
	close(fd);
	leak_check(&r, "all this");
	return tap_end();
}
