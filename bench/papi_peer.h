/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_PAPI_PEER_H
#define BENCH_PAPI_PEER_H

/* A new event set of @count events. */
int papi_set(int count);
/* For measure(); @set points to an event set. */
void papi_start_stop(void *set);

#endif /* BENCH_PAPI_PEER_H */
