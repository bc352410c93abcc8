// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ended.h"
#include "tap.h"

static int take(const struct threadprof_profile *profile, void *arg)
{
	struct ended *to = arg;

	if (profile->dropped) {
		to->dropped = *profile;
		return 0;
	}
	if (to->count == to->room) {
		to->room = to->room ? to->room * 2 : 64;
		to->list = realloc(to->list, to->room * sizeof(*to->list));
		if (!to->list)
			tap_die("memory");
	}
	to->list[to->count++] = *profile;
	if (profile->ended_id > to->last)
		to->last = profile->ended_id;
	return 0;
}

int ended_take(struct threadprof *tp, struct ended *to)
{
	return threadprof_list_ended(tp, to->last, take, to);
}

bool ended_wait(struct threadprof *tp, struct ended *to, unsigned int count, int ms)
{
	int waited;

	for (waited = 0; waited <= ms; waited += 10) {
		if (ended_take(tp, to))
			return false;
		if (to->count + to->dropped.dropped >= count)
			return true;
		usleep(10000);
	}
	return false;
}

const struct threadprof_profile *ended_find(const struct ended *from, uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < from->count; i++)
		if (from->list[i].tid == tid)
			return &from->list[i];
	return NULL;
}

void ended_free(struct ended *e)
{
	free(e->list);
	memset(e, 0, sizeof(*e));
}

struct search {
	uint32_t tid;
	struct threadprof_profile *out;
	unsigned int count;
};

static int look(const struct threadprof_profile *profile, void *arg)
{
	struct search *search = arg;

	search->count++;
	if (profile->tid != search->tid || !search->out)
		return 0;
	*search->out = *profile;
	return 1;
}

bool attached_find(struct threadprof *tp, uint32_t tid, struct threadprof_profile *out)
{
	struct search search = { .tid = tid, .out = out };

	return threadprof_list_profiles(tp, look, &search) == 1;
}

unsigned int attached_count(struct threadprof *tp)
{
	struct search search = { 0 };

	threadprof_list_profiles(tp, look, &search);
	return search.count;
}
