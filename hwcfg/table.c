// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "say.h"
#include "table.h"

static void *need(void *memory)
{
	if (memory)
		return memory;
	say("out of memory");
	exit(EXIT_REFUSED);
}

struct libscols_table *table_new(const char *name, bool json)
{
	struct libscols_table *table = need(scols_new_table());

	scols_table_set_name(table, name);
	scols_table_enable_json(table, json);
	return table;
}

void table_column(struct libscols_table *table, const struct column *column)
{
	bool json = scols_table_is_json(table);
	struct libscols_column *cl;

	cl = need(scols_table_new_column(table, json ? column->key : column->heading, 0,
					 column->flags));
	scols_column_set_json_type(cl, column->json);
}

struct libscols_line *table_line(struct libscols_table *table)
{
	return need(scols_table_new_line(table, NULL));
}

void table_cell(struct libscols_line *line, size_t column, const char *fmt, ...)
{
	va_list args;
	char *data;

	if (!fmt)
		return;
	va_start(args, fmt);
	if (vasprintf(&data, fmt, args) < 0)
		data = NULL;
	va_end(args);
	scols_line_refer_data(line, column, output_utf8(need(data)));
}

/* What stands between the braces of a table's own JSON object. */
static int inner_json(struct libscols_table *table, char **out)
{
	char *text = NULL;
	char *begin, *end;
	int err;

	err = scols_print_table_to_string(table, &text);
	if (err)
		return err;
	begin = text ? strchr(text, '{') : NULL;
	end = text ? strrchr(text, '}') : NULL;
	if (!begin || !end) {
		free(text);
		return -EIO;
	}
	for (begin++; *begin == '\n'; begin++)
		;
	while (end > begin && end[-1] == '\n')
		end--;
	*out = strndup(begin, end - begin);
	free(text);
	return *out ? 0 : -ENOMEM;
}

static int print_json(FILE *out, struct libscols_table **tables, size_t count)
{
	size_t i;

	fputs("{\n", out);
	for (i = 0; i < count; i++) {
		char *text = NULL;
		int err = inner_json(tables[i], &text);

		if (err)
			return err;
		fprintf(out, "%s%s\n", text, i + 1 < count ? "," : "");
		free(text);
	}
	fputs("}\n", out);
	return 0;
}

int table_print(FILE *out, struct libscols_table **tables, size_t count, bool json)
{
	locale_t before = output_begin();
	size_t i;
	int err = 0;

	if (json) {
		err = print_json(out, tables, count);
	} else {
		for (i = 0; i < count && !err; i++) {
			scols_table_set_stream(tables[i], out);
			err = scols_print_table(tables[i]);
		}
	}
	for (i = 0; i < count; i++)
		scols_unref_table(tables[i]);
	output_end(before);
	if (!err && (fflush(out) || ferror(out)))
		err = errno ? -errno : -EIO;
	return err;
}
