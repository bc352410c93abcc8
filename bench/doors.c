// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways into the kernel that a read or an ENABLE could take, each with as little
 * behind it as can be, and what ours take with their work.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <threadprof.h>
#include <unistd.h>

#include "die.h"
#include "events.h"
#include "figure.h"
#include "genl.h"
#include "null_call.h"
#include "parts.h"

#define COUNTERS	2

/* What read() would have to fill: a head and two values. */
struct values {
	uint64_t head[4], value[COUNTERS];
};

static void position(void *fd)
{
	if (lseek(*(int *)fd, 0, SEEK_CUR) < (off_t)THREADPROF_POSITION)
		die("lseek: %m");
}

static void position_refused(void *fd)
{
	if (lseek(*(int *)fd, 0, SEEK_END) >= 0 || errno != EINVAL)
		die("lseek: not refused as expected: %m");
}

/* This thread's profile is in page 0. */
static void operation_refused(void *fd)
{
	off_t at = THREADPROF_AT(THREADPROF_OP_DISABLE, 1, 0, 0);

	if (pread(*(int *)fd, NULL, 0, at) >= 0 || errno != EBADF)
		die("pread: not refused as expected: %m");
}

static void read_nothing(void *fd)
{
	struct values v;

	if (read(*(int *)fd, &v, 0))
		die("read: %m");
}

static void read_values(void *fd)
{
	struct values v;

	if (read(*(int *)fd, &v, sizeof(v)) != sizeof(v))
		die("read: %m");
}

static void read_vector(void *fd)
{
	struct values v;
	struct iovec part[] = {
		{ v.head, sizeof(v.head) }, { v.value, sizeof(v.value) },
	};

	if (readv(*(int *)fd, part, 2) != sizeof(v))
		die("readv: %m");
}

static void report(const char *contender, int counters, measure_fn *op, void *arg)
{
	struct measured m = measure(op, arg);

	figure_send("door", contender, counters, FIGURE_NONE, &m);
}

void part_doors(void)
{
	int fd, nothing, zero;
	struct threadprof *tp;
	static struct genl g;

	events_configure(true);
	if (threadprof_open(&tp) ||
	    threadprof_enable(tp, 0, (1 << COUNTERS) - 1, &fd, NULL, NULL))
		die("Enable: %s", threadprof_message(tp));
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	genl_prepare(&g, THREADPROF_GENL_NAME, THREADPROF_GENL_VERSION,
		     THREADPROF_CMD_READ, 0, 0);
	report("null-call", FIGURE_NONE, null_call, NULL);
	report("lseek-refused", FIGURE_NONE, position_refused, &fd);
	report("pread-refused", FIGURE_NONE, operation_refused, &fd);
	report("read-nothing", FIGURE_NONE, read_nothing, &nothing);
	report("read-zeros", FIGURE_NONE, read_values, &zero);
	report("readv-zeros", FIGURE_NONE, read_vector, &zero);
	report("lseek", COUNTERS, position, &fd);
	report("genl-read", COUNTERS, genl_ask, &g);
	genl_end(&g);
	close(zero);
	close(nothing);
	threadprof_disable(tp);
	close(fd);
	threadprof_close(tp);
	events_configure(false);
}
