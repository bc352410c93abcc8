// SPDX-License-Identifier: GPL-2.0-only
/* Text of others on its way to a terminal and into JSON. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "output.h"
#include "say.h"
#include "unit.h"

static void utf8(const char *in, const char *expected)
{
	char *out = output_utf8(text("%s", in));

	assert_string_equal(out, expected);
	free(out);
}

static void test_utf8(void **state)
{
	(void)state;
	utf8("", "");
	utf8("plain \033[0m", "plain \033[0m");
	utf8("w\xc3\xb6rk \xe2\x82\xac \xf0\x9f\x90\xa7", "w\xc3\xb6rk \xe2\x82\xac \xf0\x9f\x90\xa7");
	utf8("\xf4\x8f\xbf\xbf\xed\x9f\xbf", "\xf4\x8f\xbf\xbf\xed\x9f\xbf");
	/* Latin-1, and a name cut off within a character. */
	utf8("w\xf6rk", "w\xef\xbf\xbdrk");
	utf8("cut\xc3", "cut\xef\xbf\xbd");
	utf8("\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd");
	utf8("\x80", "\xef\xbf\xbd");
	/* Too long a form of '/', a surrogate, above the last character, no lead. */
	utf8("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
	utf8("\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	utf8("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	utf8("\xf4\x90\x80\x80!", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd!");
	utf8("\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd");
}

static void shown(const char *in, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	output_text(out, in);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void test_text(void **state)
{
	(void)state;
	shown("", "");
	shown("it's 100 % \"plain\" \\", "it's 100 % \"plain\" \\");
	shown("a\033]0;title\007b\r\n\t\177", "a\\x1b]0;title\\x07b\\x0d\\x0a\\x09\\x7f");
	shown("w\xc3\xb6rk\xe2\x82\xac", "w\xc3\xb6rk\xe2\x82\xac");
	/* CSI as one character, and as one byte. */
	shown("\xc2\x9b" "2J", "\\xc2\\x9b2J");
	shown("\x9b" "2J", "\\x9b2J");
	shown("cut\xe2\x82", "cut\\xe2\\x82");
}

/* The rest of the program goes on in the C locale. */
static void test_locale(void **state)
{
	locale_t before = output_begin();

	(void)state;
	assert_int_equal(MB_CUR_MAX, 6);
	output_end(before);
	assert_int_equal(MB_CUR_MAX, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_locale),
	};

	/* Before anything is written: the locale is asked for once. */
	setenv("LC_ALL", "C.UTF-8", 1);
	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
