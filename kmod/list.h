/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock of the list of attached profiles, for those who keep things beside
 * it: profile.c and group.c.
 *
 * tprof_list_lock guards: the list and its totals, tprof_profile.state and
 * .holds_hardware, and everything in a tprof_group. It is taken in the
 * tracepoints of fork, exec and exit, where nothing may sleep, hence raw; inside
 * it nothing else is locked, allocated or freed. It nests in the
 * configuration's lock.
 */
#ifndef _TPROF_LIST_H
#define _TPROF_LIST_H

#include <linux/spinlock.h>

struct tprof_group;

extern raw_spinlock_t tprof_list_lock;

void tprof_list_release_group(struct tprof_group *group);

#endif /* _TPROF_LIST_H */
