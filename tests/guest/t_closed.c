// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptors that a profile of the Windows calls keeps, when the program closes
 * them behind its back, and in a forked child: E5, D1.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hcp.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

static struct raw r;

enum kind { REGULAR, PIPE, INOTIFY, KINDS };

static int open_kind(enum kind kind)
{
	int ends[2], fd = -1;

	switch (kind) {
	case REGULAR:
		fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
		if (fd < 0 || write(fd, "0123456789", 10) != 10 || lseek(fd, 4, SEEK_SET) != 4)
			tap_die("a regular file: %m");
		return fd;
	case PIPE:
		if (pipe(ends) || write(ends[1], "456789", 6) != 6)
			tap_die("a pipe: %m");
		return ends[0];
	default:
		fd = inotify_init1(IN_CLOEXEC);
		if (fd < 0 || inotify_add_watch(fd, "/tmp", IN_ATTRIB) < 0 || chmod("/tmp", 01777))
			tap_die("inotify: %m");
		return fd;
	}
}

#define NUMBERS	16

/*
 * The program closes all it knows nothing of, and opens a file of its own at each
 * number that the library may have had.
 */
static void closed_behind(enum kind kind)
{
	static const char *const name[KINDS] = { "regular file", "pipe", "inotify" };
	static const uint64_t list[] = {
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
	};
	struct stat stat[NUMBERS], now;
	PERFORMANCE_DATA data[3];
	int fd, i, ready, left, wrong = 0, before;
	char bytes[512];
	HANDLE handle;

	if (raw_config_set(&r, list, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	raw_close(&r);
	handle = hcp_enable(DISPATCH, 1);
	hcp_poison(&data[0]);
	wrong += ReadThreadProfilingData(handle, READ_H, &data[0]) != 0;
	closefrom(3);
	fd = open_kind(kind);
	for (i = 3; i < 3 + NUMBERS; i++) {
		if (fcntl(i, F_GETFD) < 0 && dup2(fd, i) != i)
			tap_die("dup2: %m");
		fstat(i, &stat[i - 3]);
	}
	ioctl(fd, FIONREAD, &ready);
	for (i = 1; i < 3; i++) {
		burn_ms(10);
		hcp_poison(&data[i]);
		wrong += ReadThreadProfilingData(handle, READ_D | READ_H, &data[i]) != 0;
		wrong += data[i].HwCounters[0].Value < data[i - 1].HwCounters[0].Value + 8000000;
	}
	tap_check(!wrong, "E5 reads are right when the number is another file's",
		  "%s: expected 0 wrong got %d", name[kind], wrong);
	wrong = DisableThreadProfiling(handle);
	for (i = 3; i < 3 + NUMBERS; i++)
		wrong += fstat(i, &now) || now.st_dev != stat[i - 3].st_dev ||
			 now.st_ino != stat[i - 3].st_ino || now.st_mode != stat[i - 3].st_mode;
	left = -1;
	ioctl(fd, FIONREAD, &left);
	wrong += left != ready || read(fd, bytes, sizeof(bytes)) != ready || ready <= 0;
	if (kind != INOTIFY)
		wrong += memcmp(bytes, "456789", 6) != 0;
	tap_check(!wrong, "E5 D1 a foreign file stays open, with its content and offset",
		  "%s: expected 0 wrong got %d", name[kind], wrong);
	for (i = 3; i < 3 + NUMBERS; i++)
		close(i);

	before = proc_descriptors();
	handle = hcp_enable(DISPATCH, 1);
	ok_num("E5 the next profile keeps one descriptor again", before + 1, proc_descriptors());
	DisableThreadProfiling(handle);
	ok_num("D1 and no more after it", before + 1, proc_descriptors());
	if (raw_open(&r))
		tap_die("no family");
	raw_config_set(&r, NULL, 0, 0, 0);
}

static void fork_child(void)
{
	HANDLE handle = hcp_enable(DISPATCH, 0), own = NULL;
	PERFORMANCE_DATA data;
	BOOLEAN enabled = TRUE;
	int status, open = proc_descriptors();
	pid_t pid;

	pid = fork();
	if (!pid) {
		int bad = (proc_descriptors() != open - 1) << 6;

		hcp_poison(&data);
		bad |= ReadThreadProfilingData(handle, READ_D, &data) != ERROR_INVALID_HANDLE;
		bad |= (DisableThreadProfiling(handle) != ERROR_INVALID_HANDLE) << 1;
		bad |= (QueryThreadProfiling(GetCurrentThread(), &enabled) || enabled) << 2;
		bad |= !!EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &own) << 3;
		bad |= !!ReadThreadProfilingData(own, READ_D, &data) << 4;
		bad |= !!DisableThreadProfiling(own) << 5;
		_exit(bad);
	}
	waitpid(pid, &status, 0);
	ok_num("E5 a handle is worth nothing in a forked child, which can enable its own", 0,
	       status);
	hcp_poison(&data);
	ok_num("E5 the parent's handle outlives the child", 0,
	       ReadThreadProfilingData(handle, READ_D, &data));
	DisableThreadProfiling(handle);
}

int main(void)
{
	enum kind kind;

	if (raw_open(&r))
		tap_die("no family");
	for (kind = 0; kind < KINDS; kind++)
		closed_behind(kind);
	fork_child();
	if (!raw_quiet(&r, 1000))
		tap_die("%u profiles are left", raw_profiles(&r));
	return tap_end();
}
