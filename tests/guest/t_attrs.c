// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every command with every attribute: those it has no use for, wrong lengths,
 * wrong nested flags, values at and beyond their bounds. Each is refused with
 * EINVAL, in words, at the attribute, and changes nothing.
 */
#include <linux/genetlink.h>
#include <linux/perf_event.h>

#include "raw.h"
#include "tap.h"

enum kind { U32 = 4, U64 = 8, NEST = 1 };

struct allowed {
	int type;
	enum kind kind;
	uint64_t bits;		/* that may be set; 0: any value */
};

struct command {
	int number;
	const char *name;
	int flags;
	struct allowed allowed[3];
};

static const struct command commands[] = {
	{ THREADPROF_CMD_CONFIG_SET, "CONFIG_SET", 0,
	  { { THREADPROF_A_COUNTER, NEST, 0 },
	    { THREADPROF_A_CONFIG_FLAGS, U32,
	      THREADPROF_CONFIG_RELEASE | THREADPROF_CONFIG_DIRECT_RELAXED |
	      THREADPROF_CONFIG_EXCLUSIVE | THREADPROF_CONFIG_DIRECT } } },
	{ THREADPROF_CMD_CONFIG_GET, "CONFIG_GET", 0, { } },
	{ THREADPROF_CMD_ENABLE, "ENABLE", 0,
	  { { THREADPROF_A_ENABLE_FLAGS, U32, 7 },
	    { THREADPROF_A_HARDWARE_COUNTERS, U64, 0xffff } } },
	{ THREADPROF_CMD_DISABLE, "DISABLE", 0, { { THREADPROF_A_PROFILE_ID, U64, 0 } } },
	{ THREADPROF_CMD_QUERY, "QUERY", 0, { { THREADPROF_A_TID, U32, 0 } } },
	{ THREADPROF_CMD_READ, "READ", 0, { { THREADPROF_A_PROFILE_ID, U64, 0 } } },
	{ THREADPROF_CMD_PROFILE_GET, "PROFILE_GET", NLM_F_DUMP, { } },
	{ THREADPROF_CMD_ENDED_GET, "ENDED_GET", NLM_F_DUMP,
	  { { THREADPROF_A_ENDED_AFTER, U64, 0 } } },
	{ THREADPROF_CMD_STATUS, "STATUS", 0, { } },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static struct raw r;
static struct raw_state before;
static char problem[512];

/* Notes the first thing that is wrong with a refusal. */
static void judge(const char *what, int error, int expected, int type)
{
	struct raw_state after;
	char message[256];
	int bad = r.bad_attr;

	memcpy(message, r.message, sizeof(message));
	raw_state_get(&r, &after);
	if (problem[0])
		return;
	if (error != expected)
		snprintf(problem, sizeof(problem), "%s: expected %s got %s (%s)", what,
			 strerror(-expected), strerror(-error), message);
	else if (!message[0])
		snprintf(problem, sizeof(problem), "%s: expected a message got none", what);
	else if (bad != type)
		snprintf(problem, sizeof(problem),
			 "%s: expected the message at attribute %d got %d (%s)", what, type, bad,
			 message);
	else if (!raw_state_same(&before, &after))
		snprintf(problem, sizeof(problem), "%s: expected CONFIG_GET unchanged", what);
	else if (raw_profiles(&r))
		snprintf(problem, sizeof(problem), "%s: expected no profile", what);
}

static void verdict(const char *fmt, const char *command, int type)
{
	char name[128];

	snprintf(name, sizeof(name), fmt, command, type);
	tap_check(!problem[0], name, "%s", problem);
	problem[0] = '\0';
}

static int send_one(const struct command *command, int type, const void *data, int size)
{
	struct nl_msg *msg = raw_new(&r, command->number, command->flags);

	if (nla_put(msg, type, size, data) < 0)
		tap_die("no room");
	return raw_ask(&r, msg);
}

static const struct allowed *find(const struct command *command, int type)
{
	int i;

	for (i = 0; i < 3; i++)
		if (command->allowed[i].type == type)
			return &command->allowed[i];
	return NULL;
}

static void unknown(const struct command *command, int type)
{
	static const uint64_t zero;

	judge("with 8 bytes", send_one(command, type, &zero, 8), -EINVAL, type);
	judge("with 4 bytes", send_one(command, type, &zero, 4), -EINVAL, type);
	judge("empty", send_one(command, type, &zero, 0), -EINVAL, type);
	verdict("%s refuses attribute %d, which is none of its own", command->name, type);
}

static void lengths(const struct command *command, const struct allowed *a)
{
	static const uint8_t zero[16];
	char what[32];
	int size;

	for (size = 0; size <= 16; size++) {
		if (size == (int)a->kind)
			continue;
		snprintf(what, sizeof(what), "%d bytes", size);
		judge(what, send_one(command, a->type, zero, size), -EINVAL, a->type);
	}
	verdict("%s refuses attribute %d too short and too long", command->name, a->type);
	judge("flag", send_one(command, a->type | NLA_F_NESTED, zero, a->kind), -EINVAL, a->type);
	verdict("%s refuses attribute %d with the nested flag", command->name, a->type);
}

static void bits(const struct command *command, const struct allowed *a)
{
	char what[32];
	uint64_t value;
	unsigned int i;

	for (i = 0; i < a->kind * 8; i++) {
		value = (uint64_t)1 << i;
		if (a->bits & value)
			continue;
		snprintf(what, sizeof(what), "bit %u", i);
		judge(what, send_one(command, a->type, &value, a->kind), -EINVAL, a->type);
		value |= a->bits;
		judge(what, send_one(command, a->type, &value, a->kind), -EINVAL, a->type);
	}
	verdict("%s refuses attribute %d with a bit beyond its own", command->name, a->type);
}

static void nest(const struct command *command, const struct allowed *a)
{
	struct nl_msg *msg = raw_new(&r, command->number, command->flags);
	struct nlattr *start = nla_nest_start(msg, a->type);
	static const uint8_t garbage[3] = { 1, 2, 3 };

	/* libnl of this age sets no flag by itself. */
	nla_put_u64(msg, THREADPROF_A_COUNTER_INDEX, 0);
	start->nla_type &= ~NLA_F_NESTED;
	nla_nest_end(msg, start);
	start->nla_type &= ~NLA_F_NESTED;
	judge("no flag", raw_ask(&r, msg), -EINVAL, a->type);
	verdict("%s refuses attribute %d without the nested flag", command->name, a->type);
	/* The one length that netlink's core answers with ERANGE. */
	judge("3 bytes", send_one(command, a->type | NLA_F_NESTED, garbage, 3), -ERANGE, a->type);
	verdict("%s refuses attribute %d shorter than an attribute", command->name, a->type);
}

static void command_test(const struct command *command)
{
	const struct allowed *a;
	int type;

	for (type = 0; type <= THREADPROF_A_MAX + 2; type++) {
		a = find(command, type);
		if (!a || !type) {
			unknown(command, type);
		} else if (a->kind == NEST) {
			nest(command, a);
		} else {
			lengths(command, a);
			if (a->bits)
				bits(command, a);
		}
	}
}

/* --- inside COUNTER --------------------------------------------------------- */

static int send_inner(int type, const void *data, int size, bool index)
{
	struct nl_msg *msg = raw_new(&r, THREADPROF_CMD_CONFIG_SET, 0);
	struct nlattr *start = nla_nest_start(msg, THREADPROF_A_COUNTER | NLA_F_NESTED);

	if (index)
		nla_put_u64(msg, THREADPROF_A_COUNTER_INDEX,
			    THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK));
	if (type >= 0 && nla_put(msg, type, size, data) < 0)
		tap_die("no room");
	nla_nest_end_keep_empty(msg, start);
	return raw_ask(&r, msg);
}

