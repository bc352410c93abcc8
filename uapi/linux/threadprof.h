/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * threadprof: per-thread hardware counter profiling, the whole ABI.
 *
 * Everything is asked for over the generic netlink family "threadprof",
 * version 1. There is no device node, ioctl, sysfs or procfs file. Numbers are
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
 *		"The area" below
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
 * The area: THREADPROF_MAX_PAGES pages, mmap() of any range of them with PROT_READ
 * and MAP_SHARED. A page exists from the first ENABLE for it on (before, touching it
 * is SIGBUS), shows one profile at a time, and keeps the last one's final values. The
 * descriptor and each mapping keep the area; when all are gone, profiles shown in it
 * end. Threads of a process need but one, and what they do often needs no netlink
 * message:
 *
 * lseek(fd, 0, SEEK_CUR) brings the page of the calling thread up to date, whichever
 * area it is in, and gives THREADPROF_POSITION + the PROFILE_ID of that thread;
 * ENOENT it has no profile of its own; EINVAL any other seek.
 *
 * pread(fd, NULL, 0, THREADPROF_AT(op, page, flags, mask)) gives 0. Both calls do
 * nothing to any other file, should the number be another's by now.
 *	OP_ENABLE	as ENABLE, shown in that page. Of the ENABLE_FLAGS only
 *			DISPATCH. EBUSY also if another thread's is shown there,
 *			or the last one's has not been let go of yet; ENOMEM also
 *			for a new page beyond 512 more than the process has threads
 *	OP_DISABLE	as DISABLE; EBADF if the thread's profile is not shown there
 *	OP_DIRECT	as lseek(); and the thread wants to read counters without a
 *			system call: indexes appear in its page where and while
 *			that is right, until its profile ends. EBADF likewise,
 *			EOPNOTSUPP this machine can't, EACCES not allowed by the
 *			administrator (perf_user_access, rdpmc, DIRECT) or not on
 *			this CPU just now, EINVAL the page is not mapped, ENOMEM
 *	EINVAL		any other position, flag, or page; a count above 0
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

#include <linux/types.h>

#define THREADPROF_GENL_NAME		"threadprof"
#define THREADPROF_GENL_VERSION		1
#define THREADPROF_MCGRP_CONFIG		"config"
#define THREADPROF_MCGRP_PROFILES	"profiles"

/* Counters of one configuration: MAX_HW_COUNTERS of Windows. */
#define THREADPROF_MAX_COUNTERS		16
/* Ended profiles kept for the thread that asked for INHERIT. */
#define THREADPROF_MAX_ENDED		8192
/* Profiles that one thread can carry: its own and inherited ones. */
#define THREADPROF_MAX_PER_THREAD	8
/* Pages of an area. */
#define THREADPROF_MAX_PAGES		65536
/* In each position of an area's descriptor; added to the PROFILE_ID by lseek(). */
#define THREADPROF_POSITION		((__u64)1 << 62)
/* Where pread() does something: bits 61:56 op, 51:32 page, 31:16 flags, 15:0 slots. */
#define THREADPROF_AT(op, page, flags, mask) \
	(THREADPROF_POSITION | (__u64)(op) << 56 | (__u64)(page) << 32 | \
	 (__u64)(flags) << 16 | (__u64)(mask))
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

/* What THREADPROF_AT() asks for. */
enum threadprof_op {
	THREADPROF_OP_ENABLE = 1,
	THREADPROF_OP_DISABLE,
	THREADPROF_OP_DIRECT,
};

enum threadprof_profile_flags {
	THREADPROF_PROFILE_DISPATCH = 1 << 0,
	THREADPROF_PROFILE_INHERIT = 1 << 1,	/* asked for by its owner */
	THREADPROF_PROFILE_INHERITED = 1 << 2,	/* came by fork or clone */
	THREADPROF_PROFILE_NO_IRQ_TIME = 1 << 3, /* interrupts not in cycles */
	THREADPROF_PROFILE_ENDED = 1 << 4,	/* values are final */
	THREADPROF_PROFILE_WAITS_EXEC = 1 << 5,	/* ON_EXEC, not begun yet */
};

enum threadprof_status_flags {
	THREADPROF_STATUS_NO_IRQ_TIME = 1 << 0,	/* as PROFILE_NO_IRQ_TIME */
	THREADPROF_STATUS_PMU = 1 << 1,		/* hardware events exist */
	THREADPROF_STATUS_STABLE_CYCLES = 1 << 2, /* same rate on all CPUs */
};

