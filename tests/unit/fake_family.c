// SPDX-License-Identifier: GPL-2.0-only
/* The family's commands, and the part of the family directory that is needed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "fake_internal.h"

struct call {
	struct fake_socket *socket;
	const struct nlmsghdr *request;
	struct nlattr *a[THREADPROF_A_MAX + 1];
};

/* As fake_parse() wants it. */
static const int top_length[THREADPROF_A_MAX + 1] = {
	[THREADPROF_A_COUNTER] = -2,
	[THREADPROF_A_CONFIG_FLAGS] = 4,
	[THREADPROF_A_ENABLE_FLAGS] = 4,
	[THREADPROF_A_HARDWARE_COUNTERS] = 8,
	[THREADPROF_A_PROFILE_ID] = 8,
	[THREADPROF_A_TID] = 4,
	[THREADPROF_A_ENDED_AFTER] = 8,
};

static void queue_message(const struct call *call, struct nl_msg *message)
{
	struct nlmsghdr *header = nlmsg_hdr(message);

	fake_queue(call->socket, header, header->nlmsg_len, 0);
	nlmsg_free(message);
}

static struct nl_msg *begin(const struct call *call, uint16_t type, int flags, uint8_t command)
{
	struct nl_msg *message = nlmsg_alloc_size(16384);

	genlmsg_put(message, call->socket->port, call->request->nlmsg_seq, type, 0, flags,
		    command, THREADPROF_GENL_VERSION);
	/* libnl takes 0 for "fill in later" */
	nlmsg_hdr(message)->nlmsg_pid = call->socket->port;
	return message;
}

static void refuse(const struct call *call, int err, const char *text, uint16_t type)
{
	struct nl_msg *message = nlmsg_alloc_size(16384);
	struct nlmsgerr error = { .error = -err, .msg = *call->request };
	int flags = fake.uncapped ? 0 : NLM_F_CAPPED;

	if (text)
		flags |= NLM_F_ACK_TLVS;
	if (type == NLMSG_DONE)
		flags = NLM_F_MULTI | (text ? NLM_F_ACK_TLVS : 0);
	nlmsg_put(message, call->socket->port, call->request->nlmsg_seq, type, 0, flags);
	nlmsg_hdr(message)->nlmsg_pid = call->socket->port;
	if (type == NLMSG_DONE)
		nlmsg_append(message, &error.error, sizeof(error.error), NLMSG_ALIGNTO);
	else
		nlmsg_append(message, &error, sizeof(error), NLMSG_ALIGNTO);
	if (fake.uncapped && type == NLMSG_ERROR)
		nlmsg_append(message, nlmsg_data(call->request), nlmsg_datalen(call->request),
			     NLMSG_ALIGNTO);
	if (text)
		nla_put_string(message, NLMSGERR_ATTR_MSG, text);
	queue_message(call, message);
}

static int enable(const struct call *call, struct nl_msg *answer)
{
	struct fake_profile *profile;
	uint32_t flags = 0;
	uint64_t mask = 0;
	int fd;

	if (call->a[THREADPROF_A_ENABLE_FLAGS])
		flags = nla_get_u32(call->a[THREADPROF_A_ENABLE_FLAGS]);
	if (call->a[THREADPROF_A_HARDWARE_COUNTERS])
		mask = nla_get_u64(call->a[THREADPROF_A_HARDWARE_COUNTERS]);
	if ((flags & ~7U) || (mask >> 16))
		return EINVAL;
	if (fake_own())
		return EBUSY;
	profile = fake_begin(flags, mask, &fd);
	nla_put_u64(answer, THREADPROF_A_PROFILE_ID, profile->id);
	nla_put_u32(answer, THREADPROF_A_CONFIG_GENERATION, fake.config.generation);
	nla_put_u32(answer, THREADPROF_A_FD, fd);
	return 0;
}

static int own_profile(const struct call *call, struct fake_profile **out)
{
	*out = fake_own();
	if (!*out)
		return ENOENT;
	if (call->a[THREADPROF_A_PROFILE_ID] &&
	    nla_get_u64(call->a[THREADPROF_A_PROFILE_ID]) != (*out)->id)
		return EBADF;
	return 0;
}

static int do_command(const struct call *call, uint8_t command, struct nl_msg *answer)
{
	struct fake_profile *profile;
	int err;

	switch (command) {
	case THREADPROF_CMD_CONFIG_SET:
		return fake_set_config(call->request, call->a[THREADPROF_A_CONFIG_FLAGS],
				       answer);
	case THREADPROF_CMD_CONFIG_GET:
		return fake_get_config(answer);
	case THREADPROF_CMD_STATUS:
		return fake_status(answer);
	case THREADPROF_CMD_ENABLE:
		return enable(call, answer);
	case THREADPROF_CMD_DISABLE:
		err = own_profile(call, &profile);
		if (!err) {
			fake_end();
			fake.disabled++;
		}
		return err;
	case THREADPROF_CMD_QUERY:
		nla_put_u32(answer, THREADPROF_A_TID, getpid());
		nla_put_u32(answer, THREADPROF_A_ENABLED, fake_own() != NULL);
		return 0;
	case THREADPROF_CMD_READ:
		err = own_profile(call, &profile);
		if (err)
			return err;
		fake.reads++;
		if (fake.on_read)
			fake.on_read(profile->page);
		fake_put_profile(answer, profile->page, profile->tid, 0, 0);
		return 0;
	}
	return EOPNOTSUPP;
}

