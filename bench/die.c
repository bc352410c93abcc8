// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "die.h"

void die(const char *fmt, ...)
{
	va_list args;

	fputs("bench: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

void setting(const char *name, int value)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%d\n", value) < 0 || fclose(f))
		die("can't set %s to %d: %m", path, value);
}
