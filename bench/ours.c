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
#include "events.h"
#include "figure.h"
#include "genl.h"
#include "ours.h"
#include "parts.h"

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

bool ours_is_direct(int counters)
{
	struct ours o;
	int i, status;
	pid_t pid = fork();

	if (!pid) {
		ours_enable(&o, counters);
		/* What only the first reads do is not the question. */
		for (i = 0; i < 8; i++)
			ours_read(&o);
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

static void read_each(const char *contender, bool direct)
{
	struct measured m;
	struct ours o;
	unsigned int i;
	int n;

	events_configure(true);
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		n = events_sizes[i];
		if (ours_is_direct(n) != direct) {
			figure_not_built("read", contender, n, FIGURE_NONE);
			continue;
		}
		ours_enable(&o, n);
		m = measure(ours_read, &o);
		figure_send("read", contender, n, FIGURE_NONE, &m);
		ours_disable(&o);
	}
}

void part_direct(void)
{
	setting("kernel/perf_user_access", 1);
	read_each("direct", true);
	events_configure(false);
	setting("kernel/perf_user_access", 0);
}

static void library_read(void *arg)
{
	static struct threadprof_profile profile;

	if (threadprof_read(arg, &profile))
		die("threadprof_read: %s", threadprof_message(arg));
}

static void genl_reads(void)
{
	struct threadprof *tp;
	struct measured m;
	static struct genl g;
	struct ours o;
	unsigned int i;

	if (threadprof_open(&tp))
		die("%s", threadprof_message(tp));
	genl_prepare(&g, THREADPROF_GENL_NAME, THREADPROF_GENL_VERSION,
		     THREADPROF_CMD_READ, 0, 0);
	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		ours_enable(&o, events_sizes[i]);
		m = measure(library_read, tp);
		figure_send("read", "threadprof_read", events_sizes[i], FIGURE_NONE, &m);
		m = measure(genl_ask, &g);
		figure_send("read", "genl-read", events_sizes[i], FIGURE_NONE, &m);
		ours_disable(&o);
	}
	genl_end(&g);
	threadprof_close(tp);
}

/* Started with THREADPROF_NO_DIRECT=1. */
void part_entered(void)
{
	read_each("entered", false);
	genl_reads();
	events_configure(false);
}
