// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of profiles. */
#include "profile.h"
#include "request.h"

struct receiver {
	struct threadprof *tp;
	threadprof_profile_fn *fn;
	void *arg;
};

static int take_element(const struct nlmsghdr *header, void *arg)
{
	const struct receiver *receiver = arg;
	struct threadprof_profile profile;
	int err;

	err = threadprof_profile_take(header, &profile);
	if (err)
		return threadprof_refused(receiver->tp, err, NULL);
	return receiver->fn(&profile, receiver->arg);
}

int threadprof_list_profiles(struct threadprof *tp, threadprof_profile_fn *fn, void *arg)
{
	struct receiver receiver = { tp, fn, arg };
	struct message m;

	threadprof_request(tp, &m, THREADPROF_CMD_PROFILE_GET);
	return threadprof_ask_dump(tp, &m, take_element, &receiver);
}

int threadprof_list_ended(struct threadprof *tp, uint64_t after,
			  threadprof_profile_fn *fn, void *arg)
{
	struct receiver receiver = { tp, fn, arg };
	struct message m;

	threadprof_request(tp, &m, THREADPROF_CMD_ENDED_GET);
	if (after)
		threadprof_message_put_u64(&m, THREADPROF_A_ENDED_AFTER, after);
	return threadprof_ask_dump(tp, &m, take_element, &receiver);
}
