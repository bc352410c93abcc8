// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ten thousand profiled threads of a process that may have 256 descriptors open and
 * 64 KiB of memory locked. While others come and go, each dump shows every one
 * that stays, once, with what its page shows. CROWD raw|library
 */
#include <limits.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/resource.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "area.h"
#include "hcp.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define HARDWARE(n)	THREADPROF_INDEX(PERF_TYPE_HARDWARE, n)
#define SOFTWARE(n)	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, n)
#define STAYING		10000
#define CHURNERS	2
#define DUMPS		5
#define MAX_TID		(1 << 22)

struct stayer {
	pthread_t thread;
	pid_t tid;
	int error;		/* of its Enable */
	unsigned int seen;	/* in this dump */
};

static struct raw r;
static int fd, go[2];
static const volatile struct threadprof_page *pages;
static struct stayer stayer[STAYING];
static unsigned short *by_tid;	/* index + 1 */
static pthread_attr_t small;
static volatile bool stop;
static unsigned long gathered, churned;

static void limit(int what, rlim_t value)
{
	struct rlimit limit = { value, value };

	if (setrlimit(what, &limit))
		tap_die("setrlimit");
}

/* Until main closes the pipe. */
static void stay(struct stayer *s)
{
	char c;

	s->tid = proc_tid();
	__atomic_fetch_add(&gathered, 1, __ATOMIC_SEQ_CST);
	if (read(go[0], &c, 1))
		tap_die("read");
}

/* --- by bare calls, with a dump compared to the pages ------------------------------ */

static void *raw_stayer(void *arg)
{
	struct stayer *s = arg;

	s->error = area_op(fd, THREADPROF_OP_ENABLE, s - stayer, 0, 3);
	loop_exact(1 + (s - stayer) % 100 * 100);
	stay(s);
	return NULL;
}

static void *short_life(void *arg)
{
	unsigned int page = STAYING + (uintptr_t)arg;

	/* The one before may be shown there still. */
	while (area_op(fd, THREADPROF_OP_ENABLE, page, 0, 3) == -EBUSY)
		usleep(100);
	loop_exact(1000);
	return NULL;
}

