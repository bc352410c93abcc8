// SPDX-License-Identifier: GPL-2.0-only
/*
 * Direct reads beside other users of the PMU: perf stat and raw pinned events that
 * come and go, some of them older than the configuration. What a thread reads is
 * right, or it has to enter; and what perf counts is right too. Needs an arm64
 * guest with 64-bit counters.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CYCLES		THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define CYCLES_AGAIN	THREADPROF_INDEX(PERF_TYPE_RAW, RAW_CYCLES)
#define RAW_CYCLES	0x11
#define MAX_CPUS	8
#define MAX_EVENTS	16
#define ROUNDS		200
#define STATS		20
/*
 * An emulated CPU may stand still between two counters' stops; a wrong register is
 * wrong by far more than that.
 */
#define SLACK		20000000

extern char **environ;

/* Both count the same, so that each says what the other has to be. */
static const uint64_t list[] = { CYCLES, CYCLES_AGAIN };
static struct raw r;

/* --- the thread that reads -------------------------------------------------------------- */

struct reader {
	pthread_t thread;
	volatile bool stop, begun;
	int cpu;
	unsigned long reads, direct, shown, back, apart, lost;
	uint64_t counted, perf;
};

static int perf_open(uint64_t config, pid_t pid, int cpu, bool pinned)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = config,
		.size = sizeof(attr),
		.pinned = pinned,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t perf_value(int event)
{
	uint64_t value;

	if (read(event, &value, sizeof(value)) != sizeof(value))
		tap_die("perf");
	return value;
}

/* Slot 0 before and after slot 1, which has to lie between: they began together. */
static void look(struct reader *reader, int fd, const volatile struct threadprof_page *page,
		 uint64_t last[2])
{
	uint64_t value[3];
	unsigned long entered = 0;
	int64_t ahead, behind;

	value[0] = direct_or_entered(fd, page, 0, &entered);
	value[1] = direct_or_entered(fd, page, 1, &entered);
	value[2] = direct_or_entered(fd, page, 0, &entered);
	reader->reads += 3;
	reader->direct += 3 - entered;
	reader->back += value[0] < last[0] || value[1] < last[1] || value[2] < value[0];
	ahead = value[1] - value[0];
	behind = value[2] - value[1];
	reader->apart += ahead < -SLACK || behind < -SLACK;
	reader->lost += page->slot[0].state != THREADPROF_SLOT_COUNTING ||
			page->slot[1].state != THREADPROF_SLOT_COUNTING;
	last[0] = value[2];
	last[1] = value[1];
}

static void *reader_thread(void *arg)
{
	struct reader *reader = arg;
	const volatile struct threadprof_page *page;
	uint64_t last[2] = { 0 }, perf, counted;
	struct raw own;
	int fd, event;

	if (raw_open(&own) || (reader->cpu >= 0 && !proc_pin(reader->cpu)))
		tap_die("reader");
	fd = raw_enable(&own, 0, 3, NULL);
	page = area_map(fd, 0, 1);
	if (area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0))
		tap_die("OP_DIRECT");
	event = perf_open(RAW_CYCLES, 0, -1, false);
	perf = perf_value(event);
	area_refresh(fd);
	counted = page->slot[1].total;
	reader->begun = true;
	while (!reader->stop) {
		look(reader, fd, page, last);
		reader->shown += page->slot[0].index && page->slot[1].index;
		/* Now and then there is a switch. */
		if (reader->reads % 30000 == 0)
			usleep(100);
	}
	area_refresh(fd);
	reader->counted = page->slot[1].total - counted;
	reader->perf = perf_value(event) - perf;
	close(event);
	area_unmap(page, 1);
	close(fd);
	raw_close(&own);
	return NULL;
}

static void reader_start(struct reader *reader, int cpu)
{
	*reader = (struct reader){ .cpu = cpu };
	if (pthread_create(&reader->thread, NULL, reader_thread, reader))
		tap_die("thread");
	while (!reader->begun)
		usleep(1000);
}

