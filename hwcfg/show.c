// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "connect.h"
#include "event.h"
#include "format.h"
#include "say.h"
#include "show.h"
#include "table.h"

static const char usage[] =
	"Usage: hwcfg show [--json]\n\n"
	"Prints the counters configured now.\n";

#define STRICT	"strict"

/* Which of the guards of direct reads it waives. */
static const char *direct(const struct threadprof_configuration *config)
{
	if (config->flags & THREADPROF_CONFIG_DIRECT_RELAXED)
		return "relaxed";
	return config->flags & THREADPROF_CONFIG_DIRECT ? "everybody" : STRICT;
}

static bool is_exclusive(const struct threadprof_configuration *config)
{
	return config->flags & THREADPROF_CONFIG_EXCLUSIVE;
}

static struct libscols_table *facts(const struct threadprof_configuration *config)
{
	static const struct column columns[] = {
		{ NULL, "generation", 0, SCOLS_JSON_NUMBER },
		{ NULL, "holder_pid", 0, SCOLS_JSON_NUMBER },
		{ NULL, "direct", 0, SCOLS_JSON_STRING },
		{ NULL, "exclusive", 0, SCOLS_JSON_BOOLEAN },
	};
	struct libscols_table *table = table_new("configuration", true);
	struct libscols_line *line;
	unsigned int i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, &columns[i]);
	line = table_line(table);
	table_cell(line, 0, "%" PRIu32, config->generation);
	if (config->holder_pid)
		table_cell(line, 1, "%" PRIu32, config->holder_pid);
	table_cell(line, 2, "%s", direct(config));
	table_cell(line, 3, "%d", is_exclusive(config));
	return table;
}

static struct libscols_table *counters(const struct threadprof_configuration *config, bool json)
{
	static const struct column columns[] = {
		{ "SLOT", "slot", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
		{ "EVENT", "event", 0, SCOLS_JSON_STRING },
		{ "MODES", "modes", 0, SCOLS_JSON_STRING },
		{ "TYPE:CONFIG", "perf", 0, SCOLS_JSON_STRING },
		{ "INDEX", "index", 0, SCOLS_JSON_STRING },
	};
	struct libscols_table *table = table_new("counters", json);
	struct libscols_line *line;
	char modes[FORMAT_SIZE];
	struct event event;
	uint32_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, &columns[i]);
	for (i = 0; i < config->count; i++) {
		event_from_counter(&config->counter[i], &event);
		line = table_line(table);
		table_cell(line, 0, "%" PRIu32, i);
		table_cell(line, 1, "%s", event.name[0] ? event.name : "(no name)");
		table_cell(line, 2, "%s", format_modes(modes, event.modes));
		if (event.config1 || event.config2)
			table_cell(line, 3, "%" PRIu32 ":%#" PRIx64 ",%#" PRIx64 ",%#" PRIx64,
				   event.type, event.config, event.config1, event.config2);
		else
			table_cell(line, 3, "%" PRIu32 ":%#" PRIx64, event.type, event.config);
		table_cell(line, 4, "0x%016" PRIx64, config->counter[i].index);
	}
	return table;
}

int show_configuration(FILE *out, const struct threadprof_configuration *config, bool json)
{
	struct libscols_table *tables[2];
	int err;

	if (!config->count)
		say("no counters configured");
	if (json) {
		tables[0] = facts(config);
		tables[1] = counters(config, true);
		err = table_print(out, tables, 2, true);
		return err ? EXIT_REFUSED : EXIT_OK;
	}
	if (!config->count)
		return EXIT_OK;
	fprintf(out, "generation %" PRIu32, config->generation);
	if (config->holder_pid)
		fprintf(out, ", held by process %" PRIu32, config->holder_pid);
	if (is_exclusive(config))
		fputs(", exclusive", out);
	if (strcmp(direct(config), STRICT))
		fprintf(out, ", direct reads: %s", direct(config));
	fputc('\n', out);
	tables[0] = counters(config, false);
	err = table_print(out, tables, 1, false);
	return err ? EXIT_REFUSED : EXIT_OK;
}

int command_show(int argc, char **argv)
{
	struct threadprof_configuration config;
	struct threadprof *tp;
	bool json = false;
	int err;

	err = command_options(argc, argv, usage, &json, NULL);
	if (err >= 0)
		return err;
	if (argv[optind])
		return say_usage("show", "'%s' is not wanted", argv[optind]);
	err = connect_module(&tp);
	if (err)
		return err;
	err = threadprof_get_configuration(tp, &config);
	err = err ? connect_refused(tp, err) : show_configuration(stdout, &config, json);
	threadprof_close(tp);
	return err;
}
