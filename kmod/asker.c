// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rights of those who ask.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>

#include "asker.h"

/*
 * Whoever opened the socket has to have the right too: a privileged program can
 * be made to write into a socket that it was given.
 */
bool tprof_privileged(struct sk_buff *skb)
{
	return netlink_capable(skb, CAP_PERFMON) ||
	       netlink_capable(skb, CAP_SYS_ADMIN);
}

/* The same by a file of ours. */
bool tprof_privileged_file(const struct file *file)
{
	return (file_ns_capable(file, &init_user_ns, CAP_PERFMON) &&
		capable(CAP_PERFMON)) ||
	       (file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) &&
		capable(CAP_SYS_ADMIN));
}

/* Current, by request @skb. */
void tprof_asker_get(struct tprof_asker *asker, struct sk_buff *skb)
{
	asker->cred = get_current_cred();
	asker->tgid = get_pid(task_tgid(current));
	asker->ns = get_pid_ns(task_active_pid_ns(current));
	asker->privileged = tprof_privileged(skb);
}

void tprof_asker_put(struct tprof_asker *asker)
{
	put_cred(asker->cred);
	put_pid(asker->tgid);
	put_pid_ns(asker->ns);
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
 * What ptrace asks for, without the security modules, whose check is not
 * exported: the same user in all its guises, and dumpable. RCU is held, or a
 * reference to @task.
 */
bool tprof_asker_may_see(const struct tprof_asker *asker,
			 struct task_struct *task)
{
	bool same;

	if (asker->privileged)
		return true;
	rcu_read_lock();
	if (task_tgid(task) == asker->tgid) {
		rcu_read_unlock();
		return true;
	}
	same = same_ids(asker->cred, __task_cred(task));
	rcu_read_unlock();
	return same && is_dumpable(task);
}
