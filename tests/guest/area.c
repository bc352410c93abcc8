// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "area.h"
#include "tap.h"

int area_at(int fd, uint64_t position)
{
	ssize_t n = pread(fd, NULL, 0, (off_t)position);

	return n < 0 ? -errno : n;
}

int area_op(int fd, unsigned int op, unsigned int page, unsigned int flags,
	    unsigned int mask)
{
	return area_at(fd, THREADPROF_AT(op, page, flags, mask));
}

int64_t area_refresh(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	return at < 0 ? -errno : at - (off_t)THREADPROF_POSITION;
}

const volatile struct threadprof_page *area_map(int fd, unsigned int first,
						unsigned int count)
{
	void *page = mmap(NULL, (size_t)count * AREA_PAGE, PROT_READ, MAP_SHARED, fd,
			  (off_t)first * AREA_PAGE);

	if (page == MAP_FAILED)
		tap_die("mmap of %u pages from %u on", count, first);
	return page;
}

void area_unmap(const volatile void *page, unsigned int count)
{
	if (munmap((void *)page, (size_t)count * AREA_PAGE))
		tap_die("munmap");
}

const volatile struct threadprof_page *area_page(const volatile void *first,
						 unsigned int n)
{
	return (const volatile void *)((const volatile char *)first + (size_t)n * AREA_PAGE);
}

void area_wait_switch(const volatile struct threadprof_page *own)
{
	uint64_t before = own->switches;

	while (own->switches == before)
		usleep(2000);
}

void area_copy(struct threadprof_page *to, const volatile struct threadprof_page *from)
{
	uint32_t seq;

	do {
		while ((seq = __atomic_load_n(&from->seq, __ATOMIC_ACQUIRE)) & 1)
			;
		memcpy(to, (const void *)from, sizeof(*to));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&from->seq, __ATOMIC_RELAXED) != seq);
	to->seq = seq;
}
