// SPDX-License-Identifier: GPL-2.0-only
/* The result of `hwcfg run` for programs: four lists that share "profile". */
#include <inttypes.h>

#include "format.h"
#include "run_doubt.h"
#include "run_ipc.h"
#include "run_table.h"
#include "table.h"

#define NUMBER SCOLS_JSON_NUMBER
#define STRING SCOLS_JSON_STRING
#define ADD(table, columns) add(table, columns, sizeof(columns) / sizeof((columns)[0]))

struct json {
	const struct run_result *result;
	struct libscols_table *threads;
	struct libscols_table *counters;
	struct libscols_table *waits;
	struct run_doubts doubts;
	bool ipc;
	unsigned int cycles;
	unsigned int instructions;
};

static void add(struct libscols_table *table, const struct column *columns, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		table_column(table, &columns[i]);
}

static struct libscols_table *run(const struct run_result *result)
{
	static const struct column columns[] = {
		{ .key = "command", .json = STRING }, { .key = "status", .json = NUMBER },
		{ .key = "elapsed_ns", .json = NUMBER }, { .key = "cycle_hz", .json = NUMBER },
		{ .key = "generation", .json = NUMBER },
	};
	struct libscols_table *table = table_new("run", true);
	struct libscols_line *line;

	ADD(table, columns);
	line = table_line(table);
	table_cell(line, 0, "%s", result->command);
	table_cell(line, 1, "%d", result->status);
	table_cell(line, 2, "%" PRIu64, result->elapsed_ns);
	table_cell(line, 3, "%" PRIu64, result->cycle_hz);
	table_cell(line, 4, "%" PRIu32, result->config.generation);
	return table;
}

static void columns(struct json *json)
{
	static const struct column threads[] = {
		{ .key = "profile", .json = NUMBER }, { .key = "kind", .json = STRING },
		{ .key = "pid", .json = NUMBER }, { .key = "tid", .json = NUMBER },
		{ .key = "name", .json = STRING }, { .key = "cpu_ns", .json = NUMBER },
		{ .key = "ref_cycles", .json = NUMBER }, { .key = "elapsed_ns", .json = NUMBER },
		{ .key = "voluntary", .json = NUMBER }, { .key = "involuntary", .json = NUMBER },
		{ .key = "ipc", .json = NUMBER }, { .key = "threads", .json = NUMBER },
	};
	static const struct column counters[] = {
		{ .key = "profile", .json = NUMBER }, { .key = "tid", .json = NUMBER },
		{ .key = "slot", .json = NUMBER }, { .key = "event", .json = STRING },
		{ .key = "modes", .json = STRING }, { .key = "state", .json = STRING },
		{ .key = "value", .json = NUMBER }, { .key = "note", .json = STRING },
	};
	static const struct column waits[] = {
		{ .key = "profile", .json = NUMBER }, { .key = "tid", .json = NUMBER },
		{ .key = "reason", .json = NUMBER }, { .key = "name", .json = STRING },
		{ .key = "count", .json = NUMBER }, { .key = "ref_cycles", .json = NUMBER },
		{ .key = "ns", .json = NUMBER },
	};

	ADD(json->threads, threads);
	ADD(json->counters, counters);
	ADD(json->waits, waits);
}

static const char *state_name(uint32_t state)
{
	switch (state) {
	case THREADPROF_SLOT_COUNTING:
		return "counting";
	case THREADPROF_SLOT_LOST:
		return "lost";
	case THREADPROF_SLOT_NOT_CONFIGURED:
		return "not configured";
	}
	return "unused";
}

/* Rows that stand for more than one thread have no profile and no tid: null. */
static struct libscols_line *child(struct libscols_table *table, const struct threadprof_profile *p)
{
	struct libscols_line *line = table_line(table);

	if (!p->dropped) {
		table_cell(line, 0, "%" PRIu64, p->id);
		table_cell(line, 1, "%" PRIu32, p->tid);
	}
	return line;
}

