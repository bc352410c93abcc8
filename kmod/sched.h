/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_SCHED_H
#define _TPROF_SCHED_H

#include <linux/types.h>

struct tprof_profile;

void tprof_slice_open(struct tprof_profile *p, u64 now);
void tprof_slice_close(struct tprof_profile *p, u64 now);
void tprof_slice_refresh(struct tprof_profile *p);

#endif /* _TPROF_SCHED_H */
