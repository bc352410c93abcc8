/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader is told of a profile: one consistent copy, with names.
 */
#ifndef _TPROF_SNAPSHOT_H
#define _TPROF_SNAPSHOT_H

#include <linux/sched.h>
#include <linux/threadprof.h>

struct pid_namespace;
struct tprof_profile;

struct tprof_snapshot {
	struct threadprof_page page;
	u64 elapsed;
	u32 flags;		/* enum threadprof_profile_flags */
	pid_t pid;		/* 0: not in the reader's namespace */
	pid_t tid;
	char comm[TASK_COMM_LEN];
};

void tprof_snapshot(const struct tprof_profile *p, struct pid_namespace *ns,
		    struct tprof_snapshot *out);
void tprof_snapshot_hide_beyond_user(const struct tprof_profile *p,
				     struct tprof_snapshot *out);

#endif /* _TPROF_SNAPSHOT_H */
