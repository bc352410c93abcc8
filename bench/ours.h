/* SPDX-License-Identifier: GPL-2.0-only */
/* The library as its users call it, any refusal ending the run. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include <stdbool.h>

#include <threadprof/hcp.h>

struct ours {
	HANDLE handle;
	DWORD flags;		/* of the read */
	PERFORMANCE_DATA data;
};

/* Dispatch data and the first @counters of the configuration. */
void ours_enable(struct ours *o, int counters);
void ours_disable(struct ours *o);
/* For measure(). */
void ours_read(void *ours);
/* Reads until the library has seen that reading without a system call pays. */
void ours_settle(struct ours *o);

/* Does a read of @counters do without a system call? */
bool ours_is_direct(int counters);

#endif /* BENCH_OURS_H */
