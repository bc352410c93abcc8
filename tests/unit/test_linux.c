// SPDX-License-Identifier: GPL-2.0-only
/* The Linux side: configuration, status, a thread's own profile. */
#include <sys/mman.h>
#include <unistd.h>

#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "connection.h"
#include "unit.h"

static struct threadprof *open_or_fail(void)
{
	struct threadprof *tp;

	assert_int_equal(threadprof_open(&tp), 0);
	return tp;
}

static void KS1_configuration_round(void **state)
{
	struct threadprof_counter counter[16];
	struct threadprof_configuration out;
	struct threadprof *tp = open_or_fail();
	uint32_t generation = 0;
	int i;

	(void)state;
	memset(counter, 0, sizeof(counter));
	for (i = 0; i < 16; i++) {
		counter[i].index = THREADPROF_INDEX(4 + i, 0x123456789abcULL + i);
		counter[i].config1 = i & 1 ? 0xffffffffffffffffULL - i : 0;
		counter[i].config2 = i & 2 ? 7000 + i : 0;
		counter[i].has_config = i & 4;
		counter[i].config = i & 4 ? 1ULL << 63 | i : 0;
		counter[i].modes = i & 1 ? THREADPROF_MODE_KERNEL : 0;
		memset(counter[i].name, 'a' + i, i == 15 ? THREADPROF_NAME_MAX : i);
	}
	assert_int_equal(threadprof_set_configuration(tp, counter, 16, 0, &generation), 0);
	assert_int_equal(generation, 1);
	/* What the kernel saw, then what came back. */
	assert_int_equal(fake.config.count, 16);
	assert_int_equal(threadprof_get_configuration(tp, &out), 0);
	assert_int_equal(out.generation, 1);
	assert_int_equal(out.holder_pid, 0);
	assert_int_equal(out.count, 16);
	for (i = 0; i < 16; i++) {
		counter[i].has_config = !!counter[i].has_config;
		counter[i].modes = counter[i].modes ?: THREADPROF_MODE_USER;
		assert_memory_equal(&fake.config.counter[i], &counter[i], sizeof(counter[i]));
		assert_memory_equal(&out.counter[i], &counter[i], sizeof(counter[i]));
	}
	assert_int_equal(threadprof_set_configuration(tp, NULL, 0, 0, NULL), 0);	/* KS10 */
	assert_int_equal(threadprof_get_configuration(tp, &out), 0);
	assert_int_equal(out.count, 0);
	assert_int_equal(out.generation, 2);
	threadprof_close(tp);
}

static void KS4_configuration_refused(void **state)
{
	struct threadprof_counter counter[17];
	struct threadprof *tp = open_or_fail();
	unsigned int sent;

	(void)state;
	memset(counter, 0, sizeof(counter));
	sent = fake.sent;
	assert_int_equal(threadprof_set_configuration(tp, counter, 17, 0, NULL), -EINVAL);
	assert_int_equal(threadprof_set_configuration(tp, counter, UINT32_MAX, 0, NULL), -EINVAL);
	assert_int_equal(threadprof_set_configuration(tp, NULL, 1, 0, NULL), -EINVAL);
	memset(counter[1].name, 'x', sizeof(counter[1].name));
	assert_int_equal(threadprof_set_configuration(tp, counter, 2, 0, NULL), -EINVAL);
	assert_string_equal(threadprof_message(tp), "counter 1: the name is too long");
	assert_int_equal(fake.sent, sent);

	fake.refuse_command = THREADPROF_CMD_CONFIG_SET;
	fake.refuse_error = EBUSY;
	fake.refuse_text = "pid 12 (worker) has hardware counters enabled";
	assert_int_equal(threadprof_set_configuration(tp, counter, 1, 0, NULL), -EBUSY);
	assert_string_equal(threadprof_message(tp), fake.refuse_text);
	fake.refuse_text = NULL;
	assert_int_equal(threadprof_set_configuration(tp, counter, 1, 0, NULL), -EBUSY);
	assert_string_not_equal(threadprof_message(tp), "");
	threadprof_close(tp);
}

static void configuration_held(void **state)
{
	struct threadprof_counter counter = { .index = 1 };
	struct threadprof_configuration out;
	struct threadprof *tp = open_or_fail();

	(void)state;
	assert_int_equal(threadprof_set_configuration(tp, &counter, 1,
						      THREADPROF_CONFIG_RELEASE, NULL), 0);
	assert_int_equal(fake.config_flags, THREADPROF_CONFIG_RELEASE);
	assert_int_equal(threadprof_get_configuration(tp, &out), 0);
	assert_int_equal(out.holder_pid, getpid());
	threadprof_close(tp);
}

