// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs each part in a process of its own, prints one table. In the guest it begins
 * without the module, and loads it when what it is compared with is known.
 */
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "figure.h"
#include "limit.h"
#include "parts.h"
#include "table.h"

extern char **environ;

static void spawn_and_wait(const char *path, char **argv, int out,
			   struct figures *figures, int in)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&actions, out, FIGURE_FD);
	if (posix_spawnp(&pid, path, &actions, NULL, argv, environ))
		die("can't start %s: %m", path);
	posix_spawn_file_actions_destroy(&actions);
	if (out >= 0) {
		close(out);
		figures_receive(figures, in);
		close(in);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("%s %s failed (status 0x%x)", argv[0], argv[1], status);
}

static void run(const struct part *part, struct figures *figures)
{
	char *load[] = { "modprobe", "threadprof", NULL };
	char *argv[] = { "bench", "--part", (char *)part->name, NULL };
	int fds[2], out;

	if (!part->run) {
		spawn_and_wait("modprobe", load, -1, NULL, -1);
		return;
	}
	if (part->no_direct)
		setenv("THREADPROF_NO_DIRECT", "1", 1);
	else
		unsetenv("THREADPROF_NO_DIRECT");
	if (pipe2(fds, O_CLOEXEC))
		die("pipe: %m");
	/* Away from where the part wants it, which would leave it close-on-exec. */
	out = fcntl(fds[1], F_DUPFD_CLOEXEC, FIGURE_FD + 1);
	close(fds[1]);
	spawn_and_wait("/proc/self/exe", argv, out, figures, fds[0]);
}

static int one_part(const char *name)
{
	size_t i;

	for (i = 0; i < part_count; i++) {
		if (!parts[i].run || strcmp(parts[i].name, name))
			continue;
		measure_check();
		parts[i].run();
		return 0;
	}
	die("no part '%s'", name);
}

static bool is_wanted(const char *name, char **only, int count)
{
	int i;

	/* The module is there, or what was asked for needs none. */
	for (i = 0; i < count; i++)
		if (!strcmp(only[i], name))
			return true;
	return !count;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "check", no_argument, NULL, 'c' },
		{ "part", required_argument, NULL, 'p' },
		{ 0 }
	};
	struct figures figures = { 0 };
	struct limits limits = { 0 };
	bool json = false, check = false;
	size_t i;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			json = true;
			break;
		case 'c':
			check = true;
			break;
		case 'p':
			return one_part(optarg);
		default:
			return 2;
		}
	}
	if (parts_limits)
		limits_load(&limits, parts_limits);
	for (i = 0; i < part_count; i++)
		if (!parts[i].run || is_wanted(parts[i].name, argv + optind, argc - optind))
			run(&parts[i], &figures);
	if (parts_limits)
		figures_derive(&figures);
	table_print(&figures, &limits, json, !parts_limits);
	return check && limits_check(&limits, &figures) ? 1 : 0;
}
