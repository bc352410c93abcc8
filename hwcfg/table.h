/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables and JSON, both by libsmartcols. */
#ifndef HWCFG_TABLE_H
#define HWCFG_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include <libsmartcols.h>

struct column {
	const char *heading;	/* for people */
	const char *key;	/* in JSON, where it is lower case always */
	int flags;		/* SCOLS_FL_* */
	int json;		/* SCOLS_JSON_* */
};

struct libscols_table *table_new(const char *name, bool json);
void table_column(struct libscols_table *table, const struct column *column);
struct libscols_line *table_line(struct libscols_table *table);

/* A cell's text, made UTF-8 where it is not. NULL: empty, null in JSON. */
void table_cell(struct libscols_line *line, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Prints one table, or in JSON one object with a list for each table. Frees
 * them. 0, or a negative errno.
 */
int table_print(FILE *out, struct libscols_table **tables, size_t count, bool json);

#endif
