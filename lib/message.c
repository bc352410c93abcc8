// SPDX-License-Identifier: LGPL-2.1-or-later
/* What an answer may contain, and the reading of a refusal. */
#include <errno.h>
#include <string.h>

#include "message.h"

/* Texts have no longest length: what does not fit the reader is cut off there. */
static const struct nla_policy family_policy[THREADPROF_A_MAX + 1] = {
	[THREADPROF_A_COUNTER]		= { .type = NLA_NESTED },
	[THREADPROF_A_CONFIG_FLAGS]	= { .type = NLA_U32 },
	[THREADPROF_A_CONFIG_GENERATION] = { .type = NLA_U32 },
	[THREADPROF_A_CONFIG_HOLDER_PID] = { .type = NLA_U32 },
	[THREADPROF_A_CONFIG_HOLDER_COMM] = { .type = NLA_STRING },
	[THREADPROF_A_PROFILE_ID]	= { .type = NLA_U64 },
	[THREADPROF_A_FD]		= { .type = NLA_U32 },
	[THREADPROF_A_TID]		= { .type = NLA_U32 },
	[THREADPROF_A_ENABLED]		= { .type = NLA_U32 },
	[THREADPROF_A_PROFILE]		= { .type = NLA_NESTED },
	[THREADPROF_A_MODULE_VERSION]	= { .type = NLA_STRING },
	[THREADPROF_A_MAX_COUNTERS]	= { .type = NLA_U32 },
	[THREADPROF_A_PAGE_VERSION]	= { .type = NLA_U32 },
	[THREADPROF_A_STATUS_FLAGS]	= { .type = NLA_U32 },
	[THREADPROF_A_CYCLE_SOURCE]	= { .type = NLA_STRING },
	[THREADPROF_A_CYCLE_HZ]		= { .type = NLA_U64 },
	[THREADPROF_A_PROFILES]		= { .type = NLA_U32 },
	[THREADPROF_A_HARDWARE_USERS]	= { .type = NLA_U32 },
	[THREADPROF_A_PMU]		= { .type = NLA_NESTED },
	[THREADPROF_A_CPU]		= { .type = NLA_NESTED },
	[THREADPROF_A_RESERVATION]	= { .type = NLA_NESTED },
};

int threadprof_message_parse(struct nlmsghdr *header, struct nlattr *a[THREADPROF_A_MAX + 1])
{
	return genlmsg_parse(header, 0, a, THREADPROF_A_MAX, family_policy) < 0 ? -EPROTO : 0;
}

int threadprof_nest_parse(struct nlattr *nest, struct nlattr *a[], int max,
			  const struct nla_policy *policy)
{
	return nla_parse_nested(a, max, nest, policy) < 0 ? -EPROTO : 0;
}

static const struct nla_policy error_policy[NLMSGERR_ATTR_MAX + 1] = {
	[NLMSGERR_ATTR_MSG]		= { .type = NLA_STRING },
};

/* Not left to libnl, which folds several errnos into one and drops the text. */
int threadprof_message_error(const struct nlmsghdr *header, char *text, size_t room)
{
	struct nlattr *a[NLMSGERR_ATTR_MAX + 1];
	const struct nlmsgerr *error = nlmsg_data(header);
	int size = nlmsg_datalen(header), used = sizeof(error->error);
	uint32_t length;

	text[0] = '\0';
	if (size < used)
		return -EPROTO;
	if (header->nlmsg_type == NLMSG_ERROR) {
		if (size < (int)sizeof(*error))
			return -EPROTO;
		used = sizeof(*error);
		/* Uncapped, the request's payload stands before the text. */
		length = error->msg.nlmsg_len;
		if (!(header->nlmsg_flags & NLM_F_CAPPED) && length > NLMSG_HDRLEN)
			used = length < header->nlmsg_len ?
				used + (int)(NLMSG_ALIGN(length) - NLMSG_HDRLEN) : size;
	}
	if ((header->nlmsg_flags & NLM_F_ACK_TLVS) && used < size &&
	    !nla_parse(a, NLMSGERR_ATTR_MAX, (struct nlattr *)((char *)error + used),
		       size - used, error_policy))
		attr_string(a[NLMSGERR_ATTR_MSG], text, room);
	return error->error > 0 || error->error < -4095 ? -EPROTO : error->error;
}
