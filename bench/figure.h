/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A figure: what one contender took. Parts run in processes of their own, and
 * send theirs through a pipe to the one that prints.
 *
 * Its name, in the limits, is GROUP.CONTENDER.COUNTERS, and .THREADS behind it where
 * threads are profiled in the background; "added.…" is what a switch takes
 * above an unprofiled one.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure.h"

#define FIGURE_FD	3	/* where a part sends them */
#define FIGURE_NONE	-1	/* counters or threads: no such thing */

struct figure {
	char group[16];
	char contender[32];
	int counters;
	int threads;
	bool built;
	bool derived;		/* a median alone */
	bool has_added;
	int64_t added;		/* of the median */
	struct measured value;
};

/* --- in a part --- */
void figure_send(const char *group, const char *contender, int counters, int threads,
		 const struct measured *value);
/* For what is not there yet. */
void figure_not_built(const char *group, const char *contender, int counters, int threads);

/* --- where they are printed --- */
struct figures {
	struct figure *list;
	size_t count;
};

void figures_receive(struct figures *figures, int fd);
/* What is derived from others: switches' added part, the price of one more counter. */
void figures_derive(struct figures *figures);
/* The value that goes by a limit's name; NULL: no such figure. */
const struct figure *figures_find(const struct figures *figures, const char *name,
				  int64_t *value);

#endif /* BENCH_FIGURE_H */
