/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who asks, and what may be shown to them. Taken when a request arrives: the rest
 * of a dump goes on in the context of whoever receives it.
 */
#ifndef _TPROF_ASKER_H
#define _TPROF_ASKER_H

#include <linux/types.h>

struct cred;
struct file;
struct pid;
struct pid_namespace;
struct sk_buff;
struct task_struct;

struct tprof_asker {
	const struct cred *cred;
	struct pid *tgid;
	struct pid_namespace *ns;	/* in which threads are named */
	bool privileged;
};

bool tprof_privileged(struct sk_buff *skb);
bool tprof_privileged_file(const struct file *file);
void tprof_asker_get(struct tprof_asker *asker, struct sk_buff *skb);
void tprof_asker_put(struct tprof_asker *asker);
bool tprof_asker_may_see(const struct tprof_asker *asker,
			 struct task_struct *task);

#endif /* _TPROF_ASKER_H */
