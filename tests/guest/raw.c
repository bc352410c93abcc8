// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "raw.h"
#include "tap.h"

#define NONE	0xdeadbeefU

int raw_open(struct raw *r)
{
	int on = 1, error;

	memset(r, 0, sizeof(*r));
	r->sk = nl_socket_alloc();
	if (!r->sk || genl_connect(r->sk) < 0)
		tap_die("no generic netlink socket");
	setsockopt(nl_socket_get_fd(r->sk), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	r->family = genl_ctrl_resolve(r->sk, THREADPROF_GENL_NAME);
	if (r->family < 0) {
		error = r->family;
		nl_socket_free(r->sk);
		r->sk = NULL;
		return error == -NLE_OBJ_NOTFOUND ? -ENOENT : -EIO;
	}
	r->group_config = genl_ctrl_resolve_grp(r->sk, THREADPROF_GENL_NAME,
						THREADPROF_MCGRP_CONFIG);
	r->group_profiles = genl_ctrl_resolve_grp(r->sk, THREADPROF_GENL_NAME,
						  THREADPROF_MCGRP_PROFILES);
	return 0;
}

void raw_close(struct raw *r)
{
	nl_socket_free(r->sk);
	r->sk = NULL;
}

struct nl_msg *raw_new(struct raw *r, int command, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, r->family, 0, flags,
				 command, THREADPROF_GENL_VERSION))
		tap_die("no memory for a message");
	return msg;
}

/* The type of the innermost attribute that begins at @offset of @header. */
static int type_at(const struct nlmsghdr *header, int offset)
{
	const struct nlattr *attr = (const void *)((const char *)header + offset);

	if (offset < (int)(NLMSG_HDRLEN + GENL_HDRLEN) ||
	    offset + NLA_HDRLEN > (int)header->nlmsg_len)
		return -1;
	return nla_type(attr);
}

static void take_ack(struct raw *r, const struct nlmsghdr *request,
		     const struct nlmsghdr *header, int skip)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	int left = header->nlmsg_len - NLMSG_HDRLEN - skip;

	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS) || left <= 0)
		return;
	nla_parse(tb, NLMSGERR_ATTR_MAX,
		  (struct nlattr *)((char *)NLMSG_DATA(header) + skip), left, NULL);
	if (tb[NLMSGERR_ATTR_MSG])
		nla_strlcpy(r->message, tb[NLMSGERR_ATTR_MSG], sizeof(r->message));
	if (tb[NLMSGERR_ATTR_OFFS]) {
		r->offset = nla_get_u32(tb[NLMSGERR_ATTR_OFFS]);
		r->bad_attr = type_at(request, r->offset);
	}
	if (tb[NLMSGERR_ATTR_MISS_TYPE])
		r->miss_type = nla_get_u32(tb[NLMSGERR_ATTR_MISS_TYPE]);
}

/* True: @header ends the exchange with *verdict. */
static bool take(struct raw *r, const struct nlmsghdr *request, struct nlmsghdr *header,
		 raw_fn *fn, void *arg, int *verdict)
{
	const struct nlmsgerr *error = NLMSG_DATA(header);
	int skip = sizeof(*error);

	switch (header->nlmsg_type) {
	case NLMSG_ERROR:
		*verdict = error->error;
		/* A failed request comes back whole, an acknowledged one as a header. */
		if (error->error && !(header->nlmsg_flags & NLM_F_CAPPED))
			skip += NLMSG_ALIGN(error->msg.nlmsg_len) - NLMSG_HDRLEN;
		take_ack(r, request, header, skip);
		return true;
	case NLMSG_DONE:
		*verdict = header->nlmsg_len >= NLMSG_LENGTH(sizeof(int)) ?
			   *(int *)NLMSG_DATA(header) : 0;
		take_ack(r, request, header, sizeof(int));
		return true;
	default:
		if (!r->replies++ && header->nlmsg_len <= sizeof(r->reply)) {
			memcpy(r->reply, header, header->nlmsg_len);
			r->reply_size = header->nlmsg_len;
		}
		if (fn)
			fn(header, arg);
		return false;
	}
}

