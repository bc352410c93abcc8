/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libthreadprof, the Linux side: configuration, status, lists.
 * The Windows calls (EnableThreadProfiling and so on) are in <threadprof/hcp.h>.
 *
 * Every function that returns int gives 0 or a negative errno, unless it says
 * otherwise; threadprof_message() then has the reason in words. A connection
 * may be used by one thread at a time; the Windows calls need none and are safe
 * in any thread.
 *
 * Times are in ticks of the cycle source, cycle_hz of them a second
 * (threadprof_get_status()).
 */
#ifndef THREADPROF_H
#define THREADPROF_H

#include <stddef.h>
#include <stdint.h>

#include <linux/threadprof.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* One connection to the kernel's threadprof family. */
struct threadprof;

/*
 * Opens a connection. -ENOENT: the module is not loaded (and did not load on
 * demand). *out is set also then, so that threadprof_message() can be asked;
 * only with -ENOMEM it is NULL. Close it with threadprof_close() in any case.
 */
int threadprof_open(struct threadprof **out);
void threadprof_close(struct threadprof *tp);

/* Why the last call on this connection failed: one line without a newline, never NULL. */
const char *threadprof_message(const struct threadprof *tp);

/* The same for the calling thread's last Windows call that failed; "" before. */
const char *threadprof_last_message(void);

/* The library's version, as in VERSION. */
const char *threadprof_version(void);

/* A counter of the configuration. Zero what is not used. */
struct threadprof_counter {
	uint32_t type;		/* PMCCounter = 0 */
	uint32_t reserved;	/* 0 */
	uint64_t index;		/* THREADPROF_INDEX(perf type, config) */
	uint64_t config;	/* with has_config: replaces the config of index */
	uint64_t config1;
	uint64_t config2;
	uint32_t has_config;	/* config does not fit into index */
	uint32_t modes;		/* enum threadprof_modes; 0 = user mode */
	char name[THREADPROF_NAME_MAX + 1];
};

struct threadprof_configuration {
	uint32_t generation;
	uint32_t holder_pid;	/* who holds it (RELEASE), 0 = nobody */
	uint32_t flags;		/* enum threadprof_config_flags, but for RELEASE */
	uint32_t count;
	struct threadprof_counter counter[THREADPROF_MAX_COUNTERS];
};

/*
 * Replaces the system-wide configuration (KeSetHardwareCounterConfiguration);
 * count 0 clears it. flags: enum threadprof_config_flags. generation may be NULL.
 * -EPERM, -EBUSY (in use; the message names by whom), -EINVAL, -EOPNOTSUPP,
 * -ENOSPC; nothing is changed then.
 */
int threadprof_set_configuration(struct threadprof *tp,
				 const struct threadprof_counter *counter,
				 unsigned int count, uint32_t flags,
				 uint32_t *generation);

/* The configuration in force (KeQueryHardwareCounterConfiguration). */
int threadprof_get_configuration(struct threadprof *tp,
				 struct threadprof_configuration *out);

#define THREADPROF_MAX_PMUS	8

struct threadprof_pmu {
	char name[64];
	uint32_t type;		/* perf event type */
	uint32_t counters;	/* that fit at once */
	char cpus[128];		/* list, as in sysfs */
};

#define THREADPROF_MAX_RESERVATIONS	8

/* Counters that a driver keeps by HalAllocateHardwareCounters(). */
struct threadprof_reservation {
	char owner[64];		/* the module's name */
	char cpus[128];		/* list, as in sysfs */
	uint32_t counters;	/* on all of these together */
};

struct threadprof_status {
	char module_version[32];
	uint32_t max_counters;
	uint32_t page_version;
	uint32_t flags;		/* enum threadprof_status_flags */
	uint32_t profiles;	/* attached now, whole machine */
	uint32_t hardware_users; /* of these, with hardware counters */
	uint32_t generation;
	uint32_t holder_pid;	/* of the configuration, 0 = nobody */
	char holder_comm[32];
	char cycle_source[32];
	uint64_t cycle_hz;
	uint32_t pmus;
	struct threadprof_pmu pmu[THREADPROF_MAX_PMUS];
	/*
	 * kernel.nmi_watchdog: 0 = off; 1 = on: then it may hold a counter on each CPU,
	 * but does not where CPUs watch each other (since Linux 6.5); -1 = no such switch.
	 */
	int32_t nmi_watchdog;
	int32_t perf_event_paranoid; /* kernel.perf_event_paranoid, -100 = unreadable */
	uint32_t reservations;
	struct threadprof_reservation reservation[THREADPROF_MAX_RESERVATIONS];
};

int threadprof_get_status(struct threadprof *tp, struct threadprof_status *out);

struct threadprof_slot {
	uint64_t value;
	uint32_t state;		/* enum threadprof_slot_state */
	uint32_t reserved;
};

struct threadprof_wait {
	uint64_t count;
	uint64_t time;		/* ticks */
};

/* One profiled thread. For another thread: as of its last context switch. */
struct threadprof_profile {
	uint64_t id;
	uint64_t ended_id;	/* threadprof_list_ended() only */
	uint64_t dropped;	/* not 0: sums over so many ended threads that were dropped */
	uint64_t hardware_counters; /* mask of slots */
	uint64_t switches;
	uint64_t voluntary;
	uint64_t cycles;	/* ticks on a CPU */
	uint64_t elapsed;	/* ticks since it began */
	uint32_t flags;		/* enum threadprof_profile_flags */
	uint32_t pid;
	uint32_t tid;
	char comm[20];
	struct threadprof_slot slot[THREADPROF_MAX_COUNTERS];
	struct threadprof_wait wait[THREADPROF_WAIT_REASONS];
};

/* Called for each profile; a nonzero result ends the list and is returned. */
typedef int threadprof_profile_fn(const struct threadprof_profile *profile, void *arg);

/*
 * All profiled threads that the caller may see. fn may use the connection.
 * -EAGAIN: fn got everything that the kernel gave, but the list changed during
 * each of several tries, so that threads which came or went may be missing.
 */
int threadprof_list_profiles(struct threadprof *tp, threadprof_profile_fn *fn, void *arg);

/*
 * Final values of ended threads that the calling thread's INHERIT brought in.
 * Entries up to `after` are forgotten first (0 = none): pass the highest ended_id
 * seen so far. -ENOENT: no such profile in this thread.
 */
int threadprof_list_ended(struct threadprof *tp, uint64_t after,
			  threadprof_profile_fn *fn, void *arg);

/*
 * Profiles the calling thread; flags: enum threadprof_enable_flags. *fd is the
 * descriptor of an area of its own, whose page 0 shows the profile; closing it without
 * a mapping ends the profile. For programs that want INHERIT; others use
 * EnableThreadProfiling().
 */
int threadprof_enable(struct threadprof *tp, uint32_t flags, uint64_t hardware_counters,
		      int *fd, uint64_t *id, uint32_t *generation);

/* Ends the calling thread's profile. */
int threadprof_disable(struct threadprof *tp);

/* Brings the calling thread's page up to date, and copies it. */
int threadprof_read(struct threadprof *tp, struct threadprof_profile *out);

/* KWAIT_REASON's name of a reason's number, "" for a number without a name. */
const char *threadprof_wait_name(unsigned int reason);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* THREADPROF_H */