/* Pieces of several messages each, the last with the end of the list. */
static void dump(const struct call *call, uint8_t command)
{
	struct threadprof_page page = { .hardware_counters = 3, .flags = 1 };
	unsigned char *piece = malloc(fake.piece + 4096);
	struct nl_msg *message;
	size_t size = 0;
	int changed = fake.changed > 0;
	unsigned int i;

	for (i = 0; i < fake.profiles; i++) {
		page.profile_id = i + 1;
		page.switches = i * 2;
		page.slot[1].total = i * 3;
		page.slot[1].state = THREADPROF_SLOT_COUNTING;
		page.wait[i % 43].count = i;
		message = begin(call, fake.family, NLM_F_MULTI, THREADPROF_CMD_PROFILE_GET);
		if (changed && i >= fake.profiles / 2)
			nlmsg_hdr(message)->nlmsg_flags |= NLM_F_DUMP_INTR;
		fake_put_profile(message, &page, i + 1000,
			    command == THREADPROF_CMD_ENDED_GET ? i + 1 : 0,
			    command == THREADPROF_CMD_ENDED_GET && !i ? 12 : 0);
		page.wait[i % 43].count = 0;
		memcpy(piece + size, nlmsg_hdr(message), nlmsg_hdr(message)->nlmsg_len);
		size += NLMSG_ALIGN(nlmsg_hdr(message)->nlmsg_len);
		nlmsg_free(message);
		if (size >= fake.piece) {
			fake_queue(call->socket, piece, size, 0);
			size = 0;
		}
	}
	if (size)
		fake_queue(call->socket, piece, size, 0);
	free(piece);
	fake.changed -= changed;
	if (fake.dropped > 0) {
		fake.dropped--;
		fake_queue(call->socket, "", 0, ENOBUFS);
	}
	refuse(call, fake.dump_error, fake.dump_text, NLMSG_DONE);
}

static void directory(const struct call *call)
{
	struct nlattr *a[CTRL_ATTR_MAX + 1];
	struct nl_msg *message;

	if (nla_parse(a, CTRL_ATTR_MAX, genlmsg_attrdata(nlmsg_data(call->request), 0),
		      genlmsg_attrlen(nlmsg_data(call->request), 0), NULL) ||
	    !a[CTRL_ATTR_FAMILY_NAME] || !fake.loaded ||
	    strcmp(nla_get_string(a[CTRL_ATTR_FAMILY_NAME]), THREADPROF_GENL_NAME)) {
		refuse(call, ENOENT, NULL, NLMSG_ERROR);
		return;
	}
	message = begin(call, GENL_ID_CTRL, 0, CTRL_CMD_NEWFAMILY);
	nla_put_string(message, CTRL_ATTR_FAMILY_NAME, THREADPROF_GENL_NAME);
	nla_put_u16(message, CTRL_ATTR_FAMILY_ID, fake.family);
	queue_message(call, message);
}

static void leftovers(const struct call *call)
{
	struct nl_msg *message;
	int i;

	for (i = 0; i < fake.stale; i++) {
		message = begin(call, fake.family, 0, THREADPROF_CMD_READ);
		nlmsg_hdr(message)->nlmsg_seq -= i + 1;
		queue_message(call, message);
		/* and one for somebody else's address */
		message = begin(call, fake.family, 0, THREADPROF_CMD_READ);
		nlmsg_hdr(message)->nlmsg_pid++;
		queue_message(call, message);
	}
}

void fake_answer(struct fake_socket *socket, const void *data, size_t size)
{
	struct call call = { .socket = socket, .request = data };
	struct genlmsghdr *genl = nlmsg_data(call.request);
	struct nl_msg *answer;
	int err;

	if (size < NLMSG_HDRLEN + GENL_HDRLEN || call.request->nlmsg_len != size ||
	    !(call.request->nlmsg_flags & NLM_F_REQUEST) ||
	    call.request->nlmsg_pid != socket->port)
		abort();
	if (fake.silent)
		return;
	leftovers(&call);
	if (call.request->nlmsg_type == GENL_ID_CTRL) {
		directory(&call);
		return;
	}
	if (!fake.loaded || call.request->nlmsg_type != fake.family) {
		refuse(&call, ENOENT, NULL, NLMSG_ERROR);
		return;
	}
	if (genl->version != THREADPROF_GENL_VERSION ||
	    fake_parse(call.a, THREADPROF_A_MAX, top_length, genlmsg_attrdata(genl, 0),
		  genlmsg_attrlen(genl, 0))) {
		refuse(&call, EINVAL, "malformed request", NLMSG_ERROR);
		return;
	}
	if (fake.refuse_command == genl->cmd) {
		refuse(&call, fake.refuse_error, fake.refuse_text, NLMSG_ERROR);
		return;
	}
	if (genl->cmd == THREADPROF_CMD_PROFILE_GET || genl->cmd == THREADPROF_CMD_ENDED_GET) {
		if ((call.request->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
			refuse(&call, EOPNOTSUPP, NULL, NLMSG_ERROR);
		else
			dump(&call, genl->cmd);
		return;
	}
	answer = begin(&call, fake.family, 0, genl->cmd);
	err = do_command(&call, genl->cmd, answer);
	if (!err && genl->cmd != THREADPROF_CMD_DISABLE && !fake.bare_ack)
		queue_message(&call, answer);
	else
		nlmsg_free(answer);
	if (err)
		refuse(&call, err, err == EBUSY ? "this thread is profiled already" :
		       "refused by the fake kernel", NLMSG_ERROR);
	else if (fake.bare_ack || (call.request->nlmsg_flags & NLM_F_ACK))
		refuse(&call, 0, NULL, NLMSG_ERROR);
}
