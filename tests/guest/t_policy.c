// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the running kernel says of the family by itself (CTRL_CMD_GETFAMILY,
 * CTRL_CMD_GETPOLICY) against policy.expected, which abi makes of the YAML
 * specification. A line each:
 *
 *	family NAME VERSION
 *	group NAME
 *	op COMMAND do|dump
 *	attr COMMAND do|dump TYPE[/TYPE] KIND [BOUND=VALUE]...
 */
#include <linux/genetlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "raw.h"
#include "tap.h"

#define MAX_LINES 256
#define LINE 128
#define POLICIES 32
#define ATTRS 64

/* Newer than some headers. */
#define POLICY_MASK 12

struct attr {
	bool there;
	uint32_t type, nested, min_length, max_length;
	bool has_nested, has_min, has_max, has_range, has_mask;
	uint64_t min, max, mask;
};

static struct attr policy[POLICIES][ATTRS];
static int op_policy[256][2];
static char got[MAX_LINES][LINE], expected[MAX_LINES][LINE];
static int got_count, expected_count;

static __attribute__((format(printf, 1, 2))) void say(const char *fmt, ...)
{
	va_list args;

	if (got_count == MAX_LINES)
		tap_die("more lines than expected");
	va_start(args, fmt);
	vsnprintf(got[got_count++], LINE, fmt, args);
	va_end(args);
}

static void take_attr(struct nlattr *nest, struct attr *to)
{
	struct nlattr *a;
	int rem;

	to->there = true;
	nla_for_each_nested(a, nest, rem) {
		switch (nla_type(a)) {
		case NL_POLICY_TYPE_ATTR_TYPE:
			to->type = nla_get_u32(a);
			break;
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_U:
			to->min = nla_get_u64(a);
			to->has_range = true;
			break;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
			to->max = nla_get_u64(a);
			break;
		case NL_POLICY_TYPE_ATTR_MIN_LENGTH:
			to->min_length = nla_get_u32(a);
			to->has_min = true;
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			to->max_length = nla_get_u32(a);
			to->has_max = true;
			break;
		case NL_POLICY_TYPE_ATTR_POLICY_IDX:
			to->nested = nla_get_u32(a);
			to->has_nested = true;
			break;
		case POLICY_MASK:
			to->mask = nla_get_u64(a);
			to->has_mask = true;
			break;
		}
	}
}

static void take_policy(struct nlattr *top)
{
	struct nlattr *one, *a;
	int rem, rem2;

	nla_for_each_nested(one, top, rem)
		nla_for_each_nested(a, one, rem2)
			if (nla_type(one) < POLICIES && nla_type(a) < ATTRS)
				take_attr(a, &policy[nla_type(one)][nla_type(a)]);
}

static void take_ops(struct nlattr *top)
{
	struct nlattr *op, *a;
	int rem, rem2;

	nla_for_each_nested(op, top, rem)
		nla_for_each_nested(a, op, rem2) {
			if (nla_type(a) == CTRL_ATTR_POLICY_DO)
				op_policy[nla_type(op) & 255][0] = nla_get_u32(a);
			else if (nla_type(a) == CTRL_ATTR_POLICY_DUMP)
				op_policy[nla_type(op) & 255][1] = nla_get_u32(a);
		}
}

static int policy_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *header = nlmsg_hdr(msg);
	struct nlattr *a;
	int rem;

	(void)arg;
	nlmsg_for_each_attr(a, header, GENL_HDRLEN, rem) {
		if (nla_type(a) == CTRL_ATTR_POLICY)
			take_policy(a);
		else if (nla_type(a) == CTRL_ATTR_OP_POLICY)
			take_ops(a);
	}
	return NL_OK;
}

static int family_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *header = nlmsg_hdr(msg);
	struct nlattr *a, *one, *inner;
	int rem, rem2, rem3;
	uint32_t id, flags;

	(void)arg;
	nlmsg_for_each_attr(a, header, GENL_HDRLEN, rem) {
		if (nla_type(a) == CTRL_ATTR_VERSION)
			say("family %s %u", THREADPROF_GENL_NAME, nla_get_u32(a));
		if (nla_type(a) != CTRL_ATTR_OPS && nla_type(a) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		nla_for_each_nested(one, a, rem2) {
			id = flags = 0;
			nla_for_each_nested(inner, one, rem3) {
				if (nla_type(a) == CTRL_ATTR_MCAST_GROUPS &&
				    nla_type(inner) == CTRL_ATTR_MCAST_GRP_NAME)
					say("group %s", nla_get_string(inner));
				else if (nla_type(a) == CTRL_ATTR_OPS &&
					 nla_type(inner) == CTRL_ATTR_OP_ID)
					id = nla_get_u32(inner);
				else if (nla_type(a) == CTRL_ATTR_OPS)
					flags = nla_get_u32(inner);
			}
			if (flags & GENL_CMD_CAP_DO)
				say("op %u do", id);
			if (flags & GENL_CMD_CAP_DUMP)
				say("op %u dump", id);
		}
	}
	return NL_OK;
}

