/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "limit.h"

void table_print(const struct figures *figures, const struct limits *limits, bool json);

#endif /* BENCH_TABLE_H */
