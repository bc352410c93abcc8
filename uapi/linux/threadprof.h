/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * threadprof: per-thread hardware counter profiling. The netlink family; what comes
 * with a descriptor of it is in threadprof_area.h.
 *
 * Everything is asked for over the generic netlink family "threadprof",
 * version 1, and what threads do often by a descriptor that ENABLE gives. There is
 * no device node, ioctl, sysfs or procfs file. Numbers are
 * host-endian. Attribute 0 is never used. EINVAL: an unknown attribute, or a value
 * that its policy forbids; ERANGE: an attribute too short or too long for its type.
 * Every refusal of the family's is an NLMSG_ERROR with the errno given here, and
 * carries an NLMSGERR_ATTR_MSG that says why, when NETLINK_EXT_ACK is set (that
 * of a dump not on 6.1, whose core takes no text there).
 * Attributes stand in threadprof.yaml with their types and bounds too.
 *
 * "privileged" = CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace.
 * "[n]" behind an attribute = may be repeated; "?" = optional.
 *
 * CONFIG_SET	replace the system-wide list of counters (all or nothing)
 *	who	privileged
 *	in	COUNTER[n] { INDEX, TYPE?, RESERVED?, CONFIG?, CONFIG1?, CONFIG2?,
 *		MODES?, NAME? }, CONFIG_FLAGS?; no COUNTER = the empty list
 *	out	CONFIG_GENERATION. A reply that finds no room in the socket's
 *		buffer is lost with EAGAIN, after the list was replaced.
 *	errors	EPERM not privileged; ENOSYS no support for this architecture;
 *		EINVAL more than THREADPROF_MAX_COUNTERS, TYPE, RESERVED, MODES,
 *		a duplicate, a bad attribute; EBUSY a thread has hardware counters
 *		enabled, or the list is held by another socket (both are named);
 *		EOPNOTSUPP no PMU, an event the PMU does not know, or an event
 *		that is no per-thread counter; ENOSPC no room on some CPU; ENOMEM
 *
 * CONFIG_GET	the list in force
 *	who	everyone
 *	out	CONFIG_GENERATION, CONFIG_FLAGS? (without RELEASE, if any is set),
 *		CONFIG_HOLDER_PID?, COUNTER[n] as set
 *
 * ENABLE	profile the calling thread
 *	who	everyone; HARDWARE_COUNTERS of a list that counts more than
 *		user mode: privileged
 *	in	ENABLE_FLAGS?, HARDWARE_COUNTERS?
 *	out	PROFILE_ID, CONFIG_GENERATION, FD: a new close-on-exec descriptor
 *		of the caller's, of an area whose page 0 shows this profile; see
 *		threadprof_area.h
 *	errors	EBUSY this thread is profiled already; EINVAL unknown flag, mask
 *		bit above 15; EACCES kernel counts; EOPNOTSUPP the caller
 *		is no user thread, or INHERIT on a PREEMPT_RT kernel; E2BIG too
 *		many inherited profiles on this thread; EMFILE, ENFILE, EAGAIN
 *		(no room for the reply), ENOENT (the module is being unloaded),
 *		ENOMEM: nothing is enabled
 *
 * DISABLE	end the calling thread's profile
 *	who	its owner (the profile is always the caller's own)
 *	in	PROFILE_ID?
 *	errors	ENOENT no profile here; EBADF the profile is not PROFILE_ID
 *
 * QUERY	has a thread a profile of its own, one that it enabled?
 *	who	everyone, for threads as in PROFILE_GET
 *	in	TID? (none = the caller)
 *	out	TID, ENABLED (u32, 0 or 1)
 *	errors	ESRCH no such thread; EACCES somebody else's
 *
 * READ		bring the calling thread's page up to date, and return it
 *	who	its owner
 *	in	PROFILE_ID?
 *	out	PROFILE { ... }
 *	errors	ENOENT no profile here; EBADF the profile is not PROFILE_ID
 *
 * PROFILE_GET	dump of all profiled threads, one PROFILE a message, values as
 *		of the last context switch of each
 *	who	everyone: threads of one's own process, and those whose user and
 *		group ids all equal the caller's and that are dumpable (what
 *		ptrace asks for), without slots that count more than user mode;
 *		privileged: all. Threads outside the caller's PID namespace are
 *		left out.
 *	out	PROFILE { ... }
 *
 * ENDED_GET	dump of the final values of ended threads that were profiled
 *		because the calling thread's profile has INHERIT
 *	who	the owner of that profile
 *	in	ENDED_AFTER?: forget entries up to this ENDED_ID first
 *	out	PROFILE { ..., ENDED_ID }; where entries had to be dropped because
 *		THREADPROF_MAX_ENDED, or what all may keep together, was
 *		reached, one PROFILE { ENDED_DROPPED,
 *		and the sums of what they counted } comes first
 *	errors	ENOENT no profile with INHERIT here
 *
 * STATUS	what this machine can do
 *	who	everyone
 *	out	MODULE_VERSION, MAX_COUNTERS, PAGE_VERSION, STATUS_FLAGS,
 *		CYCLE_SOURCE, CYCLE_HZ, PROFILES, HARDWARE_USERS,
 *		CONFIG_GENERATION, CONFIG_HOLDER_PID?, CONFIG_HOLDER_COMM?,
 *		PMU[n] { PMU_NAME, PMU_TYPE, PMU_CPUS, PMU_COUNTERS },
 *		RESERVATION[n] { RESERVATION_OWNER, RESERVATION_CPUS,
 *		RESERVATION_COUNTERS }
 *
 * CPU_GET	dump of what each counter has counted on each CPU that is online,
 *		whoever ran there: one CPU a message
 *	who	privileged
 *	out	CPU { CPU_NUMBER, CPU_GENERATION (of the list), CPU_SLOT[n] as in
 *		PROFILE, values since the list was set, or the CPU came online }
 *	errors	EPERM not privileged
 *
 * Multicast group "config": CONFIG_NTF { CONFIG_GENERATION, COUNTER[n] } after
 * each change. Group "profiles" (CAP_SYS_ADMIN): PROFILE_END_NTF { PROFILE }.
 *
 * PROFILE = { PROFILE_ID, PROFILE_FLAGS, PID, TID, COMM, HARDWARE_COUNTERS,
 *	SWITCHES, VOLUNTARY, CYCLES, ELAPSED, SLOT[n] { SLOT_NUMBER, SLOT_VALUE,
 *	SLOT_STATE }, WAIT[n] { WAIT_REASON, WAIT_COUNT, WAIT_TIME }, ENDED_ID?,
 *	ENDED_DROPPED? }. CYCLES, ELAPSED and WAIT_TIME are in ticks of the cycle
 *	source (STATUS: CYCLE_HZ of them a second).
 */
