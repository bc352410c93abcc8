// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers with bits turned, lengths changed, pieces cut out and rubbish behind:
 * whatever the result of a call, nothing is read or written out of bounds (the
 * sanitizers watch), and the next call with a sound answer works.
 */
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "unit.h"

#define ROUNDS	3000

static uint64_t seed;

static unsigned int below(unsigned int limit)
{
	return unit_random(&seed) % limit;
}

/* Lengths of attributes are what parsers trust most. */
static void change_length(unsigned char *data, size_t size)
{
	size_t at = NLMSG_HDRLEN + below(size - NLMSG_HDRLEN) / 4 * 4;
	uint16_t length;

	if (at + sizeof(length) > size)
		return;
	memcpy(&length, data + at, sizeof(length));
	switch (below(4)) {
	case 0:
		length += below(9) - 4;
		break;
	case 1:
		length = below(8);
		break;
	case 2:
		length = 0xffff - below(8);
		break;
	default:
		length ^= 1U << below(16);
	}
	memcpy(data + at, &length, sizeof(length));
}

static void mutate(unsigned char *data, size_t *size, size_t room)
{
	unsigned int times = 1 + below(4);
	struct nlmsghdr *header = (struct nlmsghdr *)data;

	while (times-- && *size > NLMSG_HDRLEN + 8) {
		switch (below(8)) {
		case 0:		/* a bit, anywhere behind the header */
			data[NLMSG_HDRLEN + below(*size - NLMSG_HDRLEN)] ^= 1U << below(8);
			break;
		case 1:		/* a bit anywhere */
			data[below(*size)] ^= 1U << below(8);
			break;
		case 2:		/* truncated datagram */
			*size = below(*size);
			break;
		case 3:		/* truncated message */
			header->nlmsg_len = below(*size + 1);
			break;
		case 4:		/* rubbish behind */
			while (*size < room && below(50))
				data[(*size)++] = below(256);
			if (below(2))
				header->nlmsg_len = *size;
			break;
		default:
			change_length(data, *size);
		}
	}
}

static int ignore(const struct threadprof_profile *profile, void *arg)
{
	/* Texts end, whatever came. */
	*(size_t *)arg += strnlen(profile->comm, sizeof(profile->comm));
	return strnlen(profile->comm, sizeof(profile->comm)) < sizeof(profile->comm) ? 0 : -1;
}

static void linux_side(void **state)
{
	struct threadprof_configuration config;
	struct threadprof_profile profile;
	struct threadprof_counter counter = { .index = 5, .name = "cycles" };
	struct threadprof_status status;
	unsigned int i, fine = 0, failed = 0;
	struct threadprof *tp;
	size_t length = 0;
	int err, fd;

	(void)state;
	seed = unit_seed();
	assert_int_equal(threadprof_open(&tp), 0);
	assert_int_equal(threadprof_enable(tp, 1, 3, &fd, NULL, NULL), 0);
	fake_page()->wait[3].count = 1;
	fake.profiles = 7;
	fake.refuse_text = "a reason";
	fake.refuse_error = EBUSY;
	for (i = 0; i < ROUNDS; i++) {
		fake.mutate = mutate;
		fake.uncapped = below(2);
		fake.refuse_command = below(3) ? 0 : 1 + below(THREADPROF_CMD_MAX);
		switch (below(7)) {
		case 0:
			err = threadprof_set_configuration(tp, &counter, 1, 0, NULL);
			break;
		case 1:
			err = threadprof_get_configuration(tp, &config);
			assert_true(config.count <= THREADPROF_MAX_COUNTERS);
			break;
		case 2:
			err = threadprof_get_status(tp, &status);
			assert_true(status.pmus <= THREADPROF_MAX_PMUS);
			break;
		case 3:
			err = threadprof_read(tp, &profile);
			break;
		case 4:
			err = threadprof_list_profiles(tp, ignore, &length);
			break;
		case 5:
			err = threadprof_list_ended(tp, i, ignore, &length);
			break;
		default:	/* may find a wrong number of the family */
			fake.family ^= 1;
			err = threadprof_get_status(tp, &status);
		}
		assert_true(err <= 0 && err >= -4095);
		assert_true(strlen(threadprof_message(tp)) < 256);
		assert_true(err == 0 || threadprof_message(tp)[0]);
		fine += !err;
		failed += !!err;

		fake.mutate = NULL;
		fake.refuse_command = 0;
		fake.family ^= 2;	/* also when the number taken was wrong */
		assert_int_equal(threadprof_read(tp, &profile), 0);
	}
	printf("%u calls took a changed answer, %u refused it\n", fine, failed);
	assert_true(fine && failed);
	assert_int_equal(threadprof_disable(tp), 0);
	threadprof_close(tp);
	close(fd);
}

static void windows_side(void **state)
{
	PERFORMANCE_DATA data;
	BOOLEAN enabled;
	HANDLE handle;
	unsigned int i;
	DWORD code;

	(void)state;
	seed = unit_seed();
	handle = enable_or_fail(DISPATCH, 1);
	for (i = 0; i < ROUNDS; i++) {
		fake.mutate = mutate;
		fake.refuse_command = below(4) ? 0 : THREADPROF_CMD_READ;
		fake.refuse_error = ENOMEM;
		fake.refuse_text = "a reason";
		data = fresh_data();
		code = ReadThreadProfilingData(handle, READ_BOTH, &data);
		QueryThreadProfiling(GetCurrentThread(), &enabled);
		fake.mutate = NULL;
		fake.refuse_command = 0;
		if (code != 6)
			continue;
		/* An errno that became "no such profile" has ended it for the library. */
		fake_end();
		handle = enable_or_fail(DISPATCH, 1);
	}
	data = fresh_data();
	assert_int_equal(ReadThreadProfilingData(handle, READ_BOTH, &data), 0);
	assert_int_equal(DisableThreadProfiling(handle), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fake_test(linux_side),
		fake_test(windows_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
