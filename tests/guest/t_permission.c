// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may do what, and who sees whom: root, a user, a user with CAP_PERFMON
 * alone, root of a user namespace.
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ended.h"
#include "raw.h"
#include "tap.h"

#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define USER	1000
#define OTHER	1001

static const uint64_t list[] = { CLOCK };
static struct raw r;

static void keep_only(unsigned int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	data[cap / 32].effective = data[cap / 32].permitted = 1U << (cap % 32);
	if (syscall(SYS_capset, &head, data))
		_exit(70);
}

enum who { ROOT, PLAIN, PERFMON, NAMESPACE };

static void become(enum who who, uid_t uid)
{
	if (who == ROOT)
		return;
	if (who == PERFMON)
		prctl(PR_SET_KEEPCAPS, 1);
	if (setgid(uid) || setuid(uid))
		_exit(71);
	if (who == PERFMON)
		keep_only(CAP_PERFMON);
	/* As any program has it that was exec'd by this user. */
	prctl(PR_SET_DUMPABLE, 1);
	if (who == NAMESPACE && unshare(CLONE_NEWUSER))
		_exit(72);
}

/* Runs @fn as somebody else; its results travel by the shared standard output. */
static int as(enum who who, uid_t uid, int (*fn)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		become(who, uid);
		if (raw_open(&r))
			_exit(73);
		_exit(fn());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* A sleeping profiled process of that user. */
static pid_t holder(uid_t uid, bool dumpable)
{
	int ready[2];
	char c;
	pid_t pid;

	if (pipe(ready))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		if (uid)
			become(PLAIN, uid);
		prctl(PR_SET_DUMPABLE, dumpable);
		raw_open(&r);
		if (raw_enable(&r, THREADPROF_ENABLE_DISPATCH, 0, NULL) < 0 ||
		    write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &c, 1) != 1)
		tap_die("holder");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static pid_t of_root, of_user, of_other, hidden;

static int query(pid_t tid)
{
	struct nl_msg *msg = raw_new(&r, THREADPROF_CMD_QUERY, 0);

	nla_put_u32(msg, THREADPROF_A_TID, tid);
	return raw_ask(&r, msg);
}

/* --- commands: the bits of what went otherwise than a user should see it ------------ */

enum {
	SETS = 1, SETS_EMPTY = 2, GETS = 4, STATUSES = 8, ENABLES = 16, ENABLES_HW = 32,
	ENABLES_KERNEL = 64,
};

static int may(void)
{
	int bits = 0, fd;

	bits |= !raw_config_set(&r, list, 1, 0, 0) ? SETS : 0;
	bits |= !raw_config_set(&r, NULL, 0, 0, 0) ? SETS_EMPTY : 0;
	bits |= !raw_command(&r, THREADPROF_CMD_CONFIG_GET) ? GETS : 0;
	bits |= !raw_command(&r, THREADPROF_CMD_STATUS) ? STATUSES : 0;
	fd = raw_enable(&r, 1, 0, NULL);
	bits |= fd >= 0 && !raw_command(&r, THREADPROF_CMD_READ) && !raw_disable(&r) ? ENABLES : 0;
	return bits;
}

static int may_count(void)
{
	int fd = raw_enable(&r, 1, 1, NULL);

	return fd >= 0 ? !raw_disable(&r) : 0;
}

static int words_of_refusal(void)
{
	int error = raw_config_set(&r, list, 1, 0, 0);

	return error == -EPERM && strstr(r.message, "CAP_PERFMON") ? 0 : 1;
}

static int words_of_kernel_mode(void)
{
	int error = raw_enable(&r, 1, 1, NULL);

	return error == -EACCES && strstr(r.message, "HARDWARE_COUNTERS") &&
	       strstr(r.message, "kernel mode") ? 0 : 1;
}

static void commands(void)
{
	const int plain = GETS | STATUSES | ENABLES, all = plain | SETS | SETS_EMPTY;
	struct raw_state before, after;

	raw_config_set(&r, list, 1, 0, 0);
	raw_state_get(&r, &before);
	ok_num("a user may do all but CONFIG_SET", plain, as(PLAIN, USER, may));
	ok_num("CONFIG_SET by a user is EPERM, in words", 0, as(PLAIN, USER, words_of_refusal));
	ok_num("root of a user namespace may do no more", plain, as(NAMESPACE, USER, may));
	raw_state_get(&r, &after);
	ok(raw_state_same(&before, &after), "the list stays when CONFIG_SET is not permitted");
	ok_num("a user may count what counts user mode", 1, as(PLAIN, USER, may_count));
	ok_num("CAP_PERFMON alone may do all", all, as(PERFMON, USER, may));
	ok_num("root may do all", all, as(ROOT, 0, may));

	raw_config_set(&r, list, 1, THREADPROF_MODE_USER | THREADPROF_MODE_KERNEL, 0);
	ok_num("a user may not count kernel mode: EACCES, in words", 0,
	       as(PLAIN, USER, words_of_kernel_mode));
	ok_num("CAP_PERFMON may count kernel mode", 1, as(PERFMON, USER, may_count));
	ok_num("root may count kernel mode", 1, as(ROOT, 0, may_count));
	ok_num("root of a user namespace may not", 0, as(NAMESPACE, USER, may_count));
}

/* --- sockets that change hands --------------------------------------------------------- */

static void sockets(void)
{
	int status, error;
	pid_t pid;

	pid = fork();
	if (!pid) {
		/* Opened by root, used by a user. */
		raw_open(&r);
		become(PLAIN, USER);
		_exit(-raw_config_set(&r, list, 1, 0, 0));
	}
	waitpid(pid, &status, 0);
	ok_num("a user with a socket of root's may not CONFIG_SET", EPERM, WEXITSTATUS(status));
	pid = fork();
	if (!pid) {
		if (seteuid(USER))
			_exit(70);
		raw_open(&r);
		if (seteuid(0))
			_exit(71);
		error = raw_config_set(&r, list, 1, 0, 0);
		_exit(-error);
	}
	waitpid(pid, &status, 0);
	ok_num("root with a socket of a user's may not CONFIG_SET", EPERM, WEXITSTATUS(status));
}

/* --- who sees whom ------------------------------------------------------------------------ */

enum { SEES_ROOT = 1, SEES_USER = 2, SEES_OTHER = 4, SEES_HIDDEN = 8 };

static void note(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *profile = raw_attr(header, THREADPROF_A_PROFILE), *tid;
	int *bits = arg;
	uint32_t number;

	tid = profile ? nla_find(nla_data(profile), nla_len(profile), THREADPROF_A_PROFILE_TID) :
			NULL;
	number = tid ? nla_get_u32(tid) : 0;
	*bits |= number == (uint32_t)of_root ? SEES_ROOT : 0;
	*bits |= number == (uint32_t)of_user ? SEES_USER : 0;
	*bits |= number == (uint32_t)of_other ? SEES_OTHER : 0;
	*bits |= number == (uint32_t)hidden ? SEES_HIDDEN : 0;
}

static int listing(void)
{
	int bits = 0;

	if (raw_dump(&r, raw_new(&r, THREADPROF_CMD_PROFILE_GET, NLM_F_DUMP), note, &bits))
		return 64;
	return bits;
}

static int queries(void)
{
	return (query(of_root) ? 0 : SEES_ROOT) | (query(of_user) ? 0 : SEES_USER) |
	       (query(of_other) ? 0 : SEES_OTHER) | (query(hidden) ? 0 : SEES_HIDDEN);
}

static int query_refusals(void)
{
	int bad = 0;

	bad |= query(of_root) != -EACCES || r.bad_attr != THREADPROF_A_TID ||
	       !strstr(r.message, "TID");
	bad |= (query(4000000) != -ESRCH || r.bad_attr != THREADPROF_A_TID ||
		!strstr(r.message, "TID")) << 1;
	bad |= (query(0) != -ESRCH) << 2;
	bad |= (query(0xffffffff) != -ESRCH) << 3;
	bad |= (raw_command(&r, THREADPROF_CMD_QUERY) ||
		raw_u32(&r, THREADPROF_A_TID) != (uint32_t)getpid()) << 4;
	return bad;
}

static void visibility(void)
{
	const int all = SEES_ROOT | SEES_USER | SEES_OTHER | SEES_HIDDEN;
	pid_t pids[4];
	int i;

	of_root = pids[0] = holder(0, true);
	of_user = pids[1] = holder(USER, true);
	of_other = pids[2] = holder(OTHER, true);
	hidden = pids[3] = holder(USER, false);
	ok_num("PROFILE_GET: a user sees his own", SEES_USER, as(PLAIN, USER, listing));
	ok_num("PROFILE_GET: another user sees his", SEES_OTHER, as(PLAIN, OTHER, listing));
	ok_num("PROFILE_GET: CAP_PERFMON sees all", all, as(PERFMON, USER, listing));
	ok_num("PROFILE_GET: root sees all", all, as(ROOT, 0, listing));
	ok_num("PROFILE_GET: root of a user namespace sees his own", SEES_USER,
	       as(NAMESPACE, USER, listing));
	ok_num("QUERY: a user may ask for his own", SEES_USER, as(PLAIN, USER, queries));
	ok_num("QUERY: CAP_PERFMON may ask for all", all, as(PERFMON, USER, queries));
	ok_num("QUERY: root may ask for all", all, as(ROOT, 0, queries));
	ok_num("QUERY: refusals name TID", 0, as(PLAIN, USER, query_refusals));
	for (i = 0; i < 4; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

/* Another PID namespace has its own numbers, and none for those outside of it. */
static int inside(void)
{
	int fd, bits = 0, status;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		return 70;
	pid = fork();
	if (!pid) {
		raw_open(&r);
		fd = raw_enable(&r, 1, 0, NULL);
		if (fd < 0)
			_exit(71);
		of_user = 1;
		listing();
		raw_dump(&r, raw_new(&r, THREADPROF_CMD_PROFILE_GET, NLM_F_DUMP), note, &bits);
		if (r.replies != 1)
			bits |= 64;
		raw_command(&r, THREADPROF_CMD_READ);
		_exit(bits == SEES_USER ? 0 : bits);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int join_both(void)
{
	int error = raw_join(&r, r.group_config);

	return error ? 100 : -raw_join(&r, r.group_profiles);
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	commands();
	raw_config_set(&r, NULL, 0, 0, 0);
	sockets();
	visibility();
	of_root = holder(0, true);
	ok_num("PROFILE_GET in a PID namespace shows who is in it, by its numbers", 0,
	       as(ROOT, 0, inside));
	kill(of_root, SIGKILL);
	waitpid(of_root, NULL, 0);
	ok_num("group config is for everybody, group profiles is not", EPERM,
	       as(PLAIN, USER, join_both));
	ok_num("nor for CAP_PERFMON", EPERM, as(PERFMON, USER, join_both));
	ok_num("both are for root", 0, as(ROOT, 0, join_both));
	raw_config_set(&r, NULL, 0, 0, 0);
	ok(raw_quiet(&r, 2000), "nothing is attached at the end");
	return tap_end();
}
