// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "area.h"
#include "connection.h"
#include "descriptor.h"
#include "page.h"
#include "process.h"

static size_t page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

static int map_chunk(struct area *area, unsigned int i, int fd)
{
	size_t size = AREA_CHUNK * page_bytes();
	char *pages = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)i * size);

	if (pages == MAP_FAILED)
		return -errno;
	area->chunk[i].pages = pages;
	return 0;
}

static struct area *new_area(struct process *process)
{
	struct area *area = process->spare;

	if (area) {
		process->spare = area->next_spare;
		return area;
	}
	area = mmap(NULL, sizeof(*area), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (area == MAP_FAILED)
		return NULL;
	/* Nothing in a fork's child would ever find it again. */
	madvise(area, sizeof(*area), MADV_DONTFORK);
	return area;
}

static void put_spare(struct process *process, struct area *area)
{
	area->next_spare = process->spare;
	process->spare = area;
}

/* Nobody uses it: unmaps it and, if it is in force, closes the descriptor. */
static void give_back(struct process *process, struct area *area)
{
	size_t size = AREA_CHUNK * page_bytes();
	unsigned int i;

	if (atomic_load(&process->area) == area) {
		atomic_store(&process->area, NULL);
		threadprof_descriptor_drop();
		process->gave_back = true;
	}
	atomic_store(&area->number, 0);
	for (i = 0; i < AREA_CHUNKS; i++)
		if (area->chunk[i].pages)
			munmap(area->chunk[i].pages, size);
	memset(area->chunk, 0, sizeof(area->chunk));
	area->first = 0;
	put_spare(process, area);
}

/* It has been replaced. */
static void retire(struct process *process, struct area *area)
{
	unsigned int kept = area->is_kept;

	area->is_kept = false;
	if (atomic_fetch_sub(&area->users, kept) == kept)
		give_back(process, area);
}

static struct area_chunk *chunk_of(const struct seat *seat)
{
	return &seat->area->chunk[seat->page_number / AREA_CHUNK];
}

static uint64_t bit_of(const struct seat *seat)
{
	return 1ULL << seat->page_number % AREA_CHUNK;
}

static void take_seat(struct area *area, unsigned int number, struct seat *seat)
{
	size_t offset = number % AREA_CHUNK * page_bytes();

	seat->area = area;
	seat->area_number = atomic_load(&area->number);
	seat->page_number = number;
	seat->page = (const struct threadprof_page *)(chunk_of(seat)->pages + offset);
	chunk_of(seat)->taken |= bit_of(seat);
}

int threadprof_area_begin(struct process *process, struct threadprof *tp, int fd,
			  struct area *before, struct seat *seat)
{
	struct area *area = new_area(process);
	int err;

	if (!area)
		return threadprof_fail(tp, -ENOMEM, "not enough memory for an area");
	err = map_chunk(area, 0, fd);
	if (err) {
		put_spare(process, area);
		return threadprof_fail(tp, err, "can't map the profile's page: %s",
				       strerrordesc_np(-err));
	}
	atomic_store(&area->number, ++process->areas);
	take_seat(area, 0, seat);
	atomic_store(&area->chunk[0].exist, 1);
	err = threadprof_page_check(seat->page);
	if (err) {
		threadprof_fail(tp, err, "the module's page has version %u, size %u; "
				"this library knows version %u", seat->page->version,
				seat->page->page_size, THREADPROF_PAGE_VERSION);
		give_back(process, area);
		return err;
	}

	/*
	 * A process that has once ended all profiles and begins again does so often:
	 * to make an area takes ten times as long as to enable in one. From now on it
	 * keeps the area, and the module with it, until it exits.
	 */
	area->is_kept = process->gave_back;
	atomic_store(&area->users, area->is_kept ? 2 : 1);
	atomic_store(&process->area, area);
	threadprof_descriptor_keep(fd);
	if (before)
		retire(process, before);
	return 0;
}

/* By the descriptor, if that is ours before and after. */
static int map_next_chunk(struct area *area, unsigned int i)
{
	int fd = threadprof_descriptor_ours(), err = fd < 0 ? fd : map_chunk(area, i, fd);

	if (err || threadprof_descriptor_ours() == fd)
		return err;
	munmap(area->chunk[i].pages, AREA_CHUNK * page_bytes());
	area->chunk[i].pages = NULL;
	return -EBADF;
}

/* The lowest page of a chunk that nobody has, from the bit `from` on; -1: none. */
static int free_page(const struct area_chunk *chunk, unsigned int from)
{
	uint64_t free = ~chunk->taken & (~0ULL << from);

	return free ? __builtin_ctzll(free) : -1;
}

int threadprof_area_sit(struct process *process, int64_t after, struct seat *seat)
{
	struct area *area = atomic_load(&process->area);
	unsigned int i, from = (after + 1) % AREA_CHUNK;
	int page, err;

	if (!area)
		return -ENOENT;
	while (area->first < AREA_CHUNKS && !~area->chunk[area->first].taken)
		area->first++;
	i = (after + 1) / AREA_CHUNK;
	if (i < area->first) {
		i = area->first;
		from = 0;
	}
	for (; i < AREA_CHUNKS; i++, from = 0) {
		page = free_page(&area->chunk[i], from);
		if (page < 0)
			continue;
		err = area->chunk[i].pages ? 0 : map_next_chunk(area, i);
		if (err)
			return err;
		take_seat(area, i * AREA_CHUNK + page, seat);
		atomic_fetch_add(&area->users, 1);
		return 0;
	}
	return -ENOSPC;
}

static void leave(struct process *process, struct area *area, uint64_t number)
{
	sigset_t signals;

	if (atomic_fetch_sub(&area->users, 1) != 1)
		return;
	threadprof_process_lock(process, &signals);
	/* Somebody may have sat down meanwhile, or been the last one before this one. */
	if (!atomic_load(&area->users) && atomic_load(&area->number) == number)
		give_back(process, area);
	threadprof_process_unlock(process, &signals);
}

bool threadprof_area_enter(struct process *process, const struct seat *seat)
{
	struct area *area = seat->area;
	unsigned int users = atomic_load(&area->users);
	uint64_t number;

	do
		if (!users)
			return false;
	while (!atomic_compare_exchange_weak(&area->users, &users, users + 1));
	/* For a user it is what it is. */
	number = atomic_load(&area->number);
	if (number == seat->area_number && atomic_load(&process->area) == area)
		return true;
	leave(process, area, number);
	return false;
}

void threadprof_area_leave(struct process *process, const struct seat *seat)
{
	leave(process, seat->area, seat->area_number);
}

void threadprof_seat_give_up(const struct seat *seat)
{
	unsigned int i = seat->page_number / AREA_CHUNK;
	struct area *area = seat->area;

	if (atomic_load(&area->number) != seat->area_number)
		return;
	chunk_of(seat)->taken &= ~bit_of(seat);
	if (area->first > i)
		area->first = i;
}

bool threadprof_seat_is_known(const struct seat *seat)
{
	return atomic_load(&chunk_of(seat)->exist) & bit_of(seat);
}

bool threadprof_seat_exists(const struct seat *seat)
{
	const struct timespec now = { 0 };

	if (threadprof_seat_is_known(seat))
		return true;
	/* The kernel's load fails where one of ours would be SIGBUS. It does not wait. */
	if (syscall(SYS_futex, &seat->page->seq, FUTEX_WAIT_PRIVATE, 1, &now, NULL, 0) < 0 &&
	    errno == EFAULT)
		return false;
	atomic_fetch_or(&chunk_of(seat)->exist, bit_of(seat));
	return true;
}
