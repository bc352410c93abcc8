/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of others, such as names of threads, on its way out. */
#ifndef HWCFG_OUTPUT_H
#define HWCFG_OUTPUT_H

#include <locale.h>
#include <stdio.h>

/*
 * The user's character set, from output_begin() to output_end() with its result.
 * Outside, the program is in the C locale: names of events are compared without
 * regard to case, which some languages see differently (a Turkish I).
 */
locale_t output_begin(void);
void output_end(locale_t before);

/*
 * Writes text with all that the user's character set can not print as \xNN, so
 * that it is a part of one line and no terminal obeys it.
 */
void output_text(FILE *out, const char *text);

/* Replaces what is not UTF-8 by U+FFFD; takes an allocated string, returns one. */
char *output_utf8(char *text);

#endif
