// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library without the module: E6, D4, Q1, and the Linux side.
 */
#include <threadprof.h>
#include <threadprof/hcp.h>

#include "tap.h"

int main(void)
{
	PERFORMANCE_DATA data = { .Size = sizeof(data), .Version = PERFORMANCE_DATA_VERSION };
	HANDLE handle = (HANDLE)0x5a5a;
	BOOLEAN enabled = 0x5a;
	struct threadprof *tp = NULL;
	int error;

	ok_num("E6 Enable without the module is ERROR_NOT_SUPPORTED (ours)", ERROR_NOT_SUPPORTED,
	       EnableThreadProfiling(GetCurrentThread(), 1, 1, &handle));
	ok(handle == (HANDLE)0x5a5a && *threadprof_last_message(),
	   "E6 the result is left alone, the reason is told");
	ok_num("E6 arguments are looked at first", ERROR_INVALID_PARAMETER,
	       EnableThreadProfiling(GetCurrentThread(), 1, 0x10000, &handle));
	ok_num("Q1 Query without the module is ERROR_NOT_SUPPORTED (ours)", ERROR_NOT_SUPPORTED,
	       QueryThreadProfiling(GetCurrentThread(), &enabled));
	ok(enabled == 0x5a, "Q1 the result is left alone");
	ok_num("D4 Disable of rubbish without the module", ERROR_INVALID_HANDLE,
	       DisableThreadProfiling(GetCurrentThread()));
	ok_num("Read of rubbish without the module", ERROR_INVALID_HANDLE,
	       ReadThreadProfilingData(GetCurrentThread(), 1, &data));
	error = threadprof_open(&tp);
	ok_num("threadprof_open without the module", -ENOENT, error);
	ok(tp && strstr(threadprof_message(tp), "modprobe threadprof"),
	   "its message says what to do");
	threadprof_close(tp);
	return tap_end();
}
