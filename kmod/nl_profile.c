// SPDX-License-Identifier: GPL-2.0-only
/*
 * ENABLE, DISABLE, QUERY and READ: the calling thread's own profile.
 */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "asker.h"
#include "config.h"
#include "file.h"
#include "fill.h"
#include "group.h"
#include "list.h"
#include "netlink.h"
#include "profile.h"
#include "sched.h"
#include "snapshot.h"

#define ENABLE_FLAGS_ALL (THREADPROF_ENABLE_DISPATCH | \
			  THREADPROF_ENABLE_INHERIT | \
			  THREADPROF_ENABLE_ON_EXEC)
#define MASK_ALL	(BIT(THREADPROF_MAX_COUNTERS) - 1)

const struct nla_policy
tprof_enable_policy[THREADPROF_A_HARDWARE_COUNTERS + 1] = {
	[THREADPROF_A_ENABLE_FLAGS] =
		NLA_POLICY_MASK(NLA_U32, ENABLE_FLAGS_ALL),
	[THREADPROF_A_HARDWARE_COUNTERS] = NLA_POLICY_MASK(NLA_U64, MASK_ALL),
};

const struct nla_policy tprof_own_policy[THREADPROF_A_PROFILE_ID + 1] = {
	[THREADPROF_A_PROFILE_ID] = { .type = NLA_U64 },
};

const struct nla_policy tprof_query_policy[THREADPROF_A_TID + 1] = {
	[THREADPROF_A_TID] = { .type = NLA_U32 },
};

/* Those that were released are gone for their owner; this is where they leave. */
static struct tprof_profile *own_profile(void)
{
	tprof_profile_end_released();
	return tprof_profile_own();
}

/* Current's profile, that the request is for; or an ERR_PTR. */
static struct tprof_profile *own_of_request(struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct nlattr *id = info->attrs[THREADPROF_A_PROFILE_ID];
	struct tprof_profile *p = own_profile();

	if (!p) {
		tprof_refuse(&why, "this thread is not profiled");
		return ERR_PTR(-ENOENT);
	}
	if (id && nla_get_u64(id) != p->id) {
		NL_SET_BAD_ATTR(info->extack, id);
		tprof_refuse(&why, "PROFILE_ID: not this thread's profile");
		return ERR_PTR(-EBADF);
	}
	return p;
}

static u32 profile_flags(u32 enable_flags)
{
	u32 flags = 0;

	if (enable_flags & THREADPROF_ENABLE_DISPATCH)
		flags |= THREADPROF_PROFILE_DISPATCH;
	if (enable_flags & THREADPROF_ENABLE_INHERIT)
		flags |= THREADPROF_PROFILE_INHERIT;
	return flags;
}

/* A profile as asked for, not attached, with its group. */
static struct tprof_profile *profile_for(u32 enable_flags, u32 mask,
					 struct sk_buff *request)
{
	struct tprof_profile *p;

	p = tprof_profile_new(profile_flags(enable_flags), mask, GFP_KERNEL);
	if (!p || !(enable_flags & THREADPROF_ENABLE_INHERIT))
		return p;
	p->group = tprof_group_new(enable_flags & THREADPROF_ENABLE_ON_EXEC,
				   tprof_privileged(request));
	if (!p->group) {
		tprof_profile_put(p);
		return NULL;
	}
	return p;
}

static int attach(struct tprof_profile *p, struct sk_buff *request,
		  u32 *generation, const struct tprof_refusal *why)
{
	const struct tprof_config *config;
	int error;

	tprof_config_lock();
	config = tprof_config_locked();
	*generation = config->generation;
	if (p->hardware_counters &&
	    (config->modes & ~THREADPROF_MODE_USER) &&
	    !tprof_privileged(request)) {
		tprof_refuse(why,
			     "HARDWARE_COUNTERS: they count kernel mode too: CAP_PERFMON needed");
		error = -EACCES;
	} else {
		error = tprof_profile_attach(p, why);
	}
	tprof_config_unlock();
	return error;
}

/* The descriptor is the caller's once the reply that names it is on its way. */
static int enable(struct tprof_profile *p, struct sk_buff *request,
		  struct tprof_reply *reply, struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct file *file;
	u32 generation;
	int fd, error;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		tprof_refuse(&why, "no free file descriptor");
		error = fd;
		goto free_reply;
	}
	file = tprof_file_new(p);
	if (IS_ERR(file)) {
		error = PTR_ERR(file);
		/* -ENOENT: the module is being unloaded, it may be loaded anew. */
		if (error != -ENOENT)
			tprof_refuse(&why, "no room for the page's file");
		goto put_fd;
	}
	error = attach(p, request, &generation, &why);
	if (error)
		goto put_file;
	error = nla_put_u64_64bit(reply->skb, THREADPROF_A_PROFILE_ID, p->id,
				  THREADPROF_A_PAD) ?:
		nla_put_u32(reply->skb, THREADPROF_A_CONFIG_GENERATION,
			    generation) ?:
		nla_put_u32(reply->skb, THREADPROF_A_FD, fd);
	error = tprof_reply_send(reply, info, error);
	if (error) {
		put_unused_fd(fd);
		tprof_profile_end(p);
		fput(file);
		return error;
	}
	fd_install(fd, file);
	return 0;

