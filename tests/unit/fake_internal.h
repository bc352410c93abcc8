/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FAKE_INTERNAL_H
#define FAKE_INTERNAL_H

#include <signal.h>
#include <sys/types.h>

#include "fake.h"

/* Numbers that descriptors have here. */
#define FAKE_DESCRIPTORS	4096

struct fake_datagram {
	struct fake_datagram *next;
	int error;		/* instead of data */
	size_t size;
	_Alignas(8) unsigned char data[];
};

struct fake_socket {
	pid_t pid;		/* of its process; 0 = closed */
	uint32_t port;
	struct fake_datagram *first;
};

struct fake_seat;

struct fake_profile {
	struct fake_profile *next;
	pid_t tid;
	uint64_t id;
	struct fake_seat *seat;
	struct threadprof_page *page;	/* the seat's */
};

/* Around what the kernel does. */
sigset_t fake_enter(void);
void fake_leave(sigset_t old);

struct fake_profile *fake_own(void);
/* In page 0 of an area of its own. */
struct fake_profile *fake_begin(uint32_t flags, uint64_t mask, int *fd);
/* The calling thread in a page of the area that fd is of; 0 or an errno. */
int fake_show(int fd, unsigned int number, uint32_t flags, uint64_t mask);
/* Is it shown there? 0 or an errno. */
int fake_is_shown(int fd, unsigned int number);

/* lseek() and pread() of a descriptor. */
int64_t fake_position(int fd);
int fake_operate(int fd, uint64_t at);

void fake_queue(struct fake_socket *socket, const void *data, size_t size, int error);

struct nl_msg;
struct nlattr;
struct nlmsghdr;

/*
 * Sorts attributes by type. length: exact length of each that may be there, -1 a text,
 * -2 a nest; anything else is EINVAL.
 */
int fake_parse(struct nlattr **table, int max, const int *length, struct nlattr *first,
	       int size);

/* Each puts its answer; the result is an errno, 0 = done. */
int fake_set_config(const struct nlmsghdr *request, struct nlattr *flags, struct nl_msg *answer);
int fake_get_config(struct nl_msg *answer);
int fake_status(struct nl_msg *answer);
void fake_put_profile(struct nl_msg *message, const struct threadprof_page *page,
		      unsigned int tid, uint64_t ended_id, uint64_t dropped);

/* One request of a process; its answers go into the queue. */
void fake_answer(struct fake_socket *socket, const void *data, size_t size);

#endif
