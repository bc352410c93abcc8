// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "leak.h"
#include "proc.h"
#include "tap.h"

/* Freed after a grace period, by a work item: not at once. */
#define PATIENCE_MS 5000

void leak_check(struct raw *r, const char *after)
{
	static const char * const caches[] = { "tprof_profile", "tprof_page" };
	char name[128];
	long left;
	int i, waited;

	snprintf(name, sizeof(name), "no profile is left after %s", after);
	tap_check(raw_quiet(r, PATIENCE_MS), name, "expected 0 got %u", raw_profiles(r));
	for (i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "no %s object is left after %s", caches[i], after);
		for (waited = 0; waited < PATIENCE_MS; waited += 20) {
			/* Shrinking flushes what CPUs keep for themselves: those count. */
			proc_write(i ? "/sys/kernel/slab/tprof_page/shrink" :
				       "/sys/kernel/slab/tprof_profile/shrink", "1");
			left = proc_slab(caches[i]);
			if (left <= 0)
				break;
			usleep(20000);
		}
		if (left < 0)
			tap_check(false, name, "expected a cache of this name (slab_nomerge)");
		else
			ok_num(name, 0, left);
	}
}

long leak_free_kib(void)
{
	char line[128];
	long value, sum = 0;
	FILE *file;

	sync();
	proc_write("/proc/sys/vm/drop_caches", "3");
	usleep(200000);
	file = fopen("/proc/meminfo", "re");
	if (!file)
		tap_die("/proc/meminfo");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemFree: %ld", &value) == 1 ||
		    sscanf(line, "Cached: %ld", &value) == 1 ||
		    sscanf(line, "SReclaimable: %ld", &value) == 1)
			sum += value;
	fclose(file);
	return sum;
}
