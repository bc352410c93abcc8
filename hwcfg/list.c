// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#include "command.h"
#include "event.h"
#include "say.h"
#include "table.h"

static const char usage[] =
	"Usage: hwcfg list [--all] [--json] [FILTER]\n\n"
	"Lists the events that this machine can count, by name. Each one is really\n"
	"opened for a moment to find out.\n\n"
	"  -a, --all    also those that can not be counted here, and each unit mask\n"
	"  -j, --json   for programs\n"
	"  FILTER       only events with this in their name or description\n";

struct list {
	struct libscols_table *table;
	const char *filter;
	const char *group;	/* what the type column says, NULL: by the event */
	bool all;
	size_t shown;
	size_t denied;
};

static const char *type_name(const struct event *event)
{
	switch (event->type) {
	case PERF_TYPE_HARDWARE:
		return "hardware";
	case PERF_TYPE_SOFTWARE:
		return "software";
	case PERF_TYPE_HW_CACHE:
		return "cache";
	}
	return "CPU";
}

static int one(const char *name, const char *what, void *arg)
{
	struct list *list = arg;
	struct libscols_line *line;
	char error[EVENT_ERROR];
	enum event_opens opens;
	struct event event;
	bool parsed;

	if (!what)
		what = "";
	if (list->filter && !strcasestr(name, list->filter) && !strcasestr(what, list->filter))
		return 0;
	parsed = !event_parse(name, &event, error);
	/* Not parsed: it wants terms or a unit mask, and the reason says which. */
	opens = parsed ? event_try(&event) : EVENT_NOT_HERE;
	if (opens == EVENT_NO_PERMISSION)
		list->denied++;
	if (!list->all && opens != EVENT_OPENS && opens != EVENT_NO_PERMISSION &&
	    opens != EVENT_BUSY)
		return 0;
	line = table_line(list->table);
	table_cell(line, 0, "%s", name);
	table_cell(line, 1, "%s", list->group ? list->group : type_name(&event));
	table_cell(line, 2, "%s", parsed ? event_opens_name(opens) : "not alone");
	table_cell(line, 3, "%s", what);
	list->shown++;
	return 0;
}

static void add_columns(struct libscols_table *table)
{
	static const struct column columns[] = {
		{ "NAME", "name", 0, SCOLS_JSON_STRING },
		{ "TYPE", "type", 0, SCOLS_JSON_STRING },
		{ "OPENS", "opens", 0, SCOLS_JSON_STRING },
		{ "WHAT", "what", SCOLS_FL_TRUNC, SCOLS_JSON_STRING },
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, &columns[i]);
}

static int print(struct list *list, bool json)
{
	add_columns(list->table);
	event_generic_each(one, list);
	list->group = "CPU";
	event_pfm_each(list->all, one, list);
	list->group = "sysfs";
	event_pmu_each(one, list);

	if (!event_machine_has_pmu())
		say("no hardware PMU here: only software events can be counted");
	if (list->denied)
		say("%zu events are denied: see kernel.perf_event_paranoid, or use CAP_PERFMON",
		    list->denied);
	if (!list->shown)
		say("no event%s%s%s", list->filter ? " with '" : "",
		    list->filter ? list->filter : "",
		    list->filter ? "' in its name or description" : "");
	if (!list->shown && !json) {
		scols_unref_table(list->table);
		return EXIT_REFUSED;
	}
	if (table_print(stdout, &list->table, 1, json))
		return EXIT_REFUSED;
	return list->shown ? EXIT_OK : EXIT_REFUSED;
}

int command_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ }
	};
	struct list list = { };
	bool json = false;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "ahj", options, NULL)) != -1) {
		switch (c) {
		case 'a':
			list.all = true;
			break;
		case 'j':
			json = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return EXIT_OK;
		default:
			return say_usage("list", "unknown option '%s'", argv[optind - 1]);
		}
	}
	if (argc - optind > 1)
		return say_usage("list", "one FILTER at most");
	list.filter = argv[optind];
	list.table = table_new("events", json);
	return print(&list, json);
}
