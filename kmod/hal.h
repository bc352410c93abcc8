/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_HAL_H
#define _TPROF_HAL_H

int tprof_hal_init(void);
void tprof_hal_exit(void);

#endif /* _TPROF_HAL_H */
