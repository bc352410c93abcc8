// SPDX-License-Identifier: GPL-2.0-only
/*
 * KeSetHardwareCounterConfiguration: KS1 to KS13.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "check.h"

#define ROOM (MAX_HW_COUNTERS + 4)

static HARDWARE_COUNTER list[ROOM], kept[3];

/* A refused call leaves the list from before. */
static void refused(const char *name, PHARDWARE_COUNTER array, ULONG count,
		    NTSTATUS expected)
{
	char text[96];

	ke_status(name, expected,
		  KeSetHardwareCounterConfiguration(array, count));
	snprintf(text, sizeof(text), "KS9 the list stays: %s", name);
	ke_in_force(text, kept, ARRAY_SIZE(kept));
}

static void good(void)
{
	HARDWARE_COUNTER copy[2];

	ke_in_force("KS11 the list is empty at first", NULL, 0);
	ke_status("KS3 KS10 Count 0 with NULL is STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(NULL, 0));
	ke_list(list, 1, 5);
	ke_status("KS3 one counter is STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 1));
	ke_in_force("KS1 one counter is in force", list, 1);
	ke_number("KS13 one call sets it for every CPU", num_online_cpus(),
		  ke_pmu_active());

	ke_list(list, 2, 7);
	memcpy(copy, list, sizeof(copy));
	ke_status("KS3 two counters are STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 2));
	ke_poison(list, 2);
	ke_in_force("KS2 the array was copied", copy, 2);
	ke_in_force("KS9 the list was replaced, not merged", copy, 2);
	ke_number("KS9 the events of before are gone", 2 * num_online_cpus(),
		  ke_pmu_active());

	ke_list(list, 16, 100);
	ke_status("KS4 count 16 is STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 16));
	ke_in_force("KS4 count 16 is in force", list, 16);
	ke_number("KS13 16 events on every CPU", 16 * num_online_cpus(),
		  ke_pmu_active());
	ke_status("KS9 the same list again is STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 16));
	ke_status("KS10 Count 0 with an array is STATUS_SUCCESS", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 0));
	ke_in_force("KS10 Count 0 sets the empty list", NULL, 0);
	ke_number("KS10 no event is left on any CPU", 0, ke_pmu_active());
}

static void bad(void)
{
	ke_list(list, ROOM, 200);
	refused("KS4 count 17 is STATUS_INVALID_PARAMETER", list, 17,
		STATUS_INVALID_PARAMETER);
	refused("KS4 count 0xffffffff is STATUS_INVALID_PARAMETER", list,
		0xffffffff, STATUS_INVALID_PARAMETER);
	refused("KS4 count 17 with NULL is STATUS_INVALID_PARAMETER", NULL, 17,
		STATUS_INVALID_PARAMETER);
	refused("NULL with count 1 is STATUS_INVALID_PARAMETER (ours)", NULL, 1,
		STATUS_INVALID_PARAMETER);

	ke_list(list, 4, 200);
	list[3].Type = MaxHardwareCounterType;
	refused("Type 1 is STATUS_INVALID_PARAMETER (ours)", list, 4,
		STATUS_INVALID_PARAMETER);
	list[3].Type = (HARDWARE_COUNTER_TYPE)0x7fffffff;
	refused("Type 0x7fffffff is STATUS_INVALID_PARAMETER (ours)", list, 4,
		STATUS_INVALID_PARAMETER);
	ke_list(list, 4, 200);
	list[0].Reserved = 1;
	refused("Reserved 1 is STATUS_INVALID_PARAMETER (ours)", list, 4,
		STATUS_INVALID_PARAMETER);
	ke_list(list, 4, 200);
	list[3].Index = list[1].Index;
	refused("a duplicate is STATUS_INVALID_PARAMETER (ours)", list, 4,
		STATUS_INVALID_PARAMETER);
	/* The form comes before the event, whatever the order in the list. */
	list[0].Index = ke_event(5000);
	refused("a duplicate comes before an unknown event (ours)", list, 4,
		STATUS_INVALID_PARAMETER);

	ke_list(list, 4, 200);
	list[3].Index = ke_event(5000);
	refused("an unknown event is STATUS_NOT_SUPPORTED (ours)", list, 4,
		STATUS_NOT_SUPPORTED);
	list[3].Index = ke_uncore_event();
	refused("an uncore event is STATUS_NOT_SUPPORTED (ours)", list, 4,
		STATUS_NOT_SUPPORTED);
	list[3].Index = THREADPROF_INDEX(0xfffe, 0);
	refused("a PMU that is not there is STATUS_NOT_SUPPORTED (ours)", list, 4,
		STATUS_NOT_SUPPORTED);
	list[3].Index = THREADPROF_INDEX(PERF_TYPE_TRACEPOINT, 1);
	refused("a tracepoint is STATUS_NOT_SUPPORTED (ours)", list, 4,
		STATUS_NOT_SUPPORTED);
	list[3].Index = THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	refused("the dummy event is STATUS_NOT_SUPPORTED (ours)", list, 4,
		STATUS_NOT_SUPPORTED);
	list[3].Index = THREADPROF_INDEX(PERF_TYPE_SOFTWARE,
					 PERF_COUNT_SW_CONTEXT_SWITCHES);
	refused("context switches in user mode are STATUS_NOT_SUPPORTED (ours)",
		list, 4, STATUS_NOT_SUPPORTED);
	ke_number("KS9 the events of before count on", 3 * num_online_cpus(),
		  ke_pmu_active());
}

/*
 * Room: 16 of ours fit, so somebody else takes some first. The old list's 3 make
 * way while the new one is tried.
 */
static void no_room(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = THREADPROF_INDEX_TYPE(ke_event(0)),
		.pinned = 1,
	};
	struct perf_event *taken[KE_PMU_ROOM];
	int i, n = 0;

	for (i = 0; i < KE_PMU_ROOM - 10; i++) {
		taken[n] = perf_event_create_kernel_counter(&attr,
							    cpumask_last(cpu_online_mask),
							    NULL, NULL, NULL);
		if (!IS_ERR(taken[n]))
			n++;
	}
	ke_list(list, 11, 300);
	refused("no room on one CPU is STATUS_INSUFFICIENT_RESOURCES (ours)",
		list, 11, STATUS_INSUFFICIENT_RESOURCES);
	ke_status("what fits exactly is STATUS_SUCCESS (ours)", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(list, 10));
	while (n--)
		perf_event_release_kernel(taken[n]);
}

void ke_set_tests(void)
{
	good();
	ke_list(kept, ARRAY_SIZE(kept), 50);
	ke_status("three counters to lose", STATUS_SUCCESS,
		  KeSetHardwareCounterConfiguration(kept, ARRAY_SIZE(kept)));
	bad();
	no_room();
	KeSetHardwareCounterConfiguration(NULL, 0);
}

/* Called while someone has counters enabled or holds the list: two elements. */
void ke_busy_tests(void)
{
	HARDWARE_COUNTER before[MAX_HW_COUNTERS];
	ULONG n = 0;

	KeQueryHardwareCounterConfiguration(before, MAX_HW_COUNTERS, &n);
	ke_true(n > 0, "something is configured");
	ke_list(list, 17, 400);
	ke_status("KS5 another list is STATUS_WMI_ALREADY_ENABLED",
		  STATUS_WMI_ALREADY_ENABLED,
		  KeSetHardwareCounterConfiguration(list, 2));
	ke_status("KS5 the same list is STATUS_WMI_ALREADY_ENABLED",
		  STATUS_WMI_ALREADY_ENABLED,
		  KeSetHardwareCounterConfiguration(before, n));
	ke_status("KS5 KS10 the empty list is STATUS_WMI_ALREADY_ENABLED (ours)",
		  STATUS_WMI_ALREADY_ENABLED,
		  KeSetHardwareCounterConfiguration(NULL, 0));
	ke_status("KS4 count 17 comes before in use", STATUS_INVALID_PARAMETER,
		  KeSetHardwareCounterConfiguration(list, 17));
	list[1].Index = ke_event(5000);
	ke_status("KS5 in use comes before an unknown event (ours)",
		  STATUS_WMI_ALREADY_ENABLED,
		  KeSetHardwareCounterConfiguration(list, 2));
	ke_in_force("KS5 KS7 KS8 the list in use stays", before, n);
}