#ifndef _UAPI_LINUX_THREADPROF_H
#define _UAPI_LINUX_THREADPROF_H

#include <linux/threadprof_area.h>
#include <linux/types.h>

#define THREADPROF_GENL_NAME		"threadprof"
#define THREADPROF_GENL_VERSION		1
#define THREADPROF_MCGRP_CONFIG		"config"
#define THREADPROF_MCGRP_PROFILES	"profiles"

/* Ended profiles kept for the thread that asked for INHERIT. */
#define THREADPROF_MAX_ENDED		8192
/* Profiles that one thread can carry: its own and inherited ones. */
#define THREADPROF_MAX_PER_THREAD	8
/* Longest NAME of a counter, without the final NUL. */
#define THREADPROF_NAME_MAX		63

/*
 * HARDWARE_COUNTER.Index: bits 63:48 perf event type, bits 47:0 its config.
 * A config that does not fit travels as CONFIG beside the INDEX.
 */
#define THREADPROF_INDEX_CONFIG_BITS	48
#define THREADPROF_INDEX(type, config) \
	(((__u64)(type) << THREADPROF_INDEX_CONFIG_BITS) | \
	 ((__u64)(config) & (((__u64)1 << THREADPROF_INDEX_CONFIG_BITS) - 1)))
#define THREADPROF_INDEX_TYPE(index) \
	((__u32)((__u64)(index) >> THREADPROF_INDEX_CONFIG_BITS))
