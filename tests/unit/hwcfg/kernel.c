// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library's calls without a module behind them, so that the whole tool can
 * be run on any machine. HWCFG_KERNEL chooses what it meets: absent, denied,
 * busy, full, empty, kernel (a list that counts kernel mode), nopmu, orphan (a
 * thread ends just before the running ones are listed), names (of threads
 * and events, that are no plain text).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <threadprof.h>

#include "watchdog.h"

struct threadprof {
	struct threadprof_configuration config;
	const char *message;
	int profiled;
	int orphan_ended;
};

/* Not the symbols of the machine that the tests run on. */
static void __attribute__((constructor)) choose_symbols(void)
{
	const char *symbols = getenv("HWCFG_SYMBOLS");

	watchdog_symbols = symbols ? symbols : "/nonexistent";
}

static int is(const char *what)
{
	const char *kernel = getenv("HWCFG_KERNEL");

	return kernel && !strcmp(kernel, what);
}

static int refuse(struct threadprof *tp, int err, const char *message)
{
	tp->message = message;
	return err;
}

int threadprof_open(struct threadprof **out)
{
	static struct threadprof tp;

	*out = &tp;
	tp.config.generation = 4;
	if (is("absent"))
		return refuse(&tp, -ENOENT, "no such family");
	if (is("empty"))
		return 0;
	tp.config.count = 2;
	strcpy(tp.config.counter[0].name, "cycles");
	strcpy(tp.config.counter[1].name, is("names") ? "in\033s" : "instructions");
	tp.config.counter[1].index = THREADPROF_INDEX(0, 1);
	return 0;
}

void threadprof_close(struct threadprof *tp)
{
	(void)tp;
}

const char *threadprof_message(const struct threadprof *tp)
{
	return tp->message ? tp->message : "";
}

const char *threadprof_version(void)
{
	return "9.9.9";
}

int threadprof_set_configuration(struct threadprof *tp, const struct threadprof_counter *counter,
				 unsigned int count, uint32_t flags, uint32_t *generation)
{
	(void)generation;
	if (is("denied"))
		return refuse(tp, -EPERM, "CAP_PERFMON is needed to configure counters");
	if (is("full"))
		return refuse(tp, -ENOSPC, "no room for counter 3 on CPU 0");
	if (is("names"))
		return refuse(tp, -EBUSY, "in use by 77 (\033[2Jx)");
	if (is("busy"))
		return refuse(tp, -EBUSY, "in use by 77 (worker)");
	tp->config.count = count;
	tp->config.generation++;
	tp->config.holder_pid = flags & THREADPROF_CONFIG_RELEASE ? 12 : 0;
	tp->config.flags = flags & ~THREADPROF_CONFIG_RELEASE;
	if (count)
		memcpy(tp->config.counter, counter, count * sizeof(*counter));
	return 0;
}

int threadprof_get_configuration(struct threadprof *tp, struct threadprof_configuration *out)
{
	*out = tp->config;
	return 0;
}

int threadprof_get_status(struct threadprof *tp, struct threadprof_status *out)
{
	(void)tp;
	memset(out, 0, sizeof(*out));
	strcpy(out->module_version, "9.8.7");
	strcpy(out->cycle_source, "tsc");
	out->cycle_hz = 2000000000;
	out->max_counters = THREADPROF_MAX_COUNTERS;
	out->perf_event_paranoid = 2;
	if (is("nopmu"))
		return 0;
	out->flags = THREADPROF_STATUS_PMU | THREADPROF_STATUS_STABLE_CYCLES;
	out->nmi_watchdog = 1;
	out->pmus = 1;
	out->holder_pid = 55;
	strcpy(out->holder_comm, is("names") ? "h\033]0;x\007\xc3\xb6\xff" : "holder");
	strcpy(out->pmu[0].name, "cpu");
	strcpy(out->pmu[0].cpus, "0-7");
	out->pmu[0].type = 4;
	out->pmu[0].counters = 6;
	if (!is("names"))
		return 0;
	out->reservations = 1;
	strcpy(out->reservation[0].owner, "a_driver");
	strcpy(out->reservation[0].cpus, "0-3");
	out->reservation[0].counters = 8;
	return 0;
}

int threadprof_enable(struct threadprof *tp, uint32_t flags, uint64_t hardware_counters, int *fd,
		      uint64_t *id, uint32_t *generation)
{
	const uint32_t wanted = THREADPROF_ENABLE_INHERIT | THREADPROF_ENABLE_ON_EXEC;

	(void)id;
	(void)generation;
	if (is("kernel") && hardware_counters)
		return refuse(tp, -EACCES, "the counters count the kernel");
	if ((flags & wanted) != wanted)
		return refuse(tp, -EINVAL, "wrong flags");
	*fd = memfd_create("page", MFD_CLOEXEC);
	tp->profiled = 1;
	return *fd < 0 ? -errno : 0;
}

int threadprof_list_ended(struct threadprof *tp, uint64_t after, threadprof_profile_fn *fn,
			  void *arg)
{
	struct threadprof_profile p = {
		.id = 1, .ended_id = 1, .switches = 3, .voluntary = 2, .cycles = 4000000,
		.flags = THREADPROF_PROFILE_INHERITED, .pid = 60, .tid = 61, .comm = "worker",
		.slot = { { 1000000, THREADPROF_SLOT_COUNTING, 0 },
			  { 2500000, THREADPROF_SLOT_COUNTING, 0 } },
		.wait[THREADPROF_WAIT_USER_REQUEST] = { 2, 3000000 },
	};

	if (is("names"))
		strcpy(p.comm, "w\xc3\xb6rk\xf6\033\xe2\x82");
	if (!tp->profiled)
		return refuse(tp, -ENOENT, "no profile here");
	if (!after) {
		int err = fn(&p, arg);

		if (err)
			return err;
	}
	if (!tp->orphan_ended || after >= 2)
		return 0;
	p.id = p.ended_id = 2;
	p.tid = 62;
	strcpy(p.comm, "orphan");
	return fn(&p, arg);
}

int threadprof_list_profiles(struct threadprof *tp, threadprof_profile_fn *fn, void *arg)
{
	(void)fn;
	(void)arg;
	tp->orphan_ended = is("orphan");
	return 0;
}

const char *threadprof_wait_name(unsigned int reason)
{
	return reason == THREADPROF_WAIT_USER_REQUEST ? "UserRequest" : "";
}