static const struct allowed inner[] = {
	{ THREADPROF_A_COUNTER_TYPE, U32, 0 },
	{ THREADPROF_A_COUNTER_RESERVED, U32, 0 },
	{ THREADPROF_A_COUNTER_INDEX, U64, 0 },
	{ THREADPROF_A_COUNTER_CONFIG, U64, 0 },
	{ THREADPROF_A_COUNTER_CONFIG1, U64, 0 },
	{ THREADPROF_A_COUNTER_CONFIG2, U64, 0 },
	{ THREADPROF_A_COUNTER_MODES, U32, 7 },
};

static void inner_lengths(const struct allowed *a)
{
	static const uint8_t zero[16];
	char what[32];
	int size;

	for (size = 0; size <= 16; size++) {
		if (size == (int)a->kind)
			continue;
		snprintf(what, sizeof(what), "%d bytes", size);
		judge(what, send_inner(a->type, zero, size, false), -EINVAL, a->type);
	}
	judge("nested flag", send_inner(a->type | NLA_F_NESTED, zero, a->kind, false), -EINVAL,
	      a->type);
	verdict("%s refuses COUNTER attribute %d of a wrong form", "CONFIG_SET", a->type);
}

static void inner_test(void)
{
	static const uint64_t zero;
	char text[80], what[32];
	unsigned int i;
	uint32_t modes;
	int type;

	for (i = 0; i < sizeof(inner) / sizeof(inner[0]); i++)
		inner_lengths(&inner[i]);
	for (type = THREADPROF_A_COUNTER_MAX + 1; type < THREADPROF_A_COUNTER_MAX + 4; type++) {
		judge("unknown", send_inner(type, &zero, 8, true), -EINVAL, type);
		verdict("%s refuses COUNTER attribute %d, which is unknown", "CONFIG_SET", type);
	}
	judge("PAD", send_inner(THREADPROF_A_COUNTER_PAD, &zero, 8, true), -EINVAL,
	      THREADPROF_A_COUNTER_PAD);
	judge("0", send_inner(0, &zero, 8, true), -EINVAL, 0);
	verdict("%s refuses COUNTER attributes PAD and %d", "CONFIG_SET", 0);

	for (i = 3; i < 32; i++) {
		modes = (uint32_t)1 << i;
		snprintf(what, sizeof(what), "bit %u", i);
		judge(what, send_inner(THREADPROF_A_COUNTER_MODES, &modes, 4, true), -EINVAL,
		      THREADPROF_A_COUNTER_MODES);
	}
	verdict("%s refuses unknown bits in MODES (%d)", "CONFIG_SET",
		THREADPROF_A_COUNTER_MODES);

	memset(text, 'n', sizeof(text));
	judge("no NUL", send_inner(THREADPROF_A_COUNTER_NAME, text, 8, true), -EINVAL,
	      THREADPROF_A_COUNTER_NAME);
	judge("empty", send_inner(THREADPROF_A_COUNTER_NAME, text, 0, true), -EINVAL,
	      THREADPROF_A_COUNTER_NAME);
	verdict("%s refuses a NAME (%d) without its NUL", "CONFIG_SET",
		THREADPROF_A_COUNTER_NAME);
	text[THREADPROF_NAME_MAX + 1] = '\0';
	judge("too long", send_inner(THREADPROF_A_COUNTER_NAME, text, THREADPROF_NAME_MAX + 2,
				     true), -EINVAL, THREADPROF_A_COUNTER_NAME);
	verdict("%s refuses a NAME (%d) one byte too long", "CONFIG_SET",
		THREADPROF_A_COUNTER_NAME);

	judge("no INDEX", send_inner(-1, NULL, 0, false), -EINVAL, THREADPROF_A_COUNTER);
	if (!problem[0]) {
		send_inner(-1, NULL, 0, false);
		if (r.miss_type != THREADPROF_A_COUNTER_INDEX ||
		    !strstr(r.message, "INDEX"))
			snprintf(problem, sizeof(problem),
				 "expected the missing INDEX named got type %d, '%s'", r.miss_type,
				 r.message);
	}
	verdict("%s refuses a COUNTER without INDEX (%d)", "CONFIG_SET",
		THREADPROF_A_COUNTER_INDEX);
}

