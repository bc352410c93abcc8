// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things at once: setters against askers, readers of a page against its writer,
 * listings against threads that come and go.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define SW(event) THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event)

static struct raw r;
static volatile bool stop;

/* --- the configuration ------------------------------------------------------------- */

struct user {
	pthread_t thread;
	unsigned int enabled, moved, odd;
};

/* Between ENABLE with counters and DISABLE the list can't change. */
static void *config_user(void *arg)
{
	struct user *u = arg;
	struct raw own;
	uint32_t at_enable;
	int fd;

	raw_open(&own);
	while (!stop) {
		fd = raw_enable(&own, 0, 1, NULL);
		if (fd < 0) {
			u->odd++;
			continue;
		}
		at_enable = raw_u32(&own, THREADPROF_A_CONFIG_GENERATION);
		sched_yield();
		raw_command(&own, THREADPROF_CMD_CONFIG_GET);
		u->moved += raw_u32(&own, THREADPROF_A_CONFIG_GENERATION) != at_enable;
		u->odd += raw_disable(&own) != 0;
		close(fd);
		u->enabled++;
		/* Room for the setter. */
		usleep(300);
	}
	raw_close(&own);
	return NULL;
}

static void setters(void)
{
	static const uint64_t lists[2][2] = { { SW(TASK_CLOCK), SW(CPU_CLOCK) },
					      { SW(PAGE_FAULTS), SW(PAGE_FAULTS_MIN) } };
	struct user user[3] = { { 0 } };
	unsigned int i, set = 0, busy = 0, odd = 0, enabled = 0, moved = 0;
	uint64_t end = now_ns() + 3000000000ULL;
	int error;

	raw_config_set(&r, lists[0], 2, 0, 0);
	stop = false;
	for (i = 0; i < 3; i++)
		pthread_create(&user[i].thread, NULL, config_user, &user[i]);
	for (i = 0; now_ns() < end || (!set && i < 100000); i++) {
		error = raw_config_set(&r, lists[i % 2], 1 + i % 2, 0, 0);
		set += !error;
		busy += error == -EBUSY;
		odd += error && error != -EBUSY;
	}
	stop = true;
	for (i = 0; i < 3; i++) {
		pthread_join(user[i].thread, NULL);
		enabled += user[i].enabled;
		moved += user[i].moved;
		odd += user[i].odd;
	}
	printf("# set %u times, refused %u times, enabled %u times\n", set, busy, enabled);
	ok(set > 0 && busy > 0 && enabled > 0, "KS5 KS7 sets and enables at once: some of each");
	ok_num("KS5 each is done or refused as in use", 0, odd);
	ok_num("KS8 no list changes under a thread that counts", 0, moved);
	raw_config_set(&r, NULL, 0, 0, 0);
}

/* --- the page ------------------------------------------------------------------------ */

struct watched {
	struct threadprof_page *page;
	volatile bool ready;
};

static void *switcher(void *arg)
{
	struct watched *w = arg;
	struct raw own;
	int fd, i;

	proc_pin(0);
	raw_open(&own);
	fd = raw_enable(&own, 1, 0, NULL);
	w->page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	w->ready = true;
	while (!stop) {
		for (i = 0; i < 20; i++)
			raw_command(&own, THREADPROF_CMD_READ);
		usleep(1);
	}
	close(fd);
	raw_close(&own);
	return NULL;
}

/* The protocol of the header, word for word. */
static void page_read(const struct threadprof_page *page, struct threadprof_page *copy)
{
	uint32_t seq;

	do {
		while ((seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE)) & 1)
			;
		memcpy(copy, page, sizeof(*copy));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->seq, __ATOMIC_RELAXED) != seq);
}

