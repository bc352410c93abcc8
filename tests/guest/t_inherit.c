// SPDX-License-Identifier: GPL-2.0-only
/*
 * INHERIT: threads, forked processes, exec'd programs and their children, and what
 * the asker learns of them when they have ended.
 *
 * Called with an argument it is one of the programs that are exec'd.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ended.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"
#include "ticks.h"

#define INHERIT	(THREADPROF_ENABLE_DISPATCH | THREADPROF_ENABLE_INHERIT)
#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)

static struct raw r;
static struct threadprof *tp;
static double hz;

static int begin(uint32_t flags, uint64_t mask)
{
	int fd;

	if (threadprof_enable(tp, flags, mask, &fd, NULL, NULL))
		tap_die("ENABLE: %s", threadprof_message(tp));
	return fd;
}

static void end(int fd)
{
	threadprof_disable(tp);
	close(fd);
}

static void *burn_thread(void *arg)
{
	prctl(PR_SET_NAME, "burner");
	burn_ms(20);
	*(pid_t *)arg = proc_tid();
	return NULL;
}

static bool counted(const struct threadprof_profile *p, unsigned int ms)
{
	return p && p->slot[0].state == THREADPROF_SLOT_COUNTING &&
	       p->slot[0].value >= ms * 900000ULL && p->slot[0].value < ms * 100000000ULL;
}

static void threads(void)
{
	const struct threadprof_profile *p;
	struct threadprof_profile own;
	struct ended ended = { 0 };
	unsigned int i, good = 0;
	pthread_t thread[4];
	pid_t tid[4];
	uint64_t began = cpu_ns();
	int fd = begin(INHERIT, 1);

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, burn_thread, &tid[i]);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	ok(ended_wait(tp, &ended, 4, 2000) && ended.count == 4, "four threads are in ENDED_GET");
	for (i = 0; i < 4; i++) {
		p = ended_find(&ended, tid[i]);
		good += counted(p, 20) && p->pid == (uint32_t)getpid() &&
			!strcmp(p->comm, "burner") && p->hardware_counters == 1 &&
			(p->flags & THREADPROF_PROFILE_INHERITED) && p->cycles > 0 &&
			p->elapsed >= p->cycles;
	}
	ok_num("each with its name, its process, its own counts", 4, good);
	threadprof_read(tp, &own);
	/* CPU time may leave interrupts out; with the four threads it would be 10. */
	ok_range("the asker's own profile shows the asker alone (of its CPU time)", 0.1, 3,
		 (double)own.slot[0].value / (cpu_ns() - began));
	end(fd);
	ended_free(&ended);
}

static pid_t child_of(pid_t *grandchild)
{
	int tell[2];
	pid_t pid;

	if (pipe(tell))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		pid_t grand = fork();

		if (!grand) {
			burn_ms(15);
			_exit(0);
		}
		if (write(tell[1], &grand, sizeof(grand)) != sizeof(grand))
			_exit(1);
		burn_ms(30);
		waitpid(grand, NULL, 0);
		_exit(0);
	}
	if (read(tell[0], grandchild, sizeof(*grandchild)) != sizeof(*grandchild))
		tap_die("grandchild");
	close(tell[0]);
	close(tell[1]);
	return pid;
}

static void processes(void)
{
	const struct threadprof_profile *p, *g;
	struct ended ended = { 0 };
	pid_t pid, grand;
	int fd = begin(INHERIT, 1);

	pid = child_of(&grand);
	waitpid(pid, NULL, 0);
	ok(ended_wait(tp, &ended, 2, 2000) && ended.count == 2,
	   "a forked child and a grandchild are in ENDED_GET");
	p = ended_find(&ended, pid);
	g = ended_find(&ended, grand);
	ok(counted(p, 30) && counted(g, 15) && p->slot[0].value > g->slot[0].value,
	   "each with its own counts");
	ok(p && g && g->ended_id < p->ended_id, "in the order in which they ended");
	ok(p && p->cycles > 0 && g && g->cycles > 0 && p->elapsed >= p->cycles,
	   "and with its cycles");
	end(fd);
	ended_free(&ended);
}

/* The program itself under another name, as what is exec'd. */
static pid_t run(const char *arg)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	burn_ms(60);	/* before the exec: with ON_EXEC not counted */
	execl("/proc/self/exe", "inherit", arg, NULL);
	_exit(127);
}

