// SPDX-License-Identifier: LGPL-2.1-or-later
/* A connection: its memory, its socket, and the number that the family has. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "connection.h"
#include "message.h"
#include "request.h"

#define GROWN_MAX	(1024 * 1024)

int threadprof_fail(struct threadprof *tp, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(tp->message, sizeof(tp->message), format, args);
	va_end(args);
	return err;
}

static void shrink(struct threadprof *tp)
{
	if (tp->in != tp->first)
		munmap(tp->in, tp->in_size);
	tp->in = tp->first;
	tp->in_size = sizeof(tp->first);
}

int threadprof_grow(struct threadprof *tp, size_t size)
{
	void *in;

	if (size <= tp->in_size)
		return 0;
	if (size > GROWN_MAX)
		return -EMSGSIZE;
	in = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (in == MAP_FAILED)
		return -ENOMEM;
	shrink(tp);
	tp->in = in;
	tp->in_size = size;
	return 0;
}

static int take_family(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *table[CTRL_ATTR_MAX + 1], *first;
	uint32_t *family = arg;
	int size;

	first = threadprof_message_attrs(header, &size);
	threadprof_attr_sort(table, CTRL_ATTR_MAX, first, size);
	if (!table[CTRL_ATTR_FAMILY_ID] ||
	    nla_len(table[CTRL_ATTR_FAMILY_ID]) < (int)sizeof(uint16_t))
		return -EPROTO;
	*family = nla_get_u16(table[CTRL_ATTR_FAMILY_ID]);
	return *family >= NLMSG_MIN_TYPE ? 0 : -EPROTO;
}

int threadprof_find_family(struct threadprof *tp)
{
	/* Not tp->out: a request may wait there for its family's number. */
	_Alignas(8) unsigned char out[64];
	uint32_t family = 0;
	struct message m;
	int err;

	/* The kernel loads the module by the family's name, if it has it. */
	threadprof_message_begin(&m, out, sizeof(out), GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY, 1);
	threadprof_message_put_string(&m, CTRL_ATTR_FAMILY_NAME, THREADPROF_GENL_NAME);
	err = threadprof_exchange(tp, &m, take_family, &family);
	tp->family = err ? 0 : family;
	if (err == -ENOENT)
		threadprof_fail(tp, err, "the threadprof module is not loaded: modprobe threadprof");
	return err;
}

int threadprof_open(struct threadprof **out)
{
	struct threadprof *tp;
	int fd;

	tp = mmap(NULL, sizeof(*tp), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*out = NULL;
	if (tp == MAP_FAILED)
		return -ENOMEM;
	*out = tp;
	tp->fd = -1;
	tp->in = tp->first;
	tp->in_size = sizeof(tp->first);

	fd = threadprof_transport->open(&tp->port);
	if (fd == -EPROTONOSUPPORT || fd == -EAFNOSUPPORT)
		return threadprof_fail(tp, -EOPNOTSUPP, "this kernel has no generic netlink");
	if (fd < 0)
		return threadprof_fail(tp, fd, "can't open a netlink socket: %s",
				       strerrordesc_np(-fd));
	tp->fd = fd;
	return threadprof_find_family(tp);
}

void threadprof_close(struct threadprof *tp)
{
	if (!tp)
		return;
	if (tp->fd >= 0)
		threadprof_transport->close(tp->fd);
	shrink(tp);
	munmap(tp, sizeof(*tp));
}

const char *threadprof_message(const struct threadprof *tp)
{
	return tp ? tp->message : "not enough memory for a connection";
}
