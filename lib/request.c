// SPDX-License-Identifier: LGPL-2.1-or-later
/* A request and its answer. */
#include <errno.h>
#include <string.h>

#include <netlink/netlink.h>

#include "request.h"

struct nl_msg *threadprof_request(struct threadprof *tp, uint8_t command)
{
	/* libnl appends, and has no call that empties a message. */
	nlmsg_hdr(tp->request)->nlmsg_len = NLMSG_HDRLEN;
	genlmsg_put(tp->request, tp->port, NL_AUTO_SEQ, tp->family, 0, NLM_F_REQUEST, command,
		    THREADPROF_GENL_VERSION);
	return tp->request;
}

int threadprof_too_long(struct threadprof *tp)
{
	return threadprof_fail(tp, -EMSGSIZE, "the request is too long");
}

int threadprof_send(struct threadprof *tp, struct nlmsghdr *request, uint16_t flags)
{
	ssize_t n;

	if (tp->fd < 0)
		return threadprof_fail(tp, -EBADF, "the connection is not open");
	request->nlmsg_flags |= flags;
	request->nlmsg_seq = ++tp->seq;
	request->nlmsg_pid = tp->port;
	tp->message[0] = '\0';
	n = threadprof_transport->send(tp->fd, request, request->nlmsg_len);
	if (n < 0)
		return threadprof_fail(tp, n, "can't send to the kernel: %s",
				       strerrordesc_np(-n));
	return 0;
}

bool threadprof_is_ours(const struct threadprof *tp, const struct nlmsghdr *header)
{
	return header->nlmsg_seq == tp->seq && header->nlmsg_pid == tp->port;
}

int threadprof_refused(struct threadprof *tp, int err, const char *text)
{
	if (text && *text)
		return threadprof_fail(tp, err, "%s", text);
	if (err == -EPROTO)
		return threadprof_fail(tp, err, "the kernel's answer can't be understood");
	return threadprof_fail(tp, err, "%s", strerrordesc_np(-err) ?: "unknown error");
}

static int take(struct threadprof *tp, struct nlmsghdr *header, uint16_t type,
		answer_fn *answer, void *arg)
{
	char text[MESSAGE_MAX];
	int err;

	if (header->nlmsg_type == NLMSG_ERROR) {
		err = threadprof_message_error(header, text, sizeof(text));
		if (!err && !answer)
			return 0;
		/* Without text -ENOENT may mean the family: threadprof_ask() looks. */
		if (err == -ENOENT && !*text)
			return err;
		return threadprof_refused(tp, err ?: -EPROTO, text);
	}
	err = -EPROTO;
	if (answer && header->nlmsg_type == type)
		err = answer(header, arg);
	return err ? threadprof_refused(tp, err, NULL) : 0;
}

int threadprof_exchange(struct threadprof *tp, struct nlmsghdr *request, answer_fn *answer,
			void *arg)
{
	struct nlmsghdr *header;
	ssize_t n;
	int err, left;

	err = threadprof_send(tp, request, answer ? 0 : NLM_F_ACK);
	if (err)
		return err;
	for (;;) {
		n = threadprof_transport->receive(tp->fd, tp->in, tp->in_size);
		if (n == -EAGAIN || n == 0)
			return threadprof_fail(tp, -EPROTO, "no answer from the kernel");
		if (n < 0)
			return threadprof_fail(tp, n, "can't receive from the kernel: %s",
					       strerrordesc_np(-n));
		if ((size_t)n > tp->in_size)
			return threadprof_fail(tp, -EMSGSIZE, "the kernel's answer is too long");
		for_each_message(header, tp->in, n, left)
			if (threadprof_is_ours(tp, header) &&
			    (header->nlmsg_type == NLMSG_ERROR ||
			     header->nlmsg_type >= NLMSG_MIN_TYPE))
				return take(tp, header, request->nlmsg_type, answer, arg);
	}
}

int threadprof_ask(struct threadprof *tp, struct nl_msg *request, answer_fn *answer, void *arg)
{
	struct nlmsghdr *header = nlmsg_hdr(request);
	int err = -ENOENT;

	if (tp->family) {
		err = threadprof_exchange(tp, header, answer, arg);
		if (err != -ENOENT || tp->message[0])
			return err;
	}

	/* The module is gone, or was loaded anew: then the family has another number. */
	err = threadprof_find_family(tp);
	if (err)
		return err;
	header->nlmsg_type = tp->family;
	err = threadprof_exchange(tp, header, answer, arg);
	if (err == -ENOENT && !tp->message[0])
		threadprof_refused(tp, err, NULL);
	return err;
}
