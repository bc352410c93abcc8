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

/* Texts that are made at run time: since 6.2 the extack has room for one. */
#define TPROF_EXTACK_MAX	80
#ifdef NL_SET_ERR_MSG_FMT
static inline void tprof_extack(struct netlink_ext_ack *extack,
				const char *text)
{
	NL_SET_ERR_MSG_FMT(extack, "%s", text);
}
#else
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/task_work.h>

struct tprof_extack_text {
	struct callback_head work;
	char text[TPROF_EXTACK_MAX];
};

static inline void tprof_extack_free(struct callback_head *work)
{
	kfree(container_of(work, struct tprof_extack_text, work));
	module_put(THIS_MODULE);
}

/*
 * The kernel copies the text into the acknowledgment within the system call
 * that brought the request, so it is freed when current returns to user mode.
 * A module that is about to go can't promise to be there: no text then.
 */
static inline void tprof_extack(struct netlink_ext_ack *extack,
				const char *text)
{
	struct tprof_extack_text *copy;

	if ((current->flags & PF_KTHREAD) || !try_module_get(THIS_MODULE))
		return;
	copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		goto put_module;
	strscpy(copy->text, text, sizeof(copy->text));
	init_task_work(&copy->work, tprof_extack_free);
	if (task_work_add(current, &copy->work, TWA_RESUME))
		goto free_copy;
	extack->_msg = copy->text;
	return;

free_copy:
	kfree(copy);
put_module:
	module_put(THIS_MODULE);
}
#endif

/*
 * arm64's number of the register that an event is in: n is event counter n, 31 the
 * cycle counter. 6.12 made that the number that perf has for it, too; the header
 * that says so is newer than the file.
 */
#ifdef CONFIG_ARM64
#if __has_include(<linux/perf/arm_pmuv3.h>)
#include <linux/perf/arm_pmuv3.h>
#endif
static inline u32 tprof_arm_register(int index)
{
#ifdef ARMV8_PMU_CYCLE_IDX
	return index;
#else
	return index ? index - 1 : 31;
#endif
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
