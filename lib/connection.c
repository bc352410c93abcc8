// SPDX-License-Identifier: LGPL-2.1-or-later
/* A connection: its memory, its socket, and the number that the family has. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <netlink/netlink.h>

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

static const struct nla_policy directory_policy[CTRL_ATTR_MAX + 1] = {
	[CTRL_ATTR_FAMILY_ID] = { .type = NLA_U16 },
};

static int take_family(struct nlmsghdr *header, void *arg)
{
	struct nlattr *a[CTRL_ATTR_MAX + 1];
	uint16_t *family = arg;

	if (genlmsg_parse(header, 0, a, CTRL_ATTR_MAX, directory_policy) < 0 ||
	    !a[CTRL_ATTR_FAMILY_ID])
		return -EPROTO;
	*family = nla_get_u16(a[CTRL_ATTR_FAMILY_ID]);
	return *family >= NLMSG_MIN_TYPE ? 0 : -EPROTO;
}

int threadprof_find_family(struct threadprof *tp)
{
	/* Not tp->request: one may wait there for its family's number. */
	struct nl_msg *request = nlmsg_alloc();
	uint16_t family = 0;
	int err = -ENOMEM;

	/* The kernel loads the module by the family's name, if it has it. */
	if (request &&
	    genlmsg_put(request, tp->port, NL_AUTO_SEQ, GENL_ID_CTRL, 0, NLM_F_REQUEST,
			CTRL_CMD_GETFAMILY, 1) &&
	    !nla_put_string(request, CTRL_ATTR_FAMILY_NAME, THREADPROF_GENL_NAME))
		err = threadprof_exchange(tp, nlmsg_hdr(request), take_family, &family);
	else
		threadprof_fail(tp, err, "not enough memory for a request");
	nlmsg_free(request);
	tp->family = err ? 0 : family;
	if (err == -ENOENT)
		threadprof_fail(tp, err, "the threadprof module is not loaded: modprobe threadprof");
	return err;
}

int threadprof_connect(struct threadprof **out)
{
	struct threadprof *tp;
	struct stat stat;
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
	if (fstat(fd, &stat) < 0)
		return threadprof_fail(tp, -errno, "can't look at a netlink socket: %s",
				       strerrordesc_np(errno));
	tp->device = stat.st_dev;
	tp->inode = stat.st_ino;
	return 0;
}

bool threadprof_is_intact(const struct threadprof *tp)
{
	struct stat stat;

	return !fstat(tp->fd, &stat) && stat.st_dev == tp->device && stat.st_ino == tp->inode;
}

/* In programs built with LeakSanitizer, which finds no pointers in mmap()ed memory. */
void __lsan_ignore_object(const void *object) __attribute__((weak));

int threadprof_provide(struct threadprof *tp)
{
	if (tp->request)
		return 0;
	tp->request = nlmsg_alloc_size(CONNECTION_OUT);
	if (!tp->request)
		return threadprof_fail(tp, -ENOMEM, "not enough memory for a request");
	if (__lsan_ignore_object)
		__lsan_ignore_object(tp->request);
	return 0;
}

int threadprof_open(struct threadprof **out)
{
	int err = threadprof_connect(out);

	if (!*out)
		return err;
	if (threadprof_provide(*out)) {
		threadprof_close(*out);
		*out = NULL;
		return -ENOMEM;
	}
	return err ?: threadprof_find_family(*out);
}

void threadprof_close(struct threadprof *tp)
{
	if (!tp)
		return;
	if (tp->fd >= 0)
		threadprof_transport->close(tp->fd);
	nlmsg_free(tp->request);
	shrink(tp);
	munmap(tp, sizeof(*tp));
}

const char *threadprof_message(const struct threadprof *tp)
{
	return tp ? tp->message : "not enough memory for a connection";
}
