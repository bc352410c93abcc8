/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_WAIT_H
#define _TPROF_WAIT_H

#include <linux/types.h>

struct task_struct;

unsigned int tprof_wait_reason_current(bool voluntary,
				       const struct task_struct *next);

#endif /* _TPROF_WAIT_H */
