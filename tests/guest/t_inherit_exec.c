// SPDX-License-Identifier: GPL-2.0-only
/*
 * INHERIT and exec: the programs that a child begins, with ON_EXEC and without,
 * and those that the asker may not look into.
 *
 * Called with an argument it is one of the programs that are exec'd.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ended.h"
#include "inherit.h"
#include "loop.h"
#include "raw.h"
#include "tap.h"
#include "ticks.h"

static struct raw r;
static struct threadprof *tp;
static double hz;

/* The program itself under another name, as what is exec'd. */
static pid_t run(const char *arg)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	burn_ms(60);	/* before the exec: with ON_EXEC not counted */
	execl("/proc/self/exe", "inherit_exec", arg, NULL);
	_exit(127);
}

static void programs(uint32_t flags)
{
	const struct threadprof_profile *p, *waiting;
	const char *how = flags ? "ON_EXEC" : "without ON_EXEC";
	struct threadprof_profile before_exec;
	struct ended ended = { 0 };
	char name[96];
	int fd = inherit_begin(tp, INHERIT | flags, 1);
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
	inherit_end(tp, fd);
	ended_free(&ended);
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
		fd = inherit_begin(tp, INHERIT, 0);
		child = fork();
		if (!child) {
			burn_ms(10);
			execl(program, "inherit_exec", "burn", NULL);
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
		inherit_end(tp, fd);
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

	pthread_create(&thread, NULL, inherit_burner, &tid);
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
	programs(0);
	programs(THREADPROF_ENABLE_ON_EXEC);
	exec_beyond("4755", "a setuid exec ends an unprivileged asker's inherited profile");
	exec_beyond("0711", "so does the exec of a program that he may not read");
	raw_config_set(&r, NULL, 0, 0, 0);
	if (!raw_quiet(&r, 5000))
		tap_die("%u profiles are left", raw_profiles(&r));
	return tap_end();
}
