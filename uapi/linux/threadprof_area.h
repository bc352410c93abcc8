/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * threadprof: the area, pages in which threads see their profiles, and what its
 * descriptor does. ENABLE (threadprof.h) gives it.
 *
 * An area is THREADPROF_MAX_PAGES pages, mmap() of any range of them with PROT_READ
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
 */
#ifndef _UAPI_LINUX_THREADPROF_AREA_H
#define _UAPI_LINUX_THREADPROF_AREA_H

#include <linux/types.h>

/* Counters of one configuration: MAX_HW_COUNTERS of Windows. */
#define THREADPROF_MAX_COUNTERS		16
/* Pages of an area. */
#define THREADPROF_MAX_PAGES		65536
/* In each position of an area's descriptor; added to the PROFILE_ID by lseek(). */
#define THREADPROF_POSITION		((__u64)1 << 62)
/* Where pread() does something: bits 61:56 op, 51:32 page, 31:16 flags, 15:0 slots. */
#define THREADPROF_AT(op, page, flags, mask) \
	(THREADPROF_POSITION | (__u64)(op) << 56 | (__u64)(page) << 32 | \
	 (__u64)(flags) << 16 | (__u64)(mask))

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

#endif /* _UAPI_LINUX_THREADPROF_AREA_H */
