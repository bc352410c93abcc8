// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/string.h>

#include "check.h"

static unsigned int count;

void ke_plan(void)
{
	pr_info("threadprof_ke_test: 1..%u\n", count);
}

bool ke_true(bool good, const char *name)
{
	count++;
	pr_info("threadprof_ke_test: %s %u %s\n", good ? "ok" : "not ok", count,
		name);
	return good;
}

bool ke_status(const char *name, NTSTATUS expected, NTSTATUS got)
{
	if (!ke_true(expected == got, name)) {
		pr_info("threadprof_ke_test: # expected status %#x got %#x\n",
			(u32)expected, (u32)got);
		return false;
	}
	return true;
}

bool ke_number(const char *name, u64 expected, u64 got)
{
	if (!ke_true(expected == got, name)) {
		pr_info("threadprof_ke_test: # expected %llu got %llu\n",
			expected, got);
		return false;
	}
	return true;
}

bool ke_in_force(const char *name, const HARDWARE_COUNTER *list, ULONG wanted)
{
	HARDWARE_COUNTER got[MAX_HW_COUNTERS];
	bool same = true;
	NTSTATUS status;
	ULONG n = 99, i;

	status = KeQueryHardwareCounterConfiguration(got, MAX_HW_COUNTERS, &n);
	if (status != STATUS_SUCCESS || n != wanted) {
		ke_true(false, name);
		pr_info("threadprof_ke_test: # expected %u elements got %u, status %#x\n",
			wanted, n, (u32)status);
		return false;
	}
	for (i = 0; i < n; i++)
		same = same && got[i].Type == PMCCounter && !got[i].Reserved &&
		       got[i].Index == list[i].Index;
	return ke_true(same, name);
}

void ke_poison(HARDWARE_COUNTER *list, ULONG n)
{
	memset(list, KE_POISON, n * sizeof(*list));
}

bool ke_poisoned(const HARDWARE_COUNTER *list, ULONG n)
{
	return !memchr_inv(list, KE_POISON, n * sizeof(*list));
}