/* --- messages as such ---------------------------------------------------------- */

static void message_test(void)
{
	static const int not_asked[] = {
		0, THREADPROF_CMD_CONFIG_NTF, THREADPROF_CMD_PROFILE_END_NTF,
		THREADPROF_CMD_MAX + 1, 255
	};
	struct nl_msg *msg;
	unsigned int i;
	char name[80];

	for (i = 0; i < sizeof(not_asked) / sizeof(not_asked[0]); i++) {
		snprintf(name, sizeof(name), "command %d can't be asked", not_asked[i]);
		ok_num(name, -EOPNOTSUPP, raw_command(&r, not_asked[i]));
	}
	for (i = 0; i < COMMANDS; i++) {
		snprintf(name, sizeof(name), "%s can't be %s", commands[i].name,
			 commands[i].flags ? "asked without dump" : "dumped");
		msg = raw_new(&r, commands[i].number, NLM_F_DUMP & ~commands[i].flags);
		ok_num(name, -EOPNOTSUPP, raw_ask(&r, msg));

		snprintf(name, sizeof(name), "%s refuses a message that ends in a half attribute",
			 commands[i].name);
		msg = raw_new(&r, commands[i].number, commands[i].flags);
		nlmsg_append(msg, "\1\0", 2, 0);
		ok_num(name, -EINVAL, raw_ask(&r, msg));
	}
	msg = nlmsg_alloc();
	nlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, r.family, 0, 0);
	ok_num("a message without a generic netlink header is refused", -EINVAL, raw_ask(&r, msg));
}

int main(void)
{
	static const uint64_t clock = THREADPROF_INDEX(PERF_TYPE_SOFTWARE,
						       PERF_COUNT_SW_TASK_CLOCK);
	unsigned int i;

	if (raw_open(&r))
		tap_die("no family");
	/* Something to lose. */
	if (raw_config_set(&r, &clock, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	raw_state_get(&r, &before);
	for (i = 0; i < COMMANDS; i++)
		command_test(&commands[i]);
	inner_test();
	message_test();
	raw_config_set(&r, NULL, 0, 0, 0);
	raw_close(&r);
	return tap_end();
}
