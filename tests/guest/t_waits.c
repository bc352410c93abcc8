// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each reason of a wait, made on purpose: its bit in WaitReasonBitMap and its count.
 * Which Linux wait is which reason is ours.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "tap.h"
#include "watch.h"

static struct threadprof *tp;

static int pipes[2][2];

static void *echo(void *arg)
{
	char c;

	while (read(pipes[0][0], &c, 1) == 1 && c != 'q')
		if (write(pipes[1][1], &c, 1) != 1)
			break;
	return arg;
}

static void ping_pong(void)
{
	char c = 'x';
	int i;

	for (i = 0; i < 100; i++)
		if (write(pipes[0][1], &c, 1) != 1 || read(pipes[1][0], &c, 1) != 1)
			tap_die("ping");
}

static void pipe_test(void)
{
	pthread_t thread;

	if (pipe(pipes[0]) || pipe(pipes[1]) || pthread_create(&thread, NULL, echo, NULL))
		tap_die("pipes");
	watch_reason(tp, "a pipe's ping-pong", ping_pong, Executive, 50);
	if (write(pipes[0][1], "q", 1) != 1)
		tap_die("quit");
	pthread_join(thread, NULL);
}

static void sleeps(void)
{
	struct timespec wait = { .tv_nsec = 5000000 };
	int i;

	for (i = 0; i < 10; i++)
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wait, NULL);
}

static void futexes(void)
{
	struct timespec wait = { .tv_nsec = 5000000 };
	uint32_t word = 0;
	int i;

	for (i = 0; i < 5; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &wait, NULL, 0);
}

static void epolls(void)
{
	struct epoll_event event;
	int i, fd = epoll_create1(0);

	for (i = 0; i < 5; i++)
		epoll_wait(fd, &event, 1, 5);
	close(fd);
}

static void polls(void)
{
	int i;

	for (i = 0; i < 5; i++)
		poll(NULL, 0, 5);
}

static void selects(void)
{
	struct timeval wait;
	int i;

	for (i = 0; i < 5; i++) {
		wait = (struct timeval) { .tv_usec = 5000 };
		select(0, NULL, NULL, NULL, &wait);
	}
}

static pid_t child;

static void waits(void)
{
	int status;

	waitpid(child, &status, 0);
}

static void signals(void)
{
	struct timespec wait = { .tv_nsec = 5000000 };
	sigset_t set;
	int i;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	for (i = 0; i < 5; i++)
		sigtimedwait(&set, NULL, &wait);
}

static void wait_test(void)
{
	child = fork();
	if (!child) {
		sleep_ms(30);
		_exit(0);
	}
	watch_reason(tp, "wait4", waits, UserRequest, 1);
}

/* --- paged in ------------------------------------------------------------------ */

static const char *const big_files[] = {
	"/usr/bin/perf", "/usr/bin/stress-ng", "/usr/bin/python3.11", NULL
};
static volatile unsigned char *file;
static size_t file_size;

static void touch(void)
{
	size_t at;

	for (at = 0; at < file_size; at += 262144)
		(void)file[at];
}

/* A file of the disk-backed root, not in the page cache any more. */
static void paged_in(void)
{
	struct stat st;
	int i, fd = -1;

	for (i = 0; big_files[i] && fd < 0; i++)
		fd = open(big_files[i], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		tap_die("no file to page in");
	file_size = st.st_size;
	file = mmap(NULL, file_size, PROT_READ, MAP_PRIVATE, fd, 0);
	madvise((void *)file, file_size, MADV_RANDOM);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	proc_write("/proc/sys/vm/drop_caches", "3");
	watch_reason(tp, "a page read from the disk", touch, WrPageIn, 1);
	munmap((void *)file, file_size);
	close(fd);
}

/* --- io_uring ------------------------------------------------------------------------ */

static int ring;
static struct io_uring_sqe *entries;
static uint32_t *tail, *array;

static void ring_wait(void)
{
	static struct { int64_t sec; long long nsec; } time = { 0, 20000000 };

	memset(entries, 0, sizeof(*entries));
	entries->opcode = IORING_OP_TIMEOUT;
	entries->addr = (uintptr_t)&time;
	entries->len = 1;
	array[0] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

static void io_ring(void)
{
	struct io_uring_params params = { 0 };
	char *sq;

	ring = syscall(SYS_io_uring_setup, 4, &params);
	if (ring < 0) {
		tap_skip("R3 io_uring_enter is WrIoRing", "the kernel has no io_uring");
		return;
	}
	sq = mmap(NULL, params.sq_off.array + 64, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		  IORING_OFF_SQ_RING);
	entries = mmap(NULL, 4 * sizeof(*entries), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		       IORING_OFF_SQES);
	if (sq == MAP_FAILED || entries == MAP_FAILED)
		tap_die("ring");
	tail = (uint32_t *)(sq + params.sq_off.tail);
	array = (uint32_t *)(sq + params.sq_off.array);
	watch_reason(tp, "io_uring_enter", ring_wait, WrIoRing, 1);
	close(ring);
}

int main(void)
{
	if (threadprof_open(&tp))
		tap_die("%s", threadprof_message(tp));
	pipe_test();
	/* One whose time is over before the thread gets to the switch has none. */
	watch_reason(tp, "nanosleep", sleeps, DelayExecution, 5);
	watch_reason(tp, "a futex wait", futexes, WrAlertByThreadId, 5);
	watch_reason(tp, "an epoll wait", epolls, WrQueue, 5);
	watch_reason(tp, "poll", polls, UserRequest, 5);
	watch_reason(tp, "select", selects, UserRequest, 5);
	watch_reason(tp, "sigtimedwait", signals, UserRequest, 5);
	wait_test();
	paged_in();
	io_ring();
	threadprof_close(tp);
	return tap_end();
}
