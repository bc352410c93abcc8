/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An area: the pages that a process sees its threads' profiles in.
 *
 * Pages are made when a profile is first shown in them, and stay until the area
 * goes: whoever enables again finds the page mapped. References: one of the file,
 * one of each profile shown.
 */
#ifndef _TPROF_AREA_H
#define _TPROF_AREA_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/xarray.h>

struct perf_event;
struct threadprof_page;
struct tprof_profile;

struct tprof_area {
	refcount_t refs;
	struct xarray seats;		/* struct tprof_seat, by page number */
	atomic_t pages;
	struct mutex access_lock;	/* guards .access */
	struct perf_event *access;	/* of direct reads, see access.h */
};

/* A page, and who is shown in it. */
struct tprof_seat {
	struct tprof_area *area;
	unsigned int number;
	struct threadprof_page *page;
	atomic_t taken;			/* until the last reference to the profile */
	struct tprof_profile *profile;	/* attached; under tprof_list_lock */
};

struct tprof_area *tprof_area_new(void);
void tprof_area_put(struct tprof_area *area);

struct tprof_seat *tprof_seat_take(struct tprof_area *area, unsigned int number);
void tprof_seat_give_back(struct tprof_seat *seat);
struct threadprof_page *tprof_area_page(struct tprof_area *area,
					unsigned long number);
void tprof_area_closed(struct tprof_area *area);

#endif /* _TPROF_AREA_H */
