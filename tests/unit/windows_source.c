/* SPDX-License-Identifier: GPL-2.0-only */
/* A program as it is written for Windows; built as C and as C++, and run. */
#include <windows.h>

int main(void)
{
	PERFORMANCE_DATA data = { sizeof(PERFORMANCE_DATA), PERFORMANCE_DATA_VERSION };
	HANDLE handle = INVALID_HANDLE_VALUE;
	DWORD64 switches = 0;
	BOOLEAN enabled = FALSE;
	DWORD error;

	error = EnableThreadProfiling(GetCurrentThread(), THREAD_PROFILING_FLAG_DISPATCH, 0x3,
				      &handle);
	if (error == ERROR_NOT_SUPPORTED)
		return 0;	/* no module on this machine */
	if (error != ERROR_SUCCESS)
		return 1;
	if (QueryThreadProfiling(GetCurrentThread(), &enabled) || enabled != TRUE)
		return 2;
	if (ReadThreadProfilingData(handle, READ_THREAD_PROFILING_FLAG_DISPATCHING, &data))
		return 3;
	switches += data.ContextSwitchCount + data.HwCounters[1].Value;
	if ((data.WaitReasonBitMap & (1ULL << WrPreempted)) && !switches)
		return 4;
	return DisableThreadProfiling(handle) ? 5 : 0;
}
