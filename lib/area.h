/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The area (see <linux/threadprof_area.h>) that the threads of this process have their
 * pages in, and seats in it: a page that one thread has for itself, from its first
 * Enable to its exit, so that to enable again takes no lock.
 *
 * An area is in force, where threads enable, or it was and has been replaced: then it
 * lasts until the last profile in it has ended. `users` says how long:
 *
 * - each profile that its seat shows, or is about to, is a user; so is the process,
 *   for an area that it keeps for good;
 * - from 0 it goes up under the process' lock alone, and only in the area in force:
 *   who finds it at 0 there, under the lock, may give all back;
 * - who is a user may follow `chunk`, and finds the area's number as it was.
 *
 * The memory of struct area is never given back, but used again for another area: one
 * may look at `users` and `number` at any time.
 */
#ifndef THREADPROF_AREA_H
#define THREADPROF_AREA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <linux/threadprof.h>

struct process;
struct threadprof;

#define AREA_CHUNK	64	/* pages that are mapped at once: bits of a word */
#define AREA_CHUNKS	(THREADPROF_MAX_PAGES / AREA_CHUNK)

struct area_chunk {
	char *pages;			/* NULL: not mapped yet */
	uint64_t taken;			/* by a seat; under the process' lock */
	_Atomic uint64_t exist;		/* the others are SIGBUS */
};

struct area {
	_Atomic unsigned int users;
	_Atomic uint64_t number;	/* of the areas of this process; 0: spare */
	struct area *next_spare;
	bool is_kept;			/* the process is a user */
	unsigned int first;		/* chunk that may have room; none before it has */
	struct area_chunk chunk[AREA_CHUNKS];
};

struct seat {
	struct area *area;
	uint64_t area_number;
	uint32_t page_number;
	const struct threadprof_page *page;	/* NULL: no seat */
};

/*
 * What ENABLE over netlink gave: an area whose page 0 shows a profile of this thread.
 * It comes in force instead of `before`, if that is not NULL, with the seat of that page;
 * its user is the caller's. 0, or a negative errno with the connection's message: then
 * fd is still the caller's. Under the lock.
 */
int threadprof_area_begin(struct process *process, struct threadprof *tp, int fd,
			  struct area *before, struct seat *seat);

/*
 * A free page behind that with the number `after`, -1: any, of the area in force, and
 * a user of it. Negative errno: there is none, or no memory. Under the lock.
 */
int threadprof_area_sit(struct process *process, int64_t after, struct seat *seat);

/* Becomes a user of the seat's area, if that is in force. Without the lock. */
bool threadprof_area_enter(struct process *process, const struct seat *seat);

/* Is a user no more; the last one gives it all back. Takes the lock, if need be. */
void threadprof_area_leave(struct process *process, const struct seat *seat);

/* Gives the page to others. Under the lock. */
void threadprof_seat_give_up(const struct seat *seat);

/* Can its page be touched? is_known(): by what was seen of it; exists() looks. For a user. */
bool threadprof_seat_is_known(const struct seat *seat);
bool threadprof_seat_exists(const struct seat *seat);

#endif
