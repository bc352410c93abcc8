// SPDX-License-Identifier: LGPL-2.1-or-later
#include <threadprof.h>

const char *threadprof_version(void)
{
	return THREADPROF_VERSION;
}
