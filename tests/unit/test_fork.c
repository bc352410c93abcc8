// SPDX-License-Identifier: GPL-2.0-only
/* A child's copy of a handle is an error and touches nothing of its parent's. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"
#include "unit.h"
#include "child.h"

static HANDLE handle;
static void *page_address;
static int descriptor;

static int child(void)
{
	PERFORMANCE_DATA data = fresh_data(), copy = data;
	unsigned int sent = fake.sent;
	HANDLE own = NULL;
	BOOLEAN enabled = 9;
	char *mapped;

	/* Something else may be where the parent's page was. */
	mapped = mmap(page_address, 4096, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	CHECK(mapped == page_address);
	mapped[0] = 42;

	CHECK(ReadThreadProfilingData(handle, READ_DISPATCH, &data) == 6);
	CHECK(!memcmp(&data, &copy, sizeof(data)));
	CHECK(DisableThreadProfiling(handle) == 6);
	CHECK(fake.sent == sent);	/* the kernel need not be asked */
	CHECK(QueryThreadProfiling(GetCurrentThread(), &enabled) == 0 && enabled == FALSE);

	CHECK(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &own) == 0);
	CHECK(own != handle);
	fake_page()->switches = 5;
	CHECK(ReadThreadProfilingData(own, READ_DISPATCH, &data) == 0);
	CHECK(data.ContextSwitchCount == 5);
	CHECK(ReadThreadProfilingData(handle, READ_DISPATCH, &data) == 6);
	CHECK(DisableThreadProfiling(own) == 0);
	CHECK(DisableThreadProfiling(handle) == 6);

	CHECK(mapped[0] == 42);
	CHECK(fake.foreign == 0);
	return 0;
}

static void parent_goes_on(void)
{
	PERFORMANCE_DATA data = fresh_data();

	fake_page()->switches = 77;
	assert_int_equal(ReadThreadProfilingData(handle, READ_DISPATCH, &data), 0);
	assert_int_equal(data.ContextSwitchCount, 77);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* The library's own mapping of the page: the one that can only be read. */
static void *find_page(void)
{
	struct threadprof_page *ours = fake_page();
	char line[256];
	void *found = NULL, *start, *end;
	FILE *maps = fopen("/proc/self/maps", "r");
	char mode[5];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:profile") &&
		    sscanf(line, "%p-%p %4s", &start, &end, mode) == 3 && mode[1] == '-')
			found = start;
	fclose(maps);
	assert_non_null(found);
	assert_ptr_not_equal(found, ours);
	return found;
}

static void begin(void)
{
	handle = enable_or_fail(DISPATCH, 0);
	page_address = find_page();
	descriptor = 3;
	while (lseek(descriptor, 0, SEEK_CUR) < (off_t)THREADPROF_POSITION)
		assert_true(++descriptor < 1000);
}

/* The descriptor holds the module, which a child that profiles nothing must not. */
static void fork_closes(void **state)
{
	pid_t pid;

	(void)state;
	begin();
	pid = fork();
	if (!pid)
		_exit(fcntl(descriptor, F_GETFD) < 0 ? 0 : 1);
	wait_for(pid);
	assert_true(fcntl(descriptor, F_GETFD) >= 0);
	parent_goes_on();
	assert_true(fcntl(descriptor, F_GETFD) < 0);
}

/* Where no library hears of the fork, the child's own profiling ends with it. */
static int child_with_descriptor(void)
{
	HANDLE own = NULL;

	CHECK(fcntl(descriptor, F_GETFD) >= 0);
	CHECK(EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &own) == 0);
	CHECK(DisableThreadProfiling(own) == 0);
	CHECK(fcntl(descriptor, F_GETFD) < 0);
	return 0;
}

static void raw_fork_keeps(void **state)
{
	pid_t pid;

	(void)state;
	begin();
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid)
		_exit(child_with_descriptor());
	wait_for(pid);
	parent_goes_on();
}

static void fork_child(void **state)
{
	pid_t pid;

	(void)state;
	begin();
	pid = fork();
	if (!pid)
		_exit(child());
	wait_for(pid);
	parent_goes_on();
}

/* No library hears of this one. */
static void raw_fork_child(void **state)
{
	pid_t pid;

	(void)state;
	begin();
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid)
		_exit(child());
	wait_for(pid);
	parent_goes_on();
}

static void fork_grandchild(void **state)
{
	pid_t pid, second;
	int status;

	(void)state;
	begin();
	pid = fork();
	if (!pid) {
		if (child())
			_exit(1);
		handle = NULL;
		EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle);
		second = fork();
		if (!second)
			_exit(child());
		waitpid(second, &status, 0);
		_exit(status || DisableThreadProfiling(handle));
	}
	wait_for(pid);
	parent_goes_on();
}

