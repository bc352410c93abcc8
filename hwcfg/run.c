// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "connect.h"
#include "format.h"
#include "run_child.h"
#include "run_table.h"
#include "say.h"
#include "set.h"

#define DRAIN_MS 100

static const char usage[] =
	"Usage: hwcfg run [-e EVENT[,EVENT]...] [--json] [-o FILE] [--] COMMAND [ARGUMENT]...\n\n"
	"Runs COMMAND, and prints what each of its threads, and of the processes it\n"
	"started, did. Exits as COMMAND did.\n\n"
	"  -e, --event EVENTS   count these (see hwcfg set) instead of those configured,\n"
	"                       and put those back afterwards; may be repeated\n"
	"  -o, --output FILE    the table goes there and not to the standard output\n"
	"  -j, --json           for programs\n";

struct options {
	struct threadprof_counter counters[THREADPROF_MAX_COUNTERS];
	unsigned int count;
	bool json;
	const char *output;
	char **command;
};

struct run {
	struct threadprof *tp;
	FILE *out;
	int fd;			/* keeps the profile, and with it INHERIT */
	struct run_child child;
	struct run_result result;
};

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ "output", required_argument, NULL, 'o' },
		{ }
	};
	char *events[THREADPROF_MAX_COUNTERS];
	char error[EVENT_ERROR];
	int n = 0;
	int c;

	memset(o, 0, sizeof(*o));
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:e:hjo:", options, NULL)) != -1) {
		switch (c) {
		case 'e':
			if (n == THREADPROF_MAX_COUNTERS) {
				say("more than %d events", THREADPROF_MAX_COUNTERS);
				return EXIT_REFUSED;
			}
			events[n++] = optarg;
			break;
		case 'j':
			o->json = true;
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return EXIT_OK;
		case ':':
			return say_usage("run", "'%s' wants an argument", argv[optind - 1]);
		default:
			return say_usage("run", "unknown option '%s'", argv[optind - 1]);
		}
	}
	o->command = argv + optind;
	if (!*o->command)
		return say_usage("run", "which command?");
	if (set_parse(events, n, o->counters, &o->count, error)) {
		say("%s", error);
		return EXIT_REFUSED;
	}
	return -1;
}

/* Turns on this thread's profile, which COMMAND then inherits. */
static int enable(struct run *run)
{
	const uint32_t flags = THREADPROF_ENABLE_DISPATCH | THREADPROF_ENABLE_INHERIT |
			       THREADPROF_ENABLE_ON_EXEC;
	struct run_result *result = &run->result;
	int err;

	if (!result->config.count)
		say("no counters configured, dispatch data only (hwcfg run -e EVENTS counts)");
	result->mask = (UINT64_C(1) << result->config.count) - 1;
	err = threadprof_enable(run->tp, flags, result->mask, &run->fd, NULL, NULL);
	if (err == -EACCES && result->mask) {
		/* Somebody else's list counts the kernel; the rest is open to all. */
		say("%s; dispatch data only", threadprof_message(run->tp));
		result->mask = 0;
		err = threadprof_enable(run->tp, flags, 0, &run->fd, NULL, NULL);
	}
	return err;
}

static int prepare(struct run *run, const struct options *o)
{
	struct threadprof_status status;
	int err;

	if (o->count) {
		err = set_apply(run->tp, o->counters, o->count, THREADPROF_CONFIG_RELEASE);
		if (err)
			return err;
	}
	err = threadprof_get_configuration(run->tp, &run->result.config);
	if (!err)
		err = threadprof_get_status(run->tp, &status);
	if (!err) {
		run->result.cycle_hz = status.cycle_hz;
		err = enable(run);
	}
	return err ? connect_refused(run->tp, err) : 0;
}

static int take_ended(const struct threadprof_profile *profile, void *arg)
{
	struct threadprof_profile ended = *profile;

	ended.flags |= THREADPROF_PROFILE_ENDED;
	run_threads_add(arg, &ended);
	return 0;
}

static int take_running(const struct threadprof_profile *profile, void *arg)
{
	if ((profile->flags & THREADPROF_PROFILE_INHERITED) &&
	    !(profile->flags & THREADPROF_PROFILE_ENDED) && run_child_is_ours(profile->pid))
		run_threads_add(arg, profile);
	return 0;
}

static int drain(struct run *run)
{
	return threadprof_list_ended(run->tp, run->result.threads.last_ended, take_ended,
				     &run->result.threads);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * Threads that outlive the command. One that ends between the last drain() and
 * the listing is in neither, one that ends behind it is told as running: the
 * ended ones are asked for once more.
 */
static int list_running(struct run *run)
{
	int err = threadprof_list_profiles(run->tp, take_running, &run->result.threads);

	if (err)
		say("the list of running threads is not complete: %s",
		    threadprof_message(run->tp));
	return drain(run);
}

/* Runs the command to its end. A listing that fails does not end it. */
static int watch(struct run *run, char **command)
{
	uint64_t began = now_ns();
	int err, listed = 0;

	err = run_child_start(command, &run->child);
	if (err) {
		say("no new process: %s", strerror(-err));
		return EXIT_REFUSED;
	}
	while (!run->child.ended) {
		run_child_wait(&run->child, DRAIN_MS);
		listed = drain(run);
	}
	run->result.elapsed_ns = now_ns() - began;
	run->result.status = run_child_status(&run->child);
	if (run->child.exec_error)
		return 0;
	if (!listed)
		listed = list_running(run);
	if (listed)
		say("the list is not complete: %s", threadprof_message(run->tp));
	return 0;
}

static int report(struct run *run, const struct options *o)
{
	int err;

	if (run->child.exec_error) {
		say("%s: %s", o->command[0], strerror(run->child.exec_error));
		return 0;
	}
	err = o->json ? run_table_json(run->out, &run->result) :
			run_table_print(run->out, &run->result);
	run_table_notes(stderr, &run->result);
	return err;
}

int command_run(int argc, char **argv)
{
	struct run run = { .out = stdout, .fd = -1 };
	struct options o;
	int err;

	err = parse(argc, argv, &o);
	if (err >= 0)
		return err;
	run.result.command = o.command[0];
	err = connect_module(&run.tp);
	if (err)
		return err;
	/* Before anything runs, so that no run is for nothing. */
	if (o.output)
		run.out = fopen(o.output, "we");
	if (!run.out) {
		say("%s: %s", o.output, strerror(errno));
		err = EXIT_REFUSED;
	} else {
		err = prepare(&run, &o);
	}
	if (!err)
		err = watch(&run, o.command);
	if (!err) {
		int bad = report(&run, &o);

		err = run.result.status;
		if (o.output && fclose(run.out) && !bad)
			bad = -errno;
		if (bad)
			say("the table could not be written: %s", strerror(-bad));
		/* A failed command's status is worth more than ours. */
		if (bad && !err)
			err = EXIT_REFUSED;
	}
	if (run.fd >= 0)
		close(run.fd);
	threadprof_close(run.tp);
	run_threads_free(&run.result.threads);
	return err;
}
