/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_NOTIFY_H
#define _TPROF_NOTIFY_H

struct tprof_config;
struct tprof_profile;

void tprof_notify_config(const struct tprof_config *config);
void tprof_notify_profile_end(const struct tprof_profile *p);

#endif /* _TPROF_NOTIFY_H */
