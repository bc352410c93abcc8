// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of counter_aarch64.h. The assembler makes all entries out of one line:
 * there is none to be mistyped.
 */
#ifdef __aarch64__

#include "counter_aarch64.h"

#ifdef __ARM_FEATURE_BTI_DEFAULT
#define LANDING	"	hint	#34\n"	/* bti c */
#else
#define LANDING	""
#endif

__asm__(
"	.text\n"
"	.balign	16\n"
"	.globl	threadprof_counter_table\n"
"	.hidden	threadprof_counter_table\n"
"	.type	threadprof_counter_table, %function\n"
"threadprof_counter_table:\n"
"	.cfi_startproc\n"
"	.macro	counter_entry name\n"
	LANDING
"	mrs	x0, \\name\n"
"	ret\n"
"	.balign	16\n"
"	.endm\n"
"	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "
		"21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n"
"	counter_entry pmevcntr\\n\\()_el0\n"
"	.endr\n"
"	counter_entry pmccntr_el0\n"
"	.cfi_endproc\n"
"	.size	threadprof_counter_table, . - threadprof_counter_table\n"
);

#endif
