// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "output.h"
#include "say.h"

static void no_memory(void)
{
	fputs("hwcfg: out of memory\n", stderr);
	exit(EXIT_REFUSED);
}

static char *vtext(const char *fmt, va_list args)
{
	char *out;

	if (vasprintf(&out, fmt, args) < 0)
		no_memory();
	return out;
}

/* Much of it was written by others: the kernel names threads, a user files. */
static void vsay(const char *fmt, va_list args)
{
	char *line = vtext(fmt, args);

	fputs("hwcfg: ", stderr);
	output_text(stderr, line);
	free(line);
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

char *text(const char *fmt, ...)
{
	va_list args;
	char *out;

	va_start(args, fmt);
	out = vtext(fmt, args);
	va_end(args);
	return out;
}

void *grow(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count, size);
	if (!memory)
		no_memory();
	return memory;
}
