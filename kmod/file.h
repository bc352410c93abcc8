/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_FILE_H
#define _TPROF_FILE_H

struct file;

struct file *tprof_file_new(void);

#endif /* _TPROF_FILE_H */
