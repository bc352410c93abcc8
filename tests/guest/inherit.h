/* SPDX-License-Identifier: GPL-2.0-only */
/* Askers whose profile threads and processes inherit, and those that do. */
#ifndef GUEST_INHERIT_H
#define GUEST_INHERIT_H

#include <linux/perf_event.h>
#include <threadprof.h>

#define INHERIT	(THREADPROF_ENABLE_DISPATCH | THREADPROF_ENABLE_INHERIT)
#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)

/* A profile of this thread, and its descriptor, until inherit_end(). */
int inherit_begin(struct threadprof *tp, uint32_t flags, uint64_t mask);
void inherit_end(struct threadprof *tp, int fd);
/* A thread that burns 20 ms, with the name "burner"; @arg: pid_t * for its number. */
void *inherit_burner(void *arg);

#endif /* GUEST_INHERIT_H */
