// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that loses the CPU or is stopped: the reason, and that the time on and
 * off the CPU adds up.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threadprof.h>
#include <threadprof/hcp.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "tap.h"
#include "ticks.h"
#include "watch.h"

static struct threadprof *tp;
static double hz;

/* --- losing the CPU -------------------------------------------------------------- */

static volatile bool stop;

static void *burner(void *arg)
{
	proc_pin(0);
	while (!stop)
		loop_exact(1000);
	return arg;
}

static void *yielder(void *arg)
{
	proc_pin(0);
	while (!stop)
		sched_yield();
	return arg;
}

static void *urgent(void *arg)
{
	struct sched_param param = { .sched_priority = 10 };

	proc_pin(0);
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		return "refused";
	while (!stop)
		sleep_ms(2);
	return arg;
}

static void burn(void)
{
	burn_ms(200);
}

/* For as long as the scheduler needs to find the rival the more deserving. */
static void yields(void)
{
	uint64_t end = cpu_ns() + 300000000;

	while (cpu_ns() < end)
		sched_yield();
}

static void beside(void *(*rival)(void *), void (*work)(void), struct seen *seen)
{
	pthread_t thread;
	void *result;

	stop = false;
	proc_pin(0);
	if (pthread_create(&thread, NULL, rival, NULL))
		tap_die("rival");
	sleep_ms(5);
	watch(tp, work, seen);
	stop = true;
	pthread_join(thread, &result);
	if (result)
		tap_die("rival %s", (char *)result);
}

static void losing(void)
{
	struct seen seen;
	uint64_t time;

	beside(burner, burn, &seen);
	ok(seen.bits & (1ULL << WrQuantumEnd), "R3 a busy loop beside another is WrQuantumEnd");
	time = seen.profile.wait[WrQuantumEnd].time + seen.profile.wait[WrPreempted].time;
	/* Two share one CPU: off it for as long as on it, more or less. */
	ok_range("R3 two busy loops share the CPU by halves (off / on)", 0.5, 2,
		 (double)time / seen.profile.cycles);
	ok_num("R3 none of it is voluntary", 0, seen.profile.voluntary);

	beside(urgent, burn, &seen);
	ok(seen.bits & (1ULL << WrPreempted),
	   "R3 a busy loop beside a thread of higher priority is WrPreempted");
	ok_range("R3 and that often", 5, 1000, seen.profile.wait[WrPreempted].count);

	beside(yielder, yields, &seen);
	ok(seen.bits & (1ULL << WrYieldExecution), "R3 sched_yield is WrYieldExecution");
	ok_num("R3 a yield is not voluntary, as /proc has it", 0, seen.profile.voluntary);
}

/* --- stopped ------------------------------------------------------------------- */

static void stop_self(void)
{
	kill(getpid(), SIGSTOP);
}

static void stopped(void)
{
	struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		threadprof_close(tp);
		if (threadprof_open(&tp))
			_exit(1);
		watch(tp, stop_self, seen);
		_exit(0);
	}
	waitpid(pid, &status, WUNTRACED);
	ok(WIFSTOPPED(status), "the child is stopped");
	sleep_ms(50);
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && !WEXITSTATUS(status) && (seen->bits & 1ULL << Suspended),
	   "R3 SIGSTOP to SIGCONT is Suspended");
	ok_range("R3 for as long as it was stopped (ms)", 50, 5000,
		 seen->profile.wait[Suspended].time / hz * 1000);
}

/* --- times ------------------------------------------------------------------------------ */

static void sleep_50(void)
{
	sleep_ms(50);
}

static uint64_t cpu_least;

static void burn_counted(void)
{
	uint64_t before = cpu_ns();

	burn_ms(300);
	cpu_least = cpu_ns() - before;
}

static void times(void)
{
	uint64_t off = 0;
	struct seen seen;
	int i;

	watch(tp, sleep_50, &seen);
	ok_range("R3 a sleep of 50 ms shows as 50 ms off the CPU", 50, 500,
		 seen.profile.wait[DelayExecution].time / hz * 1000);
	ok_range("R3 it uses next to no cycles (of the elapsed)", 0, 0.7,
		 (double)seen.cycle_time / seen.profile.elapsed);

	watch(tp, burn_counted, &seen);
	ok_range("R3 CycleTime of a busy loop is its CPU time (ns)", cpu_least * 0.97,
		 seen.cpu_most * 1.03, seen.cycle_time / hz * 1e9);
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++)
		off += seen.profile.wait[i].time;
	ok_range("R3 on and off the CPU are all there is (of the elapsed)", 0.95, 1.02,
		 (double)(seen.profile.cycles + off) / seen.profile.elapsed);
}

/* As good as the kernel's own idea of it. */
static void cycle_rate(double told)
{
	const char name[] = "CYCLE_HZ is the rate of the cycle source (ratio)";

#ifdef __x86_64__
	char clocks[256] = "";
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/available_clocksource",
			   "re");

	if (file && !fgets(clocks, sizeof(clocks), file))
		clocks[0] = '\0';
	if (file)
		fclose(file);
	if (!strstr(clocks, "tsc")) {
		tap_skip(name, "the kernel does not trust its TSC: told %.3g, measured %.3g", told,
			 hz);
		return;
	}
#endif
	ok_range(name, 0.97, 1.03, told / hz);
}

int main(void)
{
	struct threadprof_status status;

	if (threadprof_open(&tp) || threadprof_get_status(tp, &status))
		tap_die("%s", threadprof_message(tp));
	hz = ticks_measure(tp);
	cycle_rate(status.cycle_hz);
	losing();
	stopped();
	times();
	threadprof_close(tp);
	return tap_end();
}
