// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectures whose counters user mode does not read.
 */
#include <linux/errno.h>

#include "access.h"

void tprof_access_widen(struct perf_event_attr *attr)
{
}

int tprof_access_open(struct tprof_profile *p, struct file *file)
{
	return -EOPNOTSUPP;
}

void tprof_access_close(struct tprof_profile *p, bool here)
{
}

void tprof_access_opened(struct vm_area_struct *vma)
{
}

void tprof_access_unmapped(struct vm_area_struct *vma)
{
}

void tprof_access_end(struct tprof_area *area)
{
}

bool tprof_access_now(void)
{
	return false;
}

unsigned int tprof_access_settled(const struct tprof_profile *p,
				  const struct tprof_cpu_events *events,
				  unsigned int slots)
{
	return 0;
}

struct tprof_register tprof_access_register(const struct tprof_profile *p,
					    struct perf_event *event)
{
	return (struct tprof_register) { };
}
