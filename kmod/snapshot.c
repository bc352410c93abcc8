// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies of profiles for readers, and who may have them.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>

#include "cycles.h"
#include "page.h"
#include "profile.h"
#include "snapshot.h"

/* The caller's. */
bool tprof_privileged(void)
{
	return capable(CAP_PERFMON) || capable(CAP_SYS_ADMIN);
}

static bool same_ids(const struct cred *a, const struct cred *b)
{
	return uid_eq(a->uid, b->euid) && uid_eq(a->uid, b->suid) &&
	       uid_eq(a->uid, b->uid) && gid_eq(a->gid, b->egid) &&
	       gid_eq(a->gid, b->sgid) && gid_eq(a->gid, b->gid);
}

static bool is_dumpable(struct task_struct *task)
{
	bool dumpable = false;

	task_lock(task);
	if (task->mm)
		dumpable = get_dumpable(task->mm) == SUID_DUMP_USER;
	task_unlock(task);
	return dumpable;
}

/*
 * May the holder of @cred see @task? What ptrace asks for, without the security
 * modules, whose check is not exported: the same user in all its guises, and
 * dumpable. RCU is held, or a reference.
 */
bool tprof_visible(struct task_struct *task, const struct cred *cred,
		   bool privileged)
{
	bool same;

	if (privileged || same_thread_group(task, current))
		return true;
	rcu_read_lock();
	same = same_ids(cred, __task_cred(task));
	rcu_read_unlock();
	return same && is_dumpable(task);
}

/*
 * RCU is held, or @p is current's or ended: the task of an attached profile is
 * there as long as that. @p referenced.
 */
void tprof_snapshot(const struct tprof_profile *p, struct pid_namespace *ns,
		    struct tprof_snapshot *out)
{
	tprof_page_copy(&out->page, p->page);
	out->flags = out->page.flags;
	/* Pairs with the store in tprof_profile_end(). */
	switch (smp_load_acquire(&p->state)) {
	case TPROF_ENDED:
		out->elapsed = p->stamp - out->page.began;
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
	out->elapsed = tprof_cycles() - out->page.began;
	out->pid = task_tgid_nr_ns(p->task, ns);
	out->tid = task_pid_nr_ns(p->task, ns);
	get_task_comm(out->comm, p->task);
}
