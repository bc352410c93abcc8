// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/threadprof.h>

#include "format.h"

/* Not the locale's separator: a table must look alike everywhere. */
char *format_count(char out[FORMAT_SIZE], uint64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	char *to = out;
	int i;

	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

uint64_t format_ns(uint64_t ticks, uint64_t hz)
{
	unsigned __int128 ns;

	if (!hz)
		return 0;
	ns = (unsigned __int128)ticks * 1000000000 / hz;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* Three significant digits of value/unit, at most two behind the point. */
static int significant(char out[FORMAT_SIZE], uint64_t value, uint64_t unit)
{
	uint64_t step = value >= 100 * unit ? unit : value >= 10 * unit ? unit / 10 : unit / 100;
	uint64_t rounded = step ? (value + step / 2) / step * step : value;
	/* Of what it became: 99.96 is 100, not 100.0. */
	int places = rounded >= 100 * unit ? 0 : rounded >= 10 * unit ? 1 : 2;

	return snprintf(out, FORMAT_SIZE, "%.*f", places, (double)rounded / (double)unit);
}

char *format_time(char out[FORMAT_SIZE], uint64_t ns)
{
	static const struct {
		uint64_t unit;
		const char *name;
	} units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" },
	};
	size_t i;
	int n;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		/* 999.6 us is to become 1.00 ms, not 1000 us. */
		if (ns < units[i].unit - units[i].unit / 2000)
			continue;
		n = significant(out, ns, units[i].unit);
		snprintf(out + n, FORMAT_SIZE - n, " %s", units[i].name);
		return out;
	}
	snprintf(out, FORMAT_SIZE, "%" PRIu64 " ns", ns);
	return out;
}

char *format_ms(char out[FORMAT_SIZE], uint64_t ns)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);
	size_t n;

	format_count(out, us / 1000);
	n = strlen(out);
	snprintf(out + n, FORMAT_SIZE - n, ".%03" PRIu64, us % 1000);
	return out;
}

char *format_hz(char out[FORMAT_SIZE], uint64_t hz)
{
	if (hz >= 1000000000)
		snprintf(out, FORMAT_SIZE, "%.4g GHz", hz / 1e9);
	else if (hz >= 1000000)
		snprintf(out, FORMAT_SIZE, "%.4g MHz", hz / 1e6);
	else if (hz >= 1000)
		snprintf(out, FORMAT_SIZE, "%.4g kHz", hz / 1e3);
	else
		snprintf(out, FORMAT_SIZE, "%" PRIu64 " Hz", hz);
	return out;
}

char *format_ipc(char out[FORMAT_SIZE], uint64_t instructions, uint64_t cycles)
{
	if (cycles)
		snprintf(out, FORMAT_SIZE, "%.2f", (double)instructions / (double)cycles);
	else
		strcpy(out, "-");
	return out;
}

char *format_modes(char out[FORMAT_SIZE], uint32_t modes)
{
	if (!modes)
		modes = THREADPROF_MODE_USER;
	snprintf(out, FORMAT_SIZE, "%s%s%s",
		 modes & THREADPROF_MODE_USER ? "+user" : "",
		 modes & THREADPROF_MODE_KERNEL ? "+kernel" : "",
		 modes & THREADPROF_MODE_HYPERVISOR ? "+hypervisor" : "");
	memmove(out, out + 1, strlen(out));
	return out;
}
