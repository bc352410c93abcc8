// SPDX-License-Identifier: GPL-2.0-only
/*
 * CONFIG_SET beyond its form: which events, how many, who may replace whose list.
 * A refusal names what is wrong, at the attribute, and leaves the list alone.
 */
#include <dirent.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define HW(event)	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event)
#define SW(event)	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event)

static struct raw r;
static struct raw_state before;

struct counter {
	uint64_t index;
	const char *name;
	uint32_t modes, type, reserved;
	uint64_t config1;
	bool has_config;
	uint64_t config;
};

static int set(struct raw *to, const struct counter *list, unsigned int count, uint32_t flags)
{
	struct nl_msg *msg = raw_new(to, THREADPROF_CMD_CONFIG_SET, 0);
	struct nlattr *nest;
	unsigned int i;

	for (i = 0; i < count; i++) {
		nest = raw_counter_begin(msg, list[i].index);
		if (list[i].name)
			nla_put_string(msg, THREADPROF_A_COUNTER_NAME, list[i].name);
		if (list[i].modes)
			nla_put_u32(msg, THREADPROF_A_COUNTER_MODES, list[i].modes & 0xff);
		if (list[i].type)
			nla_put_u32(msg, THREADPROF_A_COUNTER_TYPE, list[i].type);
		if (list[i].reserved)
			nla_put_u32(msg, THREADPROF_A_COUNTER_RESERVED, list[i].reserved);
		if (list[i].config1)
			nla_put_u64(msg, THREADPROF_A_COUNTER_CONFIG1, list[i].config1);
		if (list[i].has_config)
			nla_put_u64(msg, THREADPROF_A_COUNTER_CONFIG, list[i].config);
		raw_counter_end(msg, nest);
	}
	if (flags)
		nla_put_u32(msg, THREADPROF_A_CONFIG_FLAGS, flags);
	return raw_ask(to, msg);
}

/* The message has each of @words, which a "|" separates. */
static bool says(const char *message, const char *words)
{
	char copy[128], *word, *rest = copy;

	snprintf(copy, sizeof(copy), "%s", words);
	while ((word = strsep(&rest, "|")))
		if (!strstr(message, word))
			return false;
	return true;
}

static void refused(const char *name, const struct counter *list, unsigned int count,
		    int expected, const char *words)
{
	int error = set(&r, list, count, 0), bad = r.bad_attr;
	struct raw_state after;
	char message[256];

	memcpy(message, r.message, sizeof(message));
	raw_state_get(&r, &after);
	tap_check(error == expected && says(message, words) &&
		  (bad == THREADPROF_A_COUNTER || bad == -1) && raw_state_same(&before, &after),
		  name, "expected %s with '%s' and the list kept got %s '%s' at %d, list %s",
		  strerror(-expected), words, strerror(-error), message, bad,
		  raw_state_same(&before, &after) ? "kept" : "changed");
}

static struct counter two[2] = {
	{ .index = SW(TASK_CLOCK), .name = "first" },
	{ .index = SW(PAGE_FAULTS), .name = "second" },
};

static void forms(void)
{
	struct counter list[17] = { { 0 } };
	unsigned int i;

	for (i = 0; i < 17; i++)
		list[i] = (struct counter) { .index = SW(CPU_CLOCK), .config1 = i + 1 };
	refused("KS4 Count 17 is refused", list, 17, -EINVAL, "COUNTER|16");
	two[1].type = 1;
	refused("Type 1 is refused", two, 2, -EINVAL, "counter 1|TYPE");
	two[1].type = 0xffffffff;
	refused("Type 0xffffffff is refused", two, 2, -EINVAL, "counter 1|TYPE");
	two[1].type = 0;
	two[1].reserved = 1;
	refused("Reserved 1 is refused", two, 2, -EINVAL, "counter 1|RESERVED");
	two[1].reserved = 0;
	two[1].index = two[0].index;
	refused("a duplicate is refused", two, 2, -EINVAL, "counter 1|second|duplicate|counter 0");
	two[1].index = SW(PAGE_FAULTS);
	two[1].modes = 0x100;	/* sent as 0 */
	refused("MODES 0 is refused", two, 2, -EINVAL, "counter 1|MODES");
	two[1].modes = 0;
	two[1].has_config = true;
	two[1].config = 3;
	refused("CONFIG that does not fit INDEX is refused", two, 2, -EINVAL,
		"counter 1|CONFIG|INDEX");
	two[1].has_config = false;
}

