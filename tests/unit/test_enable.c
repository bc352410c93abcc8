// SPDX-License-Identifier: GPL-2.0-only
/* Enable where there is an area already: what it costs, and what is when it fails. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
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
static int put_there = -1;	/* a file that takes the place of the one to be mapped */

/* The linker puts this in the place of the library's and the test's calls. */
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (no_mappings && protection == PROT_READ && flags == MAP_SHARED) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	if (put_there >= 0 && protection == PROT_READ && flags == MAP_SHARED) {
		fake_take_number(put_there);
		put_there = -1;
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

static void *enables(void *good)
{
	*(bool *)good = cycle();
	return NULL;
}

static bool did_enable;

static void one_that_enables(void)
{
	did_enable = run_thread(enables);
}

static bool is_mapped(const char *name)
{
	bool found = false;
	char line[256];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, name) != NULL;
	fclose(maps);
	return found;
}

/* The program puts its own file there just when the next pages are mapped. */
static void mapped_what_is_no_area(void **state)
{
	HANDLE handle = enable_or_fail(DISPATCH, 1);
	int file = memfd_create("foreign", MFD_CLOEXEC);

	(void)state;
	assert_int_equal(ftruncate(file, 1 << 24), 0);
	put_there = file;
	assert_true(crowd(AREA_CHUNK - 1, one_that_enables));
	assert_true(did_enable);
	assert_int_equal(put_there, -1);
	assert_false(is_mapped("memfd:foreign"));
	assert_int_equal(read_value(handle), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
	assert_int_equal(fake_mapped(), AREA_CHUNK);
	close(file);
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

/* --- two threads and a descriptor that was closed ------------------------------------ */

static _Thread_local bool waits_inside;
static _Atomic bool is_inside, may_go_on;
static unsigned int yields;

/* The linker puts this in the place of the library's and the test's calls. */
int __real_sched_yield(void);
int __wrap_sched_yield(void);

int __wrap_sched_yield(void)
{
	yields++;
	may_go_on = true;
	return __real_sched_yield();
}

static void wait_inside(uint64_t at)
{
	(void)at;
	if (!waits_inside)
		return;
	waits_inside = false;
	is_inside = true;
	while (!may_go_on)
		__real_sched_yield();
}

static void *enables_meanwhile(void *good)
{
	*(bool *)good = cycle();
	waits_inside = true;
	*(bool *)good &= cycle();
	return NULL;
}

/*
 * Who begins an area waits for those that are on their way into the kernel by the old
 * one's number: it may be the number of the new one.
 */
static void begins_when_nobody_asks(void **state)
{
	pthread_t thread;
	bool good = false;
	HANDLE handle;

	(void)state;
	handle = enable_or_fail(DISPATCH, 1);
	fake.on_operate = wait_inside;
	is_inside = may_go_on = false;
	assert_int_equal(pthread_create(&thread, NULL, enables_meanwhile, &good), 0);
	while (!is_inside)
		__real_sched_yield();
	assert_int_equal(DisableThreadProfiling(handle), 0);
	fake_close_areas();
	yields = 0;
	assert_true(cycle());
	assert_true(yields > 0);
	pthread_join(thread, NULL);
	assert_true(good);
	assert_int_equal(fake_count(), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(E6_two_calls_and_no_more),
		fake_test(E6_no_memory_for_the_first),
		fake_test(E6_no_memory_for_the_next),
		fake_test(mapped_what_is_no_area),
		fake_test(E6_reason_in_words),
		fake_test(begins_when_nobody_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
