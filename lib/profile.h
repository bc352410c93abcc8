/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PROFILE_H
#define THREADPROF_PROFILE_H

#include <linux/netlink.h>

#include "connection.h"

/* A READ that was built once, to be sent many times. */
union prepared {
	struct nlmsghdr header;
	unsigned char data[32];
};

/* Reads the PROFILE of a message; -EPROTO when it has none. */
int threadprof_profile_take(struct nlmsghdr *header, struct threadprof_profile *out);

/*
 * Brings the page of the profile with this id up to date. For signal handlers the
 * second calls no malloc(), and threadprof_connect() is enough for it.
 */
int threadprof_profile_prepare(struct threadprof *tp, uint64_t id, union prepared *out);
int threadprof_profile_update(struct threadprof *tp, const union prepared *request);

/* Ends the profile with this id only, 0 = whichever the thread has. */
int threadprof_profile_end(struct threadprof *tp, uint64_t id);

/* *enabled: is the calling thread profiled? */
int threadprof_profile_query(struct threadprof *tp, uint32_t *enabled);

#endif