static void status(void **state)
{
	struct threadprof_status out;
	struct threadprof *tp = open_or_fail();

	(void)state;
	memset(&out, 0xcc, sizeof(out));
	assert_int_equal(threadprof_get_status(tp, &out), 0);
	assert_string_equal(out.module_version, "9.8.7");
	assert_int_equal(out.max_counters, 16);
	assert_int_equal(out.page_version, 1);
	assert_int_equal(out.flags, THREADPROF_STATUS_PMU);
	assert_int_equal(out.profiles, 3);
	assert_int_equal(out.hardware_users, 2);
	assert_int_equal(out.generation, 77);
	assert_int_equal(out.holder_pid, 4242);
	assert_string_equal(out.holder_comm, "hwcfg");
	assert_string_equal(out.cycle_source, "tsc");
	assert_true(out.cycle_hz == 2500000000ULL);
	assert_int_equal(out.pmus, THREADPROF_MAX_PMUS);	/* of more */
	assert_string_equal(out.pmu[7].name, "cpu_core");
	assert_string_equal(out.pmu[7].cpus, "0-3");
	assert_int_equal(out.pmu[7].type, 11);
	assert_int_equal(out.pmu[7].counters, 6);
	assert_true(out.nmi_watchdog >= -1 && out.nmi_watchdog <= 1);
	assert_true(out.perf_event_paranoid >= -100);
	threadprof_close(tp);
}

static int wanted;	/* attribute that the change is for */

static struct nlattr *find_wanted(unsigned char *data)
{
	struct nlmsghdr *header = (struct nlmsghdr *)data;
	struct nlattr *attr = nlmsg_find_attr(header, GENL_HDRLEN, wanted);

	assert_non_null(attr);
	return attr;
}

static void shorten(unsigned char *data, size_t *size, size_t room)
{
	(void)size;
	(void)room;
	find_wanted(data)->nla_len -= 4;
}

static void leave_open(unsigned char *data, size_t *size, size_t room)
{
	struct nlattr *attr = find_wanted(data);

	(void)size;
	(void)room;
	((char *)nla_data(attr))[nla_len(attr) - 1] = 'x';
}

/* In the first of the nests. */
static void shorten_inside(unsigned char *data, size_t *size, size_t room)
{
	struct nlattr *inner = nla_data(find_wanted(data));

	(void)size;
	(void)room;
	inner->nla_len = NLA_HDRLEN;
}

static void rename_attr(unsigned char *data, size_t *size, size_t room)
{
	(void)size;
	(void)room;
	find_wanted(data)->nla_type += 1000;
}

/* Another one, of 199 characters, behind a message's attributes. */
static void put_long_text(unsigned char *data, size_t *size, size_t room)
{
	struct nlmsghdr *header = (struct nlmsghdr *)data;
	struct nlattr *attr = (struct nlattr *)(data + *size);
	size_t whole = NLA_HDRLEN + 200;

	assert_true(*size + whole <= room);
	attr->nla_type = wanted;
	attr->nla_len = whole;
	memset(nla_data(attr), 'y', 199);
	((char *)nla_data(attr))[199] = '\0';
	*size = header->nlmsg_len = *size + whole;
}

/* An attribute that is not of its type refuses an answer; unknown ones are skipped. */
static void answers_by_policy(void **state)
{
	static const struct {
		void (*change)(unsigned char *data, size_t *size, size_t room);
		int attr;
		int err;
	} cases[] = {
		{ shorten, THREADPROF_A_CYCLE_HZ, -EPROTO },
		{ shorten, THREADPROF_A_PROFILES, -EPROTO },
		{ shorten, THREADPROF_A_CYCLE_SOURCE, -EPROTO },
		{ leave_open, THREADPROF_A_MODULE_VERSION, -EPROTO },
		{ shorten_inside, THREADPROF_A_PMU, -EPROTO },
		{ rename_attr, THREADPROF_A_CYCLE_HZ, 0 },
		{ put_long_text, THREADPROF_A_CYCLE_SOURCE, 0 },
	};
	struct threadprof *tp = open_or_fail();
	struct threadprof_status out;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		wanted = cases[i].attr;
		fake.mutate = cases[i].change;
		assert_int_equal(threadprof_get_status(tp, &out), cases[i].err);
		fake.mutate = NULL;
		if (cases[i].err)
			assert_string_equal(threadprof_message(tp),
					    "the kernel's answer can't be understood");
		else if (cases[i].change == rename_attr)
			assert_true(out.cycle_hz == 0 && out.profiles == 3);
		else	/* the last one counts, as much of it as there is room for */
			assert_int_equal(strspn(out.cycle_source, "y"),
					 sizeof(out.cycle_source) - 1);
	}
	assert_int_equal(threadprof_get_status(tp, &out), 0);
	threadprof_close(tp);
}

