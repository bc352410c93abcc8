// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies of profiles for readers.
 */
#include <linux/pid_namespace.h>
#include <linux/sched.h>

#include "cycles.h"
#include "page.h"
#include "profile.h"
#include "snapshot.h"

/*
 * RCU is held, or @p is current's or ended: the task of an attached profile is
 * there as long as that. @p referenced.
 */
void tprof_snapshot(const struct tprof_profile *p, struct pid_namespace *ns,
		    struct tprof_snapshot *out)
{
	tprof_page_copy(&out->page, p->page);
	out->flags = out->page.flags;
	/* Pairs with set_state() in attach.c. */
	switch (smp_load_acquire(&p->state)) {
	case TPROF_ENDED:
		out->elapsed = tprof_since(p->stamp, out->page.began);
		out->pid = pid_nr_ns(p->pid, ns);
		out->tid = pid_nr_ns(p->tid, ns);
		memcpy(out->comm, p->comm, sizeof(out->comm));
		return;
	case TPROF_WAITS_EXEC:
		out->flags |= THREADPROF_PROFILE_WAITS_EXEC;
		break;
	default:
		break;
	}
	out->elapsed = tprof_since(tprof_cycles(), out->page.began);
	out->pid = task_tgid_nr_ns(p->task, ns);
	out->tid = task_pid_nr_ns(p->task, ns);
	get_task_comm(out->comm, p->task);
}

/* For those who may not count more than user mode: it is as if it were not there. */
void tprof_snapshot_hide_beyond_user(const struct tprof_profile *p,
				     struct tprof_snapshot *out)
{
	unsigned long slots = p->beyond_user;
	int i;

	for_each_set_bit(i, &slots, THREADPROF_MAX_COUNTERS)
		out->page.slot[i].state = THREADPROF_SLOT_UNUSED;
	out->page.hardware_counters &= ~slots;
}
