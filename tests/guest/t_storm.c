// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that come and go with a profile, in all the ways in which they should
 * not: storm CASE. Afterwards nothing may be left.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
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
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define BATCH 50

static struct raw r;
static unsigned int seed;

static unsigned int random_below(unsigned int bound)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % bound;
}

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
	raw_quiet(&r, 2000);
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
	raw_quiet(&r, 5000);
	for (i = 0; i < 50; i++) {
		after = leak_group_pages("storm") - before;
		if (after < 100)
			break;
		sleep_ms(100);
	}
	/* 2,000 pages leaked would be 8,000 KiB. */
	ok_range("E7 D2 their pages are given back (KiB left)", -1e6, 100, after);
	leak_check(&r, "threads that did not Disable");
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
		usleep(random_below(20000));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	}
	ok_num("150 processes killed in the middle of it", 150, killed);
	leak_check(&r, "SIGKILL");
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
	usleep(random_below(3000));
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
	leak_check(&r, "exec");
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
	leak_check(&r, "fork");
}

/* --- others let go of what is ours -------------------------------------------------- */

struct shared {
	pthread_barrier_t barrier;
	int fd;
	void *page;
	int rounds, wrong;
};

static void *closer(void *arg)
{
	struct shared *s = arg;
	int i;

	if (proc_cpus() > 1)
		proc_pin(1);
	for (i = 0; i < s->rounds; i++) {
		pthread_barrier_wait(&s->barrier);
		if (s->page)
			munmap(s->page, 4096);
		else
			close(s->fd);
		pthread_barrier_wait(&s->barrier);
	}
	return NULL;
}

/* The other thread lets go while the owner runs, switches and asks. */
static void released_by_another(bool mapped, uint32_t flags)
{
	struct shared s = { .rounds = 400 };
	pthread_t thread;
	struct raw own;
	char name[96];
	int i, k;

	pthread_barrier_init(&s.barrier, NULL, 2);
	pthread_create(&thread, NULL, closer, &s);
	raw_open(&own);
	proc_pin(0);
	for (i = 0; i < s.rounds; i++) {
		s.fd = raw_enable(&own, flags, 1, NULL);
		s.page = NULL;
		s.wrong += s.fd < 0;
		if (mapped) {
			s.page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, s.fd, 0);
			close(s.fd);
		}
		pthread_barrier_wait(&s.barrier);
		for (k = random_below(4); k; k--)
			sched_yield();
		raw_command(&own, THREADPROF_CMD_READ);
		pthread_barrier_wait(&s.barrier);
		s.wrong += raw_command(&own, THREADPROF_CMD_READ) != -ENOENT;
	}
	pthread_join(thread, NULL);
	raw_close(&own);
	snprintf(name, sizeof(name), "400 times another thread %s%s",
		 mapped ? "unmaps the page" : "closes the descriptor",
		 flags ? " of a profile with INHERIT" : "");
	ok_num(name, 0, s.wrong);
}

static void releases(void)
{
	released_by_another(false, 0);
	released_by_another(true, 0);
	released_by_another(false, THREADPROF_ENABLE_INHERIT);
	released_by_another(true, THREADPROF_ENABLE_INHERIT);
	leak_check(&r, "release by another thread");
}

/* --- a descriptor that travels ------------------------------------------------------- */

static void send_fd(int socket, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec io = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	if (sendmsg(socket, &msg, 0) != 1)
		_exit(8);
}

static int receive_fd(int socket)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec io = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	int fd = -1;

	if (recvmsg(socket, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void travels(void)
{
	int socket[2], fd, status;
	struct threadprof_page *page;
	uint64_t switches;
	struct raw own;
	pid_t pid;

	socketpair(AF_UNIX, SOCK_STREAM, 0, socket);
	pid = fork();
	if (!pid) {
		raw_open(&own);
		fd = raw_enable(&own, 1, 0, NULL);
		send_fd(socket[1], fd);
		close(fd);
		for (;;)
			sleep_ms(1);
	}
	fd = receive_fd(socket[0]);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		tap_die("mmap of a received descriptor");
	ok_num("a descriptor passed on shows its thread's page", pid, page->tid);
	switches = page->switches;
	sleep_ms(30);
	ok(page->switches > switches, "it shows the thread's switches as they happen");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(page->flags & THREADPROF_PROFILE_ENDED, "the page of a killed thread says ENDED");
	ok(raw_quiet(&r, 2000), "a descriptor of a dead thread's keeps no profile attached");
	close(fd);
	ok(page->switches >= switches, "its last values can be read");
	munmap(page, 4096);

	/* And one that is still on its way when everybody is gone. */
	pid = fork();
	if (!pid) {
		raw_open(&own);
		send_fd(socket[1], raw_enable(&own, 0, 0, NULL));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	close(socket[0]);
	close(socket[1]);
	leak_check(&r, "descriptors that travelled");
}

int main(int argc, char **argv)
{
	static const uint64_t list[] = {
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK),
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	};
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{ "exits", exits }, { "kills", kills }, { "execs", execs }, { "forks", forks },
		{ "releases", releases }, { "travels", travels },
	};
	unsigned int i;

	seed = argc > 2 ? strtoul(argv[2], NULL, 0) : (unsigned int)now_ns();
	printf("# seed %u\n", seed);
	if (raw_open(&r) || raw_config_set(&r, list, 2, 0, 0))
		tap_die("family: %s", r.message);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc > 1 && !strcmp(argv[1], cases[i].name))
			cases[i].run();
	ok_num("the configuration can be cleared", 0, raw_config_set(&r, NULL, 0, 0, 0));
	return tap_end();
}
