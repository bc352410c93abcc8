// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of profiles. */
#include "profile.h"
#include "request.h"

struct receiver {
	struct threadprof *tp;
	threadprof_profile_fn *fn;
	void *arg;
};

static int take_element(struct nlmsghdr *header, void *arg)
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

	return threadprof_ask_dump(tp, threadprof_request(tp, THREADPROF_CMD_PROFILE_GET),
				   take_element, &receiver);
}

int threadprof_list_ended(struct threadprof *tp, uint64_t after,
			  threadprof_profile_fn *fn, void *arg)
{
	struct receiver receiver = { tp, fn, arg };
	struct nl_msg *request = threadprof_request(tp, THREADPROF_CMD_ENDED_GET);

	if (after)
		NLA_PUT_U64(request, THREADPROF_A_ENDED_AFTER, after);
	return threadprof_ask_dump(tp, request, take_element, &receiver);
nla_put_failure:
	return threadprof_too_long(tp);
}
