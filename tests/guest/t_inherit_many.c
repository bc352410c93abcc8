// SPDX-License-Identifier: GPL-2.0-only
/*
 * More ended threads than are kept: the last THREADPROF_MAX_ENDED places go to
 * the first, the rest is summed up, and nothing is missing from the sum.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ended.h"
#include "leak.h"
#include "loop.h"
#include "raw.h"
#include "tap.h"

#define THREADS	9000
#define BATCH	60
#define TOO_MANY (THREADS - THREADPROF_MAX_ENDED)

static struct raw r;
static struct threadprof *tp;

/* A switch of its own accord, and one page fault at least. */
static void *short_life(void *arg)
{
	volatile char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	*page = 1;
	munmap((void *)page, 4096);
	usleep(1);
	__atomic_add_fetch((int *)arg, 1, __ATOMIC_RELAXED);
	return NULL;
}

static int crowd(unsigned int threads)
{
	pthread_t thread[BATCH];
	unsigned int i, n, left;
	pthread_attr_t attr;
	int lived = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 262144);
	for (left = threads; left; left -= n) {
		n = left < BATCH ? left : BATCH;
		for (i = 0; i < n; i++)
			if (pthread_create(&thread[i], &attr, short_life, &lived))
				tap_die("thread");
		for (i = 0; i < n; i++)
			pthread_join(thread[i], NULL);
	}
	return lived;
}

int main(void)
{
	const uint64_t faults = THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	uint64_t began;
	struct ended ended = { 0 };
	uint64_t sum = 0, kept_least = UINT64_MAX;
	unsigned int i;
	int fd, error;

	if (raw_open(&r) || raw_config_set(&r, &faults, 1, 0, 0) || threadprof_open(&tp))
		tap_die("family: %s", r.message);
	error = threadprof_enable(tp, THREADPROF_ENABLE_DISPATCH | THREADPROF_ENABLE_INHERIT, 1,
				  &fd, NULL, NULL);
	if (error)
		tap_die("ENABLE: %s", threadprof_message(tp));
	began = now_ns();
	ok_num("9,000 threads lived", THREADS, crowd(THREADS));
	printf("# %u threads: %.1f s\n", THREADS, (now_ns() - began) / 1e9);
	began = now_ns();
	ok(ended_wait(tp, &ended, THREADS, 5000), "all are accounted for");
	printf("# listed: %.1f s\n", (now_ns() - began) / 1e9);
	ok_num("as many are kept as can be", THREADPROF_MAX_ENDED, ended.count);
	ok_num("the rest is said to be dropped", TOO_MANY, ended.dropped.dropped);
	for (i = 0; i < ended.count; i++) {
		sum += ended.list[i].switches;
		if (ended.list[i].slot[0].value < kept_least)
			kept_least = ended.list[i].slot[0].value;
	}
	ok_range("those kept have their switches", ended.count / 2, ended.count * 50.0, sum);
	ok(kept_least > 0 && kept_least < UINT64_MAX, "and their counts");
	/* A sleep may be over before it began: not each thread switches. */
	ok_range("those dropped have theirs in the sum", TOO_MANY / 2, TOO_MANY * 50.0,
		 ended.dropped.switches);
	ok(ended.dropped.slot[0].value >= TOO_MANY && ended.dropped.hardware_counters == 1 &&
	   ended.dropped.cycles > 0 && ended.dropped.voluntary >= TOO_MANY / 2,
	   "counts, cycles and voluntary switches too");
	/* What was listed is forgotten: there is room again. */
	i = ended.count;
	ended_take(tp, &ended);
	ok_num("ENDED_AFTER of all forgets all", 0, ended.count - i);
	ok_num("100 more", 100, crowd(100));
	ok(ended_wait(tp, &ended, THREADS + 100, 2000), "are accounted for");
	ok_num("and kept", 100, ended.count - i);
	ok_num("the count of the dropped stays", TOO_MANY, ended.dropped.dropped);
	ended_free(&ended);
	threadprof_disable(tp);
	close(fd);
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "9,000 threads");
	return tap_end();
}
