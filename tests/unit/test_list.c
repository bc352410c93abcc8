// SPDX-License-Identifier: GPL-2.0-only
/* Dumps: long ones, changed ones, broken ones. */
#include "unit.h"

static struct threadprof *tp;
static unsigned int count;
static uint64_t sum, last_ended, dropped;

static int add(const struct threadprof_profile *profile, void *arg)
{
	assert_ptr_equal(arg, &count);
	assert_true(profile->id == count + 1);
	assert_int_equal(profile->tid, 1000 + count);
	assert_true(profile->switches == count * 2);
	assert_true(profile->slot[1].value == count * 3);
	assert_int_equal(profile->slot[1].state, THREADPROF_SLOT_COUNTING);
	assert_true(profile->wait[count % 43].count == count);
	assert_string_equal(profile->comm, "worker");
	last_ended = profile->ended_id;
	dropped += profile->dropped;
	sum += profile->switches;
	count++;
	return 0;
}

static int list(void)
{
	count = sum = last_ended = dropped = 0;
	return threadprof_list_profiles(tp, add, &count);
}

static int setup(void **state)
{
	setup_fake(state);
	return threadprof_open(&tp);
}

static int teardown(void **state)
{
	threadprof_close(tp);
	return teardown_fake(state);
}

static void ten_thousand(void **state)
{
	(void)state;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 0);
	fake.profiles = 1;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 1);
	fake.profiles = 10000;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 10000);
	assert_true(sum == 10000ULL * 9999);
}

/* A piece longer than the buffer: the list is asked for again, nothing comes twice. */
static void long_pieces(void **state)
{
	(void)state;
	fake.profiles = 2000;
	fake.piece = 200000;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 2000);
	fake.piece = 8000000;
	fake.profiles = 20000;
	assert_int_equal(list(), -EMSGSIZE);
	assert_int_equal(count, 0);
	fake.piece = 4096;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 20000);
}

static void changed_meanwhile(void **state)
{
	unsigned int sent = fake.sent;

	(void)state;
	fake.profiles = 100;
	fake.changed = 3;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 100);
	assert_int_equal(fake.sent - sent, 4);

	fake.changed = 1000;	/* each time: everything, and the truth about it */
	sent = fake.sent;
	assert_int_equal(list(), -EAGAIN);
	assert_int_equal(count, 100);
	assert_true(fake.sent - sent < 20);
	assert_non_null(strstr(threadprof_message(tp), "changed"));
	fake.changed = 0;
	assert_int_equal(list(), 0);
}

static void pieces_dropped(void **state)
{
	(void)state;
	fake.profiles = 100;
	fake.dropped = 2;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 100);
	fake.dropped = 1000;
	assert_int_equal(list(), -ENOBUFS);
	assert_int_equal(count, 0);
	fake.dropped = 0;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 100);
}

static void refused(void **state)
{
	(void)state;
	fake.refuse_command = THREADPROF_CMD_PROFILE_GET;
	fake.refuse_error = EPERM;
	fake.refuse_text = "not yours";
	assert_int_equal(list(), -EPERM);
	assert_string_equal(threadprof_message(tp), "not yours");
	fake.refuse_command = 0;
	fake.profiles = 10;
	fake.dump_error = ENOMEM;	/* in the end */
	fake.dump_text = "ran out in the middle";
	assert_int_equal(list(), -ENOMEM);
	assert_string_equal(threadprof_message(tp), "ran out in the middle");
	assert_int_equal(count, 0);
	fake.dump_error = 0;
	fake.silent = true;
	assert_int_equal(list(), -EPROTO);
	fake.silent = false;
	fake.stale = 4;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 10);
}

static void module_loaded_anew(void **state)
{
	(void)state;
	fake.profiles = 5;
	fake.family = 77;
	assert_int_equal(list(), 0);
	assert_int_equal(count, 5);
	fake.loaded = false;
	assert_int_equal(list(), -ENOENT);
	assert_non_null(strstr(threadprof_message(tp), "modprobe"));
}

static int stop_at_three(const struct threadprof_profile *profile, void *arg)
{
	struct threadprof_status status;
	unsigned int *seen = arg;

	/* The connection is free for use here. */
	assert_int_equal(threadprof_get_status(tp, &status), 0);
	assert_true(profile->id == *seen + 1);
	return ++*seen == 3 ? 4711 : 0;
}

static void callback_ends_the_list(void **state)
{
	unsigned int seen = 0;

	(void)state;
	fake.profiles = 500;
	assert_int_equal(threadprof_list_profiles(tp, stop_at_three, &seen), 4711);
	assert_int_equal(seen, 3);
	assert_int_equal(list(), 0);
	assert_int_equal(count, 500);
}

static void ended(void **state)
{
	(void)state;
	fake.profiles = 8;
	count = sum = dropped = 0;
	assert_int_equal(threadprof_list_ended(tp, 1ULL << 40, add, &count), 0);
	assert_int_equal(count, 8);
	assert_int_equal(last_ended, 8);
	assert_int_equal(dropped, 12);
	fake.refuse_command = THREADPROF_CMD_ENDED_GET;
	fake.refuse_error = ENOENT;
	fake.refuse_text = "no profile with INHERIT here";
	assert_int_equal(threadprof_list_ended(tp, 0, add, &count), -ENOENT);
	assert_string_equal(threadprof_message(tp), fake.refuse_text);
}

#define list_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		list_test(ten_thousand),
		list_test(long_pieces),
		list_test(changed_meanwhile),
		list_test(pieces_dropped),
		list_test(refused),
		list_test(module_loaded_anew),
		list_test(callback_ends_the_list),
		list_test(ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
