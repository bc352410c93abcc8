// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "command.h"
#include "connect.h"
#include "format.h"
#include "output.h"
#include "say.h"
#include "table.h"
#include "watchdog.h"

static const char usage[] =
	"Usage: hwcfg status [--json]\n\n"
	"Tells what the module and this machine can do, and who uses them now.\n";

static struct libscols_table *pmus(const struct threadprof_status *status, bool json)
{
	static const struct column columns[] = {
		{ "PMU", "name", 0, SCOLS_JSON_STRING },
		{ "TYPE", "type", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
		{ "COUNTERS", "counters", SCOLS_FL_RIGHT, SCOLS_JSON_NUMBER },
		{ "CPUS", "cpus", 0, SCOLS_JSON_STRING },
	};
	struct libscols_table *table = table_new("pmus", json);
	uint32_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, &columns[i]);
	for (i = 0; i < status->pmus && i < THREADPROF_MAX_PMUS; i++) {
		struct libscols_line *line = table_line(table);

		table_cell(line, 0, "%s", status->pmu[i].name);
		table_cell(line, 1, "%" PRIu32, status->pmu[i].type);
		table_cell(line, 2, "%" PRIu32, status->pmu[i].counters);
		table_cell(line, 3, "%s", status->pmu[i].cpus);
	}
	return table;
}

static struct libscols_table *reservations(const struct threadprof_status *status)
{
	static const struct column columns[] = {
		{ NULL, "owner", 0, SCOLS_JSON_STRING },
		{ NULL, "counters", 0, SCOLS_JSON_NUMBER },
		{ NULL, "cpus", 0, SCOLS_JSON_STRING },
	};
	struct libscols_table *table = table_new("reservations", true);
	uint32_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_column(table, &columns[i]);
	for (i = 0; i < status->reservations && i < THREADPROF_MAX_RESERVATIONS; i++) {
		struct libscols_line *line = table_line(table);

		table_cell(line, 0, "%s", status->reservation[i].owner);
		table_cell(line, 1, "%" PRIu32, status->reservation[i].counters);
		table_cell(line, 2, "%s", status->reservation[i].cpus);
	}
	return table;
}

struct fact {
	const char *key;
	int json;
	char *value;
};

static int print_json(const struct threadprof_status *s)
{
	bool paranoid = s->perf_event_paranoid != -100;
	struct fact facts[] = {
		{ "module_version", SCOLS_JSON_STRING, text("%s", s->module_version) },
		{ "library_version", SCOLS_JSON_STRING, text("%s", threadprof_version()) },
		{ "pmu", SCOLS_JSON_BOOLEAN, text("%d", !!(s->flags & THREADPROF_STATUS_PMU)) },
		{ "nmi_watchdog", SCOLS_JSON_NUMBER,
		  s->nmi_watchdog < 0 ? NULL : text("%d", s->nmi_watchdog) },
		{ "watchdog_holds_counter", SCOLS_JSON_BOOLEAN, text("%d", watchdog_holds_counter(s)) },
		{ "perf_event_paranoid", SCOLS_JSON_NUMBER,
		  paranoid ? text("%d", s->perf_event_paranoid) : NULL },
		{ "cycle_source", SCOLS_JSON_STRING, text("%s", s->cycle_source) },
		{ "cycle_hz", SCOLS_JSON_NUMBER, text("%" PRIu64, s->cycle_hz) },
		{ "cycles_stable", SCOLS_JSON_BOOLEAN,
		  text("%d", !!(s->flags & THREADPROF_STATUS_STABLE_CYCLES)) },
		{ "interrupts_in_cycles", SCOLS_JSON_BOOLEAN,
		  text("%d", !(s->flags & THREADPROF_STATUS_NO_IRQ_TIME)) },
		{ "max_counters", SCOLS_JSON_NUMBER, text("%" PRIu32, s->max_counters) },
		{ "profiles", SCOLS_JSON_NUMBER, text("%" PRIu32, s->profiles) },
		{ "hardware_users", SCOLS_JSON_NUMBER, text("%" PRIu32, s->hardware_users) },
		{ "generation", SCOLS_JSON_NUMBER, text("%" PRIu32, s->generation) },
		{ "holder_pid", SCOLS_JSON_NUMBER,
		  s->holder_pid ? text("%" PRIu32, s->holder_pid) : NULL },
		{ "holder_name", SCOLS_JSON_STRING,
		  s->holder_pid ? text("%s", s->holder_comm) : NULL },
	};
	struct libscols_table *tables[3] = { table_new("status", true), pmus(s, true),
					     reservations(s) };
	struct libscols_line *line;
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		table_column(tables[0],
			     &(struct column){ .key = facts[i].key, .json = facts[i].json });
	line = table_line(tables[0]);
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (facts[i].value)
			table_cell(line, i, "%s", facts[i].value);
		free(facts[i].value);
	}
	return table_print(stdout, tables, 3, true) ? EXIT_REFUSED : EXIT_OK;
}

