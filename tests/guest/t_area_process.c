// SPDX-License-Identifier: GPL-2.0-only
/*
 * An area in the hands of others: processes that have the descriptor, a program
 * after exec, users with other rights.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "area.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define USER	1000

static const uint64_t list[] = { CLOCK };
static struct raw r;

/* An area whose page 0 shows nobody any more. */
static int area(void)
{
	int fd = raw_enable(&r, 0, 0, NULL);

	if (fd < 0 || area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0))
		tap_die("ENABLE: %s", r.message);
	return fd;
}

static int enable(int fd, unsigned int page)
{
	return area_op(fd, THREADPROF_OP_ENABLE, page, THREADPROF_ENABLE_DISPATCH, 1);
}

/* --- other processes ------------------------------------------------------------------ */

static int wait_for(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void other_process(void)
{
	const volatile struct threadprof_page *pages;
	int fd = area(), go[2];
	uint64_t id;
	char c = 0;
	pid_t pid;

	pages = area_map(fd, 0, 4);
	/* So that page 3 exists. */
	enable(fd, 3);
	area_op(fd, THREADPROF_OP_DISABLE, 3, 0, 0);
	enable(fd, 0);
	id = area_refresh(fd);
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(pages->version);
	}
	ok_num("a fork's child has not the mapping", -SIGSEGV, wait_for(pid));
	if (pipe(go))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		if (area_refresh(fd) != -ENOENT)
			_exit(1);
		if (enable(fd, 0) != -EBUSY)
			_exit(2);
		if (enable(fd, 3) || read(go[0], &c, 1) != 1)
			_exit(3);
		/* Its own thread's alone. */
		if (area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0) != -EBADF)
			_exit(4);
		burn_ms(2);
		_exit(area_refresh(fd) > (int64_t)id ? 0 : 5);
	}
	while (area_page(pages, 3)->tid != (uint32_t)pid && waitpid(pid, NULL, WNOHANG) != pid)
		usleep(1000);
	ok_num("a child that has the descriptor is shown in the area", pid,
	       area_page(pages, 3)->tid);
	if (write(go[1], &c, 1) != 1)
		tap_die("write");
	ok_num("for itself alone", 0, wait_for(pid));
	ok(area_page(pages, 3)->flags & THREADPROF_PROFILE_ENDED &&
	   area_page(pages, 3)->slot[0].total >= 2000000, "its final values stay after it");

	/* A child that holds the descriptor keeps what the parent lets go of. */
	pid = fork();
	if (!pid)
		_exit(read(go[0], &c, 1) != 1);
	close(fd);
	area_unmap(pages, 4);
	ok_num("another process' descriptor keeps a profile", 1, raw_hardware_users(&r));
	ok_num("whose thread is profiled still", 0, raw_command(&r, THREADPROF_CMD_READ));
	if (write(go[1], &c, 1) != 1)
		tap_die("write");
	wait_for(pid);
	ok_num("when that process has ended it is over", 0, raw_hardware_users(&r));
	ok_num("ENABLE again", 0, (fd = raw_enable(&r, 0, 0, NULL)) < 0 ? fd : 0);
	close(fd);
	close(go[0]);
	close(go[1]);
	leak_check(&r, "processes");
}

static void across_exec(const char *self)
{
	int fd = area(), result;
	char number[16];
	pid_t pid;

	pid = fork();
	if (!pid) {
		fcntl(fd, F_SETFD, 0);
		snprintf(number, sizeof(number), "%d", fd);
		if (enable(fd, 2))
			_exit(1);
		execl(self, self, number, NULL);
		_exit(2);
	}
	result = wait_for(pid);
	ok_num("exec ends a profile, and the area can be used again", 0, result);
	close(fd);
}

static int after_exec(int fd)
{
	if (area_refresh(fd) != -ENOENT)
		return 10;
	if (enable(fd, 2))
		return 11;
	return area_refresh(fd) > 0 ? 0 : 12;
}

/* --- rights ------------------------------------------------------------------------- */

static int as_user(int fd, int from_netlink)
{
	struct raw own;
	pid_t pid = fork();

	if (!pid) {
		if (setgid(USER) || setuid(USER) || raw_open(&own))
			_exit(70);
		if (from_netlink)
			fd = raw_enable(&own, 0, 0, NULL);
		if (fd < 0)
			_exit(71);
		area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0);
		/* What needs no right is allowed in any case. */
		if (area_op(fd, THREADPROF_OP_ENABLE, 4, 0, 0) ||
		    area_op(fd, THREADPROF_OP_DISABLE, 4, 0, 0))
			_exit(72);
		_exit(-area_op(fd, THREADPROF_OP_ENABLE, 4, 0, 1));
	}
	return wait_for(pid);
}

static void rights(void)
{
	int fd = area();

	ok_num("a list of user mode: everyone may enable its counters", 0, as_user(fd, 1));
	raw_config_set(&r, list, 1, THREADPROF_MODE_USER | THREADPROF_MODE_KERNEL, 0);
	ok_num("one of kernel mode: a user gets EACCES", EACCES, as_user(fd, 1));
	ok_num("by root's descriptor too", EACCES, as_user(fd, 0));
	ok_num("root may", 0, enable(fd, 1));
	close(fd);
	raw_config_set(&r, list, 1, 0, 0);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return after_exec(atoi(argv[1]));
	if (raw_open(&r) || raw_config_set(&r, list, 1, 0, 0))
		tap_die("family: %s", r.message);
	other_process();
	across_exec(argv[0]);
	rights();
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	ok_num("nothing holds the module", 0, proc_number("/sys/module/threadprof/refcnt", -1));
	return tap_end();
}
