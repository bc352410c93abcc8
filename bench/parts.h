/* SPDX-License-Identifier: GPL-2.0-only */
/* What is measured; each runs in a process of its own, by its name. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct part {
	const char *name;
	void (*run)(void);	/* NULL: load the module */
	bool no_direct;		/* the library is not to read registers */
};

/* In their order: those of guest.c or of native.c, whichever the program has. */
extern const struct part parts[];
extern const size_t part_count;
/* Where the limits are; NULL: figures are times, and only ratios of them are shown. */
extern const char * const parts_limits;

void part_bare(void);
void part_perf_read(void);
void part_perf_mmap(void);
void part_papi(void);
void part_papi_slow(void);
void part_direct(void);
void part_entered(void);
void part_dispatch(void);
void part_dispatch_entered(void);
void part_dispatch_peers(void);
void part_taskstats(void);
void part_switch_unloaded(void);
void part_switch_ours(void);
void part_switch_direct(void);
void part_switch_perf(void);
void part_enable(void);
void part_enable_first(void);
void part_enable_peers(void);
void part_doors(void);
void part_memory(void);
void part_scale_plain(void);
void part_scale(void);
void part_scale_direct(void);

#endif /* BENCH_PARTS_H */
