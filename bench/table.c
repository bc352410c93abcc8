// SPDX-License-Identifier: GPL-2.0-only
#include <libsmartcols.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "table.h"

enum { GROUP, CONTENDER, COUNTERS, THREADS, MIN, MEDIAN, MAX, ADDED, LIMIT, COLUMNS };

static const struct {
	const char *heading, *key;
	int flags, json;
} column[COLUMNS] = {
	[GROUP] = { "FIGURE", "figure", 0, SCOLS_JSON_STRING },
	[CONTENDER] = { "CONTENDER", "contender", 0, SCOLS_JSON_STRING },
	[COUNTERS] = { "COUNTERS", "counters", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[THREADS] = { "THREADS", "threads", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MIN] = { "MIN", "min", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MEDIAN] = { "MEDIAN", "median", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MAX] = { "MAX", "max", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[ADDED] = { "ADDED", "added", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[LIMIT] = { "LIMIT", "limit", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
};

static void number(struct libscols_line *line, int at, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	if (scols_line_set_data(line, at, text))
		die("out of memory");
}

static void print_figure(struct libscols_table *table, const struct figures *figures,
			 const struct limits *limits, const struct figure *f)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	int64_t limit;

	if (!line || scols_line_set_data(line, GROUP, f->group) ||
	    scols_line_set_data(line, CONTENDER, f->contender))
		die("out of memory");
	if (f->counters != FIGURE_NONE)
		number(line, COUNTERS, f->counters);
	if (f->threads != FIGURE_NONE)
		number(line, THREADS, f->threads);
	if (f->built)
		number(line, MEDIAN, f->value.median);
	if (f->built && !f->derived) {
		number(line, MIN, f->value.min);
		number(line, MAX, f->value.max);
	}
	if (!f->built && !scols_table_is_json(table)) {
		scols_line_set_data(line, MEDIAN, "not built");
	}
	if (f->has_added)
		number(line, ADDED, f->added);
	if (limits_for(limits, figures, f, &limit))
		number(line, LIMIT, limit);
}

void table_print(const struct figures *figures, const struct limits *limits, bool json)
{
	struct libscols_table *table = scols_new_table();
	struct libscols_column *cl;
	size_t i;

	if (!table)
		die("out of memory");
	scols_table_set_name(table, "bench");
	scols_table_enable_json(table, json);
	for (i = 0; i < COLUMNS; i++) {
		cl = scols_table_new_column(table, json ? column[i].key : column[i].heading, 0,
					    column[i].flags);
		if (!cl)
			die("out of memory");
		scols_column_set_json_type(cl, column[i].json);
	}
	for (i = 0; i < figures->count; i++)
		print_figure(table, figures, limits, &figures->list[i]);
	if (scols_print_table(table) || fflush(stdout))
		die("can't print the table");
	scols_unref_table(table);
}
