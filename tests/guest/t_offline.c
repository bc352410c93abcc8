// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU goes and comes back while threads are profiled with counters: no value
 * steps back, a slot that says COUNTING missed nothing, and counting resumes.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <threadprof.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define THREADS	4
#define ROUNDS	20
#define ONLINE	"/sys/devices/system/cpu/cpu1/online"

static volatile bool stop;
static struct raw r;

struct worker {
	pthread_t thread;
	uint64_t reads, back, cpu;
	struct threadprof_profile last;
	bool failed;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct threadprof_profile now;
	struct threadprof *tp;
	uint64_t began;
	int fd, i;

	if (threadprof_open(&tp) || threadprof_enable(tp, 1, 7, &fd, NULL, NULL)) {
		w->failed = true;
		return NULL;
	}
	began = cpu_ns();
	while (!stop) {
		loop_exact(200000);
		if (w->reads % 16 == 15)
			sleep_ms(1);
		if (threadprof_read(tp, &now)) {
			w->failed = true;
			break;
		}
		for (i = 0; i < 3; i++)
			w->back += now.slot[i].value < w->last.slot[i].value;
		w->back += now.cycles < w->last.cycles || now.switches < w->last.switches;
		w->last = now;
		w->reads++;
	}
	w->cpu = cpu_ns() - began;
	threadprof_disable(tp);
	close(fd);
	threadprof_close(tp);
	return NULL;
}

static bool set_online(bool online)
{
	return proc_write(ONLINE, online ? "1" : "0");
}

/* A fresh profile on one CPU: does each slot count there? */
static void counts_on(int cpu, const char *when)
{
	struct threadprof_profile p;
	struct threadprof *tp;
	uint64_t began, used;
	char name[96];
	int fd;

	if (!proc_pin(cpu) || threadprof_open(&tp) ||
	    threadprof_enable(tp, 1, 7, &fd, NULL, NULL))
		tap_die("CPU %d", cpu);
	began = cpu_ns();
	burn_ms(50);
	used = cpu_ns() - began;
	threadprof_read(tp, &p);
	snprintf(name, sizeof(name), "KS14 a fresh profile counts on CPU %d %s", cpu, when);
	tap_check(p.slot[0].state == THREADPROF_SLOT_COUNTING &&
		  p.slot[1].state == THREADPROF_SLOT_COUNTING &&
		  p.slot[2].state == THREADPROF_SLOT_COUNTING &&
		  p.slot[0].value > used * 0.9 && p.slot[0].value < used * 1.2 &&
		  p.slot[2].value > 0, name,
		  "expected states 1 1 1, about %llu ns got %u %u %u, %llu ns, %llu",
		  (unsigned long long)used, p.slot[0].state, p.slot[1].state, p.slot[2].state,
		  (unsigned long long)p.slot[0].value, (unsigned long long)p.slot[2].value);
	threadprof_disable(tp);
	close(fd);
	threadprof_close(tp);
}

static void judge(const struct worker *w, int i)
{
	const struct threadprof_profile *p = &w->last;
	double ratio = (double)p->slot[0].value / w->cpu;
	bool lost = p->slot[0].state == THREADPROF_SLOT_LOST;
	char name[96];

	printf("# thread %d: %llu reads, %s, %.3f of its CPU time counted\n", i,
	       (unsigned long long)w->reads, lost ? "lost" : "counting", ratio);
	snprintf(name, sizeof(name), "thread %d: no value steps back", i);
	ok_num(name, 0, w->back);
	snprintf(name, sizeof(name), "thread %d: %s", i,
		 lost ? "what LOST counted is no more than there was" :
			"COUNTING missed nothing");
	ok_range(name, lost ? 0 : 0.9, 1.1, ratio);
}

int main(void)
{
	const bool pmu = !raw_open(&r) && raw_has_pmu(&r);
	const uint64_t list[] = {
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK),
		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
		pmu ? THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES) :
		      THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK),
	};
	struct worker worker[THREADS] = { { 0 } };
	int i, failed = 0, toggled = 0;
	struct raw_state before, after;

	if (!r.sk || raw_config_set(&r, list, 3, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	raw_state_get(&r, &before);
	counts_on(1, "at first");
	proc_pin(0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&worker[i].thread, NULL, work, &worker[i]);
	for (i = 0; i < THREADS; i++) {
		cpu_set_t both;

		CPU_ZERO(&both);
		CPU_SET(0, &both);
		CPU_SET(1, &both);
		pthread_setaffinity_np(worker[i].thread, sizeof(both), &both);
	}
	for (i = 0; i < ROUNDS; i++) {
		toggled += set_online(false);
		usleep(20000);
		toggled += set_online(true);
		usleep(40000);
	}
	stop = true;
	for (i = 0; i < THREADS; i++) {
		pthread_join(worker[i].thread, NULL);
		failed += worker[i].failed;
	}
	ok_num("CPU 1 went and came 20 times", 2 * ROUNDS, toggled);
	ok_num("no call failed meanwhile", 0, failed);
	for (i = 0; i < THREADS; i++)
		judge(&worker[i], i);
	sleep_ms(300);
	counts_on(1, "after that");
	counts_on(0, "after that");
	raw_state_get(&r, &after);
	ok(raw_state_same(&before, &after), "the configuration is the same");

	/* Set without the CPU, which gets its events when it comes. */
	raw_config_set(&r, NULL, 0, 0, 0);
	set_online(false);
	ok_num("KS13 the list can be set while a CPU is away", 0,
	       raw_config_set(&r, list, 3, 0, 0));
	counts_on(0, "with the other away");
	set_online(true);
	sleep_ms(300);
	counts_on(1, "that was away when the list was set");
	proc_pin(0);
	raw_config_set(&r, NULL, 0, 0, 0);
	ok(raw_quiet(&r, 2000), "nothing is attached at the end");
	return tap_end();
}
