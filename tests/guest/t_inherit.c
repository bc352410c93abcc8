// SPDX-License-Identifier: GPL-2.0-only
/*
 * INHERIT: threads and forked processes, and what the asker learns of them when
 * they have ended.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ended.h"
#include "inherit.h"
#include "leak.h"
#include "loop.h"
#include "raw.h"
#include "tap.h"

static struct raw r;
static struct threadprof *tp;

static bool counted(const struct threadprof_profile *p, unsigned int ms)
{
	return p && p->slot[0].state == THREADPROF_SLOT_COUNTING &&
	       p->slot[0].value >= ms * 900000ULL && p->slot[0].value < ms * 100000000ULL;
}

static void threads(void)
{
	const struct threadprof_profile *p;
	struct threadprof_profile own;
	struct ended ended = { 0 };
	unsigned int i, good = 0;
	pthread_t thread[4];
	pid_t tid[4];
	uint64_t began = cpu_ns();
	int fd = inherit_begin(tp, INHERIT, 1);

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, inherit_burner, &tid[i]);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	ok(ended_wait(tp, &ended, 4, 2000) && ended.count == 4, "four threads are in ENDED_GET");
	for (i = 0; i < 4; i++) {
		p = ended_find(&ended, tid[i]);
		good += counted(p, 20) && p->pid == (uint32_t)getpid() &&
			!strcmp(p->comm, "burner") && p->hardware_counters == 1 &&
			(p->flags & THREADPROF_PROFILE_INHERITED) && p->cycles > 0 &&
			p->elapsed >= p->cycles;
	}
	ok_num("each with its name, its process, its own counts", 4, good);
	threadprof_read(tp, &own);
	/* CPU time may leave interrupts out; with the four threads it would be 10. */
	ok_range("the asker's own profile shows the asker alone (of its CPU time)", 0.1, 3,
		 (double)own.slot[0].value / (cpu_ns() - began));
	inherit_end(tp, fd);
	ended_free(&ended);
}

static pid_t child_of(pid_t *grandchild)
{
	int tell[2];
	pid_t pid;

	if (pipe(tell))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		pid_t grand = fork();

		if (!grand) {
			burn_ms(15);
			_exit(0);
		}
		if (write(tell[1], &grand, sizeof(grand)) != sizeof(grand))
			_exit(1);
		burn_ms(30);
		waitpid(grand, NULL, 0);
		_exit(0);
	}
	if (read(tell[0], grandchild, sizeof(*grandchild)) != sizeof(*grandchild))
		tap_die("grandchild");
	close(tell[0]);
	close(tell[1]);
	return pid;
}

static void processes(void)
{
	const struct threadprof_profile *p, *g;
	struct ended ended = { 0 };
	pid_t pid, grand;
	int fd = inherit_begin(tp, INHERIT, 1);

	pid = child_of(&grand);
	waitpid(pid, NULL, 0);
	ok(ended_wait(tp, &ended, 2, 2000) && ended.count == 2,
	   "a forked child and a grandchild are in ENDED_GET");
	p = ended_find(&ended, pid);
	g = ended_find(&ended, grand);
	ok(counted(p, 30) && counted(g, 15) && p->slot[0].value > g->slot[0].value,
	   "each with its own counts");
	ok(p && g && g->ended_id < p->ended_id, "in the order in which they ended");
	ok(p && p->cycles > 0 && g && g->cycles > 0 && p->elapsed >= p->cycles,
	   "and with its cycles");
	inherit_end(tp, fd);
	ended_free(&ended);
}

