/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_DIE_H
#define BENCH_DIE_H

/* Says why on stderr, and ends the process: a figure that is wrong is worse than none. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Writes a file of /proc/sys. */
void setting(const char *name, int value);

#endif /* BENCH_DIE_H */
