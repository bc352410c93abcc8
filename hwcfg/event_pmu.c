// SPDX-License-Identifier: GPL-2.0-only
/* pmu/terms/: the terms are described by the PMU's folder in sysfs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event.h"

const char *event_pmu_root = "/sys/bus/event_source/devices";

/* One line of a sysfs file. Names come from users: no way out of the folder. */
static bool read_line(const char *pmu, const char *folder, const char *name, char *out, int size)
{
	char path[PATH_MAX];
	FILE *file;
	bool ok;

	if (strchr(pmu, '/') || strchr(name, '/') || pmu[0] == '.' || name[0] == '.' || !*pmu ||
	    !*name)
		return false;
	if (snprintf(path, sizeof(path), "%s/%s/%s/%s", event_pmu_root, pmu, folder, name) >=
	    (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	ok = fgets(out, size, file);
	fclose(file);
	if (ok)
		out[strcspn(out, "\n")] = '\0';
	return ok;
}

static bool number(const char *text, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 0);
	return !errno && !*end;
}

/* Puts the value's bits where a format ("config1:0-7,21") says. */
static int place(const char *term, const char *format, uint64_t value, struct event *out,
		 char error[EVENT_ERROR])
{
	uint64_t whole = value;
	uint64_t *word;
	const char *p;

	if (!strncmp(format, "config:", 7))
		word = &out->config;
	else if (!strncmp(format, "config1:", 8))
		word = &out->config1;
	else if (!strncmp(format, "config2:", 8))
		word = &out->config2;
	else
		return event_error(error,
				   "the term '%.40s' lies in '%.40s', which counters cannot carry",
				   term, format);
	for (p = strchr(format, ':') + 1; *p;) {
		unsigned long low, high, bit;
		char *end;

		low = high = strtoul(p, &end, 10);
		if (end != p && *end == '-')
			high = strtoul(end + 1, &end, 10);
		if (end == p || low > high || high > 63 || (*end && *end != ','))
			return event_error(error, "the kernel's format '%.40s' is not understood",
					   format);
		for (bit = low; bit <= high; bit++, value >>= 1)
			*word = (*word & ~(UINT64_C(1) << bit)) | (value & 1) << bit;
		p = *end ? end + 1 : end;
	}
	if (value)
		return event_error(error, "the value %#llx of '%.40s' is too large",
				   (unsigned long long)whole, term);
	return 0;
}

static int parse_terms(const char *pmu, const char *terms, bool aliases, struct event *out,
		       char error[EVENT_ERROR]);

/* Packed ratios of Intel's top-down method are no counts that could be added up. */
static bool is_metric(const char *name, const struct event *event)
{
	return !strncmp(name, "topdown-", 8) && !(event->config & 0xff) &&
	       (event->config >> 8 & 0xff) >= 0x80;
}

static int alias(const char *pmu, const char *name, struct event *out, char error[EVENT_ERROR])
{
	char terms[512], near[EVENT_ERROR / 3];

	if (!read_line(pmu, "events", name, terms, sizeof(terms)) || strrchr(name, '.')) {
		event_near(name, near, sizeof(near));
		return event_error(
			error, "'%.40s' is neither an event nor a term of the PMU '%.40s'%s%s%s",
			name, pmu, *near ? "; did you mean " : "", near, *near ? "?" : "");
	}
	if (strchr(terms, '?'))
		return event_error(error, "the event '%.40s' needs more terms: %.80s", name, terms);
	if (parse_terms(pmu, terms, false, out, error))
		return -1;
	if (is_metric(name, out))
		return event_error(error, "'%.40s' is a ratio and not a counter", name);
	return 0;
}

static int one_term(const char *pmu, char *term, bool aliases, struct event *out,
		    char error[EVENT_ERROR])
{
	char *equals = strchr(term, '=');
	char format[128];
	uint64_t value = 1;

	if (!*term)
		return event_error(error, "an empty term for the PMU '%.40s'", pmu);
	if (equals)
		*equals = '\0';
	if (!strcmp(term, "name")) {
		if (!equals || !equals[1] || strlen(equals + 1) > THREADPROF_NAME_MAX)
			return event_error(error, "name= wants 1 to %d characters",
					   THREADPROF_NAME_MAX);
		strcpy(out->name, equals + 1);
		return 0;
	}
	if (!strcmp(term, "period") || !strcmp(term, "freq") || !strcmp(term, "precise") ||
	    !strcmp(term, "call-graph"))
		return event_error(error, "the term '%s' is for sampling, a counter has none",
				   term);
	if (equals && !number(equals + 1, &value))
		return event_error(error, "'%.40s' of the term '%.40s' is no number", equals + 1,
				   term);
	/* The kernel's own words come first: a PMU may not redefine config. */
	if (equals && !strcmp(term, "config"))
		return out->config = value, 0;
	if (equals && !strcmp(term, "config1"))
		return out->config1 = value, 0;
	if (equals && !strcmp(term, "config2"))
		return out->config2 = value, 0;
	if (read_line(pmu, "format", term, format, sizeof(format)))
		return place(term, format, value, out, error);
	if (equals || !aliases)
		return event_error(error, "the PMU '%.40s' has no term '%.40s'", pmu, term);
	return alias(pmu, term, out, error);
}

static int parse_terms(const char *pmu, const char *terms, bool aliases, struct event *out,
		       char error[EVENT_ERROR])
{
	char copy[512];
	char *rest = copy;
	char *term;

	if (strlen(terms) >= sizeof(copy))
		return event_error(error, "too many terms");
	strcpy(copy, terms);
	while ((term = strsep(&rest, ",")))
		if (one_term(pmu, term, aliases, out, error))
			return -1;
	return 0;
}

int event_pmu(const char *pmu, const char *terms, struct event *out, char error[EVENT_ERROR])
{
	char line[32];
	uint64_t type;

	if (!read_line(pmu, ".", "type", line, sizeof(line)) || !number(line, &type) ||
	    type > UINT32_MAX)
		return event_error(error, "this machine has no PMU '%.80s'", pmu);
	out->type = type;
	return parse_terms(pmu, terms, true, out, error);
}

/* Calls fn for each entry of a folder that is no part of another one. */
static int each_entry(const char *folder, int (*fn)(const char *name, void *arg), void *arg)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);
	int err = 0;
	int i;

	for (i = 0; i < n; i++) {
		if (!err && entries[i]->d_name[0] != '.')
			err = fn(entries[i]->d_name, arg);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return err;
}

