// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the choice of connections costs: the library's pool, one connection behind a
 * lock, one per thread, and one opened for each call. The request is QUERY to the
 * module if it is there, else one for a family that every kernel has; then QUERY to
 * the fake kernel. With the module also whole reads. BENCH_CALLS sets how many.
 */
#include <pthread.h>
#include <time.h>

#include <netlink/genl/ctrl.h>

#include "connection.h"
#include "pool.h"
#include "process.h"
#include "request.h"
#include "unit.h"

#define CALLS	64000
#define TIMES	7

enum way { POOL, LOCKED, OWN, FRESH };

static const char *const names[] = { "pool", "one, locked", "one per thread", "one per call" };
static const struct transport *real;
static bool fake_kernel;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct threadprof *shared;
static pthread_barrier_t barrier;
static _Atomic unsigned int failed;
static enum way way;
static unsigned int calls, all_calls = CALLS;
static bool module;

static int take(struct nlmsghdr *header, void *arg)
{
	(void)header;
	(void)arg;
	return 0;
}

static void ask(struct threadprof *tp)
{
	struct nl_msg *request = threadprof_request(tp, THREADPROF_CMD_QUERY);
	struct nlmsghdr *header = nlmsg_hdr(request);

	if (!fake_kernel && !module) {
		header->nlmsg_len = NLMSG_HDRLEN;
		genlmsg_put(request, 0, 0, GENL_ID_CTRL, 0, NLM_F_REQUEST, CTRL_CMD_GETFAMILY, 1);
		nla_put_string(request, CTRL_ATTR_FAMILY_NAME, "nlctrl");
	}
	if (threadprof_exchange(tp, header, take, NULL) && !failed++)
		fprintf(stderr, "%s\n", threadprof_message(tp));
}

static struct threadprof *get(void)
{
	struct threadprof *tp;

	threadprof_pool_take(&tp);
	if ((fake_kernel || module) && !tp->family)
		threadprof_find_family(tp);
	return tp;
}

static void *body(void *arg)
{
	struct threadprof *tp = way == OWN ? get() : NULL;
	unsigned int i;

	(void)arg;
	pthread_barrier_wait(&barrier);
	for (i = 0; i < calls; i++) {
		switch (way) {
		case POOL:
			tp = get();
			ask(tp);
			threadprof_pool_put(tp);
			break;
		case LOCKED:
			pthread_mutex_lock(&lock);
			ask(shared);
			pthread_mutex_unlock(&lock);
			break;
		case OWN:
			ask(tp);
			break;
		case FRESH:
			tp = get();
			ask(tp);
			threadprof_close(tp);
		}
	}
	if (way == OWN)
		threadprof_close(tp);
	return NULL;
}

static void empty_pool(void)
{
	int i;

	for (i = 0; i < PROCESS_IDLE; i++)
		threadprof_close(atomic_exchange(&threadprof_process()->idle[i], NULL));
}

static double measure(unsigned int threads)
{
	struct timespec from, to;
	pthread_t thread[64];
	unsigned int i;

	calls = (way == FRESH ? all_calls / 10 : all_calls) / threads;
	shared = way == LOCKED ? get() : NULL;
	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, body, NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	pthread_barrier_destroy(&barrier);
	threadprof_close(shared);
	empty_pool();
	return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / calls / threads;
}

/* Wall time of all calls by their number; the best of several times. */
static void report(unsigned int threads)
{
	double best = 1e99, ns;
	int i;

	for (i = 0; i < TIMES; i++) {
		ns = measure(threads);
		if (ns < best)
			best = ns;
	}
	printf("%-12s %2u threads  %-15s %8.0f ns a call\n",
	       fake_kernel ? "fake kernel" :
	       module ? "the module" : "real kernel", threads, names[way], best);
}

/* The whole call, in one thread. */
static void report_reads(void)
{
	HANDLE handle = enable_or_fail(DISPATCH, 0xf);
	PERFORMANCE_DATA data = fresh_data();
	double best = 1e99, ns;
	struct timespec from, to;
	unsigned int i, k;

	for (k = 0; k < TIMES; k++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (i = 0; i < all_calls; i++)
			if (ReadThreadProfilingData(handle, READ_BOTH, &data))
				failed++;
		clock_gettime(CLOCK_MONOTONIC, &to);
		ns = ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / all_calls;
		if (ns < best)
			best = ns;
	}
	DisableThreadProfiling(handle);
	printf("%-12s  1 threads  %-15s %8.0f ns a call\n", "the module", "Read", best);
}

int main(void)
{
	static const unsigned int threads[] = { 1, 2, 16, 64 };
	unsigned int i;

	if (getenv("BENCH_CALLS"))
		all_calls = strtoul(getenv("BENCH_CALLS"), NULL, 0);
	real = threadprof_transport;
	module = threadprof_open(&shared) == 0;
	threadprof_close(shared);
	if (module)
		report_reads();
	for (fake_kernel = false;; fake_kernel = true) {
		if (fake_kernel)
			fake_reset();
		else
			threadprof_transport = real;
		for (i = 0; i < 4; i++)
			for (way = POOL; way <= FRESH; way++)
				report(threads[i]);
		if (fake_kernel)
			break;
	}
	return failed ? 1 : 0;
}
