// SPDX-License-Identifier: GPL-2.0-only
/*
 * ContextSwitchCount against the kernel's own counts in /proc: equal, not nearly
 * so, over the profiled span; voluntary switches by themselves too.
 *
 * Reading /proc may itself switch. So each end of the span is read between two
 * looks at /proc, and counts only where these agree: nothing happened between.
 */
#include <pthread.h>
#include <sched.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "tap.h"

#define TRIES 200

struct span {
	struct threadprof *tp;
	HANDLE handle;
	struct proc_switches base;
};

static bool same(struct proc_switches a, struct proc_switches b)
{
	return a.voluntary == b.voluntary && a.involuntary == b.involuntary;
}

/* While it looks, nobody else runs here: an end without a switch is soon found. */
static void urgent(bool on)
{
	struct sched_param param = { .sched_priority = on };

	if (sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &param))
		tap_die("sched_setscheduler");
}

static bool span_begin(struct span *s)
{
	pid_t tid = proc_tid();
	bool found = false;
	int i;

	if (threadprof_open(&s->tp))
		tap_die("threadprof_open");
	urgent(true);
	for (i = 0; i < TRIES && !found; i++) {
		s->base = proc_switches(tid);
		if (EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, 0,
					  &s->handle))
			tap_die("Enable: %s", threadprof_last_message());
		found = same(s->base, proc_switches(tid));
		if (!found)
			DisableThreadProfiling(s->handle);
	}
	urgent(false);
	return found;
}

struct result {
	bool comparable;
	uint64_t kernel, kernel_voluntary;
	uint64_t windows, linux_all, linux_voluntary, reasons;
};

static void span_end(struct span *s, struct result *out)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };
	struct threadprof_profile profile;
	struct proc_switches a = { 0 }, b;
	pid_t tid = proc_tid();
	int i, k;

	memset(out, 0, sizeof(*out));
	urgent(true);
	for (i = 0; i < TRIES && !out->comparable; i++) {
		a = proc_switches(tid);
		if (ReadThreadProfilingData(s->handle, READ_THREAD_PROFILING_FLAG_DISPATCHING,
					    &data) || threadprof_read(s->tp, &profile))
			tap_die("Read: %s", threadprof_last_message());
		b = proc_switches(tid);
		out->comparable = same(a, b);
	}
	out->kernel_voluntary = a.voluntary - s->base.voluntary;
	out->kernel = out->kernel_voluntary + a.involuntary - s->base.involuntary;
	out->windows = data.ContextSwitchCount;
	out->linux_all = profile.switches;
	out->linux_voluntary = profile.voluntary;
	for (k = 0; k < THREADPROF_WAIT_REASONS; k++)
		out->reasons += profile.wait[k].count;
	DisableThreadProfiling(s->handle);
	urgent(false);
	threadprof_close(s->tp);
}

/* --- what the threads do ------------------------------------------------------ */

static int ping[2], pong[2];

static void *echo(void *arg)
{
	char c;

	while (read(ping[0], &c, 1) == 1 && c != 'q')
		if (write(pong[1], &c, 1) != 1)
			break;
	return arg;
}

static void pipes(void)
{
	pthread_t thread;
	char c = 'x';
	int i;

	if (pipe(ping) || pipe(pong) || pthread_create(&thread, NULL, echo, NULL))
		tap_die("pipes");
	for (i = 0; i < 2000; i++)
		if (write(ping[1], &c, 1) != 1 || read(pong[0], &c, 1) != 1)
			tap_die("ping");
	c = 'q';
	if (write(ping[1], &c, 1) != 1)
		tap_die("quit");
	pthread_join(thread, NULL);
	for (i = 0; i < 2; i++) {
		close(ping[i]);
		close(pong[i]);
	}
}

static volatile bool rival_stop;

static void *rival(void *arg)
{
	proc_pin(0);
	while (!rival_stop)
		loop_exact(10000);
	return arg;
}

