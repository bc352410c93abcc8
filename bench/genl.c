// SPDX-License-Identifier: GPL-2.0-only
#include <sys/socket.h>

#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "die.h"
#include "genl.h"

void genl_prepare(struct genl *g, const char *name, int version, int command,
		  int attr, uint32_t value)
{
	int family;

	g->sk = nl_socket_alloc();
	if (!g->sk || genl_connect(g->sk) < 0)
		die("no generic netlink socket");
	g->fd = nl_socket_get_fd(g->sk);
	family = genl_ctrl_resolve(g->sk, name);
	if (family < 0)
		die("no family %s", name);
	g->msg = nlmsg_alloc();
	if (!g->msg || !genlmsg_put(g->msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, 0,
				    command, version))
		die("out of memory");
	if (attr && nla_put_u32(g->msg, attr, value) < 0)
		die("no room for an attribute");
	nl_complete_msg(g->sk, g->msg);
	/* One message back, not an acknowledgement too. */
	nlmsg_hdr(g->msg)->nlmsg_flags = NLM_F_REQUEST;
}

void genl_ask(void *genl)
{
	struct genl *g = genl;
	const struct nlmsghdr *request = nlmsg_hdr(g->msg), *reply = (void *)g->reply;
	ssize_t n;

	if (send(g->fd, request, request->nlmsg_len, 0) < 0)
		die("send: %m");
	n = recv(g->fd, g->reply, sizeof(g->reply), 0);
	if (n < (ssize_t)sizeof(*reply) || reply->nlmsg_type == NLMSG_ERROR)
		die("generic netlink refused");
}

void genl_end(struct genl *g)
{
	nlmsg_free(g->msg);
	nl_socket_free(g->sk);
}
