/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one work item: whatever must sleep and was found out where nothing may.
 */
#ifndef _TPROF_REAPER_H
#define _TPROF_REAPER_H

#include <linux/types.h>

struct tprof_group;
struct tprof_profile;

void tprof_reaper_add(struct tprof_profile *p, bool notify);
void tprof_reaper_finish(struct tprof_profile *p, bool notify);
void tprof_reaper_unhook_later(void);
void tprof_reaper_add_group(struct tprof_group *group);
void tprof_reaper_kick(void);
void tprof_reaper_sync_cpus(void);
void tprof_reaper_want_notifiers(void);
void tprof_reaper_close(void);
void tprof_reaper_exit(void);

#endif /* _TPROF_REAPER_H */
