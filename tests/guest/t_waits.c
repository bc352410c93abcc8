// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each reason of a switch, made on purpose: its bit in WaitReasonBitMap, its count,
 * and the time that was waited. Which Linux wait is which reason is ours.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
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
#include "ticks.h"

static struct threadprof *tp;
static double hz;

struct seen {
	uint64_t bits;
	struct threadprof_profile profile;
	uint64_t cycle_time;
	uint64_t cpu_most;	/* CPU time, nanoseconds, a little more than the span */
};

/* Profiles this thread while @work runs. */
static void watch(void (*work)(void), struct seen *out)
{
	uint64_t began = cpu_ns();
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };
	HANDLE handle;

	if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, 0, &handle))
		tap_die("Enable: %s", threadprof_last_message());
	work();
	if (ReadThreadProfilingData(handle, READ_THREAD_PROFILING_FLAG_DISPATCHING, &data) ||
	    threadprof_read(tp, &out->profile))
		tap_die("Read: %s", threadprof_last_message());
	out->cpu_most = cpu_ns() - began;
	DisableThreadProfiling(handle);
	out->bits = data.WaitReasonBitMap;
	out->cycle_time = data.CycleTime;
}

/*
 * @expected shows, at least @least times; no other reason of a thread that waits
 * of its own accord does.
 */
static void reason(const char *what, void (*work)(void), unsigned int expected, uint64_t least)
{
	const uint64_t forced = 1ULL << WrQuantumEnd | 1ULL << WrPreempted |
				1ULL << WrPageIn | 1ULL << WrResource;
	char name[128], others[256] = "";
	struct seen seen;
	unsigned int i;

	watch(work, &seen);
	for (i = 0; i < 64; i++)
		if (seen.bits & ~forced & ~(1ULL << expected) & 1ULL << i)
			snprintf(others + strlen(others), sizeof(others) - strlen(others), " %s*%llu",
				 threadprof_wait_name(i),
				 (unsigned long long)seen.profile.wait[i].count);
	snprintf(name, sizeof(name), "R3 %s is %s", what, threadprof_wait_name(expected));
	tap_check((seen.bits & 1ULL << expected) &&
		  seen.profile.wait[expected].count >= least && !others[0], name,
		  "expected its bit, %llu or more, and no other got bits %#llx, count %llu,%s",
		  (unsigned long long)least, (unsigned long long)seen.bits,
		  (unsigned long long)seen.profile.wait[expected].count, others);
}

/* --- the waits ---------------------------------------------------------------- */

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
	reason("a pipe's ping-pong", ping_pong, Executive, 50);
	if (write(pipes[0][1], "q", 1) != 1)
		tap_die("quit");
	pthread_join(thread, NULL);
}

static void sleeps(void)
{
	struct timespec wait = { .tv_nsec = 1000000 };
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
	reason("wait4", waits, UserRequest, 1);
}

/* --- losing the CPU -------------------------------------------------------------- */

static volatile bool stop;

static void *burner(void *arg)
{
	proc_pin(0);
	while (!stop)
		loop_exact(1000);
	return arg;
}

static void *yielder(void *arg)
{
	proc_pin(0);
	while (!stop)
		sched_yield();
	return arg;
}

static void *urgent(void *arg)
{
	struct sched_param param = { .sched_priority = 10 };

	proc_pin(0);
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		return "refused";
	while (!stop)
		sleep_ms(2);
	return arg;
}

static void burn(void)
{
	burn_ms(200);
}

/* For as long as the scheduler needs to find the rival the more deserving. */
static void yields(void)
{
	uint64_t end = cpu_ns() + 300000000;

	while (cpu_ns() < end)
		sched_yield();
}

static void beside(void *(*rival)(void *), void (*work)(void), struct seen *seen)
{
	pthread_t thread;
	void *result;

	stop = false;
	proc_pin(0);
	if (pthread_create(&thread, NULL, rival, NULL))
		tap_die("rival");
	sleep_ms(5);
	watch(work, seen);
	stop = true;
	pthread_join(thread, &result);
	if (result)
		tap_die("rival %s", (char *)result);
}

