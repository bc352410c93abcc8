/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_MESSAGE_H
#define THREADPROF_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

/* A request under construction in a buffer of the caller's. */
struct message {
	unsigned char *data;
	size_t size;
	size_t room;
	bool full;		/* something did not fit: not to be sent */
};

void threadprof_message_begin(struct message *m, void *data, size_t room, uint16_t type,
			      uint16_t flags, uint8_t command, uint8_t version);
void threadprof_message_put(struct message *m, uint16_t type, const void *data, size_t size);
void threadprof_message_put_u32(struct message *m, uint16_t type, uint32_t value);
void threadprof_message_put_u64(struct message *m, uint16_t type, uint64_t value);
void threadprof_message_put_string(struct message *m, uint16_t type, const char *value);
/* Returns a place for threadprof_message_nest_end(). */
size_t threadprof_message_nest(struct message *m, uint16_t type);
void threadprof_message_nest_end(struct message *m, size_t nest);

/*
 * Reading of answers. An attribute that is missing or shorter than its type
 * reads as the fallback: a newer or broken kernel must not crash a caller.
 */
uint32_t threadprof_attr_u32(const struct nlattr *attr, uint32_t fallback);
uint64_t threadprof_attr_u64(const struct nlattr *attr, uint64_t fallback);
/* Copies at most size - 1 characters, and always ends with a NUL. */
void threadprof_attr_string(const struct nlattr *attr, char *out, size_t size);

/* As nla_for_each_attr(), for a size that a padded last attribute runs over too. */
#define for_each_attr(attr, first, size, left) \
	for (attr = first, left = size; left >= NLA_HDRLEN && nla_ok(attr, left); \
	     attr = nla_next(attr, &left))

#define for_each_message(header, first, size, left) \
	for (header = (struct nlmsghdr *)(first), left = size; nlmsg_ok(header, left); \
	     header = nlmsg_next(header, &left))

/* The attributes of a generic netlink message; *size becomes 0 if it is too short. */
struct nlattr *threadprof_message_attrs(const struct nlmsghdr *header, int *size);
/* Sorts attributes 1 to max by type; the last of a repeated one stays. */
void threadprof_attr_sort(struct nlattr **table, int max, struct nlattr *first, int size);

/*
 * The errno of an NLMSG_ERROR (0 = acknowledged) or NLMSG_DONE, and in text the
 * kernel's reason, "" if it gave none. -EPROTO for a malformed one.
 */
int threadprof_message_error(const struct nlmsghdr *header, char *text, size_t room);

#endif