enum threadprof_slot_state {
	THREADPROF_SLOT_UNUSED,		/* not in the profile's mask */
	THREADPROF_SLOT_COUNTING,
	THREADPROF_SLOT_NOT_CONFIGURED,	/* in the mask, not in the list: 0 */
	THREADPROF_SLOT_LOST,		/* did not count for a part of the time */
};

/* Numbers of KWAIT_REASON; those that never occur here are left out. */
enum threadprof_wait_reason {
	THREADPROF_WAIT_EXECUTIVE = 0,
	THREADPROF_WAIT_DELAY_EXECUTION = 4,
	THREADPROF_WAIT_SUSPENDED = 5,
	THREADPROF_WAIT_USER_REQUEST = 6,
	THREADPROF_WAIT_WR_PAGE_IN = 9,
	THREADPROF_WAIT_WR_QUEUE = 15,
	THREADPROF_WAIT_WR_VIRTUAL_MEMORY = 18,
	THREADPROF_WAIT_WR_RESOURCE = 27,
	THREADPROF_WAIT_WR_QUANTUM_END = 30,
	THREADPROF_WAIT_WR_PREEMPTED = 32,
	THREADPROF_WAIT_WR_YIELD_EXECUTION = 33,
	THREADPROF_WAIT_WR_ALERT_BY_THREAD_ID = 37,
	THREADPROF_WAIT_WR_IO_RING = 40,
};

/* Room in the page: one bit of WaitReasonBitMap each. */
#define THREADPROF_WAIT_REASONS		64

struct threadprof_page_wait {
	__u64 count;		/* switches for this reason */
	__u64 time;		/* ticks until the thread ran again */
};

struct threadprof_page_slot {
	__u64 total;		/* value up to now, or up to start */
	__u64 start;		/* counter register when total was written */
	__u32 index;		/* n + 1 for counter register n; 0 = not readable */
	__u16 width;		/* bits of the register, 4 to 64; 0 with index 0 */
	__u16 state;		/* enum threadprof_slot_state */
	__u64 reserved;
};

/*
 * The page of a profile, written by the kernel on the owner's CPU alone: at
 * each context switch of the thread, at ENABLE, READ, lseek() or OP_DIRECT, and
 * when it ends.
 *
 * To read it:
 *
 *	do {
 *		while ((seq = page->seq) & 1)
 *			;
 *		barrier();	(acquire: loads below stay below)
 *		copy what is wanted; in the owner alone, where index != 0:
 *		since = (register - start) & ((1 << width) - 1)
 *		value = total + since
 *		barrier();	(loads above stay above)
 *	} while (page->seq != seq);
 *
 * Registers are counted as perf's own users of them do: on arm64 n is PMEVCNTR<n>_EL0,
 * and 31 PMCCNTR_EL0; on x86 n goes to rdpmc. A since of (1 << (width - 3)) or more
 * is too old to be trusted: the register may have passed its end. lseek() then.
 *
 * Cycles of a thread that runs: cycles + (now - cycles_start), now being
 * the cycle source (x86: TSC, arm64: CNTVCT_EL0).
 *
 * New fields take reserved space or go behind the last; page_size tells which
 * are there. A reader must refuse a version it does not know.
 */
#define THREADPROF_PAGE_VERSION		1

struct threadprof_page {
	__u32 seq;		/* odd while it is being written */
	__u16 version;		/* THREADPROF_PAGE_VERSION */
	__u16 page_size;	/* bytes of this struct */
	__u32 cpu;		/* where the thread ran last */
	__u32 flags;		/* enum threadprof_profile_flags */
	__u64 profile_id;
	__u64 switches;
	__u64 voluntary;
	__u64 cycles;		/* ticks on a CPU, up to cycles_start */
	__u64 cycles_start;	/* when this part of cycles began; 0 = not running */
	__u64 hardware_counters; /* mask of slots */
	__u64 cycle_hz;		/* ticks a second */
	__u64 began;		/* cycle source when the profile began */
	__u32 tid;		/* in the owner's PID namespace */
	__u32 config_generation;
	__u64 reserved[5];
	struct threadprof_page_slot slot[THREADPROF_MAX_COUNTERS];
	struct threadprof_page_wait wait[THREADPROF_WAIT_REASONS];
};

#endif /* _UAPI_LINUX_THREADPROF_H */
