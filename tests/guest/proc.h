/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GUEST_PROC_H
#define GUEST_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_switches {
	uint64_t voluntary, involuntary;
};

/* The kernel's own counts of a thread of this process. */
struct proc_switches proc_switches(pid_t tid);
/* State letter of a thread of this process: R, S, D, T ...; 0 = gone. */
char proc_state(pid_t tid);
/* Waits until the thread has that state. */
bool proc_wait_state(pid_t tid, char state, int ms);
/* Objects of a slab cache in use; -1: no such cache. */
long proc_slab(const char *cache);
/* The number in a file, @missing where there is none. */
long proc_number(const char *path, long missing);
bool proc_write(const char *path, const char *text);
/* Grows by one with each descriptor of this process's that is open. */
int proc_descriptors(void);
/* Binds the calling thread to one CPU. */
bool proc_pin(int cpu);
int proc_cpus(void);
pid_t proc_tid(void);

#endif /* GUEST_PROC_H */
