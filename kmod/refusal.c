// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reasons of refusals, in words.
 */
#include <linux/kernel.h>
#include <linux/stdarg.h>

#include "compat.h"
#include "refusal.h"

static __printf(2, 0)
void say(const struct tprof_refusal *why, const char *format,
		va_list args)
{
	char text[TPROF_EXTACK_MAX];

	vscnprintf(text, sizeof(text), format, args);
	tprof_extack(why->extack, text);
}

void tprof_refuse(const struct tprof_refusal *why, const char *format, ...)
{
	va_list args;

	if (!why || !why->extack)
		return;
	va_start(args, format);
	say(why, format, args);
	va_end(args);
}

void tprof_refuse_counter(const struct tprof_refusal *why, unsigned int i,
			  const char *format, ...)
{
	va_list args;

	if (!why || !why->extack)
		return;
	va_start(args, format);
	say(why, format, args);
	va_end(args);
	if (why->counter_attr)
		NL_SET_BAD_ATTR(why->extack, why->counter_attr[i]);
}
