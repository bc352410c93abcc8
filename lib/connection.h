/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_CONNECTION_H
#define THREADPROF_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <threadprof.h>

struct nl_msg;

/*
 * The way to the kernel, which tests replace. Each returns a negative errno on
 * failure. receive() never waits: an answer is in the socket's queue when
 * send() returns. It returns a message's whole length, also when that is more
 * than fits. *port is the socket's netlink address. position() and operate() are
 * lseek() and pread() of an area's descriptor, see <linux/threadprof_area.h>; neither
 * touches the C library's errno.
 */
struct transport {
	int (*open)(uint32_t *port);
	ssize_t (*send)(int fd, const void *data, size_t size);
	ssize_t (*receive)(int fd, void *data, size_t size);
	void (*close)(int fd);
	int64_t (*position)(int fd);
	int (*operate)(int fd, uint64_t at);
};

extern const struct transport *threadprof_transport __attribute__((visibility("hidden")));

/* CONFIG_SET with all counters has 2.5 KiB. */
#define CONNECTION_OUT	8192
/* The kernel makes no piece of a dump longer than 32 KiB for a reader's sake. */
#define CONNECTION_IN	32768
#define MESSAGE_MAX	256

/*
 * Lives in memory of its own, so that a Read in a signal handler can open one
 * without malloc(). Pages of it that are never touched cost nothing.
 */
struct threadprof {
	int fd;
	dev_t device;			/* of the socket, with its inode: who it is */
	ino_t inode;
	uint32_t port;
	uint32_t seq;
	uint16_t family;		/* 0 = not looked up */
	uint64_t mark;			/* of the process that has it from the pool */
	char message[MESSAGE_MAX];
	size_t in_size;
	unsigned char *in;		/* first, unless it had to grow */
	struct threadprof *next;	/* when parked, pool.c */
	struct nl_msg *request;		/* built anew each time; NULL: not provided */
	_Alignas(8) unsigned char first[CONNECTION_IN];
};

/* Sets the message, and returns err. */
int threadprof_fail(struct threadprof *tp, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * As threadprof_open(), but without malloc(): good for threadprof_exchange()
 * alone until threadprof_provide() has given it what it builds requests in.
 */
int threadprof_connect(struct threadprof **out);
int threadprof_provide(struct threadprof *tp);

/* Is the descriptor still the socket that was opened? Async-signal-safe. */
bool threadprof_is_intact(const struct threadprof *tp);

/* Asks which number the family has now; -ENOENT when there is none. */
int threadprof_find_family(struct threadprof *tp);

/* Makes room for a message of size bytes in `in`, whose contents are lost. */
int threadprof_grow(struct threadprof *tp, size_t size);

#endif
