/* SPDX-License-Identifier: GPL-2.0-only */
/* One generic netlink request, sent again and again as it is. */
#ifndef BENCH_GENL_H
#define BENCH_GENL_H

#include <stdint.h>

#include <netlink/netlink.h>

struct genl {
	struct nl_sock *sk;
	struct nl_msg *msg;
	int fd;
	uint8_t reply[16384];
};

/* @attr 0: a request without one. */
void genl_prepare(struct genl *g, const char *family, int version, int command,
		  int attr, uint32_t value);
/* Sends it and waits for the answer, which is no error; for measure(). */
void genl_ask(void *genl);
void genl_end(struct genl *g);

#endif /* BENCH_GENL_H */
