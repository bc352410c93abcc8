/* SPDX-License-Identifier: GPL-2.0-only */
/* What ENDED_GET and PROFILE_GET tell, collected. */
#ifndef GUEST_ENDED_H
#define GUEST_ENDED_H

#include <stdbool.h>
#include <threadprof.h>

struct ended {
	struct threadprof_profile *list;	/* in the order of their ENDED_ID */
	unsigned int count, room;
	uint64_t last;				/* highest ENDED_ID */
	struct threadprof_profile dropped;	/* .dropped = 0: none was */
};

/* Adds what has come since; forgets it in the kernel at the next call. */
int ended_take(struct threadprof *tp, struct ended *to);
/* Until there are @count of them, dropped ones included, or @ms have passed. */
bool ended_wait(struct threadprof *tp, struct ended *to, unsigned int count, int ms);
const struct threadprof_profile *ended_find(const struct ended *from, uint32_t tid);
void ended_free(struct ended *e);

/* The profile of a thread that is attached now; false: not in the list. */
bool attached_find(struct threadprof *tp, uint32_t tid, struct threadprof_profile *out);
unsigned int attached_count(struct threadprof *tp);

#endif /* GUEST_ENDED_H */
