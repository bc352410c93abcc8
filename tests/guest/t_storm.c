// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that come and go with a profile, in all the ways in which they should
 * not: storm CASE. Afterwards nothing may be left.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "leak.h"
#include "loop.h"
#include "raw.h"
#include "storm.h"
#include "tap.h"

#define BATCH 50

static PERFORMANCE_DATA fresh(void)
{
	return (PERFORMANCE_DATA) { .Size = sizeof(PERFORMANCE_DATA),
				    .Version = PERFORMANCE_DATA_VERSION };
}

/* --- exit without Disable ------------------------------------------------------ */

static void *enable_and_exit(void *arg)
{
	PERFORMANCE_DATA data = fresh();
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, 1, &handle) ||
	    ReadThreadProfilingData(handle, 3, &data))
		__atomic_add_fetch((int *)arg, 1, __ATOMIC_RELAXED);
	return NULL;
}

static int crowd(unsigned int threads)
{
	pthread_t thread[BATCH];
	unsigned int i, n, left;
	int failed = 0;

	for (left = threads; left; left -= n) {
		n = left < BATCH ? left : BATCH;
		for (i = 0; i < n; i++)
			if (pthread_create(&thread[i], NULL, enable_and_exit, &failed))
				tap_die("thread");
		for (i = 0; i < n; i++)
			pthread_join(thread[i], NULL);
	}
	return failed;
}

/* The page of a thread that has ended, kept by a descriptor. */
static void *enable_for_another(void *arg)
{
	struct raw own;

	raw_open(&own);
	*(int *)arg = raw_enable(&own, 0, 0, NULL);
	raw_close(&own);
	return NULL;
}

static int held_page(void)
{
	pthread_t thread;
	int fd;

	pthread_create(&thread, NULL, enable_for_another, &fd);
	pthread_join(thread, NULL);
	return fd;
}

static void exits(void)
{
	int fd[100], i;
	long before, held, after;

	leak_group_enter("storm");
	crowd(100);
	raw_quiet(&storm_raw, 2000);
	/* The kernel sums the charges of its CPUs up every two seconds. */
	sleep_ms(2500);
	before = leak_group_pages("storm");
	/* Can the pages be seen at all? */
	for (i = 0; i < 100; i++)
		fd[i] = held_page();
	for (i = 0, held = 0; i < 50 && held < 350; i++) {
		sleep_ms(100);
		held = leak_group_pages("storm") - before;
	}
	ok_range("100 pages that are kept are seen (KiB)", 350, 600, held);
	for (i = 0; i < 100; i++)
		close(fd[i]);
	ok_num("E7 D2 2,000 threads enable, read and exit without Disable", 0, crowd(2000));
	raw_quiet(&storm_raw, 5000);
	for (i = 0; i < 50; i++) {
		after = leak_group_pages("storm") - before;
		if (after < 100)
			break;
		sleep_ms(100);
	}
	/* 2,000 pages leaked would be 8,000 KiB. */
	ok_range("E7 D2 their pages are given back (KiB left)", -1e6, 100, after);
	leak_check(&storm_raw, "threads that did not Disable");
}

/* --- SIGKILL at random moments -------------------------------------------------- */

static void *churn(void *arg)
{
	PERFORMANCE_DATA data = fresh();
	struct raw own;
	HANDLE handle;
	void *page;
	int fd;

	(void)arg;
	if (raw_open(&own))
		return NULL;
	for (;;) {
		if (!EnableThreadProfiling(GetCurrentThread(), 1, 3, &handle)) {
			ReadThreadProfilingData(handle, 1, &data);
			sched_yield();
			DisableThreadProfiling(handle);
		}
		fd = raw_enable(&own, 1, 0, NULL);
		if (fd < 0)
			continue;
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
		if (page != MAP_FAILED)
			munmap(page, 4096);
		fd = raw_enable(&own, THREADPROF_ENABLE_INHERIT, 1, NULL);
		if (fd >= 0 && !fork())
			_exit(0);
		close(fd);
	}
	return NULL;
}

static void churn_process(int threads)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	while (--threads)
		pthread_create(&thread, NULL, churn, NULL);
	churn(NULL);
	_exit(9);
}

static void kills(void)
{
	int i, status, killed = 0;
	pid_t pid;

	for (i = 0; i < 150; i++) {
		pid = fork();
		if (!pid)
			churn_process(3);
		usleep(storm_random(20000));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	}
	ok_num("150 processes killed in the middle of it", 150, killed);
	leak_check(&storm_raw, "SIGKILL");
}

/* --- exec and fork in the middle --------------------------------------------------- */

static void *busy(void *arg)
{
	HANDLE handle;

	EnableThreadProfiling(GetCurrentThread(), 1, 3, &handle);
	for (;;) {
		sched_yield();
		loop_exact(1000);
	}
	return arg;
}

static void exec_process(int from_thread)
{
	char *argv[] = { "true", NULL };
	pthread_t thread;
	HANDLE handle;
	int i;

	EnableThreadProfiling(GetCurrentThread(), 1, 1, &handle);
	for (i = 0; i < 3; i++)
		pthread_create(&thread, NULL, busy, NULL);
	usleep(storm_random(3000));
	/* A thread that is not the first takes its place: the others die first. */
	if (from_thread && !vfork())
		_exit(0);
	execv("/bin/true", argv);
	_exit(99);
}

static void *exec_thread(void *arg)
{
	exec_process(1);
	return arg;
}

static void execs(void)
{
	int i, status, good = 0;
	pthread_t thread;
	pid_t pid;

	for (i = 0; i < 60; i++) {
		pid = fork();
		if (!pid && i % 2)
			exec_process(0);
		if (!pid) {
			pthread_create(&thread, NULL, exec_thread, NULL);
			busy(NULL);
		}
		waitpid(pid, &status, 0);
		good += status == 0;
	}
	ok_num("60 programs exec'd by profiled threads, half of them not the first", 60, good);
	leak_check(&storm_raw, "exec");
}

static void *forker(void *arg)
{
	HANDLE handle;
	int i, status;
	pid_t pid;

	if (EnableThreadProfiling(GetCurrentThread(), 1, 1, &handle))
		return arg;
	for (i = 0; i < 40; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, &status, 0);
		__atomic_add_fetch((int *)arg, status == 0, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void forks(void)
{
	pthread_t thread[4];
	int i, good = 0;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, forker, &good);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	ok_num("4 profiled threads fork 40 children each", 160, good);
	leak_check(&storm_raw, "fork");
}

int main(int argc, char **argv)
{
	static const struct storm storms[] = {
		{ "exits", exits }, { "kills", kills }, { "execs", execs }, { "forks", forks }, { }
	};

	return storm_main(argc, argv, storms);
}