static uint32_t pmu_type(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	return proc_number(path, -1);
}

static void events(void)
{
	static const struct {
		const char *name;
		uint64_t index;
		uint32_t modes;
		const char *words;
	} bad[] = {
		{ "an unknown software event", THREADPROF_INDEX(PERF_TYPE_SOFTWARE, 1000), 0,
		  "unknown" },
		{ "an unknown hardware event", THREADPROF_INDEX(PERF_TYPE_HARDWARE, 1000), 0, "" },
		{ "a PMU that is not there", THREADPROF_INDEX(65000, 0), 0, "" },
		{ "a tracepoint", THREADPROF_INDEX(PERF_TYPE_TRACEPOINT, 1), 0, "tracepoint" },
		{ "a breakpoint", THREADPROF_INDEX(PERF_TYPE_BREAKPOINT, 0), 0, "breakpoint" },
		{ "the dummy event", SW(DUMMY), 0, "sampling only" },
		{ "bpf-output", SW(BPF_OUTPUT), 0, "sampling only" },
		{ "context-switches of user mode", SW(CONTEXT_SWITCHES), 0, "kernel mode" },
		{ "cpu-migrations of user mode", SW(CPU_MIGRATIONS), 0, "kernel mode" },
		{ "cgroup-switches of user mode", SW(CGROUP_SWITCHES), 0, "kernel mode" },
	};
	struct counter list[2] = { { .index = SW(CPU_CLOCK), .name = "good" } };
	char name[128], words[128];
	uint32_t uncore;
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		list[1] = (struct counter) { .index = bad[i].index, .name = "the-bad-one",
					     .modes = bad[i].modes };
		snprintf(name, sizeof(name), "%s is refused by name, beside a good one",
			 bad[i].name);
		snprintf(words, sizeof(words), "counter 1|the-bad-one|%s", bad[i].words);
		refused(name, list, 2, -EOPNOTSUPP, words);
	}
	uncore = pmu_type("ke_test_uncore");
	list[1] = (struct counter) { .index = THREADPROF_INDEX(uncore, 0), .name = "uncore-one" };
	if (uncore == (uint32_t)-1)
		tap_skip("an uncore event is refused by name", "no such PMU");
	else
		refused("an uncore event is refused by name", list, 2, -EOPNOTSUPP,
			"counter 1|uncore-one|uncore");
}

static void no_pmu(void)
{
	struct counter list[] = {
		{ .index = SW(CPU_CLOCK) }, { .index = HW(CPU_CYCLES), .name = "cycles" },
	};

	refused("KS19 a hardware event without a PMU is refused in these words", list, 2,
		-EOPNOTSUPP, "no PMU|cycles");
	list[1] = (struct counter) { .index = THREADPROF_INDEX(PERF_TYPE_RAW, 0x11),
				     .name = "raw-one" };
	refused("KS19 a raw event without a PMU is refused in these words", list, 2, -EOPNOTSUPP,
		"no PMU|raw-one");
	list[1] = (struct counter) { .index = THREADPROF_INDEX(PERF_TYPE_HW_CACHE, 0),
				     .name = "cache-one" };
	refused("KS19 a cache event without a PMU is refused in these words", list, 2,
		-EOPNOTSUPP, "no PMU|cache-one");
}

