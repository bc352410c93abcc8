/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register file of a made-up processor, which lib/slice.c and lib/read.c read when
 * they are built with THREADPROF_SIMULATED.
 */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdatomic.h>
#include <stdint.h>

#define SIMULATED_REGISTERS	32

extern _Atomic uint64_t simulated_register[SIMULATED_REGISTERS];

/* Called before each read of one, if it is set. */
extern void (*simulated_on_read)(unsigned int number);

#endif
