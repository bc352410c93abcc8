/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_MESSAGE_H
#define THREADPROF_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include <linux/threadprof.h>

/* nlmsg_for_each_msg() of libnl 3.7 does not compile: it makes pos an int. */
#define for_each_message(header, first, size, left) \
	for (header = (struct nlmsghdr *)(first), left = size; nlmsg_ok(header, left); \
	     header = nlmsg_next(header, &left))

/* Those in an answer that may come several times, each in its turn. */
#define for_each_attr_of(header, attr, left) \
	nlmsg_for_each_attr(attr, header, GENL_HDRLEN, left)

/*
 * Sorts an answer's attributes by type, the last of a repeated one. Those that
 * this library does not know are skipped; -EPROTO if one is not of its type.
 */
int threadprof_message_parse(struct nlmsghdr *header, struct nlattr *a[THREADPROF_A_MAX + 1]);
int threadprof_nest_parse(struct nlattr *nest, struct nlattr *a[], int max,
			  const struct nla_policy *policy);

/*
 * The errno of an NLMSG_ERROR (0 = acknowledged) or NLMSG_DONE, and in text the
 * kernel's reason, "" if it gave none. -EPROTO for a malformed one.
 */
int threadprof_message_error(const struct nlmsghdr *header, char *text, size_t room);

/* An attribute that is not there reads as the fallback, 0 or "". */
static inline uint32_t attr_u32(const struct nlattr *attr, uint32_t fallback)
{
	return attr ? nla_get_u32(attr) : fallback;
}

static inline uint64_t attr_u64(const struct nlattr *attr)
{
	return attr ? nla_get_u64(attr) : 0;
}

static inline void attr_string(const struct nlattr *attr, char *out, size_t size)
{
	out[0] = '\0';
	if (attr)
		nla_strlcpy(out, attr, size);
}

#endif