static void reader_end(struct reader *reader, const char *beside, bool has_room)
{
	char name[128];

	reader->stop = true;
	pthread_join(reader->thread, NULL);
	printf("# %s: %lu reads, %lu direct; counted %llu, perf %llu\n", beside, reader->reads,
	       reader->direct, (unsigned long long)reader->counted,
	       (unsigned long long)reader->perf);
	snprintf(name, sizeof(name), "%s: no step back", beside);
	ok_num(name, 0, reader->back);
	snprintf(name, sizeof(name), "%s: two counters of the same stay together", beside);
	ok_num(name, 0, reader->apart);
	snprintf(name, sizeof(name), "%s: neither is lost", beside);
	ok_num(name, 0, reader->lost);
	/* A thread's own event stands back behind the pinned ones. */
	if (!has_room)
		return;
	snprintf(name, sizeof(name), "%s: perf's own count of the thread is the same", beside);
	ok_range(name, reader->counted * 0.99 - SLACK, reader->counted * 1.01 + SLACK,
		 reader->perf);
}

/* --- those beside it ------------------------------------------------------------------ */

/* Events of each CPU, as perf stat -a makes them. */
struct others {
	int fd[MAX_CPUS * MAX_EVENTS];
	int count;
};

static bool others_add(struct others *o, uint64_t config)
{
	int cpu, event;

	for (cpu = 0; cpu < proc_cpus(); cpu++) {
		event = perf_open(config, -1, cpu, true);
		if (event < 0)
			return false;
		o->fd[o->count++] = event;
	}
	return true;
}

static void others_drop(struct others *o)
{
	while (o->count)
		close(o->fd[--o->count]);
}

static void pinned_come_and_go(void)
{
	static const uint64_t config[] = { RAW_CYCLES, 0x08, RAW_CYCLES, 0x23 };
	struct others o = { .count = 0 };
	struct reader reader;
	int i, k;

	reader_start(&reader, -1);
	for (i = 0; i < ROUNDS; i++) {
		for (k = 0; k <= i % 4; k++)
			others_add(&o, config[k]);
		usleep(i % 3 * 1000);
		others_drop(&o);
		usleep(i % 2 * 1000);
	}
	reader_end(&reader, "pinned events of all CPUs, 200 times", true);
	ok_range("pinned events of all CPUs, 200 times: most reads were direct",
		 reader.reads * 0.9, reader.reads, reader.direct);
}

/* Of the same events, pinned; with @more the last words of the command. */
static pid_t stat_start(const char *more1, const char *more2)
{
	const char *argv[] = { "perf", "stat", "-a", "-x,", "-o", "/dev/null", "-e",
			       "cycles:uD,r11:uD", more1, more2, NULL };
	posix_spawn_file_actions_t actions;
	int error;
	pid_t pid;

	/* It tells there when events go on and off. */
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, (char **)argv, environ);
	if (error)
		tap_die("perf: error %d", error);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static void perf_stat_runs(void)
{
	int status, failed = 0, i;
	struct reader reader;

	reader_start(&reader, -1);
	for (i = 0; i < STATS; i++) {
		waitpid(stat_start("--", "true"), &status, 0);
		failed += status != 0;
	}
	ok_num("perf stat -a runs 20 times", 0, failed);
	reader_end(&reader, "20 runs of perf stat -a", true);
	ok_range("20 runs of perf stat -a: most reads were direct", reader.reads * 0.9,
		 reader.reads, reader.direct);
}

static void say(int control, int ack, const char *word)
{
	ssize_t size = strlen(word);
	char answer[16];

	if (write(control, word, size) != size || read(ack, answer, sizeof(answer)) < 3 ||
	    strncmp(answer, "ack", 3))
		tap_die("perf stat does not answer");
}

