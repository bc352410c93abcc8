// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "area.h"
#include "direct.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#ifdef __aarch64__

#define READ(name) ({							\
	uint64_t value_;						\
	__asm__ volatile("mrs %0, " name : "=r"(value_));		\
	value_;								\
})
#define CASE(n)	case n: return READ("pmevcntr" #n "_el0")

uint64_t direct_register(unsigned int n)
{
	__asm__ volatile("isb" : : : "memory");
	switch (n) {
	CASE(0); CASE(1); CASE(2); CASE(3); CASE(4); CASE(5); CASE(6); CASE(7);
	CASE(8); CASE(9); CASE(10); CASE(11); CASE(12); CASE(13); CASE(14); CASE(15);
	CASE(16); CASE(17); CASE(18); CASE(19); CASE(20); CASE(21); CASE(22); CASE(23);
	CASE(24); CASE(25); CASE(26); CASE(27); CASE(28); CASE(29); CASE(30);
	case 31: return READ("pmccntr_el0");
	default: tap_die("the page shows a register %u", n);
	}
}

#define CYCLES	31

void direct_access(bool on)
{
	if (!proc_write("/proc/sys/kernel/perf_user_access", on ? "1" : "0"))
		tap_die("perf_user_access");
}

#else

uint64_t direct_register(unsigned int n)
{
	return __builtin_ia32_rdpmc(n);
}

#define CYCLES	0

/* There is no sysctl: each PMU has a file, and no guest has a PMU. */
void direct_access(bool on)
{
	(void)on;
}

#endif

bool direct_value(const volatile struct threadprof_page *page, unsigned int slot,
		  uint64_t *value)
{
	const volatile struct threadprof_page_slot *s = &page->slot[slot];
	uint64_t total, since = 0;
	unsigned int index, width;
	uint32_t seq;

	do {
		while ((seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE)) & 1)
			;
		index = s->index;
		width = s->width;
		total = s->total;
		if (index)
			since = direct_register(index - 1) - s->start;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->seq, __ATOMIC_RELAXED) != seq);
	if (!index)
		return false;
	if (width < 4 || width > 64)
		tap_die("the page shows a width of %u", width);
	if (width < 64)
		since &= (1ULL << width) - 1;
	*value = total + since;
	return !(since >> (width - 3));
}

uint64_t direct_or_entered(int fd, const volatile struct threadprof_page *page,
			   unsigned int slot, unsigned long *entered)
{
	uint64_t value;
	int64_t id;

	if (direct_value(page, slot, &value))
		return value;
	++*entered;
	id = area_refresh(fd);
	if (id < 0)
		tap_die("lseek: error %d", (int)-id);
	return page->slot[slot].total;
}

static pthread_t holder;
static pthread_barrier_t holding;

static void *hold(void *arg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
	};
	int area, event;
	sigset_t all;
	struct raw r;

	/* A signal is for the threads that the test is about. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0 || raw_open(&r))
		tap_die("perf_event_open");
	area = raw_enable(&r, 0, 0, NULL);
	if (area < 0)
		tap_die("ENABLE: %s", r.message);
	pthread_barrier_wait(&holding);
	pthread_barrier_wait(&holding);
	close(area);
	close(event);
	raw_close(&r);
	return arg;
}

void direct_hold_hooks(void)
{
	pthread_barrier_init(&holding, NULL, 2);
	if (pthread_create(&holder, NULL, hold, NULL))
		tap_die("thread");
	pthread_barrier_wait(&holding);
}

void direct_let_go(void)
{
	pthread_barrier_wait(&holding);
	pthread_join(holder, NULL);
}

bool direct_allowed_in_child(int cpu)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGILL, SIG_DFL);
		signal(SIGSEGV, SIG_DFL);
		if (!proc_pin(cpu))
			_exit(2);
		direct_register(CYCLES);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		tap_die("fork");
	if (WIFEXITED(status) && WEXITSTATUS(status))
		tap_die("a child can't run on CPU %d", cpu);
	return WIFEXITED(status);
}
