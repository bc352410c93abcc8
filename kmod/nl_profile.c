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
#include "attach.h"
#include "file.h"
#include "fill.h"
#include "list.h"
#include "netlink.h"
#include "own.h"
#include "profile.h"
#include "refusal.h"
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

/* Current's profile, that the request is for; or an ERR_PTR. */
static struct tprof_profile *own_of_request(struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct nlattr *id = info->attrs[THREADPROF_A_PROFILE_ID];
	struct tprof_profile *p = tprof_own_get();

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

static int put_enabled(struct sk_buff *skb, const struct tprof_profile *p,
		       const struct tprof_request *request, int fd)
{
	return nla_put_u64_64bit(skb, THREADPROF_A_PROFILE_ID, p->id,
				 THREADPROF_A_PAD) ?:
	       nla_put_u32(skb, THREADPROF_A_CONFIG_GENERATION,
			   request->generation) ?:
	       nla_put_u32(skb, THREADPROF_A_FD, fd);
}

/* The descriptor is the caller's once the reply that names it is on its way. */
static int enable(struct tprof_request *request, struct tprof_reply *reply,
		  struct genl_info *info)
{
	const struct tprof_refusal why = { .extack = info->extack };
	struct tprof_profile *p;
	struct file *file;
	int fd, error;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		tprof_refuse(&why, "no free file descriptor");
		return tprof_reply_send(reply, info, fd);
	}
	file = tprof_file_new();
	if (IS_ERR(file)) {
		error = PTR_ERR(file);
		/* -ENOENT: the module is being unloaded, it may be loaded anew. */
		if (error != -ENOENT)
			tprof_refuse(&why, "no room for the page's file");
		put_unused_fd(fd);
		return tprof_reply_send(reply, info, error);
	}
	p = tprof_own_enable(file->private_data, 0, request, &why);
	error = PTR_ERR_OR_ZERO(p) ?:
		put_enabled(reply->skb, p, request, fd);
	error = tprof_reply_send(reply, info, error);
	if (error) {
		put_unused_fd(fd);
		if (!IS_ERR(p))
			tprof_profile_end_here(p);
		fput(file);
		return error;
	}
	fd_install(fd, file);
	return 0;
}

int tprof_nl_enable(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *flags = info->attrs[THREADPROF_A_ENABLE_FLAGS];
	struct nlattr *mask = info->attrs[THREADPROF_A_HARDWARE_COUNTERS];
	struct tprof_request request = {
		.flags = flags ? nla_get_u32(flags) : 0,
		.mask = mask ? nla_get_u64(mask) : 0,
		.skb = skb,
	};
	struct tprof_reply reply;
	int error;

	error = tprof_reply_new(&reply, info);
	if (error)
		return error;
	error = enable(&request, &reply, info);
	if (error == -EINVAL)
		NL_SET_BAD_ATTR(info->extack, flags);
	return error;
}

int tprof_nl_disable(struct sk_buff *skb, struct genl_info *info)
{
	struct tprof_profile *p = own_of_request(info);

	if (IS_ERR(p))
		return PTR_ERR(p);
	tprof_profile_end_here(p);
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
