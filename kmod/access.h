/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User mode's access to the counters, as perf gives it to its own users and by
 * perf's own means: one file for each architecture.
 *
 * arm64: perf opens the counters while a thread runs that has an event which wants
 * it, the profile's key. x86: for the whole of a process' memory, while something
 * that wants it is mapped there: the area's key says so to perf.
 */
#ifndef _TPROF_ACCESS_H
#define _TPROF_ACCESS_H

#include <linux/types.h>

struct file;
struct perf_event;
struct perf_event_attr;
struct tprof_area;
struct tprof_cpu_events;
struct tprof_profile;
struct vm_area_struct;

/* A register that user mode can read. */
struct tprof_register {
	u32 index;		/* as in the page: its number + 1; 0: none */
	u16 width;
};

/* Process context; @p is current's. As OP_DIRECT. */
int tprof_access_open(struct tprof_profile *p, struct file *file);
/*
 * Of one with direct reads, which are over. @here: of current; otherwise its thread is
 * gone. May sleep. The configuration is still kept as it is.
 */
void tprof_access_close(struct tprof_profile *p, bool here);

/* A mapping of an area became another too (split, moved, copied); one is gone. */
void tprof_access_opened(struct vm_area_struct *vma);
void tprof_access_unmapped(struct vm_area_struct *vma);
/* All of them are gone. */
void tprof_access_end(struct tprof_area *area);

/* May current read registers, on this CPU, in this slice? Interrupts off. */
bool tprof_access_now(void);

/*
 * Of @slots, those whose register stays where it is, whatever perf does with its
 * events before the next switch.
 */
unsigned int tprof_access_settled(const struct tprof_profile *p,
				  const struct tprof_cpu_events *events,
				  unsigned int slots);

/* Where @event, which counts on this CPU now, is to be read. */
struct tprof_register tprof_access_register(const struct tprof_profile *p,
					    struct perf_event *event);

/* Have @attr count in a register that is wide enough, where there is one. */
void tprof_access_widen(struct perf_event_attr *attr);

#endif /* _TPROF_ACCESS_H */
