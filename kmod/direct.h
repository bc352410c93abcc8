/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct reads: the registers of a profile's counters, shown in its page for as long
 * as its thread runs and user mode may read them.
 */
#ifndef _TPROF_DIRECT_H
#define _TPROF_DIRECT_H

struct file;
struct tprof_cpu_events;
struct tprof_profile;

int tprof_direct_open(struct tprof_profile *p, struct file *file);
void tprof_direct_close(struct tprof_profile *p, bool here);

/* On the owner's CPU, interrupts off, the page begun; the first if p->direct. */
void tprof_direct_show(struct tprof_profile *p,
		       const struct tprof_cpu_events *events);
void tprof_direct_hide(struct tprof_profile *p);

#endif /* _TPROF_DIRECT_H */
