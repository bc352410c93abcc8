/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that all contenders count: the same six, in the same order. */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include <stdbool.h>

#include <linux/perf_event.h>

#define EVENTS		6
#define EVENTS_READ	2	/* config1: registers readable in user mode */

/* The numbers of counters that figures are made for. */
extern const int events_sizes[4];
/* The same events as perf and PAPI call them. */
extern const char * const events_perf_name[EVENTS];

/* @config1 comes on top of what makes a counter 64 bits wide here. */
struct perf_event_attr events_attr(int i, unsigned int config1);
/* Opens @count of them for the calling thread, the first leads. */
void events_open(int *fd, int count, unsigned int config1);
void events_close(const int *fd, int count);

/* All of them as the system's configuration, or none. */
void events_configure(bool on);

#endif /* BENCH_EVENTS_H */
