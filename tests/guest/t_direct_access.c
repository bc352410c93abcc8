// SPDX-License-Identifier: GPL-2.0-only
/*
 * The administrator takes user mode's access away while threads read directly, and
 * gives it back. From the next switch on no register is shown. Whoever reads one
 * in the slice that runs is met by the trap that perf's own users meet: SIGILL.
 * Needs an arm64 guest with 64-bit counters.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CYCLES	THREADPROF_INDEX(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define ROUNDS	20
#define READS	1000

static struct raw r;
static const volatile struct threadprof_page *page;
static int fd;

/* What a child tells, in memory that it has in common with its parent. */
struct shared {
	volatile int stage;
	volatile unsigned long reads, entered, caught;
};

static struct shared *shared;

static void begin(void)
{
	struct raw own;

	if (raw_open(&own))
		_exit(70);
	fd = raw_enable(&own, 0, 1, NULL);
	if (fd < 0 || area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0))
		_exit(71);
	page = area_map(fd, 0, 1);
	if (!page->slot[0].index)
		_exit(72);
}

static void wait_stage(int stage)
{
	while (shared->stage != stage)
		usleep(500);
}

static void wait_child(pid_t pid, int stage)
{
	siginfo_t info;

	while (shared->stage != stage) {
		info.si_pid = 0;
		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			tap_die("a child ended with status %d before stage %d", info.si_status,
				stage);
		usleep(500);
	}
}

static pid_t start(void (*run)(void))
{
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		run();
		_exit(0);
	}
	return pid;
}

/* Exit status, or minus a signal. */
static int result(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Reads until enough were entered, or for the given time; none may step back. */
static void reads(unsigned long enough, unsigned int ms)
{
	uint64_t value, last = 0, end = now_ns() + ms * 1000000ULL;
	unsigned long entered = 0;

	while (entered < enough && now_ns() < end) {
		value = direct_or_entered(fd, page, 0, &entered);
		if (value < last)
			_exit(80);
		last = value;
		shared->reads++;
		shared->entered = entered;
	}
}

/* --- between two slices --------------------------------------------------------- */

static void sleeper(void)
{
	begin();
	shared->stage = 1;
	wait_stage(2);		/* taken away, perhaps in this very slice */
	area_wait_switch(page);
	if (page->slot[0].index || page->slot[0].width)
		_exit(1);
	reads(READS, 10000);
	if (shared->entered != READS || shared->reads != READS)
		_exit(2);
	shared->stage = 3;
	wait_stage(4);		/* given back */
	area_wait_switch(page);
	if (!page->slot[0].index)
		_exit(3);
	shared->entered = 0;
	reads(1, 10);
	if (shared->entered)
		_exit(4);
}

static void between_slices(void)
{
	pid_t pid = start(sleeper);

	wait_child(pid, 1);
	direct_access(false);
	shared->stage = 2;
	wait_child(pid, 3);
	direct_access(true);
	shared->stage = 4;
	ok_num("taken away: from the next switch on nothing is shown, reads enter; given back: direct",
	       0, result(pid));
}

/* --- in the slice that runs ------------------------------------------------------- */

static void runner(void)
{
	if (!proc_pin(1))
		_exit(73);
	begin();
	shared->stage = 1;
	reads(READS, 5000);
	if (shared->entered != READS)
		_exit(1);
}

static sigjmp_buf back;

static void on_trap(int number)
{
	(void)number;
	shared->caught++;
	siglongjmp(back, 1);
}

static void catcher(void)
{
	struct sigaction action = { .sa_handler = on_trap };

	sigaction(SIGILL, &action, NULL);
	if (!proc_pin(1))
		_exit(73);
	begin();
	/* What is shown is not what is so: the next switch puts it right. */
	if (sigsetjmp(back, 1))
		area_wait_switch(page);
	shared->stage = 1;
	reads(READS, 5000);
	if (shared->entered != READS || page->slot[0].index)
		_exit(1);
}

static void in_a_slice(void)
{
	int i, killed = 0, fell_back = 0, other = 0, status, caught = 0, went_on = 0;
	pid_t pid;

	proc_pin(0);
	for (i = 0; i < 2 * ROUNDS; i++) {
		direct_access(true);
		pid = start(i < ROUNDS ? runner : catcher);
		wait_child(pid, 1);
		usleep(2000 + 100 * i);
		direct_access(false);
		status = result(pid);
		if (i < ROUNDS) {
			killed += status == -SIGILL;
			fell_back += status == 0;
			other += status != -SIGILL && status;
		} else {
			caught += shared->caught;
			went_on += !status && shared->caught <= 1;
		}
	}
	printf("# of %d that ran %d were killed by SIGILL, %d fell back; %d of %d caught it\n",
	       ROUNDS, killed, fell_back, caught, ROUNDS);
	ok_num("taken from one that runs: SIGILL or entered reads, nothing else", 0, other);
	ok_num("who catches the trap goes on, by entered reads from the next switch on", ROUNDS,
	       went_on);
	direct_access(true);
}

int main(void)
{
	const uint64_t list = CYCLES;
	int cpu, open = 0;

	if (raw_open(&r) || raw_config_set(&r, &list, 1, 0, 0))
		tap_die("family: %s", r.message);
	shared = mmap(NULL, AREA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	direct_hold_hooks();
	direct_access(true);
	between_slices();
	in_a_slice();
	for (cpu = 0; cpu < proc_cpus(); cpu++)
		open += direct_allowed_in_child(cpu);
	ok_num("in the end no CPU is open", 0, open);
	direct_access(false);
	raw_config_set(&r, NULL, 0, 0, 0);
	direct_let_go();
	leak_check(&r, "all this");
	return tap_end();
}
