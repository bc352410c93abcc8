// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A request whose answer is a list. All of it is collected before the first
 * element is handed out, since the kernel may say at the end only that the list
 * changed meanwhile, and that it has to be asked for again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

#define TRIES	8

struct list {
	unsigned char *data;
	size_t size;
	size_t room;
	bool changed;
	bool ended;
	int err;		/* of the end */
	char text[MESSAGE_MAX];
};

static int append(struct list *list, const struct nlmsghdr *header)
{
	size_t size = NLMSG_ALIGN(header->nlmsg_len);
	unsigned char *data;
	size_t room;

	if (size > list->room - list->size) {
		room = list->room * 2 + size + CONNECTION_IN;
		data = realloc(list->data, room);
		if (!data)
			return -ENOMEM;
		list->data = data;
		list->room = room;
	}
	memset(list->data + list->size + size - NLMSG_ALIGNTO, 0, NLMSG_ALIGNTO);
	memcpy(list->data + list->size, header, header->nlmsg_len);
	list->size += size;
	return 0;
}

static int take_piece(struct threadprof *tp, struct list *list, int size)
{
	struct nlmsghdr *header;
	int err, left;

	for_each_message(header, tp->in, size, left) {
		if (!threadprof_is_ours(tp, header))
			continue;
		if (header->nlmsg_flags & NLM_F_DUMP_INTR)
			list->changed = true;
		if (header->nlmsg_type == NLMSG_ERROR || header->nlmsg_type == NLMSG_DONE) {
			list->err = threadprof_message_error(header, list->text,
							     sizeof(list->text));
			list->ended = true;
			return 0;
		}
		if (header->nlmsg_type != tp->family)
			continue;
		err = append(list, header);
		if (err)
			return err;
	}
	return 0;
}

/* A dump that is given up would make the kernel refuse the connection's next one. */
static void drain(struct threadprof *tp)
{
	while (threadprof_transport->receive(tp->fd, tp->in, tp->in_size) > 0)
		;
}

static int collect(struct threadprof *tp, struct nlmsghdr *request, struct list *list)
{
	ssize_t n;
	int err;

	list->size = 0;
	list->changed = list->ended = false;
	list->err = 0;
	list->text[0] = '\0';

	err = threadprof_send(tp, request, NLM_F_DUMP);
	if (err)
		return err;
	while (!list->ended) {
		n = threadprof_transport->receive(tp->fd, tp->in, tp->in_size);
		if (n > (ssize_t)tp->in_size) {
			drain(tp);
			err = threadprof_grow(tp, n);
			return err ? threadprof_refused(tp, err, NULL) : -EINTR;
		}
		if (n == -ENOBUFS) {	/* something was dropped */
			drain(tp);
			list->changed = true;
			return -EINTR;
		}
		if (n == -EAGAIN || n == 0)
			return threadprof_fail(tp, -EPROTO, "the kernel's list has no end");
		if (n < 0)
			return threadprof_refused(tp, n, NULL);
		err = take_piece(tp, list, n);
		if (err) {
			drain(tp);
			return threadprof_refused(tp, err, NULL);
		}
	}
	if (list->err == -ENOENT && !list->text[0])
		return list->err;
	return list->err ? threadprof_refused(tp, list->err, list->text) : 0;
}

static int hand_out(const struct list *list, answer_fn *answer, void *arg)
{
	struct nlmsghdr *header;
	int err, left;

	for_each_message(header, list->data, list->size, left) {
		err = answer(header, arg);
		if (err)
			return err;
	}
	return 0;
}

int threadprof_ask_dump(struct threadprof *tp, struct nl_msg *request, answer_fn *answer,
			void *arg)
{
	struct nlmsghdr *header = nlmsg_hdr(request);
	struct list list = { 0 };
	bool looked = false;
	int err, tries;

	for (tries = 0; tries < TRIES; tries++) {
		err = tp->family ? collect(tp, header, &list) : -ENOENT;
		if (err == -ENOENT && !tp->message[0] && !looked) {
			looked = true;
			err = threadprof_find_family(tp);
			if (err)
				break;
			header->nlmsg_type = tp->family;
			continue;
		}
		if (err != -EINTR && (err || !list.changed))
			break;
	}
	if (err == -ENOENT && !tp->message[0])
		threadprof_refused(tp, err, NULL);
	if (err == -EINTR)
		err = threadprof_fail(tp, -ENOBUFS, "the kernel's list was cut off in each try");
	if (!err)
		err = hand_out(&list, answer, arg);
	if (!err && list.changed)
		err = threadprof_fail(tp, -EAGAIN, "the list changed during each of %d tries: "
				      "threads may be missing", TRIES);
	free(list.data);
	return err;
}
