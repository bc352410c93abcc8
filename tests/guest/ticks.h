/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GUEST_TICKS_H
#define GUEST_TICKS_H

#include <threadprof.h>

/*
 * Ticks of the cycle source in a second, measured against CLOCK_MONOTONIC: an
 * emulated TSC is at times calibrated wrongly by the kernel itself.
 */
double ticks_measure(struct threadprof *tp);

#endif /* GUEST_TICKS_H */
