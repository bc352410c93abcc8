// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two groups: what has changed, and who has ended with what.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define SW(event) THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event)

static const uint64_t list[] = { SW(TASK_CLOCK), SW(PAGE_FAULTS), SW(CPU_CLOCK) };
static struct raw r, ear;

static unsigned int counters_in(const struct nlmsghdr *header)
{
	struct nlattr *attr;
	unsigned int n = 0;
	int rem;

	nlmsg_for_each_attr(attr, (struct nlmsghdr *)header, GENL_HDRLEN, rem)
		n += nla_type(attr) == THREADPROF_A_COUNTER;
	return n;
}

static void expect_config(const char *name, unsigned int counters)
{
	struct nlmsghdr *header = NULL;
	int command = raw_listen(&ear, 2000, &header);
	struct nlattr *generation = header ? raw_attr(header, THREADPROF_A_CONFIG_GENERATION) :
					     NULL;
	uint32_t told = generation ? nla_get_u32(generation) : 0;
	unsigned int n = header ? counters_in(header) : 0;

	raw_command(&r, THREADPROF_CMD_CONFIG_GET);
	tap_check(command == THREADPROF_CMD_CONFIG_NTF && n == counters &&
		  told == raw_u32(&r, THREADPROF_A_CONFIG_GENERATION), name,
		  "expected command %d, %u counters got command %d, %u", THREADPROF_CMD_CONFIG_NTF,
		  counters, command, n);
}

static void config_group(void)
{
	uint64_t bad = SW(DUMMY);
	struct raw holder;

	raw_open(&ear);
	raw_join(&ear, ear.group_config);
	raw_config_set(&r, list, 3, 0, 0);
	expect_config("CONFIG_NTF tells of three counters", 3);
	raw_config_set(&r, &bad, 1, 0, 0);
	ok_num("a refused CONFIG_SET tells nothing", -1, raw_listen(&ear, 100, NULL));
	raw_open(&holder);
	raw_config_set(&holder, list, 2, 0, THREADPROF_CONFIG_RELEASE);
	expect_config("CONFIG_NTF tells of a held list", 2);
	raw_close(&holder);
	expect_config("CONFIG_NTF tells of the list put back", 3);
	raw_config_set(&r, NULL, 0, 0, 0);
	expect_config("CONFIG_NTF tells of the empty list", 0);
	raw_close(&ear);
}

static int user_hears(void)
{
	int status, ready[2], command;
	char c;
	pid_t pid;

	if (pipe(ready))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		if (setgid(1000) || setuid(1000))
			_exit(100);
		raw_open(&ear);
		raw_join(&ear, ear.group_config);
		if (write(ready[1], "x", 1) != 1)
			_exit(101);
		command = raw_listen(&ear, 3000, NULL);
		_exit(command == THREADPROF_CMD_CONFIG_NTF ? 0 : 102);
	}
	if (read(ready[0], &c, 1) != 1)
		tap_die("listener");
	raw_config_set(&r, list, 1, 0, 0);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

struct one {
	struct threadprof_page *page;
	uint64_t id;
	pid_t tid;
	bool disable;
};

static void *profiled(void *arg)
{
	struct one *one = arg;
	struct raw own;
	int i, fd;

	raw_open(&own);
	one->tid = proc_tid();
	fd = raw_enable(&own, 1, 3, &one->id);
	one->page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	for (i = 0; i < 7; i++)
		sleep_ms(1);
	burn_ms(5);
	if (one->disable)
		raw_disable(&own);
	raw_close(&own);
	return NULL;
}

static uint64_t u64_of(struct nlattr *profile, int type)
{
	struct nlattr *attr = nla_find(nla_data(profile), nla_len(profile), type);

	return !attr ? 0xdeadbeef : nla_len(attr) == 8 ? nla_get_u64(attr) : nla_get_u32(attr);
}

static void end_of(bool disable, const char *how)
{
	struct one one = { .disable = disable };
	struct nlmsghdr *header = NULL;
	struct nlattr *profile;
	pthread_t thread;
	char name[96];
	int command;

	pthread_create(&thread, NULL, profiled, &one);
	pthread_join(thread, NULL);
	command = raw_listen(&ear, 3000, &header);
	profile = header ? raw_attr(header, THREADPROF_A_PROFILE) : NULL;
	snprintf(name, sizeof(name), "PROFILE_END_NTF comes when a thread %s", how);
	if (!tap_check(command == THREADPROF_CMD_PROFILE_END_NTF && profile, name,
		       "expected command %d got %d", THREADPROF_CMD_PROFILE_END_NTF, command))
		return;
	snprintf(name, sizeof(name), "it has the final totals of a thread that %s", how);
	tap_check(u64_of(profile, THREADPROF_A_PROFILE_TID) == (uint64_t)one.tid &&
		  u64_of(profile, THREADPROF_A_PROFILE_PID) == (uint64_t)getpid() &&
		  u64_of(profile, THREADPROF_A_PROFILE_PROFILE_ID) == one.id &&
		  (u64_of(profile, THREADPROF_A_PROFILE_FLAGS) & THREADPROF_PROFILE_ENDED) &&
		  u64_of(profile, THREADPROF_A_PROFILE_SWITCHES) == one.page->switches &&
		  u64_of(profile, THREADPROF_A_PROFILE_VOLUNTARY) == one.page->voluntary &&
		  u64_of(profile, THREADPROF_A_PROFILE_CYCLES) == one.page->cycles &&
		  one.page->switches >= 7 && one.page->slot[0].total > 4000000, name,
		  "expected tid %d, %llu switches, %llu cycles got %llu, %llu, %llu", one.tid,
		  (unsigned long long)one.page->switches, (unsigned long long)one.page->cycles,
		  (unsigned long long)u64_of(profile, THREADPROF_A_PROFILE_TID),
		  (unsigned long long)u64_of(profile, THREADPROF_A_PROFILE_SWITCHES),
		  (unsigned long long)u64_of(profile, THREADPROF_A_PROFILE_CYCLES));
	munmap(one.page, 4096);
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	raw_config_set(&r, NULL, 0, 0, 0);
	config_group();
	ok_num("a user hears of the configuration", 0, user_hears());
	raw_config_set(&r, list, 2, 0, 0);
	raw_open(&ear);
	ok_num("root joins group profiles", 0, raw_join(&ear, ear.group_profiles));
	end_of(true, "disables");
	end_of(false, "exits");
	raw_config_set(&r, NULL, 0, 0, 0);
	ok_num("group profiles hears of no configuration", -1, raw_listen(&ear, 100, NULL));
	return tap_end();
}
