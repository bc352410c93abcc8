/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading a counter register of the processor without a system call. One file for
 * each architecture has
 *
 *	threadprof_counter		where a register is
 *	threadprof_counter_find()	where the one is that a page's index names; false:
 *					there is none that could be read
 *	threadprof_counter_read()	its value now
 *
 * An index comes out of a page and is never trusted: what threadprof_counter_find()
 * lets through can be read, if the kernel has opened the counters to this thread.
 */
#ifndef THREADPROF_COUNTER_H
#define THREADPROF_COUNTER_H

#ifdef THREADPROF_SIMULATED
#include "counter_simulated.h"	/* the unit tests' */
#elif defined(__aarch64__)
#include "counter_aarch64.h"
#elif defined(__x86_64__)
#include "counter_x86_64.h"
#else
#error "no counter registers are known for this architecture"
#endif

#endif