#define THREADPROF_INDEX_CONFIG(index) \
	((__u64)(index) & (((__u64)1 << THREADPROF_INDEX_CONFIG_BITS) - 1))

enum threadprof_cmd {
	THREADPROF_CMD_CONFIG_SET = 1,
	THREADPROF_CMD_CONFIG_GET,
	THREADPROF_CMD_CONFIG_NTF,
	THREADPROF_CMD_ENABLE,
	THREADPROF_CMD_DISABLE,
	THREADPROF_CMD_QUERY,
	THREADPROF_CMD_READ,
	THREADPROF_CMD_PROFILE_GET,
	THREADPROF_CMD_PROFILE_END_NTF,
	THREADPROF_CMD_ENDED_GET,
	THREADPROF_CMD_STATUS,
	THREADPROF_CMD_CPU_GET,

	__THREADPROF_CMD_MAX,
	THREADPROF_CMD_MAX = (__THREADPROF_CMD_MAX - 1)
};

/* Top level of every message. */
enum threadprof_attr {
	THREADPROF_A_PAD = 1,
	THREADPROF_A_COUNTER,		/* nest, enum threadprof_counter_attr */
	THREADPROF_A_CONFIG_FLAGS,	/* u32, enum threadprof_config_flags */
	THREADPROF_A_CONFIG_GENERATION,	/* u32, changes with each CONFIG_SET */
	THREADPROF_A_CONFIG_HOLDER_PID,	/* u32, who holds the list (RELEASE) */
	THREADPROF_A_CONFIG_HOLDER_COMM, /* string */
	THREADPROF_A_ENABLE_FLAGS,	/* u32, enum threadprof_enable_flags */
	THREADPROF_A_HARDWARE_COUNTERS,	/* u64, mask of slots, bits 0 to 15 */
	THREADPROF_A_PROFILE_ID,	/* u64, never reused */
	THREADPROF_A_FD,		/* u32, descriptor to mmap() */
	THREADPROF_A_TID,		/* u32, in the caller's PID namespace */
	THREADPROF_A_ENABLED,		/* u32, 0 or 1 */
	THREADPROF_A_ENDED_AFTER,	/* u64 */
	THREADPROF_A_PROFILE,		/* nest, enum threadprof_profile_attr */
	THREADPROF_A_MODULE_VERSION,	/* string */
	THREADPROF_A_MAX_COUNTERS,	/* u32 */
	THREADPROF_A_PAGE_VERSION,	/* u32 */
	THREADPROF_A_STATUS_FLAGS,	/* u32, enum threadprof_status_flags */
	THREADPROF_A_CYCLE_SOURCE,	/* string */
	THREADPROF_A_CYCLE_HZ,		/* u64 */
	THREADPROF_A_PROFILES,		/* u32, profiles attached now */
	THREADPROF_A_HARDWARE_USERS,	/* u32, those with counters */
	THREADPROF_A_PMU,		/* nest, enum threadprof_pmu_attr */
	THREADPROF_A_CPU,		/* nest, enum threadprof_cpu_attr */
	THREADPROF_A_RESERVATION,	/* nest, enum threadprof_reservation_attr */

	__THREADPROF_A_MAX,
	THREADPROF_A_MAX = (__THREADPROF_A_MAX - 1)
};

