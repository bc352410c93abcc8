// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "output.h"
#include "say.h"

#define REPLACEMENT "\xef\xbf\xbd"

locale_t output_begin(void)
{
	static bool asked;
	static locale_t user;

	if (!asked)
		user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	asked = true;
	/* 0, where the user names a locale that is not there, changes nothing. */
	return uselocale(user);
}

void output_end(locale_t before)
{
	uselocale(before);
}

void output_text(FILE *out, const char *text)
{
	locale_t before = output_begin();
	size_t left = strlen(text);
	mbstate_t state = { };

	while (left) {
		wchar_t wide;
		size_t n = mbrtowc(&wide, text, left, &state);

		if (n && n <= left && iswprint(wide)) {
			fwrite(text, 1, n, out);
		} else {
			/* Byte by byte, also where it is a character. */
			memset(&state, 0, sizeof(state));
			n = 1;
			fprintf(out, "\\x%02x", (unsigned char)*text);
		}
		text += n;
		left -= n;
	}
	output_end(before);
}

/* Length of the character that text begins with, 0 when it is none. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {
		{ 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
	};
	size_t i, n;

	for (n = 0; n < sizeof(forms) / sizeof(forms[0]); n++) {
		uint32_t c = text[0] & (unsigned char)~forms[n].mask;

		if ((text[0] & forms[n].mask) != forms[n].lead)
			continue;
		for (i = 1; i <= n; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			c = c << 6 | (text[i] & 0x3f);
		}
		return c < forms[n].least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n + 1;
	}
	return 0;
}

char *output_utf8(char *text)
{
	size_t size = strlen(text) + 1;
	char *out, *to;
	const char *p;
	size_t n;

	for (p = text; *p && (n = utf8_length((const unsigned char *)p)); p += n)
		;
	if (!*p)
		return text;
	to = out = grow(NULL, size, strlen(REPLACEMENT));
	for (p = text; *p; p += n ? n : 1) {
		n = utf8_length((const unsigned char *)p);
		to = mempcpy(to, n ? p : REPLACEMENT, n ? n : strlen(REPLACEMENT));
	}
	*to = '\0';
	free(text);
	return out;
}
