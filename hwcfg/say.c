// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "say.h"

static void vsay(const char *fmt, va_list args)
{
	fputs("hwcfg: ", stderr);
	vfprintf(stderr, fmt, args);
}

void say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsay(fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

int say_usage(const char *command, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsay(fmt, args);
	va_end(args);
	fprintf(stderr, " (see hwcfg %s%s--help)\n", command, *command ? " " : "");
	return EXIT_USAGE;
}

static void no_memory(void)
{
	say("out of memory");
	exit(EXIT_REFUSED);
}

char *text(const char *fmt, ...)
{
	va_list args;
	char *out;
	int n;

	va_start(args, fmt);
	n = vasprintf(&out, fmt, args);
	va_end(args);
	if (n < 0)
		no_memory();
	return out;
}

void *grow(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count, size);
	if (!memory)
		no_memory();
	return memory;
}