/* In THREADPROF_A_COUNTER; the first three are a HARDWARE_COUNTER. */
enum threadprof_counter_attr {
	THREADPROF_A_COUNTER_PAD = 1,
	THREADPROF_A_COUNTER_TYPE,	/* u32, 0 = PMCCounter, the only one */
	THREADPROF_A_COUNTER_RESERVED,	/* u32, 0 */
	THREADPROF_A_COUNTER_INDEX,	/* u64, THREADPROF_INDEX() */
	THREADPROF_A_COUNTER_CONFIG,	/* u64, overrides the INDEX's 48 bits */
	THREADPROF_A_COUNTER_CONFIG1,	/* u64 */
	THREADPROF_A_COUNTER_CONFIG2,	/* u64 */
	THREADPROF_A_COUNTER_MODES,	/* u32, enum threadprof_modes; default USER */
	THREADPROF_A_COUNTER_NAME,	/* string, what tools call it */

	__THREADPROF_A_COUNTER_MAX,
	THREADPROF_A_COUNTER_MAX = (__THREADPROF_A_COUNTER_MAX - 1)
};

/* In THREADPROF_A_PROFILE. */
enum threadprof_profile_attr {
	THREADPROF_A_PROFILE_PAD = 1,
	THREADPROF_A_PROFILE_PROFILE_ID, /* u64 */
	THREADPROF_A_PROFILE_FLAGS,	/* u32, enum threadprof_profile_flags */
	THREADPROF_A_PROFILE_PID,	/* u32, process */
	THREADPROF_A_PROFILE_TID,	/* u32, thread */
	THREADPROF_A_PROFILE_COMM,	/* string, the thread's name */
	THREADPROF_A_PROFILE_HARDWARE_COUNTERS, /* u64, mask of slots */
	THREADPROF_A_PROFILE_SWITCHES,	/* u64 */
	THREADPROF_A_PROFILE_VOLUNTARY,	/* u64, of SWITCHES */
	THREADPROF_A_PROFILE_CYCLES,	/* u64, ticks on a CPU */
	THREADPROF_A_PROFILE_ELAPSED,	/* u64, ticks since it began */
	THREADPROF_A_PROFILE_SLOT,	/* nest, enum threadprof_slot_attr */
	THREADPROF_A_PROFILE_WAIT,	/* nest, enum threadprof_wait_attr */
	THREADPROF_A_PROFILE_ENDED_ID,	/* u64, grows; ENDED_GET only */
	THREADPROF_A_PROFILE_ENDED_DROPPED, /* u64, profiles summed up here */

	__THREADPROF_A_PROFILE_MAX,
	THREADPROF_A_PROFILE_MAX = (__THREADPROF_A_PROFILE_MAX - 1)
};

/* In THREADPROF_A_PROFILE_SLOT, a bit of the mask, and in THREADPROF_A_CPU_SLOT. */
enum threadprof_slot_attr {
	THREADPROF_A_SLOT_PAD = 1,
	THREADPROF_A_SLOT_NUMBER,	/* u32, position in the list, 0 to 15 */
	THREADPROF_A_SLOT_VALUE,	/* u64 */
	THREADPROF_A_SLOT_STATE,	/* u32, enum threadprof_slot_state */

	__THREADPROF_A_SLOT_MAX,
	THREADPROF_A_SLOT_MAX = (__THREADPROF_A_SLOT_MAX - 1)
};

/* In THREADPROF_A_PROFILE_WAIT: a reason that occurred. */
enum threadprof_wait_attr {
	THREADPROF_A_WAIT_PAD = 1,
	THREADPROF_A_WAIT_REASON,	/* u32, enum threadprof_wait_reason */
	THREADPROF_A_WAIT_COUNT,	/* u64, switches for this reason */
	THREADPROF_A_WAIT_TIME,		/* u64, ticks until it ran again */

	__THREADPROF_A_WAIT_MAX,
	THREADPROF_A_WAIT_MAX = (__THREADPROF_A_WAIT_MAX - 1)
};

