// SPDX-License-Identifier: GPL-2.0-only
/*
 * Areas: pages for profiles, taken and given back.
 */
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/threadprof.h>

#include "area.h"
#include "attach.h"
#include "direct.h"
#include "list.h"
#include "profile.h"

struct tprof_area *tprof_area_new(void)
{
	struct tprof_area *area = kzalloc(sizeof(*area), GFP_KERNEL_ACCOUNT);

	if (!area)
		return NULL;
	refcount_set(&area->refs, 1);
	xa_init_flags(&area->seats, XA_FLAGS_ACCOUNT);
	mutex_init(&area->access_lock);
	return area;
}

static void seat_free(struct tprof_seat *seat)
{
	free_page((unsigned long)seat->page);
	kfree(seat);
}

/* Any context without a raw lock. */
void tprof_area_put(struct tprof_area *area)
{
	struct tprof_seat *seat;
	unsigned long number;

	if (!refcount_dec_and_test(&area->refs))
		return;
	xa_for_each(&area->seats, number, seat)
		seat_free(seat);
	xa_destroy(&area->seats);
	kfree(area);
}

/*
 * Pages stay when their profiles end, so that a thread could make one after the other.
 * There is no use for many more than there are threads.
 */
#define SPARE_PAGES	512

static bool may_grow(const struct tprof_area *area)
{
	return atomic_read(&area->pages) <
	       get_nr_threads(current) + SPARE_PAGES;
}

static struct tprof_seat *seat_new(struct tprof_area *area, unsigned int number)
{
	struct tprof_seat *seat = kzalloc(sizeof(*seat), GFP_KERNEL_ACCOUNT);

	if (!seat)
		return NULL;
	seat->page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!seat->page) {
		kfree(seat);
		return NULL;
	}
	seat->area = area;
	seat->number = number;
	return seat;
}

static struct tprof_seat *seat_of(struct tprof_area *area, unsigned int number)
{
	struct tprof_seat *seat = xa_load(&area->seats, number);
	struct tprof_seat *other;

	if (seat)
		return seat;
	seat = may_grow(area) ? seat_new(area, number) : NULL;
	if (!seat)
		return ERR_PTR(-ENOMEM);
	other = xa_cmpxchg(&area->seats, number, NULL, seat, GFP_KERNEL);
	if (!other) {
		atomic_inc(&area->pages);
		return seat;
	}
	/* Another thread was first, or there is no memory. */
	seat_free(seat);
	return xa_is_err(other) ? ERR_PTR(xa_err(other)) : other;
}

/*
 * For one profile, with a reference to @area; @number is below THREADPROF_MAX_PAGES.
 * -EBUSY: it is another's.
 */
struct tprof_seat *tprof_seat_take(struct tprof_area *area, unsigned int number)
{
	struct tprof_seat *seat;

	seat = seat_of(area, number);
	if (IS_ERR(seat))
		return seat;
	/* Pairs with the release in tprof_seat_give_back(). */
	if (atomic_cmpxchg_acquire(&seat->taken, 0, 1))
		return ERR_PTR(-EBUSY);
	refcount_inc(&area->refs);
	return seat;
}

/* Nobody looks at the profile any more: the next one may have the page. */
void tprof_seat_give_back(struct tprof_seat *seat)
{
	struct tprof_area *area = seat->area;

	atomic_set_release(&seat->taken, 0);
	tprof_area_put(area);
}

/* Whose reference is the caller's; NULL: none was ever shown there. */
struct threadprof_page *tprof_area_page(struct tprof_area *area,
					unsigned long number)
{
	struct tprof_seat *seat = xa_load(&area->seats, number);

	return seat ? seat->page : NULL;
}

static void seat_closed(struct tprof_seat *seat)
{
	struct tprof_profile *p;

	raw_spin_lock_irq(&tprof_list_lock);
	p = seat->profile;
	if (p)
		tprof_profile_get(p);
	raw_spin_unlock_irq(&tprof_list_lock);
	if (!p)
		return;
	/* Only current can end its own, so that it is attached still. */
	if (p->task == current) {
		tprof_profile_end_here(p);
	} else {
		raw_spin_lock_irq(&tprof_list_lock);
		tprof_profile_release_locked(p);
		raw_spin_unlock_irq(&tprof_list_lock);
		tprof_direct_close(p, false);
	}
	tprof_profile_put(p);
}

/* The last descriptor and mapping are gone. Process context. */
void tprof_area_closed(struct tprof_area *area)
{
	struct tprof_seat *seat;
	unsigned long number;

	xa_for_each(&area->seats, number, seat)
		seat_closed(seat);
}
