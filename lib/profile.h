/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_PROFILE_H
#define THREADPROF_PROFILE_H

#include "connection.h"
#include "message.h"

/* Reads the PROFILE of a message; -EPROTO when it has none. */
int threadprof_profile_take(const struct nlmsghdr *header, struct threadprof_profile *out);

/* For the profile with this id only, 0 = whichever the thread has. */
int threadprof_profile_update(struct threadprof *tp, uint64_t id);
int threadprof_profile_end(struct threadprof *tp, uint64_t id);

/* *enabled: is the calling thread profiled? */
int threadprof_profile_query(struct threadprof *tp, uint32_t *enabled);

#endif
