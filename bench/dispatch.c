// SPDX-License-Identifier: GPL-2.0-only
/* How often was this thread switched out: ours, and what else can be asked. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "die.h"
#include "figure.h"
#include "ours.h"
#include "parts.h"

static void report(const char *contender, measure_fn *op, void *arg)
{
	struct measured m = measure(op, arg);

	figure_send("dispatch", contender, FIGURE_NONE, FIGURE_NONE, &m);
}

static void ours(const char *contender)
{
	struct ours o;

	ours_enable(&o, 0);
	report(contender, ours_read, &o);
	ours_disable(&o);
}

void part_dispatch(void)
{
	if (ours_is_direct(0))
		ours("direct");
	else
		figure_not_built("dispatch", "direct", FIGURE_NONE, FIGURE_NONE);
}

/* Started with THREADPROF_NO_DIRECT=1; a page that needs no register may be read even so. */
void part_dispatch_entered(void)
{
	if (!ours_is_direct(0))
		ours("entered");
}

static void usage(void *arg)
{
	if (getrusage(RUSAGE_THREAD, arg))
		die("getrusage: %m");
}

static void status_open(void *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
		die("%s: %m", (char *)path);
	close(fd);
}

static void status_kept(void *fd)
{
	char text[4096];

	if (pread(*(int *)fd, text, sizeof(text), 0) <= 0)
		die("status: %m");
}

void part_dispatch_peers(void)
{
	struct rusage rusage;
	char path[64];
	int fd;

	report("getrusage", usage, &rusage);
	snprintf(path, sizeof(path), "/proc/self/task/%ld/status", syscall(SYS_gettid));
	report("status", status_open, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	report("status-kept-open", status_kept, &fd);
	close(fd);
}
