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
/*
 * A memory control group of this process's own, from here on; and how much of
 * the kernel's memory is charged to it, in KiB, slabs, stacks and the like left
 * out: the pages of profiles.
 */
void leak_group_enter(const char *name);
long leak_group_pages(const char *name);

#endif /* GUEST_LEAK_H */