static void own_profile(void **state)
{
	struct threadprof *tp = open_or_fail();
	struct threadprof_profile out;
	struct threadprof_page *page;
	uint32_t generation = 0;
	uint64_t id = 0;
	int fd = -1;

	(void)state;
	assert_int_equal(threadprof_read(tp, &out), -ENOENT);
	assert_int_equal(threadprof_disable(tp), -ENOENT);
	fake.config.generation = 9;
	fake.config.count = 1;
	assert_int_equal(threadprof_enable(tp, THREADPROF_ENABLE_DISPATCH |
					   THREADPROF_ENABLE_INHERIT, 3, &fd, &id,
					   &generation), 0);
	assert_true(fd >= 0 && id > 0);
	assert_int_equal(generation, 9);
	assert_int_equal(threadprof_enable(tp, 0, 0, &fd, NULL, NULL), -EBUSY);
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_true(page->profile_id == id);
	munmap(page, sysconf(_SC_PAGESIZE));
	close(fd);

	page = fake_page();
	page->switches = 1ULL << 33;
	page->voluntary = 17;
	page->cycles = 1000;
	page->slot[0].total = 31;
	page->wait[63].count = 5;
	page->wait[63].time = 6;
	memset(&out, 0xcc, sizeof(out));
	assert_int_equal(threadprof_read(tp, &out), 0);
	assert_true(out.id == id && out.switches == 1ULL << 33);
	assert_int_equal(out.voluntary, 17);
	assert_int_equal(out.cycles, 1000);
	assert_int_equal(out.elapsed, 1005);
	assert_int_equal(out.flags, 3);
	assert_int_equal(out.pid, getpid());
	assert_string_equal(out.comm, "worker");
	assert_int_equal(out.hardware_counters, 3);
	assert_int_equal(out.slot[0].value, 31);
	assert_int_equal(out.slot[0].state, THREADPROF_SLOT_COUNTING);
	assert_int_equal(out.slot[1].state, THREADPROF_SLOT_NOT_CONFIGURED);
	assert_int_equal(out.slot[2].state, THREADPROF_SLOT_UNUSED);
	assert_int_equal(out.wait[63].count, 5);
	assert_int_equal(out.wait[63].time, 6);
	assert_int_equal(out.wait[62].count, 0);
	assert_int_equal(threadprof_disable(tp), 0);
	threadprof_close(tp);
}

static void open_and_close(void **state)
{
	struct threadprof_status out;
	struct threadprof *tp;

	(void)state;
	fake.loaded = false;
	assert_int_equal(threadprof_open(&tp), -ENOENT);
	assert_non_null(tp);
	assert_string_equal(threadprof_message(tp),
			    "the threadprof module is not loaded: modprobe threadprof");
	assert_int_equal(threadprof_get_status(tp, &out), -ENOENT);
	fake.loaded = true;	/* a later call finds it */
	assert_int_equal(threadprof_get_status(tp, &out), 0);
	fake.loaded = false;
	assert_int_equal(threadprof_get_status(tp, &out), -ENOENT);
	assert_string_equal(threadprof_message(tp),
			    "the threadprof module is not loaded: modprobe threadprof");
	threadprof_close(tp);

	fake.open_error = EMFILE;
	assert_int_equal(threadprof_open(&tp), -EMFILE);
	assert_int_equal(threadprof_get_status(tp, &out), -EBADF);
	threadprof_close(tp);
	threadprof_close(NULL);
	assert_int_equal(fake.opened, fake.closed);
	assert_non_null(threadprof_message(NULL));
	assert_string_equal(threadprof_version(), THREADPROF_VERSION);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(KS1_configuration_round),
		fake_test(KS4_configuration_refused),
		fake_test(configuration_held),
		fake_test(status),
		fake_test(answers_by_policy),
		fake_test(own_profile),
		fake_test(open_and_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
