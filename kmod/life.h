/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_LIFE_H
#define _TPROF_LIFE_H

int tprof_life_init(void);
void tprof_life_exit(void);

#endif /* _TPROF_LIFE_H */
