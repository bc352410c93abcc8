// SPDX-License-Identifier: GPL-2.0-only
/* Enable where there is an area already: what it costs, and what is when it fails. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "area.h"
#include "connection.h"
#include "unit.h"
#include "child.h"
#include "crowd.h"

/* --- what is done often --------------------------------------------------------- */

static struct threadprof_page *bare_page;

/* A kernel without a system call. */
static int bare_operate(int fd, uint64_t at)
{
	(void)fd;
	fake.operations++;
	bare_page->seq += 2;
	if ((at >> 56 & 0x3f) == THREADPROF_OP_ENABLE) {
		bare_page->profile_id++;
		bare_page->flags = THREADPROF_PROFILE_DISPATCH;
	} else {
		bare_page->flags |= THREADPROF_PROFILE_ENDED;
	}
	return 0;
}

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
		abort();
}

static int two_calls(void)
{
	struct transport bare = *threadprof_transport;
	HANDLE handle;
	int i;

	CHECK(cycle() && cycle());
	CHECK(!enable(&handle));
	bare_page = fake_page();
	CHECK(!DisableThreadProfiling(handle));
	bare.operate = bare_operate;
	threadprof_transport = &bare;
	fake.operations = 0;
	forbid_calls();
	for (i = 1; i <= 100; i++) {
		CHECK(!enable(&handle));
		CHECK(!DisableThreadProfiling(handle));
		CHECK(fake.operations == 2U * i);
	}
	/* Before its own exit a sanitizer has calls to make. */
	return syscall(SYS_exit_group, 0);
}

/* To enable again and to disable are one pread() each, and nothing else. */
static void E6_two_calls_and_no_more(void **state)
{
	(void)state;
	run_in_child(two_calls);
}

/* --- what fails ------------------------------------------------------------------- */

static bool no_mappings;

/* The linker puts this in the place of the library's and the test's calls. */
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (no_mappings && protection == PROT_READ && flags == MAP_SHARED) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return __real_mmap(at, size, protection, flags, fd, offset);
}

static void E6_no_memory_for_the_first(void **state)
{
	HANDLE handle;

	(void)state;
	no_mappings = true;
	assert_int_equal(enable(&handle), 8);
	no_mappings = false;
	assert_message("can't map");
	assert_int_equal(fake_count(), 0);
	assert_int_equal(fake.disabled, 1);
	assert_true(fake_area_descriptor() < 0);
	assert_true(cycle());
}

static void *refused(void *arg)
{
	HANDLE handle = NULL;

	no_mappings = true;
	*(bool *)arg = enable(&handle) == ERROR_NOT_ENOUGH_MEMORY && !handle &&
		       strstr(threadprof_last_message(), "can't map");
	no_mappings = false;
	return NULL;
}

static bool was_refused;

static void one_more(void)
{
	was_refused = run_thread(refused);
}

/* Those that are profiled are none the worse for one that is refused. */
static void E6_no_memory_for_the_next(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	int fd = fake_area_descriptor();

	(void)state;
	assert_true(crowd(AREA_CHUNK - 1, one_more));
	assert_true(was_refused);
	assert_int_equal(fake_area_descriptor(), fd);
	assert_int_equal(read_value(handle), 0);
	assert_true(crowd(AREA_CHUNK, NULL));
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

/* The descriptor knows errnos alone; netlink is asked for the words. */
static void E6_reason_in_words(void **state)
{
	HANDLE handle;
	int fd;

	(void)state;
	assert_true(cycle());
	fd = fake_area_descriptor();
	fake.refuse_command = THREADPROF_CMD_ENABLE;
	fake.refuse_error = EACCES;
	fake.refuse_text = "they count more than user mode";
	assert_int_equal(enable(&handle), 5);
	assert_string_equal(threadprof_last_message(), fake.refuse_text);
	fake.refuse_command = 0;
	assert_true(cycle());
	assert_int_equal(fake_area_descriptor(), fd);
	assert_int_equal(fake.enabled, fake.enabled_here + 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(E6_two_calls_and_no_more),
		fake_test(E6_no_memory_for_the_first),
		fake_test(E6_no_memory_for_the_next),
		fake_test(E6_reason_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
