/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct reads: the registers of a profile's counters, shown in its page for as long
 * as its thread runs and user mode may read them.
 */
#ifndef _TPROF_DIRECT_H
#define _TPROF_DIRECT_H

struct file;
struct perf_event;
struct tprof_counter;
struct tprof_cpu_events;
struct tprof_profile;

int tprof_direct_open(struct tprof_profile *p, struct file *file);
void tprof_direct_close(struct tprof_profile *p, bool here);

/*
 * An event of the kind that @like makes of a counter, from the first of @p's counters
 * whose PMU knows such; or an ERR_PTR. @like: -EOPNOTSUPP to try the next.
 */
struct perf_event *
tprof_direct_key(const struct tprof_profile *p,
		 struct perf_event *(*like)(const struct tprof_counter *counter));

/* On the owner's CPU, interrupts off, the page begun; the first if p->direct. */
void tprof_direct_show(struct tprof_profile *p,
		       const struct tprof_cpu_events *events);
void tprof_direct_hide(struct tprof_profile *p);

#endif /* _TPROF_DIRECT_H */
