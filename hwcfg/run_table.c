// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "format.h"
#include "run_doubt.h"
#include "run_ipc.h"
#include "run_table.h"
#include "table.h"

#define TOP_WAITS 3

struct layout {
	const struct run_result *result;
	struct libscols_table *table;
	struct run_doubts doubts;
	uint64_t partial;	/* slots that did not count in some row */
	bool ipc;
	unsigned int cycles;
	unsigned int instructions;
};

static void add_columns(struct layout *layout)
{
	static const struct column first[] = {
		{ "TID", NULL, SCOLS_FL_RIGHT, 0 },
		{ "NAME", NULL, 0, 0 },
		{ "CPU MS", NULL, SCOLS_FL_RIGHT, 0 },
		{ "REF CYCLES", NULL, SCOLS_FL_RIGHT, 0 },
		{ "VOL SWITCHES", NULL, SCOLS_FL_RIGHT, 0 },
		{ "INVOL", NULL, SCOLS_FL_RIGHT, 0 },
	};
	const struct run_result *result = layout->result;
	size_t i;

	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		table_column(layout->table, &first[i]);
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		const char *name = i < result->config.count ? result->config.counter[i].name : "?";

		if (result->mask >> i & 1)
			table_column(layout->table, &(struct column){
				.heading = *name ? name : "(no name)", .flags = SCOLS_FL_RIGHT });
	}
	if (layout->ipc)
		table_column(layout->table, &(struct column){
			.heading = "IPC", .flags = SCOLS_FL_RIGHT });
	table_column(layout->table, &(struct column){ .heading = "WAITED FOR" });
}

static void waits(const struct threadprof_profile *p, uint64_t hz, char *out, size_t size)
{
	bool taken[THREADPROF_WAIT_REASONS] = { };
	size_t used = 0;
	int n, i;

	*out = '\0';
	for (n = 0; n < TOP_WAITS; n++) {
		char time[FORMAT_SIZE];
		const char *name;
		int top = -1;

		for (i = 0; i < THREADPROF_WAIT_REASONS; i++)
			if (p->wait[i].count && !taken[i] &&
			    (top < 0 || p->wait[i].time > p->wait[top].time))
				top = i;
		if (top < 0 || used >= size)
			return;
		taken[top] = true;
		name = threadprof_wait_name(top);
		/* Time is added when the wait ends: it sits in this one. */
		if (!p->wait[top].time && !(p->flags & THREADPROF_PROFILE_ENDED) && p->tid)
			strcpy(time, "now");
		else
			format_time(time, format_ns(p->wait[top].time, hz));
		if (*name)
			used += snprintf(out + used, size - used, "%s%s %s", n ? ", " : "", name,
					 time);
		else
			used += snprintf(out + used, size - used, "%sreason %d %s", n ? ", " : "",
					 top, time);
	}
}

/* partial: in a sum, some of it was not counted. */
static void slot(struct libscols_line *line, size_t column, const struct threadprof_slot *s,
		 enum run_doubt doubt, bool partial)
{
	char count[FORMAT_SIZE];

	format_count(count, s->value);
	switch (s->state) {
	case THREADPROF_SLOT_COUNTING:
		if (doubt == RUN_NOT_COUNTED)
			return table_cell(line, column, "not counted");
		return table_cell(line, column, doubt == RUN_ZERO_EVERYWHERE || partial ?
				  "%s (?)" : "%s", count);
	case THREADPROF_SLOT_LOST:
		return table_cell(line, column, "%s (lost)", count);
	case THREADPROF_SLOT_NOT_CONFIGURED:
		return table_cell(line, column, "not configured");
	}
	table_cell(line, column, "-");
}

static void row(struct layout *layout, const char *tid, const char *name,
		const struct threadprof_profile *p, bool sum)
{
	const struct run_result *result = layout->result;
	struct libscols_line *line = table_line(layout->table);
	char number[FORMAT_SIZE], waited[256];
	size_t column = 0;
	int i;

	table_cell(line, column++, "%s", tid);
	table_cell(line, column++, "%s", name);
	table_cell(line, column++, "%s", format_ms(number, format_ns(p->cycles, result->cycle_hz)));
	table_cell(line, column++, "%s", format_count(number, p->cycles));
	table_cell(line, column++, "%s", format_count(number, p->voluntary));
	table_cell(line, column++, "%s", format_count(number, p->switches - p->voluntary));
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		uint64_t bit = UINT64_C(1) << i;
		enum run_doubt doubt = run_doubt(&layout->doubts, p, i);

		if (!(result->mask & bit))
			continue;
		if (doubt == RUN_NOT_COUNTED)
			layout->partial |= bit;
		slot(line, column++, &p->slot[i], doubt, sum && layout->partial & bit);
	}
	if (layout->ipc) {
		unsigned int c = layout->cycles, n = layout->instructions;
		uint64_t both = UINT64_C(1) << c | UINT64_C(1) << n;

		if (run_doubt_ipc(&layout->doubts, p, c, n) && !(sum && layout->partial & both))
			table_cell(line, column++, "%s",
				   format_ipc(number, p->slot[n].value, p->slot[c].value));
		else
			table_cell(line, column++, "-");
	}
	waits(p, result->cycle_hz, waited, sizeof(waited));
	table_cell(line, column, "%s", waited);
}

int run_table_print(FILE *out, struct run_result *result)
{
	struct layout layout = { .result = result, .table = table_new("threads", false) };
	struct threadprof_profile total = { }, lost;
	char label[64];
	size_t i;

	layout.ipc = run_ipc_slots(&result->config, result->mask, &layout.cycles,
				   &layout.instructions);
	run_doubts_find(result, &layout.doubts);
	/* Numbers are not cut off to make a table fit a window. */
	scols_table_set_termforce(layout.table, SCOLS_TERMFORCE_NEVER);
	add_columns(&layout);
	run_threads_sort(&result->threads);
	for (i = 0; i < result->threads.count; i++) {
		const struct threadprof_profile *p = &result->threads.row[i];
		char tid[FORMAT_SIZE];

		snprintf(tid, sizeof(tid), "%" PRIu32, p->tid);
		snprintf(label, sizeof(label), "%.*s%s", (int)sizeof(p->comm), p->comm,
			 p->flags & THREADPROF_PROFILE_ENDED ? "" : " (still running)");
		row(&layout, tid, label, p, false);
		run_threads_sum(&total, p);
	}
	run_threads_lost(&result->threads, &lost);
	if (lost.dropped) {
		char number[FORMAT_SIZE];

		snprintf(label, sizeof(label), "(%s more ended)",
			 format_count(number, lost.dropped));
		row(&layout, "", label, &lost, false);
		run_threads_sum(&total, &lost);
	}
	row(&layout, "", "total", &total, true);
	return table_print(out, &layout.table, 1, false);
}