static void print_reservations(const struct threadprof_status *s)
{
	uint32_t i;

	for (i = 0; i < s->reservations && i < THREADPROF_MAX_RESERVATIONS; i++) {
		printf("reserved         %" PRIu32 " counters on CPUs %s, by module ",
		       s->reservation[i].counters, s->reservation[i].cpus);
		output_text(stdout, s->reservation[i].owner);
		putchar('\n');
	}
}

static const char *paranoid_meaning(int level)
{
	if (level < 0)
		return "everybody may count everything";
	if (level < 2)
		return "everybody may count the kernel in own threads";
	if (level == 2)
		return "everybody may count own threads in user mode";
	return "counting with perf wants CAP_PERFMON";
}

static void print_pmus(const struct threadprof_status *s)
{
	uint32_t i;

	if (!s->pmus || !(s->flags & THREADPROF_STATUS_PMU))
		puts("PMU              none");
	for (i = 0; i < s->pmus && i < THREADPROF_MAX_PMUS; i++)
		printf("PMU              %s (type %" PRIu32 "), %" PRIu32 " counters, CPUs %s\n",
		       s->pmu[i].name, s->pmu[i].type, s->pmu[i].counters, s->pmu[i].cpus);
	if (s->nmi_watchdog < 0)
		puts("NMI watchdog     this kernel has none");
	else if (!s->nmi_watchdog)
		puts("NMI watchdog     off");
	else if (watchdog_holds_counter(s))
		puts("NMI watchdog     on, holds one counter on each CPU (kernel.nmi_watchdog=0 frees it)");
	else
		puts("NMI watchdog     on, holds no counter");
}

static int print_text(const struct threadprof_status *s)
{
	char hz[FORMAT_SIZE];

	printf("module           threadprof %s\n", s->module_version);
	printf("library          libthreadprof %s\n", threadprof_version());
	print_pmus(s);
	if (s->perf_event_paranoid == -100)
		puts("perf paranoid    unreadable");
	else
		printf("perf paranoid    %d, %s\n", s->perf_event_paranoid,
		       paranoid_meaning(s->perf_event_paranoid));
	printf("cycle source     %s, %s, %s on all CPUs\n", s->cycle_source,
	       format_hz(hz, s->cycle_hz),
	       s->flags & THREADPROF_STATUS_STABLE_CYCLES ? "the same" :
							    "not known to be the same");
	printf("interrupt time   %s\n", s->flags & THREADPROF_STATUS_NO_IRQ_TIME ?
	       "not in a thread's cycles" : "part of a thread's cycles");
	printf("profiles         %" PRIu32 ", %" PRIu32 " of them with hardware counters\n",
	       s->profiles, s->hardware_users);
	printf("configuration    generation %" PRIu32 ", up to %" PRIu32 " counters, ",
	       s->generation, s->max_counters);
	if (s->holder_pid) {
		printf("held by process %" PRIu32 " (", s->holder_pid);
		output_text(stdout, s->holder_comm);
		puts(")");
	} else {
		puts("held by nobody");
	}
	print_reservations(s);
	if (!(s->flags & THREADPROF_STATUS_PMU))
		say("no hardware PMU here: dispatch data and software events only");
	return fflush(stdout) ? EXIT_REFUSED : EXIT_OK;
}

int command_status(int argc, char **argv)
{
	struct threadprof_status status;
	struct threadprof *tp;
	bool json = false;
	int err;

	err = command_options(argc, argv, usage, &json, NULL);
	if (err >= 0)
		return err;
	if (argv[optind])
		return say_usage("status", "'%s' is not wanted", argv[optind]);
	err = connect_module(&tp);
	if (err)
		return err;
	err = threadprof_get_status(tp, &status);
	if (err)
		err = connect_refused(tp, err);
	else
		err = json ? print_json(&status) : print_text(&status);
	threadprof_close(tp);
	return err;
}
