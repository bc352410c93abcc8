// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event.h"

int event_error(char error[EVENT_ERROR], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(error, EVENT_ERROR, fmt, args);
	va_end(args);
	return -1;
}

int event_modifiers(const char *text, uint32_t *modes, char error[EVENT_ERROR])
{
	uint32_t found = 0;
	const char *p;

	if (!*text || strspn(text, "ukhpPGHISDW") != strlen(text))
		return 0;
	for (p = text; *p; p++) {
		switch (*p) {
		case 'u': found |= THREADPROF_MODE_USER; break;
		case 'k': found |= THREADPROF_MODE_KERNEL; break;
		case 'h': found |= THREADPROF_MODE_HYPERVISOR; break;
		case 'p':
		case 'P':
			return event_error(
				error,
				"the modifier '%c' (precise) is for sampling, a counter has none",
				*p);
		default:
			return event_error(error,
					   "the modifier '%c' is not for counters of a thread", *p);
		}
	}
	*modes = found;
	return 1;
}

static int unknown(const char *name, char error[EVENT_ERROR])
{
	char near[EVENT_ERROR / 2];

	event_near(name, near, sizeof(near));
	if (*near)
		return event_error(error, "unknown event '%.80s'; did you mean %s?", name, near);
	return event_error(error, "unknown event '%.80s'%s", name, event_pfm_has_cpu() ? "" :
			   "; for this CPU only generic names, rNNN and pmu/.../ are known");
}

/* rNNN: NNN is the PMU's own code. */
static int raw(const char *name, struct event *out)
{
	char *end;

	if (name[0] != 'r' || !name[1] ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != strlen(name + 1))
		return 0;
	errno = 0;
	out->config = strtoull(name + 1, &end, 16);
	if (errno)
		return -1;
	out->type = PERF_TYPE_RAW;
	return 1;
}

/* pmu/terms/ and pmu/terms/uk; a colon before the modifiers is allowed too. */
static int parse_pmu(char *name, char *slash, struct event *out, char error[EVENT_ERROR])
{
	char *end = strrchr(slash + 1, '/');
	uint32_t modes = 0;
	const char *tail;
	int err;

	if (!end)
		return event_error(error, "'%.80s' lacks its closing slash", name);
	*slash = '\0';
	*end = '\0';
	tail = end[1] == ':' ? end + 2 : end + 1;
	if (end[1]) {
		err = event_modifiers(tail, &modes, error);
		if (!err)
			return event_error(error, "unknown modifier '%.40s' behind the slash",
					   tail);
		if (err < 0)
			return err;
	}
	err = event_pmu(name, slash + 1, out, error);
	if (!err && modes)
		out->modes = modes;
	return err;
}

/* A good name with a bad suffix is told as such, the rest as unknown. */
static int not_found(char *name, char error[EVENT_ERROR])
{
	char *colon = strchr(name, ':');
	struct event ignored;

	if (colon && colon[1] != ':') {
		*colon = '\0';
		if (event_generic(name, &ignored))
			return event_error(error,
					   "unknown modifier '%.40s' of '%.80s'; known: u, k, h",
					   colon + 1, name);
		*colon = ':';
	}
	return unknown(name, error);
}

/* The kernel's words first: libpfm4 gives some of them other meanings. */
static int look_up(char *name, bool modes_given, struct event *out, char error[EVENT_ERROR])
{
	int err;

	if (event_generic(name, out))
		return 0;
	err = raw(name, out);
	if (err < 0)
		return event_error(error, "'%.80s' is wider than 64 bits", name);
	if (err)
		return 0;
	err = event_pfm(name, modes_given, out, error);
	return err > 0 ? not_found(name, error) : err;
}

static int parse_plain(char *name, struct event *out, char error[EVENT_ERROR])
{
	char *colon = strrchr(name, ':');
	uint32_t modes = 0;
	int err;

	/* "perf::cycles" has no modifier: its last part follows a double colon. */
	if (colon && colon > name && colon[-1] != ':') {
		err = event_modifiers(colon + 1, &modes, error);
		if (err < 0)
			return err;
		if (err) {
			*colon = '\0';
			out->modes = modes;
		}
	}
	err = look_up(name, modes, out, error);
	if (!err && modes)
		out->modes = modes;
	return err;
}