int raw_dump(struct raw *r, struct nl_msg *msg, raw_fn *fn, void *arg)
{
	static _Thread_local uint8_t buffer[65536] __attribute__((aligned(8)));
	struct nlmsghdr *request = nlmsg_hdr(msg), *header;
	int fd = nl_socket_get_fd(r->sk), verdict = 0;
	bool done = false;
	ssize_t n;

	nl_complete_msg(r->sk, msg);
	request->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	r->message[0] = '\0';
	r->offset = r->bad_attr = r->miss_type = -1;
	r->reply_size = r->replies = 0;
	n = send(fd, request, request->nlmsg_len, 0);
	if (n < 0) {
		verdict = -errno;
		nlmsg_free(msg);
		return verdict;
	}
	while (!done) {
		n = recv(fd, buffer, sizeof(buffer), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			tap_die("no answer");
		for (header = (void *)buffer; NLMSG_OK(header, n) && !done;
		     header = NLMSG_NEXT(header, n)) {
			/* Notifications have a sequence number of 0. */
			if (header->nlmsg_seq != request->nlmsg_seq)
				continue;
			done = take(r, request, header, fn, arg, &verdict);
		}
	}
	nlmsg_free(msg);
	return verdict;
}

int raw_ask(struct raw *r, struct nl_msg *msg)
{
	return raw_dump(r, msg, NULL, NULL);
}

int raw_command(struct raw *r, int command)
{
	return raw_ask(r, raw_new(r, command, 0));
}

struct nlattr *raw_attr(const struct nlmsghdr *header, int type)
{
	return nlmsg_find_attr((struct nlmsghdr *)header, GENL_HDRLEN, type);
}

struct nlattr *raw_reply_attr(struct raw *r, int type)
{
	return r->reply_size ? raw_attr((void *)r->reply, type) : NULL;
}

uint32_t raw_u32(struct raw *r, int type)
{
	struct nlattr *attr = raw_reply_attr(r, type);

	return attr && nla_len(attr) == sizeof(uint32_t) ? nla_get_u32(attr) : NONE;
}

uint64_t raw_u64(struct raw *r, int type)
{
	struct nlattr *attr = raw_reply_attr(r, type);

	return attr && nla_len(attr) == sizeof(uint64_t) ? nla_get_u64(attr) : NONE;
}

int raw_join(struct raw *r, uint32_t group)
{
	if (setsockopt(nl_socket_get_fd(r->sk), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
		       &group, sizeof(group)))
		return -errno;
	return 0;
}

int raw_listen(struct raw *r, int ms, struct nlmsghdr **out)
{
	struct pollfd wait = { .fd = nl_socket_get_fd(r->sk), .events = POLLIN };
	struct nlmsghdr *header = (void *)r->reply;
	ssize_t n;

	if (poll(&wait, 1, ms) <= 0)
		return -1;
	n = recv(wait.fd, r->reply, sizeof(r->reply), 0);
	if (n < (ssize_t)(NLMSG_HDRLEN + GENL_HDRLEN) || header->nlmsg_type != r->family)
		return -1;
	r->reply_size = n;
	if (out)
		*out = header;
	return ((struct genlmsghdr *)NLMSG_DATA(header))->cmd;
}

struct nlattr *raw_counter_begin(struct nl_msg *msg, uint64_t index)
{
	struct nlattr *nest = nla_nest_start(msg, THREADPROF_A_COUNTER | NLA_F_NESTED);

	if (!nest)
		tap_die("no room for a counter");
	nla_put_u64(msg, THREADPROF_A_COUNTER_INDEX, index);
	return nest;
}

void raw_counter_end(struct nl_msg *msg, struct nlattr *nest)
{
	nla_nest_end(msg, nest);
}

int raw_config_set(struct raw *r, const uint64_t *index, unsigned int count,
		   uint32_t modes, uint32_t flags)
{
	struct nl_msg *msg = raw_new(r, THREADPROF_CMD_CONFIG_SET, 0);
	struct nlattr *nest;
	unsigned int i;

	for (i = 0; i < count; i++) {
		nest = raw_counter_begin(msg, index[i]);
		if (modes)
			nla_put_u32(msg, THREADPROF_A_COUNTER_MODES, modes);
		raw_counter_end(msg, nest);
	}
	if (flags)
		nla_put_u32(msg, THREADPROF_A_CONFIG_FLAGS, flags);
	return raw_ask(r, msg);
}

void raw_state_get(struct raw *r, struct raw_state *state)
{
	int head = NLMSG_HDRLEN + GENL_HDRLEN;

	if (raw_command(r, THREADPROF_CMD_CONFIG_GET) || r->reply_size < head)
		tap_die("CONFIG_GET failed: %s", r->message);
	state->size = r->reply_size - head;
	memcpy(state->data, r->reply + head, state->size);
}

bool raw_state_same(const struct raw_state *a, const struct raw_state *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

int raw_enable(struct raw *r, uint32_t flags, uint64_t mask, uint64_t *id)
{
	struct nl_msg *msg = raw_new(r, THREADPROF_CMD_ENABLE, 0);
	int error;

	if (flags)
		nla_put_u32(msg, THREADPROF_A_ENABLE_FLAGS, flags);
	if (mask)
		nla_put_u64(msg, THREADPROF_A_HARDWARE_COUNTERS, mask);
	error = raw_ask(r, msg);
	if (error)
		return error;
	if (id)
		*id = raw_u64(r, THREADPROF_A_PROFILE_ID);
	return raw_u32(r, THREADPROF_A_FD);
}

int raw_disable(struct raw *r)
{
	return raw_command(r, THREADPROF_CMD_DISABLE);
}

static void status(struct raw *r)
{
	if (raw_command(r, THREADPROF_CMD_STATUS))
		tap_die("STATUS failed: %s", r->message);
}

uint32_t raw_profiles(struct raw *r)
{
	status(r);
	return raw_u32(r, THREADPROF_A_PROFILES);
}

uint32_t raw_hardware_users(struct raw *r)
{
	status(r);
	return raw_u32(r, THREADPROF_A_HARDWARE_USERS);
}

bool raw_quiet(struct raw *r, int ms)
{
	int waited;

	for (waited = 0; raw_profiles(r); waited += 10) {
		if (waited >= ms)
			return false;
		usleep(10000);
	}
	return true;
}

bool raw_has_pmu(struct raw *r)
{
	status(r);
	return raw_u32(r, THREADPROF_A_STATUS_FLAGS) & THREADPROF_STATUS_PMU;
}
