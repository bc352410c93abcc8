// SPDX-License-Identifier: LGPL-2.1-or-later
/* A request and its answer. */
#include <errno.h>
#include <string.h>

#include "request.h"

void threadprof_request(struct threadprof *tp, struct message *m, uint8_t command)
{
	threadprof_message_begin(m, tp->out, sizeof(tp->out), tp->family, 0, command,
				 THREADPROF_GENL_VERSION);
}

int threadprof_send(struct threadprof *tp, struct message *m, uint16_t flags)
{
	struct nlmsghdr *header = (struct nlmsghdr *)m->data;
	ssize_t n;

	if (m->full)
		return threadprof_fail(tp, -EMSGSIZE, "the request is too long");
	if (tp->fd < 0)
		return threadprof_fail(tp, -EBADF, "the connection is not open");
	header->nlmsg_flags |= flags;
	header->nlmsg_seq = ++tp->seq;
	header->nlmsg_pid = tp->port;
	tp->message[0] = '\0';
	n = threadprof_transport->send(tp->fd, m->data, m->size);
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

static int take(struct threadprof *tp, const struct nlmsghdr *header, uint16_t type,
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

int threadprof_exchange(struct threadprof *tp, struct message *m, answer_fn *answer, void *arg)
{
	uint16_t type = ((struct nlmsghdr *)m->data)->nlmsg_type;
	struct nlmsghdr *header;
	ssize_t n;
	int err, left;

	err = threadprof_send(tp, m, answer ? 0 : NLM_F_ACK);
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
				return take(tp, header, type, answer, arg);
	}
}

int threadprof_ask(struct threadprof *tp, struct message *m, answer_fn *answer, void *arg)
{
	int err = -ENOENT;

	if (tp->family) {
		err = threadprof_exchange(tp, m, answer, arg);
		if (err != -ENOENT || tp->message[0])
			return err;
	}

	/* The module is gone, or was loaded anew: then the family has another number. */
	err = threadprof_find_family(tp);
	if (err)
		return err;
	((struct nlmsghdr *)m->data)->nlmsg_type = tp->family;
	err = threadprof_exchange(tp, m, answer, arg);
	if (err == -ENOENT && !tp->message[0])
		threadprof_refused(tp, err, NULL);
	return err;
}
