// SPDX-License-Identifier: LGPL-2.1-or-later
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "direct.h"

#define NEVER	(INT64_MAX / 2)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_forbidden;

static void look(void)
{
	const char *no = getenv("THREADPROF_NO_DIRECT");

	is_forbidden = no && *no && strcmp(no, "0");
}

void threadprof_direct_reset(struct direct *direct)
{
	pthread_once(&once, look);
	*direct = (struct direct){ .to_go = is_forbidden ? NEVER : DIRECT_GOAL };
}

void threadprof_direct_answer(struct direct *direct, int err)
{
	direct->is_on = !err;
	direct->to_go = err ? DIRECT_AGAIN + DIRECT_GOAL : NEVER;
}
