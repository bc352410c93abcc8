/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reservations: counters that drivers keep (HalAllocateHardwareCounters).
 *
 * All of this under the configuration's lock, which decides who gets a counter.
 */
#ifndef _TPROF_RESERVE_H
#define _TPROF_RESERVE_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/types.h>

/* More than there are drivers; a message has to name them all. */
#define TPROF_MAX_RESERVATIONS	8
/* Counters of a CPU: bits of a mask. */
#define TPROF_MAX_RESERVED	64

struct perf_event;

/* A counter of a CPU; .event is NULL while the CPU is away. */
struct tprof_reserved {
	int cpu;
	struct perf_event *event;
};

struct tprof_reservation {
	struct list_head node;
	u64 id;
	struct module *owner;		/* compared, and its name shown */
	char name[MODULE_NAME_LEN];
	struct cpumask cpus;
	u64 counters;			/* numbers; those that a CPU has */
	unsigned int count;
	struct tprof_reserved reserved[];
};

int tprof_reserve(const struct cpumask *cpus, u64 counters,
		  struct module *owner, u64 *id);
bool tprof_unreserve(u64 id);
void tprof_unreserve_all_of(struct module *owner);

void tprof_reserve_yield(void);
void tprof_reserve_claim(void);

typedef int tprof_reservation_fn(const struct tprof_reservation *r, void *arg);
int tprof_reserve_each(tprof_reservation_fn *fn, void *arg);

#endif /* _TPROF_RESERVE_H */