static void programs(uint32_t flags)
{
	const struct threadprof_profile *p, *waiting;
	const char *how = flags ? "ON_EXEC" : "without ON_EXEC";
	struct threadprof_profile before_exec;
	struct ended ended = { 0 };
	char name[96];
	int fd = begin(INHERIT | flags, 1);
	double lived, elapsed;
	uint64_t began;
	pid_t pid, plain;

	began = now_ns();
	pid = run("burn");
	waiting = attached_find(tp, pid, &before_exec) ? &before_exec : NULL;
	snprintf(name, sizeof(name), "%s: a child before its exec is attached", how);
	tap_check(waiting && !!(waiting->flags & THREADPROF_PROFILE_WAITS_EXEC) == !!flags, name,
		  "expected it in PROFILE_GET, WAITS_EXEC %d got %s", !!flags,
		  waiting ? "the other" : "nothing");
	waitpid(pid, NULL, 0);
	lived = now_ns() - began;
	plain = fork();
	if (!plain) {
		burn_ms(5);
		_exit(0);
	}
	waitpid(plain, NULL, 0);
	/* burn: itself, a thread and a child. */
	ended_wait(tp, &ended, flags ? 3 : 4, 2000);
	sleep_ms(50);
	ended_take(tp, &ended);
	snprintf(name, sizeof(name), "%s: the program, its thread and its child are in ENDED_GET",
		 how);
	ok_num(name, flags ? 3 : 4, ended.count);
	p = ended_find(&ended, pid);
	snprintf(name, sizeof(name), "%s: counting begins at the %s", how, flags ? "exec" : "fork");
	/* It burned 60 ms before the exec. */
	elapsed = p ? p->elapsed / hz * 1e9 : 0;
	tap_check(p && (flags ? elapsed < lived - 60e6 : elapsed > 60e6) && elapsed < lived, name,
		  "expected %s than 60 ms of %.0f missing got %.0f", flags ? "more" : "less",
		  lived / 1e6, elapsed / 1e6);
	snprintf(name, sizeof(name), "%s: a child that never execs is %s", how,
		 flags ? "left out" : "there");
	ok(!!ended_find(&ended, plain) == !flags, name);
	end(fd);
	ended_free(&ended);
}

static void forgetting(void)
{
	struct ended ended = { 0 }, again = { 0 };
	int i, fd = begin(INHERIT, 0);
	pthread_t thread;
	pid_t tid;

	for (i = 0; i < 6; i++) {
		pthread_create(&thread, NULL, burn_thread, &tid);
		pthread_join(thread, NULL);
	}
	for (i = 0; i < 200 && ended.count < 6; i++) {
		ended_free(&ended);
		ended_take(tp, &ended);
		sleep_ms(10);
	}
	ok_num("ENDED_GET tells all 6", 6, ended.count);
	ended_take(tp, &again);
	ok_num("without ENDED_AFTER all stay", 6, again.count);
	ended_free(&again);
	again.last = ended.list[2].ended_id;
	ended_take(tp, &again);
	ok_num("ENDED_AFTER forgets those up to it", 3, again.count);
	ended_free(&again);
	ended_take(tp, &again);
	ok_num("for good", 3, again.count);
	end(fd);
	ok(threadprof_list_ended(tp, 0, NULL, NULL) == -ENOENT && *threadprof_message(tp),
	   "ENDED_GET after DISABLE is refused");
	fd = begin(THREADPROF_ENABLE_DISPATCH, 0);
	ok(threadprof_list_ended(tp, 0, NULL, NULL) == -ENOENT,
	   "ENDED_GET of a profile without INHERIT is refused");
	end(fd);
	ended_free(&ended);
	ended_free(&again);
}

/* --- askers within askers ------------------------------------------------------------- */

/* Each asks for itself and its children; how deep does it go? */
static int nested(int depth)
{
	int fd, status;
	struct raw own;
	pid_t pid;

	raw_open(&own);
	fd = raw_enable(&own, INHERIT, 0, NULL);
	if (fd < 0)
		return fd == -E2BIG && own.message[0] ? depth : 100;
	pid = fork();
	if (!pid)
		_exit(nested(depth + 1));
	waitpid(pid, &status, 0);
	close(fd);
	raw_close(&own);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
}

static void nesting(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(nested(0));
	waitpid(pid, &status, 0);
	ok_num("a thread carries THREADPROF_MAX_PER_THREAD profiles, one more is E2BIG",
	       THREADPROF_MAX_PER_THREAD, WEXITSTATUS(status));
}