/* Without a command it goes on until it is interrupted. */
static void perf_stat_starts(void)
{
	struct reader reader;
	char control[48];
	int to[2], from[2], status, i;
	pid_t pid;

	if (pipe(to) || pipe(from))
		tap_die("pipe");
	snprintf(control, sizeof(control), "--control=fd:%d,%d", to[0], from[1]);
	reader_start(&reader, -1);
	pid = stat_start("--delay=-1", control);
	for (i = 0; i < ROUNDS; i++) {
		say(to[1], from[0], "enable\n");
		usleep(i % 3 * 1000);
		say(to[1], from[0], "disable\n");
	}
	kill(pid, SIGINT);
	waitpid(pid, &status, 0);
	reader_end(&reader, "perf stat -a counts and stops, 200 times", true);
	ok_range("perf stat -a counts and stops, 200 times: most reads were direct",
		 reader.reads * 0.9, reader.reads, reader.direct);
	for (i = 0; i < 2; i++) {
		close(to[i]);
		close(from[i]);
	}
}

static void whole_pmu(void)
{
	struct others o = { .count = 0 };
	struct reader reader;
	int i, events = 0;

	reader_start(&reader, -1);
	for (i = 0; i < 20; i++) {
		while (o.count < (MAX_EVENTS - 1) * proc_cpus() && others_add(&o, 0x08))
			events++;
		usleep(2000);
		others_drop(&o);
	}
	reader_end(&reader, "more pinned events than there are counters", false);
}

/* What a pinned event of a CPU counts while a thread there works for so long. */
static uint64_t perf_of_cpu(int cpu, unsigned int ms)
{
	int event = perf_open(RAW_CYCLES, -1, cpu, true);
	uint64_t value;

	if (event < 0)
		tap_die("perf_event_open");
	value = perf_value(event);
	burn_ms(ms);
	value = perf_value(event) - value;
	close(event);
	return value;
}

static void perf_unaffected(void)
{
	struct reader reader;
	uint64_t before, with;

	proc_pin(1);
	before = perf_of_cpu(1, 200);
	/* On the same CPU, which both share. */
	reader_start(&reader, 1);
	with = perf_of_cpu(1, 200);
	reader_end(&reader, "one CPU with a pinned event of perf's", true);
	printf("# a CPU's cycles: %llu alone, %llu beside a reader\n", (unsigned long long)before,
	       (unsigned long long)with);
	ok_range("perf's count of a CPU: its own thread's share", 150e6, 300e6, before);
	ok_range("perf's count of a CPU: two threads' shares", 300e6, 700e6, with);
}

/* --- one that was there first ----------------------------------------------------------- */

static void older(bool relaxed)
{
	const char *name = relaxed ? "relaxed, an older event goes" : "an older event goes";
	uint32_t flags = relaxed ? THREADPROF_CONFIG_DIRECT_RELAXED : 0;
	struct others old = { .count = 0 }, young = { .count = 0 };
	struct reader reader;
	unsigned long shown;
	int i;

	raw_config_set(&r, NULL, 0, 0, 0);
	others_add(&old, RAW_CYCLES);
	if (raw_config_set(&r, list, 2, 0, flags))
		tap_die("CONFIG_SET: %s", r.message);
	reader_start(&reader, -1);
	usleep(20000);
	shown = reader.shown;
	if (relaxed) {
		ok(shown, "relaxed: registers are shown behind an older event");
		/* Until a switch after this, a read may be wrong: that is what it says. */
		reader_end(&reader, "relaxed, an older event stays", true);
		others_drop(&old);
		return;
	}
	for (i = 0; i < 20; i++) {
		others_drop(&old);
		usleep(3000);
		others_add(&young, RAW_CYCLES);
		usleep(3000);
		others_drop(&young);
	}
	reader_end(&reader, name, true);
	ok_num("an older event is there: nothing is shown that could move", 0, shown);
}

int main(void)
{
	if (raw_open(&r) || raw_config_set(&r, list, 2, 0, 0))
		tap_die("family: %s", r.message);
	direct_hold_hooks();
	direct_access(true);
	pinned_come_and_go();
	perf_stat_starts();
	perf_stat_runs();
	whole_pmu();
	perf_unaffected();
	older(false);
	older(true);
	direct_access(false);
	raw_config_set(&r, NULL, 0, 0, 0);
	direct_let_go();
	leak_check(&r, "all this");
	return tap_end();
}
