/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that `hwcfg run` starts. */
#ifndef HWCFG_RUN_CHILD_H
#define HWCFG_RUN_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* What the signals did before. */
struct run_signals {
	sigset_t mask;
	struct sigaction interrupt, quit, term, child;
};

struct run_child {
	pid_t pid;
	struct run_signals saved;
	bool ended;
	int wait_status;	/* of waitpid(), once ended */
	int exec_error;		/* errno of an exec that failed, else 0 */
};

/*
 * Starts the command; until its end SIGINT and SIGQUIT are left to it, and
 * SIGTERM is passed on. 0 or a negative errno; a failed exec is in exec_error.
 */
int run_child_start(char **argv, struct run_child *child);

/*
 * Waits for its end, but not longer than ms; orphans are reaped on the way. Once
 * it has ended, signals do again what they did before.
 */
void run_child_wait(struct run_child *child, int ms);

/* What hwcfg has to exit with. */
int run_child_status(const struct run_child *child);

/* Does a process descend from this one? Orphans do as well (subreaper). */
bool run_child_is_ours(pid_t pid);

#endif
