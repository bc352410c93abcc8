// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "watchdog.h"

const char *watchdog_symbols = "/proc/kallsyms";

/*
 * kernel.nmi_watchdog is 1 for each kind of hard lockup detector. In the kind
 * where CPUs watch each other no counter is used, and nothing but the
 * kernel's symbols tells it apart (a kernel has one kind only).
 */
static bool is_buddy(void)
{
	FILE *file = fopen(watchdog_symbols, "re");
	bool found = false;
	char line[512];

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\t\n")] = '\0';
		found = strstr(line, " watchdog_buddy_check_hardlockup");
	}
	fclose(file);
	return found;
}

bool watchdog_holds_counter(const struct threadprof_status *status)
{
	return status->nmi_watchdog > 0 && (status->flags & THREADPROF_STATUS_PMU) && !is_buddy();
}
