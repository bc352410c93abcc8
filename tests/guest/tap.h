/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of a test program, a line each:
 *
 *	ok NAME
 *	not ok NAME: expected ... got ...
 *	skip NAME: why
 *
 * and a last line "1..N", without which the program is taken to have died.
 */
#ifndef GUEST_TAP_H
#define GUEST_TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of each for a program, whichever of its files counts. */
__attribute__((weak)) unsigned int tap_count, tap_failed;

/* One write for a line, so that threads and children do not mix theirs. */
static inline __attribute__((format(printf, 3, 0)))
void tap_line(const char *verdict, const char *name, const char *fmt, va_list args)
{
	char line[1024];
	int n;

	n = snprintf(line, sizeof(line), "%s %s%s", verdict, name, fmt ? ": " : "");
	if (fmt && n < (int)sizeof(line) - 1)
		n += vsnprintf(line + n, sizeof(line) - n - 1, fmt, args);
	if (n > (int)sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n] = '\n';
	fwrite(line, 1, n + 1, stdout);
	fflush(stdout);
	tap_count++;
}

static inline __attribute__((format(printf, 2, 3)))
void tap_skip(const char *name, const char *why, ...)
{
	va_list args;

	va_start(args, why);
	tap_line("skip", name, why, args);
	va_end(args);
}

static inline __attribute__((format(printf, 3, 4)))
bool tap_check(bool good, const char *name, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tap_line(good ? "ok" : "not ok", name, good ? NULL : fmt, args);
	va_end(args);
	tap_failed += !good;
	return good;
}

/* The condition itself is what was expected. */
#define ok(cond, name) \
	tap_check(cond, name, "expected %s (%s:%d)", #cond, __FILE__, __LINE__)

static inline bool ok_num(const char *name, long long expected, long long got)
{
	return tap_check(expected == got, name, "expected %lld got %lld", expected, got);
}

static inline bool ok_range(const char *name, double low, double high, double got)
{
	return tap_check(got >= low && got <= high, name,
			 "expected %g to %g got %g", low, high, got);
}

/* Something that is no test's subject failed: the program can't go on. */
static inline __attribute__((format(printf, 1, 2), noreturn))
void tap_die(const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	fputs("# cannot go on: ", stdout);
	va_start(args, fmt);
	vfprintf(stdout, fmt, args);
	va_end(args);
	printf(" (%s)\n", strerror(saved));
	fflush(stdout);
	exit(3);
}

static inline int tap_end(void)
{
	printf("1..%u\n", tap_count);
	fflush(stdout);
	return tap_failed ? 1 : 0;
}

#endif /* GUEST_TAP_H */