static void forgetting(void)
{
	struct ended ended = { 0 }, again = { 0 };
	int i, fd = inherit_begin(tp, INHERIT, 0);
	pthread_t thread;
	pid_t tid;

	for (i = 0; i < 6; i++) {
		pthread_create(&thread, NULL, inherit_burner, &tid);
		pthread_join(thread, NULL);
	}
	for (i = 0; i < 200 && ended.count < 6; i++) {
		ended_free(&ended);
		ended_take(tp, &ended);
		sleep_ms(10);
	}
	ok_num("ENDED_GET tells all 6", 6, ended.count);
	ended_take(tp, &again);
	ok_num("without ENDED_AFTER all stay", 6, again.count);
	ended_free(&again);
	again.last = ended.list[2].ended_id;
	ended_take(tp, &again);
	ok_num("ENDED_AFTER forgets those up to it", 3, again.count);
	ended_free(&again);
	ended_take(tp, &again);
	ok_num("for good", 3, again.count);
	inherit_end(tp, fd);
	ok(threadprof_list_ended(tp, 0, NULL, NULL) == -ENOENT && *threadprof_message(tp),
	   "ENDED_GET after DISABLE is refused");
	fd = inherit_begin(tp, THREADPROF_ENABLE_DISPATCH, 0);
	ok(threadprof_list_ended(tp, 0, NULL, NULL) == -ENOENT,
	   "ENDED_GET of a profile without INHERIT is refused");
	inherit_end(tp, fd);
	ended_free(&ended);
	ended_free(&again);
}

/* --- askers within askers ------------------------------------------------------------- */

/* Each asks for itself and its children; how deep does it go? */
static int nested(int depth)
{
	int fd, status;
	struct raw own;
	pid_t pid;

	raw_open(&own);
	fd = raw_enable(&own, INHERIT, 0, NULL);
	if (fd < 0)
		return fd == -E2BIG && own.message[0] ? depth : 100;
	pid = fork();
	if (!pid)
		_exit(nested(depth + 1));
	waitpid(pid, &status, 0);
	close(fd);
	raw_close(&own);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
}

static void nesting(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(nested(0));
	waitpid(pid, &status, 0);
	ok_num("a thread carries THREADPROF_MAX_PER_THREAD profiles, one more is E2BIG",
	       THREADPROF_MAX_PER_THREAD, WEXITSTATUS(status));
}

/* --- the asker goes ---------------------------------------------------------------- */

static void asker_killed(void)
{
	struct raw_state before, after;
	int tell[2], waited;
	uint64_t clock = CLOCK;
	struct raw own;
	pid_t pid, child;

	raw_config_set(&r, NULL, 0, 0, 0);
	raw_state_get(&r, &before);
	if (pipe(tell))
		tap_die("pipe");
	pid = fork();
	if (!pid) {
		raw_open(&own);
		raw_config_set(&own, &clock, 1, 0, THREADPROF_CONFIG_RELEASE);
		raw_enable(&own, INHERIT, 1, NULL);
		child = fork();
		if (!child) {
			/* As an exec'd program has them: closed. */
			raw_close(&own);
			close(tell[0]);
			for (;;)
				sleep_ms(5);
		}
		if (write(tell[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		for (;;)
			pause();
	}
	if (read(tell[0], &child, sizeof(child)) != sizeof(child))
		tap_die("child");
	ok_num("the asker and its child are profiled", 2, raw_hardware_users(&r));
	ok(raw_config_set(&r, &clock, 1, 0, 0) == -EBUSY, "the list is held");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (waited = 0; waited < 2000 && raw_hardware_users(&r); waited += 10)
		usleep(10000);
	ok_num("the asker killed: its child counts no more", 0, raw_hardware_users(&r));
	ok(!kill(child, 0), "the child lives on");
	sleep_ms(300);
	raw_state_get(&r, &after);
	ok_num("the list of before is put back", before.size, after.size);
	ok_num("the list can be changed", 0, raw_config_set(&r, &clock, 1, 0, 0));
	ok_num("the child is in no listing", 0, attached_count(tp));
	kill(child, SIGKILL);
	for (waited = 0; waited < 2000 && !kill(child, 0); waited += 10)
		usleep(10000);
}

int main(void)
{
	uint64_t clock = CLOCK;

	if (raw_open(&r) || threadprof_open(&tp))
		tap_die("no family");
	if (raw_config_set(&r, &clock, 1, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	threads();
	processes();
	forgetting();
	nesting();
	asker_killed();
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all that was inherited");
	return tap_end();
}
