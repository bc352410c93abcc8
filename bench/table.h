/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "limit.h"

/* With @ratios, how often a null call fits in each; else the figures as they are. */
void table_print(const struct figures *figures, const struct limits *limits, bool json,
		 bool ratios);

#endif /* BENCH_TABLE_H */
