/* SPDX-License-Identifier: GPL-2.0-only */
/* What threads do in tests of areas. The functions that say "good" tell by a bool. */
#ifndef CROWD_H
#define CROWD_H

#include "unit.h"

#define CROWD_MAX	200

DWORD enable(HANDLE *handle);
DWORD read_value(HANDLE handle);

/* Enable, Read, Disable: all good? */
bool cycle(void);

/* Runs body in a thread of its own; it sets *(bool *) of its argument if all was good. */
bool run_thread(void *(*body)(void *));
/* Such a body. */
void *enable_and_exit(void *good);

/*
 * Enables count threads at once, has all read and disable and exit. Once they are
 * enabled `look` looks, if it is not NULL. crowd_page[n]: where the n-th was shown.
 */
bool crowd(unsigned int count, void (*look)(void));
extern unsigned int crowd_page[CROWD_MAX];

#endif