/* On a kernel that can't wipe pages, by the process' number. */
static void without_wipe(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	threadprof_process_no_wipe = 1;
	pid = fork();	/* its library has to begin anew */
	if (!pid) {
		handle = NULL;
		if (EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &handle))
			_exit(250);
		page_address = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pid = fork();
		if (!pid)
			_exit(child());
		waitpid(pid, &status, 0);
		if (status)
			_exit(WEXITSTATUS(status));
		_exit(DisableThreadProfiling(handle) ? 251 : 0);
	}
	threadprof_process_no_wipe = 0;
	wait_for(pid);
}

static _Atomic int stop;

static void *busy(void *arg)
{
	HANDLE own;

	(void)arg;
	while (!stop) {
		if (EnableThreadProfiling(GetCurrentThread(), 0, 0, &own))
			break;
		DisableThreadProfiling((HANDLE)0x12345678);
		DisableThreadProfiling(own);
	}
	return NULL;
}

/* Also when another thread holds the library's lock in this moment. */
static void fork_while_others_work(void **state)
{
	pthread_t thread[2];
	pid_t pid;
	int i;

	(void)state;
	begin();
	stop = 0;
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, busy, NULL);
	for (i = 0; i < 50; i++) {
		pid = fork();
		if (!pid) {
			alarm(20);	/* the fake kernel's own lock is not used here */
			_exit(DisableThreadProfiling(handle) == 6 &&
			      DisableThreadProfiling((HANDLE)0x87654321) == 6 ? 0 : 1);
		}
		wait_for(pid);
	}
	stop = 1;
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	parent_goes_on();
}

static pid_t forked;

static void fork_now(struct threadprof_page *page)
{
	(void)page;
	forked = fork();
}

/* As a signal handler may: the child comes back into a call that its parent began. */
static void fork_in_the_middle(void **state)
{
	PERFORMANCE_DATA data = fresh_data();
	unsigned int foreign;
	BOOLEAN enabled;

	(void)state;
	begin();
	fake.on_read = fork_now;
	ReadThreadProfilingData(handle, READ_DISPATCH, &data);
	fake.on_read = NULL;
	if (!forked) {
		foreign = fake.foreign;
		_exit(QueryThreadProfiling(GetCurrentThread(), &enabled) || enabled ||
		      fake.foreign != foreign);
	}
	wait_for(forked);
	parent_goes_on();
}

static int vfork_body(void *arg)
{
	PERFORMANCE_DATA data = fresh_data();

	(void)arg;
	/* Memory is shared, the thread is another: the kernel knows no profile of it. */
	if (ReadThreadProfilingData(handle, READ_DISPATCH, &data) != 6)
		return 1;
	return DisableThreadProfiling(handle) == 6 ? 0 : 2;
}

static void run_in_vfork(int (*body)(void *))
{
	static char stack[256 * 1024];
	pid_t pid = clone(body, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	assert_true(pid > 0);
	wait_for(pid);
}

static void vfork_child(void **state)
{
	(void)state;
	begin();
	run_in_vfork(vfork_body);
	parent_goes_on();
}

static int vfork_refused(void *arg)
{
	HANDLE own = handle;

	(void)arg;
	return EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &own) == 4206 &&
	       own == handle ? 0 : 1;
}

static int vfork_enables(void *arg)
{
	PERFORMANCE_DATA data = fresh_data();
	HANDLE own = NULL;

	(void)arg;
	if (EnableThreadProfiling(GetCurrentThread(), DISPATCH, 0, &own))
		return 1;
	fake_page()->switches = 5;
	if (ReadThreadProfilingData(own, READ_DISPATCH, &data) || data.ContextSwitchCount != 5)
		return 2;
	fake_end();	/* as at its exit, for it does not Disable */
	return 0;
}

/* The thread's memory is its parent's too, which has its own profile, or has none. */
static void E6_vfork_child_enables(void **state)
{
	(void)state;
	begin();
	run_in_vfork(vfork_refused);
	parent_goes_on();
	run_in_vfork(vfork_enables);
	handle = enable_or_fail(DISPATCH, 0);
	parent_goes_on();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(without_wipe),	/* first: before the library's page exists */
		fake_test(fork_closes),
		fake_test(raw_fork_keeps),
		fake_test(fork_child),
		fake_test(raw_fork_child),
		fake_test(fork_grandchild),
		fake_test(fork_while_others_work),
		fake_test(fork_in_the_middle),
		fake_test(vfork_child),
		fake_test(E6_vfork_child_enables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