/* --- the asker goes ---------------------------------------------------------------- */

static void asker_killed(void)
{
	struct raw_state before, after;
	int tell[2], waited;
	uint64_t clock = CLOCK;
	struct raw own;
	pid_t pid, child;

	raw_config_set(&r, NULL, 0, 0, 0);
	raw_state_get(&r, &before);
	if (pipe(tell))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		raw_open(&own);
		raw_config_set(&own, &clock, 1, 0, THREADPROF_CONFIG_RELEASE);
		raw_enable(&own, INHERIT, 1, NULL);
		child = fork();
		if (!child) {
			/* As an exec'd program has them: closed. */
			raw_close(&own);
			close(tell[0]);
			for (;;)
				sleep_ms(5);
		}
		if (write(tell[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		for (;;)
			pause();
	}
	if (read(tell[0], &child, sizeof(child)) != sizeof(child))
		tap_die("child");
	ok_num("the asker and its child are profiled", 2, raw_hardware_users(&r));
	ok(raw_config_set(&r, &clock, 1, 0, 0) == -EBUSY, "the list is held");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (waited = 0; waited < 2000 && raw_hardware_users(&r); waited += 10)
		usleep(10000);
	ok_num("the asker killed: its child counts no more", 0, raw_hardware_users(&r));
	ok(!kill(child, 0), "the child lives on");
	sleep_ms(300);
	raw_state_get(&r, &after);
	ok_num("the list of before is put back", before.size, after.size);
	ok_num("the list can be changed", 0, raw_config_set(&r, &clock, 1, 0, 0));
	ok_num("the child is in no listing", 0, attached_count(tp));
	kill(child, SIGKILL);
	for (waited = 0; waited < 2000 && !kill(child, 0); waited += 10)
		usleep(10000);
}

/* --- a program with more rights ------------------------------------------------------- */

static void exec_beyond(const char *mode, const char *name)
{
	static const char program[] = "/inherit-copy";
	char path[256] = "", copy[640];
	struct ended ended = { 0 };
	const struct threadprof_profile *p;
	int status;
	pid_t pid;

	/* On the root, which is not mounted nosuid as /tmp is. */
	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		tap_die("readlink");
	snprintf(copy, sizeof(copy), "cp %s %s && chmod %s %s", path, program, mode, program);
	if (system(copy))
		tap_die("%s", copy);
	pid = fork();
	if (!pid) {
		int fd, result = 0;
		pid_t child;

		if (setgid(1000) || setuid(1000) || threadprof_open(&tp))
			_exit(64);
		fd = begin(INHERIT, 0);
		child = fork();
		if (!child) {
			burn_ms(10);
			execl(program, "inherit", "burn", NULL);
			_exit(127);
		}
		waitpid(child, &status, 0);
		if (status)
			_exit(65);
		ended_wait(tp, &ended, 1, 1000);
		sleep_ms(50);
		ended_take(tp, &ended);
		/* Its time up to the exec, and nothing of the thread and child after. */
		p = ended_find(&ended, child);
		if (ended.count != 1)
			result |= 1;
		if (!p)
			result |= 2;
		end(fd);
		_exit(result);
	}
	waitpid(pid, &status, 0);
	ok_num(name, 0, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
	unlink(program);
}

/* --- as the program that is exec'd -------------------------------------------------------- */

static int be_burned(void)
{
	pthread_t thread;
	pid_t tid, pid;

	pthread_create(&thread, NULL, burn_thread, &tid);
	pthread_join(thread, NULL);
	pid = fork();
	if (!pid) {
		burn_ms(5);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	burn_ms(10);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t clock = CLOCK;

	if (argc > 1 && !strcmp(argv[1], "burn"))
		return be_burned();
	if (raw_open(&r) || threadprof_open(&tp))
		tap_die("no family");
	if (raw_config_set(&r, &clock, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	hz = ticks_measure(tp);
	threads();
	processes();
	programs(0);
	programs(THREADPROF_ENABLE_ON_EXEC);
	forgetting();
	nesting();
	asker_killed();
	exec_beyond("4755", "a setuid exec ends an unprivileged asker's inherited profile");
	exec_beyond("0711", "so does the exec of a program that he may not read");
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all that was inherited");
	return tap_end();
}
