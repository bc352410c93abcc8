// SPDX-License-Identifier: GPL-2.0-only
/* The fake kernel's areas and profiles. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_internal.h"

/* A page that has shown a profile. An area is an inode; what is mapped here stays. */
struct fake_seat {
	struct fake_seat *next;
	ino_t area;
	unsigned int number;
	struct threadprof_page *page;
	bool taken;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_profile *profiles;
static struct fake_seat *seats;
static uint64_t last_id;

static void lock_it(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_it(void)
{
	pthread_mutex_unlock(&lock);
}

/* A fork's child asks too, whatever other threads did when it was made. */
__attribute__((constructor(101)))
static void fork_between_calls(void)
{
	pthread_atfork(lock_it, unlock_it, unlock_it);
}

static struct fake_profile **find(pid_t tid)
{
	struct fake_profile **p;

	for (p = &profiles; *p && (*p)->tid != tid; p = &(*p)->next)
		;
	return p;
}

struct fake_profile *fake_own(void)
{
	struct fake_profile *profile;

	pthread_mutex_lock(&lock);
	profile = *find(syscall(SYS_gettid));
	pthread_mutex_unlock(&lock);
	return profile;
}

struct threadprof_page *fake_page(void)
{
	sigset_t old = fake_enter();
	struct fake_profile *profile = fake_own();

	fake_leave(old);
	return profile ? profile->page : NULL;
}

unsigned int fake_page_number(void)
{
	struct fake_profile *profile = fake_own();

	return profile ? profile->seat->number : ~0U;
}

void fake_end(void)
{
	struct fake_profile **at, *profile;

	pthread_mutex_lock(&lock);
	at = find(syscall(SYS_gettid));
	profile = *at;
	if (profile) {
		*at = profile->next;
		profile->page->seq++;
		profile->page->flags |= THREADPROF_PROFILE_ENDED;
		profile->page->cycles_start = 0;
		profile->page->seq++;
		profile->seat->taken = fake.slow_exit;
	}
	pthread_mutex_unlock(&lock);
	free(profile);
}

void fake_free_pages(void)
{
	struct fake_profile *profile;
	struct fake_seat *seat;

	for (seat = seats; seat; seat = seat->next)
		seat->taken = false;
	for (profile = profiles; profile; profile = profile->next)
		profile->seat->taken = true;
}

unsigned int fake_count(void)
{
	struct fake_profile *profile;
	unsigned int count = 0;

	pthread_mutex_lock(&lock);
	for (profile = profiles; profile; profile = profile->next)
		count++;
	pthread_mutex_unlock(&lock);
	return count;
}

static struct fake_seat *seat_of(int fd, unsigned int number)
{
	size_t size = sysconf(_SC_PAGESIZE);
	struct fake_seat *seat;
	struct stat stat;

	if (fstat(fd, &stat) < 0)
		abort();
	for (seat = seats; seat; seat = seat->next)
		if (seat->area == stat.st_ino && seat->number == number)
			return seat;
	/* What is behind the end is SIGBUS, as it is in the kernel. */
	if ((size_t)stat.st_size < (number + 1) * size && ftruncate(fd, (number + 1) * size) < 0)
		abort();
	seat = calloc(1, sizeof(*seat));
	seat->area = stat.st_ino;
	seat->number = number;
	seat->page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, number * size);
	if (seat->page == MAP_FAILED)
		abort();
	seat->next = seats;
	seats = seat;
	return seat;
}

static void write_page(struct fake_profile *profile, uint32_t flags, uint64_t mask)
{
	struct threadprof_page *page = profile->page;
	uint32_t seq = page->seq;
	unsigned int i;

	page->seq = seq + 1;
	memset((char *)page + sizeof(seq), 0, sizeof(*page) - sizeof(seq));
	page->version = fake.page_version;
	page->page_size = sizeof(*page);
	page->hardware_counters = mask;
	page->flags = flags;
	page->profile_id = profile->id;
	page->tid = profile->tid;
	page->cycles_start = fake.cycles_start;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		if (mask & (1U << i))
			page->slot[i].state = i < fake.config.count ?
				THREADPROF_SLOT_COUNTING : THREADPROF_SLOT_NOT_CONFIGURED;
	page->seq = seq + 2;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;

/* A thread that exits is profiled no more. The library's own key is older. */
static void thread_exits(void *unused)
{
	sigset_t old = fake_enter();

	(void)unused;
	fake_end();
	fake_leave(old);
}

static void create_key(void)
{
	pthread_key_create(&exit_key, thread_exits);
}

int fake_show(int fd, unsigned int number, uint32_t flags, uint64_t mask)
{
	struct fake_profile *profile;
	struct fake_seat *seat;
	int err = EBUSY;

	pthread_once(&once, create_key);
	pthread_setspecific(exit_key, &once);
	pthread_mutex_lock(&lock);
	seat = seat_of(fd, number);
	if (!seat->taken && !*find(syscall(SYS_gettid))) {
		profile = calloc(1, sizeof(*profile));
		profile->tid = syscall(SYS_gettid);
		profile->seat = seat;
		profile->page = seat->page;
		profile->id = ++last_id;
		write_page(profile, flags, mask);
		profile->next = profiles;
		profiles = profile;
		seat->taken = true;
		fake.enabled++;
		err = 0;
	}
	pthread_mutex_unlock(&lock);
	return err;
}

struct fake_profile *fake_begin(uint32_t flags, uint64_t mask, int *fd)
{
	*fd = memfd_create("profile", MFD_CLOEXEC);
	/* What marks it as ours, for others at once: other files are not that long. */
	if (*fd < 0 || fake_show(*fd, 0, flags, mask) ||
	    lseek(*fd, THREADPROF_POSITION, SEEK_SET) < 0)
		abort();
	return fake_own();
}

int fake_is_shown(int fd, unsigned int number)
{
	struct fake_profile *profile = fake_own();
	struct stat stat;

	if (!profile)
		return ENOENT;
	if (fstat(fd, &stat) < 0)
		abort();
	return profile->seat->area == stat.st_ino && profile->seat->number == number ? 0 : EBADF;
}