/* What STATUS says fits, fits; one more does not. */
static void room(void)
{
	struct nlattr *pmu, *counters;
	struct counter list[16];
	uint32_t fits;
	unsigned int i;

	raw_command(&r, THREADPROF_CMD_STATUS);
	pmu = raw_reply_attr(&r, THREADPROF_A_PMU);
	counters = pmu ? nla_find(nla_data(pmu), nla_len(pmu), THREADPROF_A_PMU_COUNTERS) : NULL;
	fits = counters ? nla_get_u32(counters) : 0;
	ok_range("STATUS tells how many counters fit", 2, 15, fits);
	/* One event in each mixture of modes, and again by its number. */
	for (i = 0; i < 14; i++)
		list[i] = (struct counter) {
			.index = i < 7 ? HW(CPU_CYCLES) : THREADPROF_INDEX(PERF_TYPE_RAW, 0x11),
			.modes = 1 + i % 7,
			.name = "more",
		};
	if (fits > 13) {
		tap_skip("as many counters as the PMU has are accepted", "more than this can make");
		return;
	}
	refused("more counters than the PMU has are refused by name", list, fits + 1, -ENOSPC,
		"no room|CPU 0|more");
	ok_num("KS13 as many counters as the PMU has are accepted", 0, set(&r, list, fits, 0));
	raw_state_get(&r, &before);
	refused("one more than is in force is refused, and what is in force stays", list,
		fits + 1, -ENOSPC, "no room");
	ok_num("the list in force is no obstacle to itself", 0, set(&r, list, fits, 0));
	set(&r, two, 2, 0);
}

static void sixteen(void)
{
	struct counter list[16];
	struct raw_state state;
	struct nlattr *attr;
	unsigned int i, n = 0;
	int rem, same = 1;

	for (i = 0; i < 16; i++)
		list[i] = (struct counter) { .index = SW(CPU_CLOCK), .config1 = i + 1 };
	ok_num("KS4 Count 16 is accepted", 0, set(&r, list, 16, 0));
	raw_state_get(&r, &state);
	nla_for_each_attr(attr, (struct nlattr *)state.data, state.size, rem) {
		struct nlattr *config1;

		if (nla_type(attr) != THREADPROF_A_COUNTER)
			continue;
		config1 = nla_find(nla_data(attr), nla_len(attr), THREADPROF_A_COUNTER_CONFIG1);
		same &= config1 && nla_get_u64(config1) == n + 1;
		n++;
	}
	ok_num("KS18 CONFIG_GET tells 16", 16, n);
	ok(same, "KS18 in the order in which they were set");
}

static uint32_t generation(void)
{
	raw_command(&r, THREADPROF_CMD_CONFIG_GET);
	return raw_u32(&r, THREADPROF_A_CONFIG_GENERATION);
}

static void replaced(void)
{
	uint32_t first = generation(), second;
	struct raw_state state;

	ok_num("KS9 a list replaces the one before", 0, set(&r, two, 2, 0));
	second = raw_u32(&r, THREADPROF_A_CONFIG_GENERATION);
	ok(second != first && second == generation(), "the generation changes with it");
	raw_state_get(&r, &state);
	ok_num("KS10 Count 0 is accepted", 0, set(&r, NULL, 0, 0));
	raw_state_get(&r, &state);
	ok_num("KS10 the list is empty then", NLA_HDRLEN + 4, state.size);
	ok_num("KS10 and again", 0, set(&r, NULL, 0, 0));
}

static void in_use(void)
{
	char words[64], name[32] = "the-holder";
	int ready[2], status;
	struct raw other;
	char c;
	pid_t pid;

	set(&r, two, 2, 0);
	raw_state_get(&r, &before);
	if (pipe(ready))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, name);
		raw_open(&other);
		if (raw_enable(&other, 0, 1, NULL) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &c, 1) != 1)
		tap_die("holder");
	snprintf(words, sizeof(words), "%d|the-holder", pid);
	refused("KS5 KS7 another list while in use names the holder", two, 1, -EBUSY, words);
	refused("KS5 the same list while in use names the holder", two, 2, -EBUSY, words);
	refused("KS5 KS10 the empty list while in use names the holder", NULL, 0, -EBUSY, words);
	two[0].type = 1;
	refused("the form is checked before the use", two, 2, -EINVAL, "TYPE");
	two[0].type = 0;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(raw_quiet(&r, 2000) && !set(&r, two, 1, 0), "KS7 it is accepted once nobody counts");

	/* Dispatch data alone keeps nobody from it. */
	ok(raw_enable(&r, THREADPROF_ENABLE_DISPATCH, 0, NULL) >= 0, "dispatch data alone");
	ok_num("KS7 a profile without counters does not hold the list", 0, set(&r, two, 2, 0));
	raw_disable(&r);
	/* Nor does a mask without a configured counter. */
	ok(raw_enable(&r, 0, 0x8000, NULL) >= 0, "a mask of nothing configured");
	ok_num("KS7 a mask of nothing configured does not hold the list", 0, set(&r, two, 1, 0));
	raw_disable(&r);
}

