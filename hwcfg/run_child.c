// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run_child.h"

static volatile sig_atomic_t forward_to;

static void forward(int signal)
{
	int saved = errno;

	if (forward_to > 0)
		kill(forward_to, signal);
	errno = saved;
}

static void take_signals(struct run_signals *saved)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction pass = { .sa_handler = forward, .sa_flags = SA_RESTART };
	sigset_t block;

	/*
	 * SIGTERM waits until there is somebody to pass it to; SIGCHLD is taken
	 * with sigtimedwait().
	 */
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGCHLD);
	sigprocmask(SIG_BLOCK, &block, &saved->mask);
	/* An ignored SIGCHLD, as some parents leave it, would hide the exit status. */
	sigaction(SIGCHLD, &usual, &saved->child);
	sigaction(SIGINT, &ignore, &saved->interrupt);
	sigaction(SIGQUIT, &ignore, &saved->quit);
	sigaction(SIGTERM, &pass, &saved->term);
}

static void give_signals_back(const struct run_signals *saved)
{
	sigaction(SIGINT, &saved->interrupt, NULL);
	sigaction(SIGQUIT, &saved->quit, NULL);
	sigaction(SIGTERM, &saved->term, NULL);
	sigaction(SIGCHLD, &saved->child, NULL);
	sigprocmask(SIG_SETMASK, &saved->mask, NULL);
}

static void run(char **argv, const struct run_signals *saved, int report)
{
	int err;

	give_signals_back(saved);
	execvp(argv[0], argv);
	err = errno;
	if (write(report, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

int run_child_start(char **argv, struct run_child *child)
{
	sigset_t term;
	int report[2];
	ssize_t n;

	memset(child, 0, sizeof(*child));
	if (pipe2(report, O_CLOEXEC))
		return -errno;
	/* So that processes that lose their parent are still known to be ours. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	take_signals(&child->saved);
	child->pid = fork();
	if (child->pid < 0) {
		int err = errno;

		give_signals_back(&child->saved);
		close(report[0]);
		close(report[1]);
		return -err;
	}
	if (!child->pid)
		run(argv, &child->saved, report[1]);
	forward_to = child->pid;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	if (!sigismember(&child->saved.mask, SIGTERM))
		sigprocmask(SIG_UNBLOCK, &term, NULL);
	close(report[1]);
	do {
		n = read(report[0], &child->exec_error, sizeof(child->exec_error));
	} while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n != sizeof(child->exec_error))
		child->exec_error = 0;
	return 0;
}

static void reap(struct run_child *child)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != child->pid)
			continue;
		/* Its number is free for others now. */
		forward_to = 0;
		child->ended = true;
		child->wait_status = status;
	}
	/* What comes after is hwcfg's own work, and may be interrupted. */
	if (child->ended)
		give_signals_back(&child->saved);
}

void run_child_wait(struct run_child *child, int ms)
{
	struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	sigset_t chld;

	reap(child);
	if (child->ended)
		return;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	if (sigtimedwait(&chld, NULL, &wait) == SIGCHLD)
		reap(child);
}

int run_child_status(const struct run_child *child)
{
	if (child->exec_error)
		return child->exec_error == ENOENT ? 127 : 126;
	if (WIFSIGNALED(child->wait_status))
		return 128 + WTERMSIG(child->wait_status);
	return WEXITSTATUS(child->wait_status);
}

static pid_t parent_of(pid_t pid)
{
	char path[64], line[512];
	char *end;
	FILE *file;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	/* The name in parentheses may hold anything, ')' too. */
	if (fgets(line, sizeof(line), file) && (end = strrchr(line, ')')))
		if (sscanf(end + 1, " %*c %d", &parent) != 1)
			parent = 0;
	fclose(file);
	return parent;
}

bool run_child_is_ours(pid_t pid)
{
	pid_t self = getpid();

	while (pid > 1) {
		pid = parent_of(pid);
		if (pid == self)
			return true;
	}
	return false;
}
