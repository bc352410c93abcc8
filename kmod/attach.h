/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile on its thread, from attach to end.
 */
#ifndef _TPROF_ATTACH_H
#define _TPROF_ATTACH_H

#include <linux/types.h>

struct task_struct;
struct tprof_profile;
struct tprof_refusal;

int tprof_profile_attach(struct tprof_profile *p,
			 const struct tprof_refusal *why);
bool tprof_profile_attach_child(struct tprof_profile *p,
				const struct tprof_profile *parent,
				struct task_struct *child);
void tprof_profile_begin(struct tprof_profile *p);
void tprof_profile_end(struct tprof_profile *p);
void tprof_profile_end_here(struct tprof_profile *p);
void tprof_profile_release_locked(struct tprof_profile *p);
void tprof_profile_end_released(void);

#endif /* _TPROF_ATTACH_H */
