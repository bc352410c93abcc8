// SPDX-License-Identifier: GPL-2.0-only
/*
 * KeQueryHardwareCounterConfiguration: KQ1 to KQ5, KQ7.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "check.h"

static HARDWARE_COUNTER list[MAX_HW_COUNTERS], got[MAX_HW_COUNTERS + 2];

static NTSTATUS query(ULONG room, ULONG *count)
{
	ke_poison(got, ARRAY_SIZE(got));
	*count = 0xa5a5a5a5;
	return KeQueryHardwareCounterConfiguration(got, room, count);
}

static void empty(void)
{
	ULONG n = 99;

	KeSetHardwareCounterConfiguration(NULL, 0);
	ke_status("KQ3 the empty list is STATUS_SUCCESS", STATUS_SUCCESS,
		  query(16, &n));
	ke_number("KQ3 the empty list has 0 elements", 0, n);
	ke_true(ke_poisoned(got, ARRAY_SIZE(got)), "KQ3 of the empty list nothing is written");
	n = 99;
	ke_status("KQ3 the empty list fits in no room", STATUS_SUCCESS,
		  KeQueryHardwareCounterConfiguration(NULL, 0, &n));
	ke_number("KQ3 the empty list in no room has 0 elements", 0, n);
}

static void five(void)
{
	char name[64];
	ULONG n, room;

	ke_list(list, 5, 30);
	KeSetHardwareCounterConfiguration(list, 5);
	for (room = 0; room < 5; room++) {
		snprintf(name, sizeof(name), "KQ4 room for %u of 5 is STATUS_BUFFER_TOO_SMALL", room);
		ke_status(name, STATUS_BUFFER_TOO_SMALL, query(room, &n));
		snprintf(name, sizeof(name), "KQ4 room for %u of 5: 5 elements needed (ours)", room);
		ke_number(name, 5, n);
		snprintf(name, sizeof(name), "KQ5 room for %u of 5: nothing is written", room);
		ke_true(ke_poisoned(got, ARRAY_SIZE(got)), name);
	}
	ke_status("KQ4 NULL and 0 ask for the size (ours)", STATUS_BUFFER_TOO_SMALL,
		  KeQueryHardwareCounterConfiguration(NULL, 0, &n));
	ke_number("KQ4 the size is in elements (ours)", 5, n);
	ke_status("KQ2 room for exactly 5 is STATUS_SUCCESS", STATUS_SUCCESS,
		  query(5, &n));
	ke_number("KQ1 KQ3 5 elements", 5, n);
	ke_true(!memcmp(got, list, 5 * sizeof(*list)),
		"KQ1 KQ7 KS18 they are what was set");
	ke_true(ke_poisoned(got + 5, ARRAY_SIZE(got) - 5),
		"KQ2 nothing behind them is written");
	ke_status("KQ2 more room is STATUS_SUCCESS", STATUS_SUCCESS, query(18, &n));
	ke_number("KQ3 5 elements in more room", 5, n);
	ke_true(ke_poisoned(got + 5, ARRAY_SIZE(got) - 5),
		"KQ2 the rest of more room stays");

	ke_poison(got, ARRAY_SIZE(got));
	ke_status("Count NULL is STATUS_INVALID_PARAMETER (ours)",
		  STATUS_INVALID_PARAMETER,
		  KeQueryHardwareCounterConfiguration(got, 16, NULL));
	ke_true(ke_poisoned(got, ARRAY_SIZE(got)), "KQ5 Count NULL: nothing is written");
	ke_status("NULL with room is STATUS_INVALID_PARAMETER (ours)",
		  STATUS_INVALID_PARAMETER,
		  KeQueryHardwareCounterConfiguration(NULL, 16, &n));
}

void ke_query_tests(void)
{
	empty();
	five();
	KeSetHardwareCounterConfiguration(NULL, 0);
}