int event_parse(const char *name, struct event *out, char error[EVENT_ERROR])
{
	char copy[512];
	size_t length = strlen(name);
	char *slash;
	int err;

	memset(out, 0, sizeof(*out));
	out->modes = THREADPROF_MODE_USER;
	if (!length)
		return event_error(error, "an event without a name");
	if (length >= sizeof(copy))
		return event_error(error, "the event '%.40s...' is too long", name);
	for (const char *p = name; *p; p++)
		if (!isgraph((unsigned char)*p))
			return event_error(error,
					   "an event's name has no blanks or control characters");
	memcpy(copy, name, length + 1);
	slash = strchr(copy, '/');
	err = slash ? parse_pmu(copy, slash, out, error) : parse_plain(copy, out, error);
	if (err)
		return err;
	if (!out->name[0])
		snprintf(out->name, sizeof(out->name), "%.*s%s",
			 length > THREADPROF_NAME_MAX ? THREADPROF_NAME_MAX - 3 : (int)length, name,
			 length > THREADPROF_NAME_MAX ? "..." : "");
	return 0;
}

bool event_same(const struct event *a, const struct event *b)
{
	return a->type == b->type && a->modes == b->modes && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2;
}

static int append(const char *name, struct event *list, unsigned int *count,
		  char error[EVENT_ERROR])
{
	struct event event;
	unsigned int i;

	if (event_parse(name, &event, error))
		return -1;
	for (i = 0; i < *count; i++)
		if (event_same(&list[i], &event))
			return event_error(error, "'%s' and '%s' are the same event", list[i].name,
					   event.name);
	if (*count == THREADPROF_MAX_COUNTERS)
		return event_error(error, "more than %d events", THREADPROF_MAX_COUNTERS);
	list[(*count)++] = event;
	return 0;
}

int event_parse_list(const char *names, struct event *list, unsigned int *count,
		     char error[EVENT_ERROR])
{
	const char *begin = names;
	bool slashed = false;	/* a comma between slashes parts terms, not events */
	const char *p;

	for (p = names;; p++) {
		char one[512];

		if (*p == '/')
			slashed = !slashed;
		if (*p && (*p != ',' || slashed))
			continue;
		if ((size_t)(p - begin) >= sizeof(one))
			return event_error(error, "the event '%.40s...' is too long", begin);
		memcpy(one, begin, p - begin);
		one[p - begin] = '\0';
		if (append(one, list, count, error))
			return -1;
		if (!*p)
			return 0;
		begin = p + 1;
	}
}

int event_to_counter(const struct event *event, struct threadprof_counter *out,
		     char error[EVENT_ERROR])
{
	memset(out, 0, sizeof(*out));
	if (event->type > THREADPROF_INDEX_TYPE(UINT64_MAX))
		return event_error(error, "'%s': perf event type %u does not fit into an index",
				   event->name, event->type);
	out->index = THREADPROF_INDEX(event->type, event->config);
	if (THREADPROF_INDEX_CONFIG(out->index) != event->config) {
		out->has_config = 1;
		out->config = event->config;
	}
	out->config1 = event->config1;
	out->config2 = event->config2;
	out->modes = event->modes;
	memcpy(out->name, event->name, sizeof(out->name));
	return 0;
}

void event_from_counter(const struct threadprof_counter *counter, struct event *out)
{
	memset(out, 0, sizeof(*out));
	out->type = THREADPROF_INDEX_TYPE(counter->index);
	out->config =
		counter->has_config ? counter->config : THREADPROF_INDEX_CONFIG(counter->index);
	out->config1 = counter->config1;
	out->config2 = counter->config2;
	out->modes = counter->modes ? counter->modes : THREADPROF_MODE_USER;
	snprintf(out->name, sizeof(out->name), "%s", counter->name);
}
