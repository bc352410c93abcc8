/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limits that figures must keep, one line each:
 *
 *	FIGURE <=|< NUMBER
 *	FIGURE <=|< NUMBER * FIGURE
 */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include "figure.h"

struct limit {
	char figure[64];
	char other[64];		/* "" = a plain number */
	double factor;
	bool below;		/* < instead of <= */
};

struct limits {
	struct limit *list;
	size_t count;
};

void limits_load(struct limits *limits, const char *path);
/* The strictest number for a figure; false: there is none. */
bool limits_for(const struct limits *limits, const struct figures *figures,
		const struct figure *figure, int64_t *out);
/* Says of each limit whether it is kept; the number of those that are not. */
unsigned int limits_check(const struct limits *limits, const struct figures *figures);

#endif /* BENCH_LIMIT_H */
