/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_WAIT_H
#define _TPROF_WAIT_H

#include <linux/types.h>

struct task_struct;

/* What is known of a thread at the moment it is switched out. */
struct tprof_wait_facts {
	bool voluntary;		/* not runnable, as the kernel counts it */
	bool next_is_higher;	/* what runs next has a higher priority */
	bool in_iowait;
	unsigned int state;	/* task state bits */
	int syscall;		/* number, or -1 outside a system call */
};

unsigned int tprof_wait_reason(const struct tprof_wait_facts *facts);
unsigned int tprof_wait_reason_current(bool voluntary,
				       const struct task_struct *next);

#endif /* _TPROF_WAIT_H */
