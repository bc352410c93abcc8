// SPDX-License-Identifier: GPL-2.0-only
#include <libsmartcols.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "table.h"

enum { GROUP, CONTENDER, COUNTERS, THREADS, MIN, MEDIAN, MAX, ADDED, LIMIT, RATIO, COLUMNS };

/* Of exact figures, of ratios, of both. */
enum { EXACT = 1, RATIOS = 2, BOTH = 3 };

static const struct {
	const char *heading, *key;
	int in, flags, json;
} column[COLUMNS] = {
	[GROUP] = { "FIGURE", "figure", BOTH, 0, SCOLS_JSON_STRING },
	[CONTENDER] = { "CONTENDER", "contender", BOTH, 0, SCOLS_JSON_STRING },
	[COUNTERS] = { "COUNTERS", "counters", BOTH, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[THREADS] = { "THREADS", "threads", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MIN] = { "MIN", "min", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MEDIAN] = { "MEDIAN", "median", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[MAX] = { "MAX", "max", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[ADDED] = { "ADDED", "added", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[LIMIT] = { "LIMIT", "limit", EXACT, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
	[RATIO] = { "TO NULL CALL", "ratio", RATIOS, SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
};

static void number(struct libscols_line *line, int at, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	if (scols_line_set_data(line, at, text))
		die("out of memory");
}

/* Of the least of each: what others do on the machine only adds. */
static void ratio(struct libscols_line *line, const struct figures *figures,
		  const struct figure *f)
{
	const struct figure *null_call;
	int64_t median;
	char text[32];

	null_call = figures_find(figures, "read.null-call", &median);
	if (!null_call || f->derived || !f->built)
		return;
	snprintf(text, sizeof(text), "%.3f", (double)f->value.min / null_call->value.min);
	if (scols_line_set_data(line, RATIO, text))
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
	ratio(line, figures, f);
}

void table_print(const struct figures *figures, const struct limits *limits, bool json,
		 bool ratios)
{
	struct libscols_table *table = scols_new_table();
	int hidden, of = ratios ? RATIOS : EXACT;
	struct libscols_column *cl;
	size_t i;

	if (!table)
		die("out of memory");
	scols_table_set_name(table, "bench");
	scols_table_enable_json(table, json);
	for (i = 0; i < COLUMNS; i++) {
		hidden = column[i].in & of ? 0 : SCOLS_FL_HIDDEN;
		cl = scols_table_new_column(table, json ? column[i].key : column[i].heading, 0,
					    column[i].flags | hidden);
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
