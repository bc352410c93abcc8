// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU_GET: a message for each CPU that is online, with what each counter of the list
 * has counted there, whoever ran; for the privileged alone.
 */
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"
#include "raw.h"
#include "tap.h"

#define CLOCK		THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define CYCLES		THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define ROUNDS		100000000ULL
#define MAX_CPUS	64

static struct raw r;

static struct values {
	unsigned int cpus, slots;	/* messages, slots of all of them together */
	bool here[MAX_CPUS];
	uint32_t generation, state[MAX_CPUS][THREADPROF_MAX_COUNTERS];
	uint64_t value[MAX_CPUS][THREADPROF_MAX_COUNTERS];
} now, then;

static void take_slot(struct nlattr *nest, uint32_t cpu)
{
	struct nlattr *a[THREADPROF_A_SLOT_MAX + 1];
	uint32_t slot;

	if (nla_parse_nested(a, THREADPROF_A_SLOT_MAX, nest, NULL) ||
	    !a[THREADPROF_A_SLOT_NUMBER] || !a[THREADPROF_A_SLOT_VALUE] ||
	    !a[THREADPROF_A_SLOT_STATE])
		tap_die("a slot lacks a part");
	slot = nla_get_u32(a[THREADPROF_A_SLOT_NUMBER]);
	if (slot >= THREADPROF_MAX_COUNTERS)
		tap_die("slot %u", slot);
	now.value[cpu][slot] = nla_get_u64(a[THREADPROF_A_SLOT_VALUE]);
	now.state[cpu][slot] = nla_get_u32(a[THREADPROF_A_SLOT_STATE]);
	now.slots++;
}

static void take(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[THREADPROF_A_CPU_MAX + 1], *attr;
	struct nlattr *nest = raw_attr(header, THREADPROF_A_CPU);
	uint32_t cpu;
	int left;

	(void)arg;
	if (!nest || nla_parse_nested(a, THREADPROF_A_CPU_MAX, nest, NULL) ||
	    !a[THREADPROF_A_CPU_NUMBER] || !a[THREADPROF_A_CPU_GENERATION])
		tap_die("a message without a CPU");
	cpu = nla_get_u32(a[THREADPROF_A_CPU_NUMBER]);
	if (cpu >= MAX_CPUS || now.here[cpu])
		tap_die("CPU %u, or twice", cpu);
	now.here[cpu] = true;
	now.cpus++;
	now.generation = nla_get_u32(a[THREADPROF_A_CPU_GENERATION]);
	nla_for_each_nested(attr, nest, left)
		if (nla_type(attr) == THREADPROF_A_CPU_SLOT)
			take_slot(attr, cpu);
}

static int get(void)
{
	then = now;
	memset(&now, 0, sizeof(now));
	return raw_dump(&r, raw_new(&r, THREADPROF_CMD_CPU_GET, NLM_F_DUMP), take, NULL);
}

static uint32_t generation(void)
{
	raw_command(&r, THREADPROF_CMD_CONFIG_GET);
	return raw_u32(&r, THREADPROF_A_CONFIG_GENERATION);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		tap_die("can't run on CPU %d", cpu);
}

static void forms(int cpus)
{
	const uint64_t list[] = { CLOCK };

	ok_num("with no list", 0, get());
	ok_num("there is a message for each CPU that is online", cpus, now.cpus);
	ok_num("without slots", 0, now.slots);
	ok_num("a list of one is set", 0, raw_config_set(&r, list, 1, 0, 0));
	ok_num("it is dumped", 0, get());
	ok_num("one slot for each CPU", cpus, now.slots);
	ok_num("of the list in force", generation(), now.generation);
	ok(now.state[0][0] == THREADPROF_SLOT_COUNTING, "which counts");
}

/*
 * What a thread runs on a CPU is in that CPU's value, profiled or not. Cycles, which
 * here are nanoseconds, are in each of our PMUs; instructions are not.
 */
static void truth(int cpus)
{
	const uint64_t list[] = { CYCLES };
	int cpu, last = cpus - 1;
	uint64_t spent = 0;

	if (!raw_has_pmu(&r))
		return;
	ok_num("cycles are set", 0, raw_config_set(&r, list, 1, 0, 0));
	for (cpu = 0; cpu <= last; cpu += last ?: 1) {
		run_on(cpu);
		get();
		spent = cpu_ns();
		loop_exact(ROUNDS);
		spent = cpu_ns() - spent;
		get();
		ok(now.value[cpu][0] - then.value[cpu][0] >= spent * 8 / 10,
		   "what a thread does is in its CPU's value");
	}
	if (last)
		ok(now.value[0][0] - then.value[0][0] < spent * 5 / 10,
		   "and not in that of another CPU");
}

static void rights(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(setgid(1000) || setuid(1000) || raw_open(&r) ? 0 : -get());
	waitpid(pid, &status, 0);
	ok_num("a user is refused", EPERM, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (raw_open(&r))
		tap_die("no family");
	raw_config_set(&r, NULL, 0, 0, 0);
	forms(cpus);
	truth(cpus);
	rights();
	raw_config_set(&r, NULL, 0, 0, 0);
	return tap_end();
}