struct walk {
	event_fn *fn;
	void *arg;
	const char *pmu;
};

static int one_event(const char *name, void *arg)
{
	struct walk *walk = arg;
	char terms[256];
	char full[NAME_MAX * 2 + 3];

	/* name.scale, name.unit and the like describe the event name. */
	if (strrchr(name, '.') || !read_line(walk->pmu, "events", name, terms, sizeof(terms)))
		return 0;
	snprintf(full, sizeof(full), "%s/%s/", walk->pmu, name);
	return walk->fn(full, terms, walk->arg);
}

static int one_pmu(const char *pmu, void *arg)
{
	struct walk *walk = arg;
	char path[PATH_MAX];

	walk->pmu = pmu;
	snprintf(path, sizeof(path), "%s/%s/events", event_pmu_root, pmu);
	return each_entry(path, one_event, walk);
}

int event_pmu_each(event_fn *fn, void *arg)
{
	struct walk walk = { .fn = fn, .arg = arg };

	return each_entry(event_pmu_root, one_pmu, &walk);
}

static int type_is_uncore(const char *pmu, void *arg)
{
	uint32_t *wanted = arg;
	char line[256];
	uint64_t type;

	if (!read_line(pmu, ".", "type", line, sizeof(line)) || !number(line, &type) ||
	    type != *wanted)
		return 0;
	return read_line(pmu, ".", "cpumask", line, sizeof(line));
}

bool event_pmu_is_uncore(uint32_t type)
{
	return each_entry(event_pmu_root, type_is_uncore, &type);
}