put_file:
	fput(file);
	tprof_profile_put(p);
	put_unused_fd(fd);
	return tprof_reply_send(reply, info, error);
put_fd:
	put_unused_fd(fd);
free_reply:
	tprof_profile_put(p);
	return tprof_reply_send(reply, info, error);
}

int tprof_nl_enable(struct sk_buff *skb, struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct nlattr *flags_attr = info->attrs[THREADPROF_A_ENABLE_FLAGS];
	struct nlattr *mask_attr = info->attrs[THREADPROF_A_HARDWARE_COUNTERS];
	u32 flags = flags_attr ? nla_get_u32(flags_attr) : 0;
	u32 mask = mask_attr ? nla_get_u64(mask_attr) : 0;
	struct tprof_reply reply;
	struct tprof_profile *p;
	int error;

	if (current->flags & (PF_KTHREAD | PF_IO_WORKER)) {
		tprof_refuse(&why, "not asked by a thread of a program");
		return -EOPNOTSUPP;
	}
	if ((flags & THREADPROF_ENABLE_ON_EXEC) &&
	    !(flags & THREADPROF_ENABLE_INHERIT)) {
		NL_SET_BAD_ATTR(info->extack, flags_attr);
		tprof_refuse(&why, "ENABLE_FLAGS: ON_EXEC needs INHERIT");
		return -EINVAL;
	}
	/* Children are made in fork's tracepoint, where RT can't allocate. */
	if ((flags & THREADPROF_ENABLE_INHERIT) &&
	    IS_ENABLED(CONFIG_PREEMPT_RT)) {
		NL_SET_BAD_ATTR(info->extack, flags_attr);
		tprof_refuse(&why, "ENABLE_FLAGS: no INHERIT on PREEMPT_RT kernels");
		return -EOPNOTSUPP;
	}
	if (own_profile()) {
		tprof_refuse(&why, "this thread is profiled already");
		return -EBUSY;
	}
	error = tprof_reply_new(&reply, info);
	if (error)
		return error;
	p = profile_for(flags, mask, skb);
	if (!p) {
		tprof_refuse(&why, "no memory for a profile");
		return tprof_reply_send(&reply, info, -ENOMEM);
	}
	return enable(p, skb, &reply, info);
}

int tprof_nl_disable(struct sk_buff *skb, struct genl_info *info)
{
	struct tprof_profile *p = own_of_request(info);

	if (IS_ERR(p))
		return PTR_ERR(p);
	tprof_profile_end(p);
	return 0;
}

int tprof_nl_read(struct sk_buff *skb, struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct tprof_profile *p = own_of_request(info);
	struct tprof_snapshot *snapshot;
	struct tprof_reply reply;
	int error;

	if (IS_ERR(p))
		return PTR_ERR(p);
	error = tprof_reply_new(&reply, info);
	if (error)
		return error;
	snapshot = kmalloc(sizeof(*snapshot), GFP_KERNEL);
	if (!snapshot) {
		tprof_refuse(&why, "no memory for a snapshot");
		return tprof_reply_send(&reply, info, -ENOMEM);
	}
	tprof_slice_refresh(p);
	tprof_snapshot(p, task_active_pid_ns(current), snapshot);
	error = tprof_fill_profile(reply.skb, snapshot, 0);
	kfree(snapshot);
	return tprof_reply_send(&reply, info, error);
}

/* The thread that the request names, with a reference; or an ERR_PTR. */
static struct task_struct *task_of_request(struct sk_buff *skb,
					   struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct nlattr *attr = info->attrs[THREADPROF_A_TID];
	struct tprof_asker asker;
	struct task_struct *task;
	struct pid *pid;
	bool visible;

	if (!attr)
		return get_task_struct(current);
	pid = find_get_pid(nla_get_u32(attr));
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task) {
		NL_SET_BAD_ATTR(info->extack, attr);
		tprof_refuse(&why, "TID: no thread %u", nla_get_u32(attr));
		return ERR_PTR(-ESRCH);
	}
	tprof_asker_get(&asker, skb);
	visible = tprof_asker_may_see(&asker, task);
	tprof_asker_put(&asker);
	if (!visible) {
		put_task_struct(task);
		NL_SET_BAD_ATTR(info->extack, attr);
		tprof_refuse(&why, "TID: thread %u belongs to somebody else",
			     nla_get_u32(attr));
		return ERR_PTR(-EACCES);
	}
	return task;
}

int tprof_nl_query(struct sk_buff *skb, struct genl_info *info)
{
	struct task_struct *task = task_of_request(skb, info);
	struct tprof_reply reply;
	int error;

	if (IS_ERR(task))
		return PTR_ERR(task);
	error = tprof_reply_new(&reply, info);
	if (!error) {
		error = nla_put_u32(reply.skb, THREADPROF_A_TID,
				    task_pid_vnr(task)) ?:
			nla_put_u32(reply.skb, THREADPROF_A_ENABLED,
				    tprof_list_has_own(task));
		error = tprof_reply_send(&reply, info, error);
	}
	put_task_struct(task);
	return error;
}
