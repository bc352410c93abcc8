// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and askers at once: each answer is one of the lists, whole.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/kthread.h>

#include "check.h"

#define SETTERS 2
#define ASKERS 3
#define SETS 15

static struct completion done[SETTERS + ASKERS];
static bool stop;
static int refusals, torn, answers;

static int setter(void *arg)
{
	long who = (long)arg;
	HARDWARE_COUNTER list[MAX_HW_COUNTERS];
	int i;

	/* Lists of each setter begin and end their own way: who * 100 + length. */
	for (i = 0; i < SETS; i++) {
		ULONG count = 1 + (i * 5 + who) % MAX_HW_COUNTERS;

		ke_list(list, count, who * 100 + count);
		if (KeSetHardwareCounterConfiguration(list, count) !=
		    STATUS_SUCCESS)
			refusals++;
	}
	complete(&done[who]);
	return 0;
}

static int asker(void *arg)
{
	long who = (long)arg;
	HARDWARE_COUNTER got[MAX_HW_COUNTERS];
	unsigned int first;
	ULONG n, i;

	while (!READ_ONCE(stop)) {
		if (KeQueryHardwareCounterConfiguration(got, MAX_HW_COUNTERS, &n)) {
			torn++;
			continue;
		}
		answers++;
		first = n ? THREADPROF_INDEX_CONFIG(got[0].Index) : 0;
		if (n && first % 100 != n)
			torn++;
		for (i = 0; i < n; i++)
			torn += got[i].Index != ke_event(first + i);
		usleep_range(50, 200);
	}
	complete(&done[who]);
	return 0;
}

void ke_race_tests(void)
{
	struct task_struct *task;
	long i;
	int started = 0;

	KeSetHardwareCounterConfiguration(NULL, 0);
	for (i = 0; i < SETTERS + ASKERS; i++) {
		init_completion(&done[i]);
		task = kthread_run(i < SETTERS ? setter : asker, (void *)i,
				   "ke_race/%ld", i);
		if (IS_ERR(task))
			complete(&done[i]);
		else
			started++;
	}
	for (i = 0; i < SETTERS; i++)
		wait_for_completion(&done[i]);
	WRITE_ONCE(stop, true);
	for (; i < SETTERS + ASKERS; i++)
		wait_for_completion(&done[i]);
	ke_number("all threads of the race ran", SETTERS + ASKERS, started);
	ke_number("KS12 setters at once are all served", 0, refusals);
	ke_true(answers > 0, "KQ1 askers were answered meanwhile");
	ke_number("KQ1 KS9 no answer is a mixture of two lists", 0, torn);
	KeSetHardwareCounterConfiguration(NULL, 0);
	ke_number("KS10 no event is left after the race", 0, ke_pmu_active());
}
