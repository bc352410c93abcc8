/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of events, and what the kernel calls them. */
#ifndef HWCFG_EVENT_H
#define HWCFG_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <threadprof.h>

#define EVENT_ERROR 256		/* room for a reason, one line */

/* An event in perf's terms, before it becomes a counter of the module. */
struct event {
	uint32_t type;		/* perf event type */
	uint32_t modes;		/* enum threadprof_modes */
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	char name[THREADPROF_NAME_MAX + 1];
};

/*
 * One event by name: cycles, L1-dcache-load-misses:k, r1c2, pmu/terms/u, or
 * what libpfm4 knows. 0, or -1 with the reason in error.
 */
int event_parse(const char *name, struct event *out, char error[EVENT_ERROR]);

/* Events with commas between, appended to list; the same results. */
int event_parse_list(const char *names, struct event *list, unsigned int *count,
		     char error[EVENT_ERROR]);

/* -1 with the reason in error for a type that no counter's index can hold. */
int event_to_counter(const struct event *event, struct threadprof_counter *out,
		     char error[EVENT_ERROR]);
void event_from_counter(const struct threadprof_counter *counter, struct event *out);

/* Do two events count the same thing in the same modes? */
bool event_same(const struct event *a, const struct event *b);

/* Writes the reason; always returns -1. */
int event_error(char error[EVENT_ERROR], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A trailing ":ukh" (or "ukh" alone with colon false) as modes. 1: is one, 0: is
 * none, -1: is one that counters do not have (error says which).
 */
int event_modifiers(const char *text, uint32_t *modes, char error[EVENT_ERROR]);

/* --- event_name.c: the kernel's generic events --- */

struct event_name {
	const char *name;
	const char *alias;	/* second name, or NULL */
	const char *what;
	uint32_t type;
	uint64_t config;
	uint32_t modes;
};

/* Fills event; false when the name is no generic one. Case does not count. */
bool event_generic(const char *name, struct event *out);

/* Called for each event that has a name; a nonzero result ends the walk. */
typedef int event_fn(const char *name, const char *what, void *arg);

int event_generic_each(event_fn *fn, void *arg);

/* --- event_pmu.c: /sys/bus/event_source/devices --- */

/* Where the PMUs are; tests put a folder of their own here. */
extern const char *event_pmu_root;

/* terms: what stands between the slashes. */
int event_pmu(const char *pmu, const char *terms, struct event *out, char error[EVENT_ERROR]);
int event_pmu_each(event_fn *fn, void *arg);

/* Is this the type of a PMU that counts a package, not threads? */
bool event_pmu_is_uncore(uint32_t type);

/* --- event_pfm.c: libpfm4 --- */

/* 0, -1 with error, or 1: no such event. modes_given: use out->modes. */
int event_pfm(const char *name, bool modes_given, struct event *out, char error[EVENT_ERROR]);

/* umasks: also each unit mask of each event. */
int event_pfm_each(bool umasks, event_fn *fn, void *arg);

/* Has libpfm4 a table for this CPU? */
bool event_pfm_has_cpu(void);

/* --- event_near.c --- */

/* Writes up to three known names that look like name; "" when none does. */
void event_near(const char *name, char *out, size_t size);

/* Letters to insert, delete, replace or swap; case does not count. */
unsigned int event_distance(const char *a, const char *b);

/* --- event_open.c --- */

enum event_opens {
	EVENT_OPENS,
	EVENT_NO_PERMISSION,
	EVENT_NO_PMU,		/* a hardware event, and this machine has no PMU */
	EVENT_NOT_HERE,		/* this CPU does not have it */
	EVENT_UNCORE,		/* counts a package, not a thread */
	EVENT_BUSY,
};

/* Tries it on the calling thread with perf_event_open(). */
enum event_opens event_try(const struct event *event);
const char *event_opens_name(enum event_opens opens);

/* Has this machine a hardware PMU? Also by trying. */
bool event_machine_has_pmu(void);

#endif
