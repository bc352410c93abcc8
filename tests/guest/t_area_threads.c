// SPDX-License-Identifier: GPL-2.0-only
/*
 * One area and many threads of a process: those that want pages at once, and what
 * their ends leave.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <unistd.h>

#include "area.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define CROWD	8
#define RACES	300

static const uint64_t list[] = { CLOCK };
static struct raw r;

/* An area whose page 0 shows nobody any more. */
static int area(void)
{
	int fd = raw_enable(&r, 0, 0, NULL);

	if (fd < 0 || area_op(fd, THREADPROF_OP_DISABLE, 0, 0, 0))
		tap_die("ENABLE: %s", r.message);
	return fd;
}

static int enable(int fd, unsigned int page)
{
	return area_op(fd, THREADPROF_OP_ENABLE, page, THREADPROF_ENABLE_DISPATCH, 1);
}

/* --- threads -------------------------------------------------------------------- */

struct member {
	int fd, other_fd;
	unsigned int page;
	pid_t tid;
	int enabled, taken, late;
	int64_t id, by_other;
	int after_release, again;
	pthread_barrier_t *barrier;
};

static struct member crowd[CROWD];
static int dumped[CROWD], strangers;

static void *member(void *arg)
{
	struct member *m = arg;

	m->tid = proc_tid();
	m->enabled = enable(m->fd, m->page);
	pthread_barrier_wait(m->barrier);	/* all are enabled */
	m->id = area_refresh(m->fd);
	m->by_other = area_refresh(m->other_fd);
	m->taken = area_op(m->fd, THREADPROF_OP_DISABLE, (m->page + 1) % CROWD, 0, 0);
	pthread_barrier_wait(m->barrier);	/* main looks, and lets go of all */
	pthread_barrier_wait(m->barrier);
	m->after_release = area_refresh(m->other_fd);
	m->again = enable(m->other_fd, m->page + 1);
	m->late = area_op(m->other_fd, THREADPROF_OP_DISABLE, m->page + 1, 0, 0);
	return NULL;
}

static void count_member(const struct nlmsghdr *header, void *arg)
{
	struct nlattr *tb[THREADPROF_A_PROFILE_MAX + 1];
	struct nlattr *profile = raw_attr(header, THREADPROF_A_PROFILE);
	int i, known = 0;

	(void)arg;
	if (!profile || nla_parse_nested(tb, THREADPROF_A_PROFILE_MAX, profile, NULL) ||
	    !tb[THREADPROF_A_PROFILE_TID] || !tb[THREADPROF_A_PROFILE_PROFILE_ID])
		return;
	for (i = 0; i < CROWD; i++) {
		if (nla_get_u32(tb[THREADPROF_A_PROFILE_TID]) == (uint32_t)crowd[i].tid &&
		    nla_get_u64(tb[THREADPROF_A_PROFILE_PROFILE_ID]) == (uint64_t)crowd[i].id) {
			dumped[i]++;
			known = 1;
		}
	}
	strangers += !known;
}

static void threads(void)
{
	const volatile struct threadprof_page *pages;
	int fd = area(), other = area(), i;
	int enabled = 0, own = 0, any = 0, foreign = 0, seen = 0, once = 0;
	int released = 0, again = 0;
	pthread_barrier_t barrier;
	pthread_t thread[CROWD];

	pages = area_map(fd, 0, CROWD);
	pthread_barrier_init(&barrier, NULL, CROWD + 1);
	for (i = 0; i < CROWD; i++) {
		crowd[i] = (struct member){ .fd = fd, .other_fd = other, .page = i,
					    .barrier = &barrier };
		if (pthread_create(&thread[i], NULL, member, &crowd[i]))
			tap_die("thread");
	}
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < CROWD; i++) {
		enabled += !crowd[i].enabled;
		own += crowd[i].id > 0 && (uint64_t)crowd[i].id == area_page(pages, i)->profile_id;
		any += crowd[i].by_other == crowd[i].id;
		foreign += crowd[i].taken == -EBADF;
		seen += area_page(pages, i)->tid == (uint32_t)crowd[i].tid;
	}
	ok_num("eight threads at once enable, each in a page of its own", CROWD, enabled);
	ok_num("each page shows its thread", CROWD, seen);
	ok_num("lseek() gives each its own PROFILE_ID", CROWD, own);
	ok_num("by another area's descriptor too", CROWD, any);
	ok_num("none may DISABLE its neighbour: EBADF", CROWD, foreign);
	ok_num("a page that shows another thread is EBUSY", -EBUSY, enable(fd, 3));
	ok_num("which makes this thread no profile", -ENOENT, area_refresh(fd));
	ok_num("PROFILE_GET", 0, raw_dump(&r, raw_new(&r, THREADPROF_CMD_PROFILE_GET, NLM_F_DUMP),
					  count_member, NULL));
	for (i = 0; i < CROWD; i++)
		once += dumped[i] == 1;
	ok_num("PROFILE_GET shows each of them once", CROWD, once);
	ok_num("and nobody else", 0, strangers);

	close(fd);
	ok_num("without the descriptor the mapping keeps them all", CROWD, raw_hardware_users(&r));
	area_unmap(pages, 3);
	ok_num("so does a part of the mapping", CROWD, raw_hardware_users(&r));
	area_unmap(area_page(pages, 3), CROWD - 3);
	ok_num("with the last of it the profiles of all threads end", 0, raw_hardware_users(&r));
	pthread_barrier_wait(&barrier);
	for (i = 0; i < CROWD; i++) {
		pthread_join(thread[i], NULL);
		released += crowd[i].after_release == -ENOENT;
		again += !crowd[i].again && !crowd[i].late;
	}
	ok_num("to each of them it is ENOENT then", CROWD, released);
	ok_num("and each may enable in another area", CROWD, again);
	pthread_barrier_destroy(&barrier);
	close(other);
	leak_check(&r, "threads");
}

