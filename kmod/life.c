// SPDX-License-Identifier: GPL-2.0-only
/*
 * What becomes of profiles at fork, exec and exit of their thread.
 *
 * All three run in the owner's context (at fork: the parent's, and the child has
 * not run), so they may change its notifiers. Preemption is off: no sleeping.
 */
#include <linux/binfmts.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "attach.h"
#include "group.h"
#include "life.h"
#include "profile.h"

#define CHILD_GFP	(GFP_ATOMIC | __GFP_NOWARN)

static void fork_one(const struct tprof_profile *parent,
		     struct task_struct *child)
{
	u32 flags = (parent->flags & THREADPROF_PROFILE_DISPATCH) |
		    THREADPROF_PROFILE_INHERITED;
	struct tprof_profile *p;

	p = tprof_profile_new(NULL, flags, parent->hardware_counters, CHILD_GFP);
	if (!p)
		tprof_group_lost_child(parent->group);
	else if (!tprof_profile_attach_child(p, parent, child))
		tprof_profile_put(p);
}

/* A child of a thread in a group is in the group. */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;

	for_each_tprof_profile_safe(p, tmp, parent) {
		if (p->group && READ_ONCE(p->state) != TPROF_RELEASED)
			fork_one(p, child);
	}
}

/*
 * A profile of the thread's own does not: its page went with the old memory. An
 * inherited one does, but not into a program that whoever asked for it may not
 * look into: as with perf's own events, one with more rights, or unreadable.
 */
static bool goes_on(const struct tprof_profile *p,
		    const struct linux_binprm *bprm)
{
	if (!tprof_profile_inherited(p) ||
	    READ_ONCE(p->state) == TPROF_RELEASED)
		return false;
	return p->group->privileged ||
	       (!bprm->secureexec &&
		get_dumpable(current->mm) == SUID_DUMP_USER);
}

static void on_exec(void *data, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;

	for_each_tprof_profile_safe(p, tmp, task) {
		if (!goes_on(p, bprm))
			tprof_profile_end(p);
		else if (READ_ONCE(p->state) == TPROF_WAITS_EXEC)
			tprof_profile_begin(p);
	}
}

static void on_exit(void *data, struct task_struct *task)
{
	struct tprof_profile *p;
	struct hlist_node *tmp;

	for_each_tprof_profile_safe(p, tmp, task)
		tprof_profile_end(p);
}

/* A kernel whose tracepoints have other arguments does not compile this. */
static void __maybe_unused check_types(void)
{
	check_trace_callback_type_sched_process_fork(on_fork);
	check_trace_callback_type_sched_process_exec(on_exec);
	check_trace_callback_type_sched_process_exit(on_exit);
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} probes[] = {
	{ "sched_process_fork", on_fork },
	{ "sched_process_exec", on_exec },
	{ "sched_process_exit", on_exit },
};

static void find(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
	}
}

static void unregister(unsigned int n)
{
	while (n--)
		tracepoint_probe_unregister(probes[n].tp, probes[n].probe, NULL);
	tracepoint_synchronize_unregister();
}

int tprof_life_init(void)
{
	unsigned int i;
	int error;

	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		error = probes[i].tp ?
			tracepoint_probe_register(probes[i].tp, probes[i].probe,
						  NULL) : -ENOENT;
		if (error) {
			unregister(i);
			return error;
		}
	}
	return 0;
}

void tprof_life_exit(void)
{
	unregister(ARRAY_SIZE(probes));
}