/* In THREADPROF_A_PMU: one kind of core. */
enum threadprof_pmu_attr {
	THREADPROF_A_PMU_NAME = 1,	/* string, as in /sys/bus/event_source */
	THREADPROF_A_PMU_TYPE,		/* u32, perf event type */
	THREADPROF_A_PMU_CPUS,		/* string, list of CPUs */
	THREADPROF_A_PMU_COUNTERS,	/* u32, counters that fit at once */

	__THREADPROF_A_PMU_MAX,
	THREADPROF_A_PMU_MAX = (__THREADPROF_A_PMU_MAX - 1)
};

/* In THREADPROF_A_CPU. */
enum threadprof_cpu_attr {
	THREADPROF_A_CPU_NUMBER = 1,	/* u32 */
	THREADPROF_A_CPU_GENERATION,	/* u32 */
	THREADPROF_A_CPU_SLOT,		/* nest, enum threadprof_slot_attr */

	__THREADPROF_A_CPU_MAX,
	THREADPROF_A_CPU_MAX = (__THREADPROF_A_CPU_MAX - 1)
};

/* In THREADPROF_A_RESERVATION: what a driver keeps (HalAllocateHardwareCounters). */
enum threadprof_reservation_attr {
	THREADPROF_A_RESERVATION_OWNER = 1, /* string, a module's name */
	THREADPROF_A_RESERVATION_CPUS,	/* string, list of CPUs */
	THREADPROF_A_RESERVATION_COUNTERS, /* u32, on all of them together */

	__THREADPROF_A_RESERVATION_MAX,
	THREADPROF_A_RESERVATION_MAX = (__THREADPROF_A_RESERVATION_MAX - 1)
};

/*
 * RELEASE ties the list to the sending socket: nobody else may replace it while
 * that socket is open, and the list from before is put back when it closes.
 * DIRECT_RELAXED lets OP_DIRECT show registers too that a new event of somebody
 * else's can make perf move: a read may be wrong then, until the next switch.
 * DIRECT, which that implies, lets everybody use OP_DIRECT on x86, where it takes the
 * right to set lists otherwise: RDPMC reads all counters of a CPU.
 * EXCLUSIVE takes all other counters of each CPU's PMU too, so that nobody else's
 * events find room while the list is in force.
 */
enum threadprof_config_flags {
	THREADPROF_CONFIG_RELEASE = 1 << 0,
	THREADPROF_CONFIG_DIRECT_RELAXED = 1 << 1,
	THREADPROF_CONFIG_EXCLUSIVE = 1 << 2,
	THREADPROF_CONFIG_DIRECT = 1 << 3,
};

/* Processor modes in which an event counts. */
enum threadprof_modes {
	THREADPROF_MODE_USER = 1 << 0,
	THREADPROF_MODE_KERNEL = 1 << 1,
	THREADPROF_MODE_HYPERVISOR = 1 << 2,
};

/*
 * DISPATCH asks for switches, wait reasons and cycles (they are always in the
 * page; the flag is kept for ReadThreadProfilingData's rule R1).
 * INHERIT: threads and processes that this thread creates later are profiled
 * too, and theirs; it ends with the profile. The page shows this thread alone.
 * ON_EXEC, with INHERIT: a profile of a direct child begins to count
 * at the child's first exec.
 */
enum threadprof_enable_flags {
	THREADPROF_ENABLE_DISPATCH = 1 << 0,
	THREADPROF_ENABLE_INHERIT = 1 << 1,
	THREADPROF_ENABLE_ON_EXEC = 1 << 2,
};

enum threadprof_status_flags {
	THREADPROF_STATUS_NO_IRQ_TIME = 1 << 0,	/* as PROFILE_NO_IRQ_TIME */
	THREADPROF_STATUS_PMU = 1 << 1,		/* hardware events exist */
	THREADPROF_STATUS_STABLE_CYCLES = 1 << 2, /* same rate on all CPUs */
};

#endif /* _UAPI_LINUX_THREADPROF_H */
