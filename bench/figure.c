// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "figure.h"

#define ADDED	"added."

static void post(const char *group, const char *contender, int counters, int threads,
		 const struct measured *value)
{
	struct figure f = { .counters = counters, .threads = threads, .built = value };

	snprintf(f.group, sizeof(f.group), "%s", group);
	snprintf(f.contender, sizeof(f.contender), "%s", contender);
	if (value)
		f.value = *value;
	if (write(FIGURE_FD, &f, sizeof(f)) != sizeof(f))
		die("can't send a figure: %m");
}

void figure_send(const char *group, const char *contender, int counters, int threads,
		 const struct measured *value)
{
	post(group, contender, counters, threads, value);
}

void figure_not_built(const char *group, const char *contender, int counters, int threads)
{
	post(group, contender, counters, threads, NULL);
}

static struct figure *append(struct figures *figures, const struct figure *f)
{
	struct figure *list;

	list = realloc(figures->list, (figures->count + 1) * sizeof(*list));
	if (!list)
		die("out of memory");
	figures->list = list;
	list[figures->count] = *f;
	return &list[figures->count++];
}

void figures_receive(struct figures *figures, int fd)
{
	struct figure f;
	ssize_t n;

	/* Smaller than PIPE_BUF: each comes whole. */
	while ((n = read(fd, &f, sizeof(f))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(f))
			die("a figure arrived in pieces");
		append(figures, &f);
	}
}

static void name_of(const struct figure *f, char *name, size_t size)
{
	int n = snprintf(name, size, "%s.%s", f->group, f->contender);

	if (f->counters != FIGURE_NONE)
		n += snprintf(name + n, size - n, ".%d", f->counters);
	if (f->threads != FIGURE_NONE)
		snprintf(name + n, size - n, ".%d", f->threads);
}

const struct figure *figures_find(const struct figures *figures, const char *name,
				  int64_t *value)
{
	bool added = !strncmp(name, ADDED, strlen(ADDED));
	const struct figure *f;
	char wanted[96], is[96];
	size_t i;

	snprintf(wanted, sizeof(wanted), "%s%s", added ? "switch." : "",
		 added ? name + strlen(ADDED) : name);
	for (i = 0; i < figures->count; i++) {
		f = &figures->list[i];
		name_of(f, is, sizeof(is));
		if (strcmp(is, wanted))
			continue;
		*value = added ? f->added : f->value.median;
		return f;
	}
	return NULL;
}

/* Above two unprofiled threads, in the same company. */
static void derive_added(struct figures *figures)
{
	const struct figure *base;
	char name[64];
	struct figure *f;
	int64_t median;
	size_t i;

	for (i = 0; i < figures->count; i++) {
		f = &figures->list[i];
		if (strcmp(f->group, "switch") || !f->built)
			continue;
		if (f->threads == FIGURE_NONE)
			snprintf(name, sizeof(name), "switch.unprofiled");
		else
			snprintf(name, sizeof(name), "switch.plain.%d", f->threads);
		base = figures_find(figures, name, &median);
		if (!base || base == f)
			continue;
		f->has_added = true;
		f->added = f->value.median - median;
	}
}

/* From 2 counters to 6 there are 4 more. */
static void derive_each(struct figures *figures, const char *contender)
{
	struct figure each = { .group = "counter", .counters = FIGURE_NONE,
			       .threads = FIGURE_NONE, .derived = true };
	const struct figure *two, *six;
	char name[64];
	int64_t low, high;

	snprintf(each.contender, sizeof(each.contender), "%s", contender);
	snprintf(name, sizeof(name), "read.%s.2", contender);
	two = figures_find(figures, name, &low);
	snprintf(name, sizeof(name), "read.%s.6", contender);
	six = figures_find(figures, name, &high);
	if (!two || !six)
		return;
	each.built = two->built && six->built;
	if (each.built)
		each.value.median = (high - low) / 4;
	append(figures, &each);
}

void figures_derive(struct figures *figures)
{
	static const char * const contender[] = {
		"direct", "entered", "perf-read", "perf-mmap", "papi", "papi-read", "registers",
	};
	size_t i;

	derive_added(figures);
	for (i = 0; i < sizeof(contender) / sizeof(contender[0]); i++)
		derive_each(figures, contender[i]);
}
