/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tool tells people: stderr only, stdout is for data. */
#ifndef HWCFG_SAY_H
#define HWCFG_SAY_H

/* Exit codes of every command but run, which passes on its command's. */
enum {
	EXIT_OK = 0,
	EXIT_REFUSED = 1,	/* the kernel or the machine said no */
	EXIT_USAGE = 2,		/* wrong command line, or no module */
};

/* One line on stderr, "hwcfg: " in front; what can not be printed is escaped. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Like say(), with a pointer to `hwcfg COMMAND --help`; returns EXIT_USAGE. */
int say_usage(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* An allocated string; ends the program when there is no memory. */
char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* realloc() that ends the program when there is no memory. */
void *grow(void *memory, size_t count, size_t size);

#endif
