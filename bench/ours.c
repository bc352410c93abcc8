// SPDX-License-Identifier: GPL-2.0-only
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threadprof.h>
#include <unistd.h>

#include "die.h"
#include "ours.h"

#define SETTLES	64	/* reads */

void ours_enable(struct ours *o, int counters)
{
	memset(o, 0, sizeof(*o));
	o->data.Size = sizeof(o->data);
	o->data.Version = PERFORMANCE_DATA_VERSION;
	o->flags = READ_THREAD_PROFILING_FLAG_DISPATCHING;
	if (counters)
		o->flags |= READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS;
	if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH,
				  (1U << counters) - 1, &o->handle))
		die("Enable: %s", threadprof_last_message());
}

void ours_disable(struct ours *o)
{
	if (DisableThreadProfiling(o->handle))
		die("Disable: %s", threadprof_last_message());
}

void ours_read(void *ours)
{
	struct ours *o = ours;

	if (ReadThreadProfilingData(o->handle, o->flags, &o->data))
		die("Read: %s", threadprof_last_message());
}

/* From here on any system call but the end ends the process. */
static void forbid_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]), .filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("seccomp: %m");
}

void ours_settle(struct ours *o)
{
	int i;

	for (i = 0; i < SETTLES; i++)
		ours_read(o);
}

bool ours_is_direct(int counters)
{
	struct ours o;
	int i, status;
	pid_t pid = fork();

	if (!pid) {
		ours_enable(&o, counters);
		ours_settle(&o);
		forbid_calls();
		for (i = 0; i < 8; i++)
			ours_read(&o);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("fork: %m");
	if (WIFEXITED(status) && WEXITSTATUS(status))
		die("a child could not read");
	return WIFEXITED(status);
}