static void losing(void)
{
	struct seen seen;
	uint64_t time;

	beside(burner, burn, &seen);
	ok(seen.bits & (1ULL << WrQuantumEnd), "R3 a busy loop beside another is WrQuantumEnd");
	time = seen.profile.wait[WrQuantumEnd].time + seen.profile.wait[WrPreempted].time;
	/* Two share one CPU: off it for as long as on it, more or less. */
	ok_range("R3 two busy loops share the CPU by halves (off / on)", 0.5, 2,
		 (double)time / seen.profile.cycles);
	ok_num("R3 none of it is voluntary", 0, seen.profile.voluntary);

	beside(urgent, burn, &seen);
	ok(seen.bits & (1ULL << WrPreempted),
	   "R3 a busy loop beside a thread of higher priority is WrPreempted");
	ok_range("R3 and that often", 5, 1000, seen.profile.wait[WrPreempted].count);

	beside(yielder, yields, &seen);
	ok(seen.bits & (1ULL << WrYieldExecution), "R3 sched_yield is WrYieldExecution");
	ok_num("R3 a yield is not voluntary, as /proc has it", 0, seen.profile.voluntary);
}

/* --- stopped, paged in ------------------------------------------------------------- */

static void stop_self(void)
{
	kill(getpid(), SIGSTOP);
}

static void stopped(void)
{
	struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		threadprof_close(tp);
		if (threadprof_open(&tp))
			_exit(1);
		watch(stop_self, seen);
		_exit(0);
	}
	waitpid(pid, &status, WUNTRACED);
	ok(WIFSTOPPED(status), "the child is stopped");
	sleep_ms(50);
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && !WEXITSTATUS(status) && (seen->bits & 1ULL << Suspended),
	   "R3 SIGSTOP to SIGCONT is Suspended");
	ok_range("R3 for as long as it was stopped (ms)", 50, 5000,
		 seen->profile.wait[Suspended].time / hz * 1000);
}

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
	reason("a page read from the disk", touch, WrPageIn, 3);
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
	reason("io_uring_enter", ring_wait, WrIoRing, 1);
	close(ring);
}

/* --- times ------------------------------------------------------------------------------ */

static void sleep_50(void)
{
	sleep_ms(50);
}

static uint64_t cpu_least;

static void burn_counted(void)
{
	uint64_t before = cpu_ns();

	burn_ms(300);
	cpu_least = cpu_ns() - before;
}

static void times(void)
{
	uint64_t off = 0;
	struct seen seen;
	int i;

	watch(sleep_50, &seen);
	ok_range("R3 a sleep of 50 ms shows as 50 ms off the CPU", 50, 500,
		 seen.profile.wait[DelayExecution].time / hz * 1000);
	ok_range("R3 it uses next to no cycles (of the elapsed)", 0, 0.7,
		 (double)seen.cycle_time / seen.profile.elapsed);

	watch(burn_counted, &seen);
	ok_range("R3 CycleTime of a busy loop is its CPU time (ns)", cpu_least * 0.97,
		 seen.cpu_most * 1.03, seen.cycle_time / hz * 1e9);
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++)
		off += seen.profile.wait[i].time;
	ok_range("R3 on and off the CPU are all there is (of the elapsed)", 0.95, 1.02,
		 (double)(seen.profile.cycles + off) / seen.profile.elapsed);
}

/* As good as the kernel's own idea of it. */
static void cycle_rate(double told)
{
	const char name[] = "CYCLE_HZ is the rate of the cycle source (ratio)";

#ifdef __x86_64__
	char clocks[256] = "";
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/available_clocksource",
			   "re");

	if (file && !fgets(clocks, sizeof(clocks), file))
		clocks[0] = '\0';
	if (file)
		fclose(file);
	if (!strstr(clocks, "tsc")) {
		tap_skip(name, "the kernel does not trust its TSC: told %.3g, measured %.3g", told,
			 hz);
		return;
	}
#endif
	ok_range(name, 0.97, 1.03, told / hz);
}

int main(void)
{
	struct threadprof_status status;

	if (threadprof_open(&tp) || threadprof_get_status(tp, &status))
		tap_die("%s", threadprof_message(tp));
	hz = ticks_measure(tp);
	cycle_rate(status.cycle_hz);
	pipe_test();
	reason("nanosleep", sleeps, DelayExecution, 10);
	reason("a futex wait", futexes, WrAlertByThreadId, 5);
	reason("an epoll wait", epolls, WrQueue, 5);
	reason("poll", polls, UserRequest, 5);
	reason("select", selects, UserRequest, 5);
	reason("sigtimedwait", signals, UserRequest, 5);
	wait_test();
	losing();
	stopped();
	paged_in();
	io_ring();
	times();
	threadprof_close(tp);
	return tap_end();
}
