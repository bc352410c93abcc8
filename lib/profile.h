/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PROFILE_H
#define THREADPROF_PROFILE_H

#include <linux/netlink.h>

#include "connection.h"

/* Reads the PROFILE of a message; -EPROTO when it has none. */
int threadprof_profile_take(struct nlmsghdr *header, struct threadprof_profile *out);

/*
 * Brings the page of the profile with this id up to date. For signal handlers: it calls
 * no malloc(), and threadprof_connect() is enough for it. family: as ENABLE found it; a
 * profile holds the module, so that this is good for its life.
 */
int threadprof_profile_update(struct threadprof *tp, uint16_t family, uint64_t id);

/* Ends the profile with this id only, 0 = whichever the thread has. */
int threadprof_profile_end(struct threadprof *tp, uint64_t id);

/* *enabled: is the calling thread profiled? */
int threadprof_profile_query(struct threadprof *tp, uint32_t *enabled);

#endif
