// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Building and reading of netlink messages. Requests are built here rather than
 * with libnl's nl_msg, which needs malloc(); and errors are read here,
 * because libnl folds several errnos into one and drops the kernel's text.
 */
#include <errno.h>
#include <string.h>

#include <netlink/genl/genl.h>

#include "message.h"

static void *take(struct message *m, size_t size)
{
	size_t whole = NLMSG_ALIGN(size);
	void *at = m->data + m->size;

	if (m->full || whole > m->room - m->size) {
		m->full = true;
		return NULL;
	}
	memset(at, 0, whole);
	m->size += whole;
	((struct nlmsghdr *)m->data)->nlmsg_len = m->size;
	return at;
}

void threadprof_message_begin(struct message *m, void *data, size_t room, uint16_t type,
			      uint16_t flags, uint8_t command, uint8_t version)
{
	struct nlmsghdr *header;
	struct genlmsghdr *genl;

	*m = (struct message){ .data = data, .room = room };
	header = take(m, sizeof(*header));
	genl = take(m, sizeof(*genl));
	if (!header || !genl)
		return;
	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	genl->cmd = command;
	genl->version = version;
}

void threadprof_message_put(struct message *m, uint16_t type, const void *data, size_t size)
{
	struct nlattr *attr;

	if (size > UINT16_MAX - NLA_HDRLEN) {
		m->full = true;
		return;
	}
	attr = take(m, NLA_HDRLEN + size);
	if (!attr)
		return;
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + size;
	if (size)
		memcpy((unsigned char *)attr + NLA_HDRLEN, data, size);
}

void threadprof_message_put_u32(struct message *m, uint16_t type, uint32_t value)
{
	threadprof_message_put(m, type, &value, sizeof(value));
}

void threadprof_message_put_u64(struct message *m, uint16_t type, uint64_t value)
{
	threadprof_message_put(m, type, &value, sizeof(value));
}

void threadprof_message_put_string(struct message *m, uint16_t type, const char *value)
{
	threadprof_message_put(m, type, value, strlen(value) + 1);
}

size_t threadprof_message_nest(struct message *m, uint16_t type)
{
	size_t nest = m->size;

	threadprof_message_put(m, type | NLA_F_NESTED, NULL, 0);
	return nest;
}

void threadprof_message_nest_end(struct message *m, size_t nest)
{
	struct nlattr *attr = (struct nlattr *)(m->data + nest);

	if (m->full || m->size - nest > UINT16_MAX) {
		m->full = true;
		return;
	}
	attr->nla_len = m->size - nest;
}

uint32_t threadprof_attr_u32(const struct nlattr *attr, uint32_t fallback)
{
	if (!attr || nla_len(attr) < (int)sizeof(uint32_t))
		return fallback;
	return nla_get_u32(attr);
}

uint64_t threadprof_attr_u64(const struct nlattr *attr, uint64_t fallback)
{
	if (!attr || nla_len(attr) < (int)sizeof(uint64_t))
		return fallback;
	return nla_get_u64(attr);
}

void threadprof_attr_string(const struct nlattr *attr, char *out, size_t size)
{
	size_t length = 0;

	if (attr && nla_len(attr) > 0)
		length = strnlen(nla_data(attr), nla_len(attr));
	if (length > size - 1)
		length = size - 1;
	if (length)
		memcpy(out, nla_data(attr), length);
	out[length] = '\0';
}

void threadprof_attr_sort(struct nlattr **table, int max, struct nlattr *first, int size)
{
	struct nlattr *attr;
	int left;

	memset(table, 0, (max + 1) * sizeof(*table));
	for_each_attr(attr, first, size, left)
		if (nla_type(attr) > 0 && nla_type(attr) <= max)
			table[nla_type(attr)] = attr;
}

struct nlattr *threadprof_message_attrs(const struct nlmsghdr *header, int *size)
{
	struct genlmsghdr *genl;

	*size = 0;
	if (header->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return NULL;
	genl = genlmsg_hdr((struct nlmsghdr *)header);
	*size = genlmsg_attrlen(genl, 0);
	return genlmsg_attrdata(genl, 0);
}

static void find_text(struct nlattr *first, int size, char *text, size_t room)
{
	struct nlattr *table[NLMSGERR_ATTR_MAX + 1];

	threadprof_attr_sort(table, NLMSGERR_ATTR_MAX, first, size);
	threadprof_attr_string(table[NLMSGERR_ATTR_MSG], text, room);
}

int threadprof_message_error(const struct nlmsghdr *header, char *text, size_t room)
{
	const unsigned char *data = NLMSG_DATA(header);
	size_t size = header->nlmsg_len - NLMSG_HDRLEN;
	size_t used = sizeof(int);
	struct nlmsgerr error;
	int err;

	text[0] = '\0';
	if (size < sizeof(int))
		return -EPROTO;
	memcpy(&err, data, sizeof(err));

	if (header->nlmsg_type == NLMSG_ERROR) {
		if (size < sizeof(error))
			return -EPROTO;
		memcpy(&error, data, sizeof(error));
		used = sizeof(error);
		/* Uncapped, the request's payload stands before the text. */
		if (!(header->nlmsg_flags & NLM_F_CAPPED) &&
		    error.msg.nlmsg_len > NLMSG_HDRLEN)
			used += NLMSG_ALIGN((size_t)error.msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if ((header->nlmsg_flags & NLM_F_ACK_TLVS) && used < size)
		find_text((struct nlattr *)(data + used), size - used, text, room);
	return err > 0 || err < -4095 ? -EPROTO : err;
}
