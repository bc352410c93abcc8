/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of several storms, each of which is run by its name. */
#ifndef GUEST_STORM_H
#define GUEST_STORM_H

#include "raw.h"

struct storm {
	const char *name;
	void (*run)(void);
};

/* Open while a storm runs, with two counters configured. */
extern struct raw storm_raw;

/* main() of PROGRAM STORM [SEED]; an entry without a name ends @storms. */
int storm_main(int argc, char **argv, const struct storm *storms);
unsigned int storm_random(unsigned int bound);

#endif /* GUEST_STORM_H */
