/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_HOTPLUG_H
#define _TPROF_HOTPLUG_H

int tprof_hotplug_init(void);
void tprof_hotplug_exit(void);

#endif /* _TPROF_HOTPLUG_H */
