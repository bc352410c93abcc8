/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_FILE_H
#define _TPROF_FILE_H

struct file;
struct tprof_profile;

struct file *tprof_file_new(struct tprof_profile *p);

#endif /* _TPROF_FILE_H */
