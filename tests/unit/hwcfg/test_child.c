// SPDX-License-Identifier: GPL-2.0-only
/* The command of `hwcfg run`: how it ends, and what reaches it. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run_child.h"
#include "unit.h"

static struct run_child run_to_end(char **argv)
{
	struct run_child child;

	assert_int_equal(run_child_start(argv, &child), 0);
	while (!child.ended)
		run_child_wait(&child, 100);
	return child;
}

static int shell(char *script)
{
	char *argv[] = { "sh", "-c", script, NULL };
	struct run_child child = run_to_end(argv);

	return run_child_status(&child);
}

static void test_status(void **state)
{
	(void)state;
	assert_int_equal(shell("exit 0"), 0);
	assert_int_equal(shell("exit 7"), 7);
	assert_int_equal(shell("exit 255"), 255);
	assert_int_equal(shell("kill -KILL $$"), 137);
	assert_int_equal(shell("kill -SEGV $$"), 139);
	assert_int_equal(shell("kill -TERM $$"), 143);
}

static void test_exec(void **state)
{
	char *absent[] = { "/nonexistent/command", NULL };
	char *no_program[] = { "/proc/version", NULL };
	char *folder[] = { "/tmp", NULL };
	struct run_child child;

	(void)state;
	child = run_to_end(absent);
	assert_int_equal(child.exec_error, ENOENT);
	assert_int_equal(run_child_status(&child), 127);
	child = run_to_end(no_program);
	assert_int_equal(run_child_status(&child), 126);
	child = run_to_end(folder);
	assert_int_equal(run_child_status(&child), 126);
}

static volatile sig_atomic_t terms;

static void count_term(int signal)
{
	(void)signal;
	terms++;
}

static void (*handler(int number))(int)
{
	struct sigaction now;

	assert_int_equal(sigaction(number, NULL, &now), 0);
	return now.sa_handler;
}

/* SIGINT is the command's alone, SIGTERM is passed on, and both work in it. */
static void test_signals(void **state)
{
	char *argv[] = { "sh", "-c", "trap 'exit 9' TERM; echo >&9; sleep 20 & wait", NULL };
	struct run_child child;
	char byte;
	int ready[2];

	(void)state;
	signal(SIGTERM, count_term);
	assert_int_equal(pipe(ready), 0);
	dup2(ready[1], 9);
	assert_int_equal(run_child_start(argv, &child), 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	raise(SIGINT);
	raise(SIGQUIT);
	run_child_wait(&child, 1);
	assert_false(child.ended);
	raise(SIGTERM);
	while (!child.ended)
		run_child_wait(&child, 100);
	assert_int_equal(run_child_status(&child), 9);
	assert_int_equal(terms, 0);
	/* Nobody is left to pass it to: it is ours again. */
	raise(SIGTERM);
	assert_int_equal(terms, 1);
	signal(SIGTERM, SIG_DFL);
	/* What was ignored before stays so, what was not does not. */
	signal(SIGINT, SIG_IGN);
	assert_int_equal(shell("kill -INT $$; exit 4"), 4);
	signal(SIGINT, SIG_DFL);
	assert_int_equal(shell("kill -INT $$; exit 4"), 128 + SIGINT);
	close(ready[0]);
	close(ready[1]);
	close(9);
}

/* Once the command ended, signals do what they did before, however it ended. */
static void test_restored(void **state)
{
	char *absent[] = { "/nonexistent/command", NULL };
	sigset_t before, after;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
		signal(SIGINT, i ? SIG_IGN : SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGTERM, i ? SIG_IGN : SIG_DFL);
		signal(SIGCHLD, SIG_DFL);
		if (i)
			run_to_end(absent);
		else
			assert_int_equal(shell("exit 0"), 0);
		assert_ptr_equal(handler(SIGINT), i ? SIG_IGN : SIG_DFL);
		assert_ptr_equal(handler(SIGQUIT), SIG_DFL);
		assert_ptr_equal(handler(SIGTERM), i ? SIG_IGN : SIG_DFL);
		assert_ptr_equal(handler(SIGCHLD), SIG_DFL);
		assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &after), 0);
		assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
		assert_int_equal(sigismember(&after, SIGCHLD), 0);
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

static void test_wait(void **state)
{
	char *argv[] = { "sleep", "20", NULL };
	struct timespec a, b;
	struct run_child child;

	(void)state;
	assert_int_equal(run_child_start(argv, &child), 0);
	clock_gettime(CLOCK_MONOTONIC, &a);
	run_child_wait(&child, 50);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert_false(child.ended);
	assert_in_range((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000, 49, 5000);
	kill(child.pid, SIGKILL);
	while (!child.ended)
		run_child_wait(&child, 100);
	assert_int_equal(run_child_status(&child), 137);
}

static void test_ours(void **state)
{
	char *argv[] = { "sh", "-c", "sleep 20 >/dev/null & echo $! >&9", NULL };
	struct run_child child;
	char text[32] = "";
	int ready[2];
	pid_t orphan;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	dup2(ready[1], 9);
	assert_int_equal(run_child_start(argv, &child), 0);
	while (!child.ended)
		run_child_wait(&child, 100);
	assert_true(read(ready[0], text, sizeof(text) - 1) > 0);
	orphan = atoi(text);
	assert_true(run_child_is_ours(orphan));
	assert_false(run_child_is_ours(getpid()));
	assert_false(run_child_is_ours(1));
	assert_false(run_child_is_ours(getppid()));
	kill(orphan, SIGKILL);
	assert_int_equal(waitpid(orphan, NULL, 0), orphan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_ours),
	};

	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
