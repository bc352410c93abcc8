/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calling thread's own profile, by whichever door it asks.
 */
#ifndef _TPROF_OWN_H
#define _TPROF_OWN_H

#include <linux/types.h>

struct file;
struct sk_buff;
struct tprof_area;
struct tprof_profile;
struct tprof_refusal;

/* What ENABLE asks for. */
struct tprof_request {
	u32 flags;			/* enum threadprof_enable_flags */
	u32 mask;			/* of slots, bits 0 to 15 */
	struct sk_buff *skb;		/* it came by this message */
	struct file *file;		/* or, where that is NULL, by this file */
	u32 generation;			/* out: of the list that it counts */
};

struct tprof_profile *tprof_own_get(void);
struct tprof_profile *tprof_own_enable(struct tprof_area *area,
				       unsigned int page,
				       struct tprof_request *request,
				       const struct tprof_refusal *why);

#endif /* _TPROF_OWN_H */