static void held(void)
{
	char words[32];
	struct raw holder;
	struct raw_state now;

	set(&r, two, 1, 0);
	raw_state_get(&r, &before);
	raw_open(&holder);
	two[1].index = SW(PAGE_FAULTS_MAJ);
	ok_num("RELEASE: the list is set", 0, set(&holder, two, 2, THREADPROF_CONFIG_RELEASE));
	raw_command(&r, THREADPROF_CMD_CONFIG_GET);
	ok_num("RELEASE: CONFIG_GET names the holder", getpid(),
	       raw_u32(&r, THREADPROF_A_CONFIG_HOLDER_PID));
	raw_command(&r, THREADPROF_CMD_STATUS);
	ok_num("RELEASE: STATUS names the holder", getpid(),
	       raw_u32(&r, THREADPROF_A_CONFIG_HOLDER_PID));
	ok(raw_reply_attr(&r, THREADPROF_A_CONFIG_HOLDER_COMM) &&
	   !strcmp(nla_get_string(raw_reply_attr(&r, THREADPROF_A_CONFIG_HOLDER_COMM)), "config"),
	   "RELEASE: STATUS has the holder's name");
	snprintf(words, sizeof(words), "%d|config", getpid());
	ok(set(&r, two, 1, 0) == -EBUSY && says(r.message, words),
	   "KS5 RELEASE: another socket is refused, the holder named");
	ok(set(&r, two, 1, THREADPROF_CONFIG_RELEASE) == -EBUSY,
	   "RELEASE: another socket can't take it over");
	ok_num("RELEASE: the holder may change it", 0,
	       set(&holder, two + 1, 1, THREADPROF_CONFIG_RELEASE));
	raw_close(&holder);
	raw_state_get(&r, &now);
	ok(now.size == before.size &&
	   !memcmp(now.data + NLA_HDRLEN + 4, before.data + NLA_HDRLEN + 4,
		   now.size - NLA_HDRLEN - 4),
	   "RELEASE: closing the socket puts the list of before back");
	ok_num("RELEASE: everybody may change it then", 0, set(&r, two, 1, 0));

	/* Somebody counts when the holder goes: put back once nobody does. */
	set(&r, two, 1, 0);
	raw_state_get(&r, &before);
	raw_open(&holder);
	set(&holder, two, 2, THREADPROF_CONFIG_RELEASE);
	raw_enable(&r, 0, 1, NULL);
	raw_close(&holder);
	raw_state_get(&r, &now);
	ok(now.size != before.size, "RELEASE: a list in use stays until it is not");
	raw_disable(&r);
	sleep_ms(200);
	raw_state_get(&r, &now);
	ok_num("RELEASE: then the list of before is put back", before.size, now.size);

	raw_open(&holder);
	set(&holder, two, 2, THREADPROF_CONFIG_RELEASE);
	ok_num("RELEASE: the holder may give it up for good", 0, set(&holder, two, 2, 0));
	raw_close(&holder);
	raw_state_get(&r, &now);
	ok(now.size > before.size, "RELEASE: a list given up stays");
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	if (set(&r, two, 2, 0))
		tap_die("CONFIG_SET: %s", r.message);
	raw_state_get(&r, &before);
	forms();
	events();
	if (raw_has_pmu(&r))
		room();
	else
		no_pmu();
	sixteen();
	replaced();
	in_use();
	held();
	set(&r, NULL, 0, 0);
	return tap_end();
}