static void slots(struct json *json, const struct threadprof_profile *p)
{
	const struct threadprof_configuration *config = &json->result->config;
	char modes[FORMAT_SIZE];
	unsigned int i;

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		struct libscols_line *line;
		enum run_doubt doubt;

		if (!(json->result->mask >> i & 1))
			continue;
		line = child(json->counters, p);
		table_cell(line, 2, "%u", i);
		if (i < config->count) {
			table_cell(line, 3, "%s", config->counter[i].name);
			table_cell(line, 4, "%s", format_modes(modes, config->counter[i].modes));
		}
		table_cell(line, 5, "%s", state_name(p->slot[i].state));
		/* No number where nothing was counted: 0 would be a lie. */
		doubt = run_doubt(&json->doubts, p, i);
		if ((p->slot[i].state == THREADPROF_SLOT_COUNTING && doubt != RUN_NOT_COUNTED) ||
		    p->slot[i].state == THREADPROF_SLOT_LOST)
			table_cell(line, 6, "%" PRIu64, p->slot[i].value);
		if (doubt != RUN_SURE)
			table_cell(line, 7, "%s", doubt == RUN_NOT_COUNTED ? "not counted" :
									     "0 everywhere");
	}
}

static void waits(struct json *json, const struct threadprof_profile *p)
{
	unsigned int i;

	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		struct libscols_line *line;

		if (!p->wait[i].count)
			continue;
		line = child(json->waits, p);
		table_cell(line, 2, "%u", i);
		table_cell(line, 3, "%s", threadprof_wait_name(i));
		table_cell(line, 4, "%" PRIu64, p->wait[i].count);
		table_cell(line, 5, "%" PRIu64, p->wait[i].time);
		table_cell(line, 6, "%" PRIu64, format_ns(p->wait[i].time, json->result->cycle_hz));
	}
}

static void thread(struct json *json, const struct threadprof_profile *p)
{
	struct libscols_line *line = table_line(json->threads);
	const struct threadprof_slot *c = &p->slot[json->cycles], *n = &p->slot[json->instructions];
	uint64_t hz = json->result->cycle_hz;

	if (p->dropped) {
		table_cell(line, 1, "dropped");
	} else {
		table_cell(line, 0, "%" PRIu64, p->id);
		table_cell(line, 1, p->flags & THREADPROF_PROFILE_ENDED ? "ended" : "running");
		table_cell(line, 2, "%" PRIu32, p->pid);
		table_cell(line, 3, "%" PRIu32, p->tid);
		table_cell(line, 4, "%.*s", (int)sizeof(p->comm), p->comm);
		table_cell(line, 7, "%" PRIu64, format_ns(p->elapsed, hz));
	}
	table_cell(line, 5, "%" PRIu64, format_ns(p->cycles, hz));
	table_cell(line, 6, "%" PRIu64, p->cycles);
	table_cell(line, 8, "%" PRIu64, p->voluntary);
	table_cell(line, 9, "%" PRIu64, p->switches - p->voluntary);
	if (json->ipc && run_doubt_ipc(&json->doubts, p, json->cycles, json->instructions))
		table_cell(line, 10, "%.4f", (double)n->value / (double)c->value);
	table_cell(line, 11, "%" PRIu64, p->dropped ? p->dropped : 1);
	slots(json, p);
	waits(json, p);
}

int run_table_json(FILE *out, struct run_result *result)
{
	struct json json = {
		.result = result,
		.threads = table_new("threads", true),
		.counters = table_new("counters", true),
		.waits = table_new("waits", true),
	};
	struct libscols_table *tables[] = { run(result), json.threads, json.counters, json.waits };
	struct threadprof_profile lost;
	size_t i;

	json.ipc = run_ipc_slots(&result->config, result->mask, &json.cycles, &json.instructions);
	run_doubts_find(result, &json.doubts);
	columns(&json);
	run_threads_sort(&result->threads);
	for (i = 0; i < result->threads.count; i++)
		thread(&json, &result->threads.row[i]);
	run_threads_lost(&result->threads, &lost);
	if (lost.dropped)
		thread(&json, &lost);
	return table_print(out, tables, 4, true);
}
