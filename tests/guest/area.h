/* SPDX-License-Identifier: GPL-2.0-only */
/* An area by bare system calls: its descriptor, its pages. */
#ifndef GUEST_AREA_H
#define GUEST_AREA_H

#include <stdint.h>
#include <linux/threadprof.h>

#define AREA_PAGE	4096	/* bytes; every guest's kernel has such pages */

/* pread() of nothing, there; 0 or a negative errno. */
int area_at(int fd, uint64_t position);
/* The same where THREADPROF_AT() says. */
int area_op(int fd, unsigned int op, unsigned int page, unsigned int flags,
	    unsigned int mask);
/* lseek(): the PROFILE_ID, or a negative errno. */
int64_t area_refresh(int fd);

/* @count pages from @first on; dies if they can't be mapped. */
const volatile struct threadprof_page *area_map(int fd, unsigned int first,
						unsigned int count);
void area_unmap(const volatile void *page, unsigned int count);
/* The page @n pages behind. */
const volatile struct threadprof_page *area_page(const volatile void *first,
						 unsigned int n);

/* Sleeps until the page has seen a switch: a short sleep may be over before one. */
void area_wait_switch(const volatile struct threadprof_page *own);

/* A consistent copy. Of a page that nobody writes any more, or of any thread's. */
void area_copy(struct threadprof_page *to, const volatile struct threadprof_page *from);

#endif /* GUEST_AREA_H */
