/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the reason of a refusal goes: to the user's extended acknowledgment,
 * with the attribute that is at fault, or nowhere for callers in the kernel.
 */
#ifndef _TPROF_REFUSAL_H
#define _TPROF_REFUSAL_H

#include "compat.h"

struct tprof_refusal {
	struct netlink_ext_ack *extack;		/* NULL: nobody asks */
	struct nlattr * const *counter_attr;	/* of each counter, or NULL */
};

#define tprof_refuse(why, fmt, ...) do {				\
	const struct tprof_refusal *__why = (why);			\
									\
	if (__why && __why->extack)					\
		tprof_extack(__why->extack, fmt, ##__VA_ARGS__);	\
} while (0)

/* The same, at counter number @i of the request. */
#define tprof_refuse_counter(why, i, fmt, ...) do {			\
	const struct tprof_refusal *__w = (why);			\
									\
	tprof_refuse(__w, fmt, ##__VA_ARGS__);				\
	if (__w && __w->extack && __w->counter_attr)			\
		NL_SET_BAD_ATTR(__w->extack, __w->counter_attr[i]);	\
} while (0)

#endif /* _TPROF_REFUSAL_H */
