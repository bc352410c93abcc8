/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers for people. Each returns its buffer. */
#ifndef HWCFG_FORMAT_H
#define HWCFG_FORMAT_H

#include <stdint.h>

#define FORMAT_SIZE 48

/* 1234567 -> "1,234,567" */
char *format_count(char out[FORMAT_SIZE], uint64_t value);

/* Ticks of a clock with hz of them a second, in nanoseconds; no overflow. */
uint64_t format_ns(uint64_t ticks, uint64_t hz);

/* The unit that gives one to three digits before the point: "12.3 ms". */
char *format_time(char out[FORMAT_SIZE], uint64_t ns);

/* Always milliseconds: "1,234.567". */
char *format_ms(char out[FORMAT_SIZE], uint64_t ns);

/* "2.4 GHz", "62.5 MHz" */
char *format_hz(char out[FORMAT_SIZE], uint64_t hz);

/* Instructions per cycle, "1.87"; "-" when no cycle was counted. */
char *format_ipc(char out[FORMAT_SIZE], uint64_t instructions, uint64_t cycles);

/* "user", "user+kernel"; 0 is the default, user mode. */
char *format_modes(char out[FORMAT_SIZE], uint32_t modes);

#endif