static void torn(void)
{
	uint64_t end = now_ns() + 4000000000ULL, reads = 0, differs = 0, back = 0, changes = 0;
	uint64_t unequal = 0, off;
	struct threadprof_page copy, last = { 0 };
	struct watched w = { 0 };
	pthread_t thread;
	uint64_t sum;
	int i;

	stop = false;
	pthread_create(&thread, NULL, switcher, &w);
	proc_pin(1);
	while (!w.ready)
		sched_yield();
	while (now_ns() < end) {
		page_read(w.page, &copy);
		for (i = 0, sum = off = 0; i < THREADPROF_WAIT_REASONS; i++) {
			sum += copy.wait[i].count;
			off += copy.wait[i].time;
		}
		/* On one CPU no tick is counted twice or left out, but for interrupts. */
		unequal += copy.cycles_start && (copy.flags & THREADPROF_PROFILE_NO_IRQ_TIME) &&
			   copy.began + copy.cycles + off != copy.cycles_start;
		differs += sum != copy.switches || copy.voluntary > copy.switches;
		back += copy.switches < last.switches || copy.cycles < last.cycles;
		changes += copy.seq != last.seq;
		last = copy;
		reads++;
	}
	stop = true;
	pthread_join(thread, NULL);
	printf("# %llu reads, %llu changes\n", (unsigned long long)reads,
	       (unsigned long long)changes);
	ok(changes > 100, "the page changes while it is read");
	ok_num("R3 no torn page: the reasons add up to the switches in each", 0, differs);
	ok_num("R3 no torn page: times on and off the CPU add up in each", 0, unequal);
	ok_num("R3 nothing steps back for a reader elsewhere", 0, back);
	munmap(w.page, 4096);
}

/* --- listings --------------------------------------------------------------------------- */

#define HOLDERS 60

static void *comer(void *arg)
{
	struct raw own;
	int fd;

	raw_open(&own);
	while (!stop) {
		fd = raw_enable(&own, 1, 0, NULL);
		sched_yield();
		close(fd);
	}
	raw_close(&own);
	return arg;
}

static void *holder(void *arg)
{
	struct raw own;
	int fd;

	raw_open(&own);
	fd = raw_enable(&own, 1, 0xffff, NULL);
	*(pid_t *)arg = proc_tid();
	while (!stop)
		sleep_ms(20);
	close(fd);
	raw_close(&own);
	return NULL;
}

static pid_t holders[HOLDERS];
static unsigned int seen[HOLDERS];

static void note(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *profile = raw_attr(header, THREADPROF_A_PROFILE), *tid;
	int i;

	tid = profile ? nla_find(nla_data(profile), nla_len(profile),
				 THREADPROF_A_PROFILE_TID) : NULL;
	for (i = 0; tid && i < HOLDERS; i++)
		seen[i] += nla_get_u32(tid) == (uint32_t)holders[i];
	(*(unsigned int *)arg)++;
}

static void listings(void)
{
	unsigned int i, k, bad = 0, errors = 0, messages = 0;
	pthread_t thread[HOLDERS], churn[3];

	stop = false;
	for (i = 0; i < HOLDERS; i++)
		pthread_create(&thread[i], NULL, holder, &holders[i]);
	for (i = 0; i < HOLDERS; i++)
		while (!*(volatile pid_t *)&holders[i])
			usleep(1000);
	for (i = 0; i < 3; i++)
		pthread_create(&churn[i], NULL, comer, NULL);
	for (k = 0; k < 100; k++) {
		memset(seen, 0, sizeof(seen));
		errors += raw_dump(&r, raw_new(&r, THREADPROF_CMD_PROFILE_GET, NLM_F_DUMP), note,
				   &messages) != 0;
		for (i = 0; i < HOLDERS; i++)
			bad += seen[i] != 1;
	}
	stop = true;
	for (i = 0; i < HOLDERS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 3; i++)
		pthread_join(churn[i], NULL);
	printf("# %u messages in 100 listings\n", messages);
	ok_num("100 listings while others come and go: none fails", 0, errors);
	ok_num("each has each of 60 that stay exactly once", 0, bad);
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	setters();
	torn();
	listings();
	ok(raw_quiet(&r, 3000), "nothing is attached at the end");
	return tap_end();
}
