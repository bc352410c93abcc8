/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results in the kernel log, a line each: "threadprof_ke_test: ok 1 NAME".
 */
#ifndef KE_CHECK_H
#define KE_CHECK_H

#include <linux/types.h>
#include <threadprof/ntddk.h>

#define KE_POISON 0xa5

void ke_plan(void);
bool ke_true(bool good, const char *name);
bool ke_status(const char *name, NTSTATUS expected, NTSTATUS got);
bool ke_number(const char *name, u64 expected, u64 got);

/* The list in force is this one, element by element. */
bool ke_in_force(const char *name, const HARDWARE_COUNTER *list, ULONG count);
void ke_poison(HARDWARE_COUNTER *list, ULONG count);
bool ke_poisoned(const HARDWARE_COUNTER *list, ULONG count);

/* A PMU of our own, so that counters are there on any machine. */
int ke_pmu_register(void);
void ke_pmu_unregister(void);
/* Counters of it that fit on one CPU at once. */
#define KE_PMU_ROOM 20
ULONG64 ke_event(unsigned int config);
/* One that belongs to no thread. */
ULONG64 ke_uncore_event(void);
/* Its events that are on a CPU now, all CPUs together. */
int ke_pmu_active(void);
/* Fills @list with @count different events. */
void ke_list(HARDWARE_COUNTER *list, ULONG count, unsigned int first);

void ke_set_tests(void);
void ke_query_tests(void);
void ke_race_tests(void);
void ke_hal_tests(void);
/* Keeps the whole PMU of each CPU. */
bool ke_hal_keep(void);
/* While a thread has hardware counters enabled, or a socket holds the list. */
void ke_busy_tests(void);

#endif /* KE_CHECK_H */
