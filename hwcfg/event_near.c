// SPDX-License-Identifier: GPL-2.0-only
/* Names that look like a mistyped one. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event.h"

#define LONGEST 96
#define WANTED 3

unsigned int event_distance(const char *a, const char *b)
{
	unsigned int rows[3][LONGEST + 1];
	size_t la = strlen(a), lb = strlen(b);
	size_t i, j;

	if (la > LONGEST || lb > LONGEST)
		return LONGEST;
	for (j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (i = 1; i <= la; i++) {
		unsigned int *now = rows[i % 3], *last = rows[(i - 1) % 3],
			     *before = rows[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= lb; j++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[j - 1]);
			unsigned int best = last[j - 1] + (x != y);

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[la % 3][lb];
}

struct near {
	const char *name;
	unsigned int limit;
	unsigned int distance[WANTED];
	char found[WANTED][LONGEST + 1];
};

/* What a user would type for it: the part between the slashes, or behind "::". */
static void bare(const char *name, char *out)
{
	const char *begin = strstr(name, "::");
	const char *slash = strchr(name, '/');

	begin = begin ? begin + 2 : slash ? slash + 1 : name;
	snprintf(out, LONGEST + 1, "%.*s", (int)strcspn(begin, "/"), begin);
}

static int compare(const char *name, const char *what, void *arg)
{
	struct near *near = arg;
	char short_name[LONGEST + 1];
	unsigned int distance, other;
	int i, j;

	(void)what;
	if (strlen(name) > LONGEST)
		return 0;
	bare(name, short_name);
	distance = event_distance(near->name, name);
	other = event_distance(near->name, short_name);
	if (other < distance)
		distance = other;
	if (distance > near->limit)
		return 0;
	for (i = 0; i < WANTED && near->distance[i] <= distance; i++)
		if (!strcmp(near->found[i], name))
			return 0;
	if (i == WANTED)
		return 0;
	for (j = WANTED - 1; j > i; j--) {
		near->distance[j] = near->distance[j - 1];
		strcpy(near->found[j], near->found[j - 1]);
	}
	near->distance[i] = distance;
	strcpy(near->found[i], name);
	return 0;
}

void event_near(const char *name, char *out, size_t size)
{
	struct near near = { .name = name, .limit = 1 + strlen(name) / 5 };
	size_t used = 0;
	int i;

	for (i = 0; i < WANTED; i++)
		near.distance[i] = LONGEST;
	event_generic_each(compare, &near);
	event_pmu_each(compare, &near);
	event_pfm_each(false, compare, &near);
	*out = '\0';
	for (i = 0; i < WANTED && near.found[i][0] && used < size; i++)
		used += snprintf(out + used, size - used, "%s%s", i ? " or " : "", near.found[i]);
}
