/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_REQUEST_H
#define THREADPROF_REQUEST_H

#include <stdbool.h>

#include "connection.h"
#include "message.h"

/* Takes an answer apart; its result is the request's. */
typedef int answer_fn(struct nlmsghdr *header, void *arg);

/*
 * Begins a request of the family in the connection's own message, where it stays
 * until the next one.
 */
struct nl_msg *threadprof_request(struct threadprof *tp, uint8_t command);

/* For a request that an attribute did not fit into. */
int threadprof_too_long(struct threadprof *tp);

/*
 * Sends it and takes its one answer; answer NULL: there is none but the
 * acknowledgement. Errors have set the connection's message.
 */
int threadprof_ask(struct threadprof *tp, struct nl_msg *request, answer_fn *answer, void *arg);

/*
 * Sends it as a dump; answer gets the messages once all are there, and stops at
 * its first result other than 0. -EAGAIN: as threadprof_list_profiles().
 */
int threadprof_ask_dump(struct threadprof *tp, struct nl_msg *request, answer_fn *answer,
			void *arg);

/* One round without a second look at the family's number. Calls no malloc(). */
int threadprof_exchange(struct threadprof *tp, struct nlmsghdr *request, answer_fn *answer,
			void *arg);

/* Sends it under a new sequence number. */
int threadprof_send(struct threadprof *tp, struct nlmsghdr *request, uint16_t flags);

/* Is this an answer to the last request, or left over from an earlier one? */
bool threadprof_is_ours(const struct threadprof *tp, const struct nlmsghdr *header);

/* Turns the errno of an answer into a message, with the kernel's text or without. */
int threadprof_refused(struct threadprof *tp, int err, const char *text);

#endif