static void beside_a_rival(void (*work)(void))
{
	pthread_t thread;

	rival_stop = false;
	proc_pin(0);
	if (pthread_create(&thread, NULL, rival, NULL))
		tap_die("rival");
	work();
	rival_stop = true;
	pthread_join(thread, NULL);
}

static void burn(void)
{
	burn_ms(300);
}

static void busy(void)
{
	beside_a_rival(burn);
}

static void yield_often(void)
{
	int i;

	for (i = 0; i < 500; i++)
		sched_yield();
}

static void yields(void)
{
	beside_a_rival(yield_often);
}

static void sleeps(void)
{
	int i;

	for (i = 0; i < 100; i++)
		sleep_ms(1);
}

static void migrations(void)
{
	int i;

	for (i = 0; i < 300; i++) {
		proc_pin(i % 2);
		loop_exact(1000);
		if (i % 10 == 0)
			sleep_ms(1);
	}
}

static void nothing(void)
{
}

static const struct {
	const char *name;
	void (*run)(void);
	uint64_t at_least;
} works[] = {
	{ "doing nothing", nothing, 0 },
	{ "2000 rounds through pipes", pipes, 2 },
	{ "burning beside a rival on one CPU", busy, 10 },
	{ "500 yields beside a rival", yields, 1 },
	{ "100 sleeps", sleeps, 50 },
	{ "300 changes of the CPU", migrations, 30 },
};

static void one(unsigned int i)
{
	struct result got;
	char name[128];
	struct span s;

	if (!span_begin(&s)) {
		snprintf(name, sizeof(name), "%s: a beginning without a switch", works[i].name);
		tap_check(false, name, "expected one in %d tries", TRIES);
		return;
	}
	works[i].run();
	span_end(&s, &got);
	snprintf(name, sizeof(name), "R3 ContextSwitchCount is the kernel's own count: %s",
		 works[i].name);
	tap_check(got.comparable && got.kernel == got.windows && got.kernel == got.linux_all &&
		  got.kernel >= works[i].at_least, name,
		  "expected %llu (at least %llu) got %llu (page) %llu (READ)%s",
		  (unsigned long long)got.kernel, (unsigned long long)works[i].at_least,
		  (unsigned long long)got.windows, (unsigned long long)got.linux_all,
		  got.comparable ? "" : ", never without a switch between");
	snprintf(name, sizeof(name), "R3 voluntary switches are the kernel's own count: %s",
		 works[i].name);
	ok_num(name, got.kernel_voluntary, got.linux_voluntary);
	snprintf(name, sizeof(name), "R3 each switch has one reason: %s", works[i].name);
	ok_num(name, got.linux_all, got.reasons);
}

static void *crowd_member(void *arg)
{
	struct result *got = arg;
	struct span s;
	int i;

	if (!span_begin(&s))
		return NULL;
	for (i = 0; i < 60; i++) {
		loop_exact(200000);
		if (i % 3 == 0)
			sleep_ms(1);
		if (i % 3 == 1)
			sched_yield();
	}
	span_end(&s, got);
	return NULL;
}

static void crowd(void)
{
	struct result got[8] = { 0 };
	pthread_t thread[8];
	bool good = true;
	int i;

	for (i = 0; i < 8; i++)
		if (pthread_create(&thread[i], NULL, crowd_member, &got[i]))
			tap_die("thread");
	for (i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		if (!got[i].comparable || got[i].kernel != got[i].windows ||
		    got[i].kernel_voluntary != got[i].linux_voluntary || !got[i].kernel) {
			printf("# thread %d: kernel %llu/%llu got %llu/%llu%s\n", i,
			       (unsigned long long)got[i].kernel,
			       (unsigned long long)got[i].kernel_voluntary,
			       (unsigned long long)got[i].windows,
			       (unsigned long long)got[i].linux_voluntary,
			       got[i].comparable ? "" : " (not comparable)");
			good = false;
		}
	}
	ok(good, "R3 eight threads at once have the kernel's own counts");
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		one(i);
	crowd();
	return tap_end();
}
