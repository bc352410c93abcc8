// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "limit.h"

static void parse(struct limit *l, const char *line, const char *path)
{
	char relation[4], rest[2];
	int n;

	*l = (struct limit) { 0 };
	n = sscanf(line, "%63s %3s %lf * %63s %1s", l->figure, relation, &l->factor,
		   l->other, rest);
	if ((n != 3 && n != 4) || (strcmp(relation, "<=") && strcmp(relation, "<")))
		die("%s: not a limit: %s", path, line);
	l->below = !relation[1];
}

void limits_load(struct limits *limits, const char *path)
{
	FILE *f = fopen(path, "re");
	char line[256];

	if (!f)
		die("%s: %m", path);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		limits->list = realloc(limits->list,
				       (limits->count + 1) * sizeof(*limits->list));
		if (!limits->list)
			die("out of memory");
		parse(&limits->list[limits->count++], line, path);
	}
	fclose(f);
	if (!limits->count)
		die("%s: no limits", path);
}

/* The largest whole number that is allowed; false: a figure for it is not there. */
static bool allowed(const struct limit *l, const struct figures *figures, int64_t *out)
{
	const struct figure *other;
	double number = l->factor;
	int64_t value;

	if (l->other[0]) {
		other = figures_find(figures, l->other, &value);
		if (!other || !other->built)
			return false;
		number *= value;
	}
	*out = (int64_t)number;
	if (l->below && *out == number)
		--*out;
	return true;
}

bool limits_for(const struct limits *limits, const struct figures *figures,
		const struct figure *figure, int64_t *out)
{
	int64_t value, number;
	bool found = false;
	size_t i;

	for (i = 0; i < limits->count; i++) {
		if (figures_find(figures, limits->list[i].figure, &value) != figure ||
		    !allowed(&limits->list[i], figures, &number))
			continue;
		if (!found || number < *out)
			*out = number;
		found = true;
	}
	return found;
}

unsigned int limits_check(const struct limits *limits, const struct figures *figures)
{
	const struct figure *figure;
	int64_t value, number;
	unsigned int bad = 0;
	size_t i;

	for (i = 0; i < limits->count; i++) {
		const struct limit *l = &limits->list[i];
		char of[96];

		snprintf(of, sizeof(of), l->other[0] ? " (%g * %s)" : "", l->factor, l->other);
		figure = figures_find(figures, l->figure, &value);
		if (figure && !figure->built) {
			printf("not built %s\n", l->figure);
		} else if (!figure) {
			printf("not ok %s: not measured\n", l->figure);
			bad++;
		} else if (!allowed(l, figures, &number)) {
			printf("not ok %s: nothing to compare with%s\n", l->figure, of);
			bad++;
		} else if (value > number) {
			printf("not ok %s: %lld, limit %lld%s\n", l->figure, (long long)value,
			       (long long)number, of);
			bad++;
		} else {
			printf("ok %s: %lld, limit %lld%s\n", l->figure, (long long)value,
			       (long long)number, of);
		}
	}
	return bad;
}