/* --- two that want the same page ---------------------------------------------------- */

struct rival {
	int fd;
	pthread_barrier_t *barrier;
	int result[RACES];
};

static void *rival(void *arg)
{
	struct rival *v = arg;
	int i;

	for (i = 0; i < RACES; i++) {
		pthread_barrier_wait(v->barrier);
		/* The page of each round is new, so that making it is raced for too. */
		v->result[i] = enable(v->fd, i);
		pthread_barrier_wait(v->barrier);
		if (!v->result[i])
			area_op(v->fd, THREADPROF_OP_DISABLE, i, 0, 0);
	}
	return NULL;
}

static void races(void)
{
	int fd = area(), i, k, won = 0, lost = 0;
	pthread_barrier_t barrier;
	struct rival v[3];
	pthread_t thread[3];

	pthread_barrier_init(&barrier, NULL, 3);
	for (i = 0; i < 3; i++) {
		v[i].fd = fd;
		v[i].barrier = &barrier;
		if (pthread_create(&thread[i], NULL, rival, &v[i]))
			tap_die("thread");
	}
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	for (k = 0; k < RACES; k++) {
		for (i = 0; i < 3; i++) {
			won += v[i].result[k] == 0;
			lost += v[i].result[k] == -EBUSY;
		}
	}
	ok_num("of three that want the same page one gets it, 300 times", RACES, won);
	ok_num("the others get EBUSY", 2 * RACES, lost);
	pthread_barrier_destroy(&barrier);
	close(fd);
}

/* --- threads that exit --------------------------------------------------------------- */

static void *leaver(void *arg)
{
	int error, tries = 0;

	/* The last one may be joined before the kernel has done with it. */
	while ((error = enable(*(int *)arg, 1)) == -EBUSY && tries++ < 2000)
		usleep(1000);
	if (error)
		tap_die("OP_ENABLE in the page of a thread that has exited: error %d", -error);
	burn_ms(1);
	return NULL;
}

static void exits(void)
{
	const volatile struct threadprof_page *page;
	uint64_t id, last = 0, grows = 0, ended = 0, kept = 0;
	int fd = area(), i, waited;
	pthread_t thread;

	page = area_map(fd, 1, 1);
	for (i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, leaver, &fd);
		pthread_join(thread, NULL);
		for (waited = 0; waited < 1000 && raw_profiles(&r); waited++)
			usleep(1000);
		id = page->profile_id;
		grows += id > last;
		last = id;
		ended += !!(page->flags & THREADPROF_PROFILE_ENDED);
		kept += page->slot[0].total >= 1000000;
	}
	ok_num("a thread that exits leaves ENDED in its page", 100, ended);
	ok_num("and its final values", 100, kept);
	ok_num("the next thread gets the page, with a new PROFILE_ID", 100, grows);
	area_unmap(page, 1);
	close(fd);
}

int main(void)
{
	if (raw_open(&r) || raw_config_set(&r, list, 1, 0, 0))
		tap_die("family: %s", r.message);
	threads();
	races();
	exits();
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	ok_num("nothing holds the module", 0, proc_number("/sys/module/threadprof/refcnt", -1));
	return tap_end();
}
