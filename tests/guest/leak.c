// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

static void group_path(char *path, size_t size, const char *name, const char *file)
{
	snprintf(path, size, "/sys/fs/cgroup/%s/%s", name, file);
}

void leak_group_enter(const char *name)
{
	char path[128];

	proc_write("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
	group_path(path, sizeof(path), name, "");
	mkdir(path, 0755);
	group_path(path, sizeof(path), name, "cgroup.procs");
	if (!proc_write(path, "0"))
		tap_die("%s", path);
}

long leak_group_pages(const char *name)
{
	static const char *const others[] = {
		"slab", "kernel_stack", "pagetables", "sec_pagetables", "percpu", "vmalloc", NULL
	};
	char path[128], line[128], key[64];
	long long value, kernel = -1, known = 0;
	FILE *file;
	int i;

	group_path(path, sizeof(path), name, "memory.stat");
	file = fopen(path, "re");
	if (!file)
		tap_die("%s", path);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %lld", key, &value) != 2)
			continue;
		if (!strcmp(key, "kernel"))
			kernel = value;
		for (i = 0; others[i]; i++)
			if (!strcmp(key, others[i]))
				known += value;
	}
	fclose(file);
	if (kernel < 0)
		tap_die("%s has no line \"kernel\"", path);
	return (kernel - known) / 1024;
}
