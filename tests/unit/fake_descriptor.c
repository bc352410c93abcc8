// SPDX-License-Identifier: GPL-2.0-only
/* What the fake kernel does by an area's descriptor, and tests with its number. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_internal.h"

/* Held while a call uses a number. Before all other locks. */
static pthread_mutex_t numbers = PTHREAD_MUTEX_INITIALIZER;

static void lock_it(void)
{
	pthread_mutex_lock(&numbers);
}

static void unlock_it(void)
{
	pthread_mutex_unlock(&numbers);
}

/* As in fake_area.c, and behind that one: what is asked for last is locked first. */
__attribute__((constructor(102)))
static void fork_between_calls(void)
{
	pthread_atfork(lock_it, unlock_it, unlock_it);
}

int fake_area_descriptor(void)
{
	int fd;

	for (fd = 3; fd < FAKE_DESCRIPTORS; fd++)
		if (lseek(fd, 0, SEEK_CUR) >= (off_t)THREADPROF_POSITION)
			return fd;
	return -1;
}

int fake_take_number(int file)
{
	sigset_t old = fake_enter();
	int fd;

	pthread_mutex_lock(&numbers);
	fd = fake_area_descriptor();
	/* By bare calls: to TSan a descriptor that others use is a race. */
	if (fd >= 0 && file < 0)
		syscall(SYS_close, fd);
	else if (fd >= 0)
		syscall(SYS_dup3, file, fd, 0);
	pthread_mutex_unlock(&numbers);
	fake_leave(old);
	return fd;
}

void fake_close_areas(void)
{
	int fd;

	while ((fd = fake_area_descriptor()) >= 0)
		close(fd);
}

size_t fake_mapped(void)
{
	size_t pages = 0, start, end;
	char line[256], mode[5];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:profile") &&
		    sscanf(line, "%zx-%zx %4s", &start, &end, mode) == 3 && mode[1] == '-')
			pages += (end - start) / sysconf(_SC_PAGESIZE);
	fclose(maps);
	return pages;
}

static int64_t refresh(void)
{
	struct fake_profile *profile = fake_own();

	if (!profile)
		return -ENOENT;
	if (fake.on_read)
		fake.on_read(profile->page);
	fake.positions++;
	return THREADPROF_POSITION + profile->id;
}

/* The library's calls leave errno alone. */
static int64_t with_errno(int64_t result, int saved)
{
	if (result < 0)
		result = -errno;
	errno = saved;
	return result;
}

static int64_t position(int fd)
{
	int saved = errno;

	if (fake.no_descriptor)
		return -EBADF;
	return with_errno(lseek(fd, 0, SEEK_CUR), saved);
}

int64_t fake_position(int fd)
{
	int64_t at = position(fd);
	sigset_t old;

	if (at < (int64_t)THREADPROF_POSITION) {
		fake.asked_others += at != -EBADF;
		return at;
	}
	old = fake_enter();
	at = refresh();
	fake_leave(old);
	return at;
}

static int operation(int fd, unsigned int op, unsigned int number, uint32_t flags, uint64_t mask)
{
	int err = op == THREADPROF_OP_ENABLE ? 0 : fake_is_shown(fd, number);

	if (err)
		return err;
	switch (op) {
	case THREADPROF_OP_ENABLE:
		if (flags & ~THREADPROF_ENABLE_DISPATCH)
			return EINVAL;
		if (fake.refuse_command == THREADPROF_CMD_ENABLE)
			return fake.refuse_error;
		err = fake_show(fd, number, flags, mask);
		fake.enabled_here += !err;
		return err;
	case THREADPROF_OP_DISABLE:
		if (fake.refuse_command == THREADPROF_CMD_DISABLE)
			return fake.refuse_error;
		fake.disabled++;
		fake.disabled_here++;
		fake_end();
		return 0;
	case THREADPROF_OP_DIRECT:
		fake.asked_direct++;
		refresh();
		return fake.direct_error;
	default:
		return EINVAL;
	}
}

int fake_operate(int fd, uint64_t at)
{
	int err, saved = errno, file;
	sigset_t old;

	fake.operations++;
	if (fake.on_operate)
		fake.on_operate(at);
	if (fake.no_descriptor)
		return -EBADF;
	if (position(fd) < (int64_t)THREADPROF_POSITION)
		return with_errno(syscall(SYS_pread64, fd, NULL, 0, at), saved);
	if (!(at & THREADPROF_POSITION) || at >> 63)
		return -EINVAL;
	old = fake_enter();
	/* Like the kernel it has the file, whatever others do to the number meanwhile. */
	pthread_mutex_lock(&numbers);
	file = dup(fd);
	if (position(file) < (int64_t)THREADPROF_POSITION)
		err = EBADF;
	else
		err = operation(file, at >> 56 & 0x3f, at >> 32 & 0xfffff, at >> 16 & 0xffff,
				at & 0xffff);
	syscall(SYS_close, file);
	pthread_mutex_unlock(&numbers);
	errno = saved;
	fake_leave(old);
	return -err;
}
