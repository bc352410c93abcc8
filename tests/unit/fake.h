/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel side of the family for tests on the host. Like the kernel it works in the
 * thread that sends, keeps one profile a thread, and has the answer in the
 * socket's queue when send() returns. It takes requests apart by libnl's own
 * parser and with the kernel's strictness: wrong length, missing NUL or an unknown
 * attribute is EINVAL.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <threadprof.h>

struct fake {
	bool loaded;
	uint16_t family;

	int open_error;			/* errno of each new socket */
	int refuse_command;		/* this command ... */
	int refuse_error;		/* ... fails with this errno ... */
	const char *refuse_text;	/* ... and this text or none */
	bool uncapped;			/* errors carry the request, as without CAP_ACK */
	bool silent;			/* no answers at all */
	bool bare_ack;			/* acknowledges where an answer is due */
	int stale;			/* leftovers before each answer */
	unsigned int page_version;
	uint64_t cycles_start;		/* of new profiles; 0: "not running" */
	bool no_descriptor;		/* as if the program had closed all of ours */
	bool slow_exit;			/* a page stays busy when its profile ends */
	int direct_error;		/* errno of OP_DIRECT */

	unsigned int profiles;		/* of a dump, besides the real ones */
	size_t piece;			/* bytes of a dump's datagrams */
	int changed;			/* so many dumps are interrupted */
	int dropped;			/* so many dumps end with ENOBUFS */
	int dump_error;			/* errno in the end of the dump */
	const char *dump_text;

	void (*on_read)(struct threadprof_page *page);
	void (*on_operate)(uint64_t at);	/* before the descriptor is looked at */
	/* Changes an answer; may change its size up to room. */
	void (*mutate)(unsigned char *data, size_t *size, size_t room);

	/* What the library did. */
	_Atomic unsigned int opened, closed, sent, received, enabled, disabled, reads;
	_Atomic unsigned int enabled_here, disabled_here;	/* of these, by descriptor */
	_Atomic unsigned int operations, asked_direct;
	_Atomic unsigned int positions;	/* that brought a page up to date */
	_Atomic unsigned int asked_others;	/* for positions of other open files */
	_Atomic unsigned int foreign;	/* sockets used in another process */
	uint32_t config_flags;
	struct threadprof_configuration config;
};

extern struct fake fake;

/* Everything as after loading the module, and the library's transport set. */
void fake_reset(void);

/* The calling thread's page, to write values into, or NULL. */
struct threadprof_page *fake_page(void);

/* Of an area, the lowest; -1: none is open. */
int fake_area_descriptor(void);
/* As a program does that closes what it did not open. */
void fake_close_areas(void);
/* Closes that descriptor, or has its number be that of file; gives the number, or -1. */
int fake_take_number(int file);
/* Pages of areas that the library has mapped. */
size_t fake_mapped(void);

/* Where it is in its area, ~0 without one. */
unsigned int fake_page_number(void);

/* Ends the calling thread's profile behind the library's back. */
void fake_end(void);

/* What slow_exit left busy is free. */
void fake_free_pages(void);

/* Profiles that are there now. */
unsigned int fake_count(void);

#endif
