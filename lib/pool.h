/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_POOL_H
#define THREADPROF_POOL_H

#include "connection.h"

/*
 * A connection for one call; as threadprof_open(), *out may be set on failure
 * too. Give it back with threadprof_pool_put() in any case, NULL included.
 */
int threadprof_pool_take(struct threadprof **out);
/* As threadprof_connect(). */
int threadprof_pool_take_bare(struct threadprof **out);
void threadprof_pool_put(struct threadprof *tp);
/* Async-signal-safe, as threadprof_pool_take_bare() is: it never calls free(). */
void threadprof_pool_put_bare(struct threadprof *tp);

#endif