static void ask(int command, int flags, nl_recvmsg_msg_cb_t fn)
{
	struct nl_sock *sk = nl_socket_alloc();
	struct nl_msg *msg = nlmsg_alloc();
	int error;

	genl_connect(sk);
	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, fn, NULL);
	genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, GENL_ID_CTRL, 0, flags, command, 2);
	nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, THREADPROF_GENL_NAME);
	error = nl_send_sync(sk, msg);
	nl_socket_free(sk);
	if (error < 0)
		tap_die("controller: %s", nl_geterror(error));
}

static void say_attr(const char *where, const struct attr *a)
{
	static const char *const kinds[] = {
		[NL_ATTR_TYPE_U32] = "u32", [NL_ATTR_TYPE_U64] = "u64",
		[NL_ATTR_TYPE_NESTED] = "nest", [NL_ATTR_TYPE_NUL_STRING] = "string",
	};
	const char *kind = a->type < sizeof(kinds) / sizeof(kinds[0]) ? kinds[a->type] : NULL;
	char bounds[96] = "", inner[64];
	size_t n = 0;
	int i;

	if (a->has_mask)
		n += snprintf(bounds + n, sizeof(bounds) - n, " mask=%#llx",
			      (unsigned long long)a->mask);
	/* The type's own range is no bound. */
	if (a->has_range && (a->min || a->max != (a->type == NL_ATTR_TYPE_U32 ? UINT32_MAX :
						  UINT64_MAX)))
		n += snprintf(bounds + n, sizeof(bounds) - n, " min=%llu max=%llu",
			      (unsigned long long)a->min, (unsigned long long)a->max);
	if (a->has_min)
		n += snprintf(bounds + n, sizeof(bounds) - n, " min-len=%u", a->min_length);
	if (a->has_max)
		snprintf(bounds + n, sizeof(bounds) - n, " max-len=%u", a->max_length);
	say("attr %s %s%s", where, kind ? kind : "other", bounds);
	for (i = 0; a->has_nested && a->nested < POLICIES && i < ATTRS; i++) {
		if (!policy[a->nested][i].there)
			continue;
		snprintf(inner, sizeof(inner), "%s/%d", where, i);
		say_attr(inner, &policy[a->nested][i]);
	}
}

static void say_policies(void)
{
	char where[64];
	int op, kind, i, index;

	for (op = 0; op < 256; op++)
		for (kind = 0; kind < 2; kind++) {
			index = op_policy[op][kind];
			for (i = 0; index >= 0 && index < POLICIES && i < ATTRS; i++) {
				if (!policy[index][i].there)
					continue;
				snprintf(where, sizeof(where), "%d %s %d", op, kind ? "dump" : "do", i);
				say_attr(where, &policy[index][i]);
			}
		}
}

static void read_expected(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		tap_die("%s", path);
	while (expected_count < MAX_LINES && fgets(expected[expected_count], LINE, file)) {
		expected[expected_count][strcspn(expected[expected_count], "\n")] = '\0';
		expected_count++;
	}
	fclose(file);
}

static bool among(char (*lines)[LINE], int count, const char *line)
{
	while (count--)
		if (!strcmp(lines[count], line))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	char name[LINE + 64];
	struct raw r;
	int i;

	if (raw_open(&r))
		tap_die("no family");
	read_expected(argc > 1 ? argv[1] : "/tests/policy.expected");
	memset(op_policy, -1, sizeof(op_policy));
	ask(CTRL_CMD_GETFAMILY, 0, family_message);
	ask(CTRL_CMD_GETPOLICY, NLM_F_DUMP, policy_message);
	say_policies();
	ok(expected_count > 20, "there is something to compare");
	for (i = 0; i < expected_count; i++) {
		snprintf(name, sizeof(name), "the kernel has what the YAML has: %.100s", expected[i]);
		tap_check(among(got, got_count, expected[i]), name, "expected it got nothing like it");
	}
	for (i = 0; i < got_count; i++) {
		if (among(expected, expected_count, got[i]))
			continue;
		snprintf(name, sizeof(name), "the YAML has what the kernel has: %.100s", got[i]);
		tap_check(false, name, "expected it in the YAML");
	}
	raw_close(&r);
	return tap_end();
}
