/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is everything given back? The guest must be booted with slab_nomerge, or the
 * caches have no names of their own.
 */
#ifndef GUEST_LEAK_H
#define GUEST_LEAK_H

#include "raw.h"

/* Checks that no profile and no object of the module's is left. */
void leak_check(struct raw *r, const char *after);
/* Pages free or to be had from caches, after those were dropped; in KiB. */
long leak_free_kib(void);

#endif /* GUEST_LEAK_H */
