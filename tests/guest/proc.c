// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc.h"
#include "tap.h"

/* No stdio: the less this does, the less it switches. */
static ssize_t slurp(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n, all = 0;

	if (fd < 0)
		return -1;
	while ((n = read(fd, to + all, size - 1 - all)) > 0)
		all += n;
	close(fd);
	to[all] = '\0';
	return all;
}

static uint64_t field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

struct proc_switches proc_switches(pid_t tid)
{
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", (int)tid);
	if (slurp(path, text, sizeof(text)) < 0)
		tap_die("%s", path);
	return (struct proc_switches) {
		.voluntary = field(text, "\nvoluntary_ctxt_switches:"),
		.involuntary = field(text, "\nnonvoluntary_ctxt_switches:"),
	};
}

char proc_state(pid_t tid)
{
	char path[64], text[1024];
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	if (slurp(path, text, sizeof(text)) < 0)
		return 0;
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

bool proc_wait_state(pid_t tid, char state, int ms)
{
	int i;

	for (i = 0; i < ms; i++) {
		if (proc_state(tid) == state)
			return true;
		usleep(1000);
	}
	return false;
}

long proc_slab(const char *cache)
{
	static char text[131072];
	size_t n = strlen(cache);
	const char *line;

	if (slurp("/proc/slabinfo", text, sizeof(text)) < 0)
		tap_die("/proc/slabinfo");
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, cache, n) && line[n] == ' ')
			return strtol(line + n, NULL, 10);
	}
	return -1;
}

long proc_number(const char *path, long missing)
{
	char text[64];

	return slurp(path, text, sizeof(text)) > 0 ? strtol(text, NULL, 10) : missing;
}

bool proc_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

bool proc_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

int proc_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

pid_t proc_tid(void)
{
	return syscall(SYS_gettid);
}

int proc_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}
