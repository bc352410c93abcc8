/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that differs between kernel versions, and nothing else. The rest
 * of the module reads as if for one kernel. Probes are for the feature where it
 * is a macro, since distributions carry later code back.
 */
#ifndef _TPROF_COMPAT_H
#define _TPROF_COMPAT_H

#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/version.h>
#include <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "threadprof needs Linux 6.1 or later"
#endif

/* Messages with arguments: since 6.2 the extack has a buffer of its own. */
#ifdef NL_SET_ERR_MSG_FMT
#define tprof_extack(extack, fmt, ...) \
	NL_SET_ERR_MSG_FMT(extack, fmt, ##__VA_ARGS__)
#else
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/task_work.h>

struct tprof_extack_text {
	struct callback_head work;
	char text[80];
};

static inline void tprof_extack_free(struct callback_head *work)
{
	kfree(container_of(work, struct tprof_extack_text, work));
	module_put(THIS_MODULE);
}

/*
 * The kernel copies the text into the acknowledgment within the system call
 * that brought the request, so it is freed when current returns to user mode.
 */
static inline __printf(2, 3)
void tprof_extack(struct netlink_ext_ack *extack, const char *fmt, ...)
{
	struct tprof_extack_text *text;
	va_list args;

	if (!extack || (current->flags & PF_KTHREAD))
		return;
	text = kmalloc(sizeof(*text), GFP_KERNEL);
	if (!text)
		return;
	va_start(args, fmt);
	vscnprintf(text->text, sizeof(text->text), fmt, args);
	va_end(args);
	init_task_work(&text->work, tprof_extack_free);
	__module_get(THIS_MODULE);
	if (task_work_add(current, &text->work, TWA_RESUME)) {
		tprof_extack_free(&text->work);
		return;
	}
	extack->_msg = text->text;
}
#endif

/* 6.3 made vm_flags read-only outside its helpers. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma,
				vm_flags_t set, vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

/* 6.7 replaced genl_dumpit_info(cb)->attrs by genl_info_dump(cb)->attrs. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#define genl_info_dump(cb)	genl_dumpit_info(cb)
#endif

/*
 * 6.12 dropped the allocation flags, it never sleeps; stable kernels took that
 * over at various points, so the type decides.
 */
typedef int tprof_allns_fn(const struct genl_family *family,
			   struct sk_buff *skb, u32 portid, unsigned int group);
typedef int tprof_allns_gfp_fn(const struct genl_family *family,
			       struct sk_buff *skb, u32 portid,
			       unsigned int group, gfp_t flags);

static inline int tprof_allns(tprof_allns_fn *send,
			      const struct genl_family *family,
			      struct sk_buff *skb, unsigned int group)
{
	return send(family, skb, 0, group);
}

static inline int tprof_allns_gfp(tprof_allns_gfp_fn *send,
				  const struct genl_family *family,
				  struct sk_buff *skb, unsigned int group)
{
	return send(family, skb, 0, group, GFP_KERNEL);
}

#define tprof_multicast_allns(family, skb, group)		\
	_Generic(&genlmsg_multicast_allns,			\
		 tprof_allns_fn *: tprof_allns,			\
		 tprof_allns_gfp_fn *: tprof_allns_gfp)		\
		(&genlmsg_multicast_allns, family, skb, group)

#endif /* _TPROF_COMPAT_H */