static void *churner(void *arg)
{
	pthread_t thread;

	while (!stop) {
		if (pthread_create(&thread, &small, short_life, arg) ||
		    pthread_join(thread, NULL))
			tap_die("a thread more");
		__atomic_fetch_add(&churned, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static unsigned long wrong, others;

static uint64_t slot_of(const struct nlmsghdr *header, unsigned int number)
{
	struct nlattr *profile = raw_attr(header, THREADPROF_A_PROFILE), *at;
	struct nlattr *tb[THREADPROF_A_SLOT_MAX + 1];
	int left;

	nla_for_each_nested(at, profile, left) {
		if (nla_type(at) == THREADPROF_A_PROFILE_SLOT &&
		    !nla_parse_nested(tb, THREADPROF_A_SLOT_MAX, at, NULL) &&
		    tb[THREADPROF_A_SLOT_NUMBER] && tb[THREADPROF_A_SLOT_VALUE] &&
		    nla_get_u32(tb[THREADPROF_A_SLOT_NUMBER]) == number)
			return nla_get_u64(tb[THREADPROF_A_SLOT_VALUE]);
	}
	return UINT64_MAX;
}

static void compare(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *tb[THREADPROF_A_PROFILE_MAX + 1];
	struct nlattr *profile = raw_attr(header, THREADPROF_A_PROFILE);
	const volatile struct threadprof_page *page;
	unsigned int i;

	(void)arg;
	if (!profile || nla_parse_nested(tb, THREADPROF_A_PROFILE_MAX, profile, NULL) ||
	    !tb[THREADPROF_A_PROFILE_TID] || !tb[THREADPROF_A_PROFILE_PROFILE_ID] ||
	    !tb[THREADPROF_A_PROFILE_SWITCHES] || !tb[THREADPROF_A_PROFILE_CYCLES]) {
		wrong++;
		return;
	}
	i = by_tid[nla_get_u32(tb[THREADPROF_A_PROFILE_TID]) % MAX_TID];
	if (!i) {
		others++;
		return;
	}
	i--;
	stayer[i].seen++;
	page = area_page(pages, i);
	/* It sleeps, so that all stands still. */
	wrong += nla_get_u64(tb[THREADPROF_A_PROFILE_PROFILE_ID]) != page->profile_id ||
		 nla_get_u64(tb[THREADPROF_A_PROFILE_SWITCHES]) != page->switches ||
		 nla_get_u64(tb[THREADPROF_A_PROFILE_CYCLES]) != page->cycles ||
		 slot_of(header, 0) != page->slot[0].total ||
		 slot_of(header, 1) != page->slot[1].total || !page->slot[0].total;
}

static void dump(int number)
{
	unsigned long once = 0, before = churned;
	char name[96];
	int i, error;

	for (i = 0; i < STAYING; i++)
		stayer[i].seen = 0;
	wrong = others = 0;
	error = raw_dump(&r, raw_new(&r, THREADPROF_CMD_PROFILE_GET, NLM_F_DUMP), compare, NULL);
	for (i = 0; i < STAYING; i++)
		once += stayer[i].seen == 1;
	printf("# dump %d: %lu others, %lu threads came and went\n", number, others,
	       churned - before);
	snprintf(name, sizeof(name), "dump %d ends well", number);
	ok_num(name, 0, error);
	snprintf(name, sizeof(name), "dump %d shows each of 10,000 once", number);
	ok_num(name, STAYING, once);
	snprintf(name, sizeof(name), "dump %d says of each what its page says", number);
	ok_num(name, 0, wrong);
}

/* --- the crowd -------------------------------------------------------------------- */

static void gather(void *(*body)(void *))
{
	unsigned long enabled = 0;
	uint64_t began = now_ns();
	int i;

	if (pipe(go))
		tap_die("pipe");
	for (i = 0; i < STAYING; i++) {
		stayer[i] = (struct stayer){ .error = 1 };
		if (pthread_create(&stayer[i].thread, &small, body, &stayer[i]))
			tap_die("thread %d", i + 1);
	}
	while (__atomic_load_n(&gathered, __ATOMIC_SEQ_CST) < STAYING)
		usleep(10000);
	for (i = 0; i < STAYING; i++)
		enabled += !stayer[i].error;
	printf("# gathered in %llu ms\n", (unsigned long long)(now_ns() - began) / 1000000);
	ok_num("ten thousand threads are enabled", STAYING, enabled);
	ok_num("all keep the configuration", STAYING, raw_hardware_users(&r));
}

static void scatter(void)
{
	int i;

	close(go[1]);
	for (i = 0; i < STAYING; i++)
		pthread_join(stayer[i].thread, NULL);
	close(go[0]);
}

static void by_raw(void)
{
	pthread_t thread[CHURNERS];
	int i, open;

	fd = raw_enable(&r, 0, 0, NULL);
	pages = area_map(fd, 0, STAYING + CHURNERS);
	area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0);
	open = proc_descriptors();
	gather(raw_stayer);
	/* The last ones may not sleep yet. */
	for (i = 0; i < STAYING; i++)
		while (area_page(pages, i)->cycles_start)
			usleep(1000);
	ok_num("none of them takes a descriptor", open + 2, proc_descriptors());
	for (i = 0; i < STAYING; i++)
		by_tid[stayer[i].tid % MAX_TID] = i + 1;
	for (i = 0; i < CHURNERS; i++)
		if (pthread_create(&thread[i], &small, churner, (void *)(uintptr_t)i))
			tap_die("thread");
	churned = 0;
	for (i = 1; i <= DUMPS; i++)
		dump(i);
	ok(churned > 10, "others came and went meanwhile");
	stop = true;
	for (i = 0; i < CHURNERS; i++)
		pthread_join(thread[i], NULL);
	scatter();
	area_unmap(pages, STAYING + CHURNERS);
	close(fd);
}

/* --- by the library ------------------------------------------------------------------ */

static unsigned long bad_reads;

static void *library_stayer(void *arg)
{
	struct stayer *s = arg;
	PERFORMANCE_DATA data;
	HANDLE handle;

	s->error = EnableThreadProfiling(GetCurrentThread(), DISPATCH, 3, &handle);
	hcp_poison(&data);
	if (!s->error && (ReadThreadProfilingData(handle, READ_D | READ_H, &data) ||
			  data.HwCountersCount != 2 || !data.CycleTime))
		__atomic_fetch_add(&bad_reads, 1, __ATOMIC_SEQ_CST);
	stay(s);
	/* Every other one leaves it to its exit. */
	if (!s->error && (s - stayer) % 2 && DisableThreadProfiling(handle))
		__atomic_fetch_add(&bad_reads, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static int count(const struct threadprof_profile *profile, void *arg)
{
	unsigned int i = by_tid[profile->tid % MAX_TID];

	(void)arg;
	if (i)
		stayer[i - 1].seen++;
	return 0;
}

static void by_library(void)
{
	struct threadprof *tp;
	unsigned long once = 0;
	int i;

	if (threadprof_open(&tp))
		tap_die("%s", threadprof_message(tp));
	gather(library_stayer);
	for (i = 0; i < STAYING; i++)
		by_tid[stayer[i].tid % MAX_TID] = i + 1;
	ok_num("the library lists them", 0, threadprof_list_profiles(tp, count, NULL));
	for (i = 0; i < STAYING; i++)
		once += stayer[i].seen == 1;
	ok_num("each of 10,000 once", STAYING, once);
	scatter();
	ok_num("each could read, and half of them disable", 0, bad_reads);
	threadprof_close(tp);
}

int main(int argc, char **argv)
{
	uint64_t list[] = { SOFTWARE(PERF_COUNT_SW_TASK_CLOCK), SOFTWARE(PERF_COUNT_SW_PAGE_FAULTS) };
	bool library = argc > 1 && !strcmp(argv[1], "library");

	limit(RLIMIT_NOFILE, 256);
	limit(RLIMIT_MEMLOCK, 64 << 10);
	if (!proc_write("/proc/sys/kernel/threads-max", "30000"))
		tap_die("threads-max");
	if (raw_open(&r))
		tap_die("no family");
	if (raw_has_pmu(&r))
		list[0] = HARDWARE(PERF_COUNT_HW_CPU_CYCLES);
	if (raw_config_set(&r, list, 2, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	by_tid = calloc(MAX_TID, sizeof(*by_tid));
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN + 32768);
	if (library)
		by_library();
	else
		by_raw();
	ok(raw_quiet(&r, 10000), "all are gone");
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	return tap_end();
}
