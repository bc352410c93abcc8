/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is tested in a child process: it begins with nothing of the library's. cmocka's
 * assertions can't be used there: the result is a line's number.
 */
#ifndef CHILD_H
#define CHILD_H

#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) do { if (!(condition)) return __LINE__ & 0xff ?: 1; } while (0)

static inline void wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		fail_msg("the child died of signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status))
		fail_msg("the child failed in line %d (modulo 256)", WEXITSTATUS(status));
}

static inline void run_in_child(int (*body)(void))
{
	pid_t pid = fork();

	if (!pid)
		_exit(body());
	wait_for(pid);
}

#endif
