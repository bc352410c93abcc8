/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The netlink family without the library under test: requests put together
 * attribute by attribute through libnl, right or wrong, and what comes back.
 */
#ifndef GUEST_RAW_H
#define GUEST_RAW_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/netlink.h>
#include <linux/threadprof.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

struct raw {
	struct nl_sock *sk;
	int family;
	uint32_t group_config, group_profiles;
	/* Of the last raw_ask(). */
	char message[256];	/* NLMSGERR_ATTR_MSG, "" without */
	int offset;		/* NLMSGERR_ATTR_OFFS, -1 without */
	int bad_attr;		/* type of the attribute there, -1 without */
	int miss_type;		/* NLMSGERR_ATTR_MISS_TYPE, -1 without */
	uint8_t reply[32768];	/* the first message that was no acknowledgement */
	int reply_size;		/* 0: none came */
	unsigned int replies;	/* messages of a dump */
};

typedef void raw_fn(const struct nlmsghdr *header, void *arg);

/* 0 or a negative errno: the family is not there. */
int raw_open(struct raw *r);
void raw_close(struct raw *r);

struct nl_msg *raw_new(struct raw *r, int command, int flags);
/* Sends and frees @msg; the kernel's verdict: 0 or a negative errno. */
int raw_ask(struct raw *r, struct nl_msg *msg);
/* The same with each message of a dump given to @fn. */
int raw_dump(struct raw *r, struct nl_msg *msg, raw_fn *fn, void *arg);
/* A request without attributes. */
int raw_command(struct raw *r, int command);

/* Attributes of a message behind the generic netlink header. */
struct nlattr *raw_attr(const struct nlmsghdr *header, int type);
struct nlattr *raw_reply_attr(struct raw *r, int type);
uint32_t raw_u32(struct raw *r, int type);	/* 0xdeadbeef: not there */
uint64_t raw_u64(struct raw *r, int type);

/* Waits for a notification; its command, or -1 after @ms. */
int raw_listen(struct raw *r, int ms, struct nlmsghdr **header);
int raw_join(struct raw *r, uint32_t group);

/* One counter of a CONFIG_SET. */
struct nlattr *raw_counter_begin(struct nl_msg *msg, uint64_t index);
void raw_counter_end(struct nl_msg *msg, struct nlattr *nest);
/* CONFIG_SET of @count indexes in the modes given (0: leave MODES out). */
int raw_config_set(struct raw *r, const uint64_t *index, unsigned int count,
		   uint32_t modes, uint32_t flags);

/* What CONFIG_GET says, for comparison. */
struct raw_state {
	int size;
	uint8_t data[8192];
};

void raw_state_get(struct raw *r, struct raw_state *state);
bool raw_state_same(const struct raw_state *a, const struct raw_state *b);

/* ENABLE; the descriptor, or a negative errno. */
int raw_enable(struct raw *r, uint32_t flags, uint64_t mask, uint64_t *id);
int raw_disable(struct raw *r);
/* STATUS: profiles attached, of these with hardware counters. */
uint32_t raw_profiles(struct raw *r);
uint32_t raw_hardware_users(struct raw *r);
/* Waits until no profile is attached any more. */
bool raw_quiet(struct raw *r, int ms);
bool raw_has_pmu(struct raw *r);

#endif /* GUEST_RAW_H */
