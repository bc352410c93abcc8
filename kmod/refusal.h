/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the reason of a refusal goes: to the user's extended acknowledgment,
 * with the attribute that is at fault, or nowhere for callers in the kernel.
 */
#ifndef _TPROF_REFUSAL_H
#define _TPROF_REFUSAL_H

#include <linux/compiler_attributes.h>

struct netlink_ext_ack;
struct nlattr;

struct tprof_refusal {
	struct netlink_ext_ack *extack;		/* NULL: nobody asks */
	struct nlattr * const *counter_attr;	/* of each counter, or NULL */
};

/* Texts of up to 79 characters. @why may be NULL. */
__printf(2, 3)
void tprof_refuse(const struct tprof_refusal *why, const char *format, ...);

/* The same, at counter number @i of the request. */
__printf(3, 4)
void tprof_refuse_counter(const struct tprof_refusal *why, unsigned int i,
			  const char *format, ...);

#endif /* _TPROF_REFUSAL_H */
