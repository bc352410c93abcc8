// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <threadprof.h>

#include "hcp.h"
#include "tap.h"

void hcp_poison(PERFORMANCE_DATA *data)
{
	memset(data, HCP_POISON, sizeof(*data));
	data->Size = sizeof(*data);
	data->Version = PERFORMANCE_DATA_VERSION;
}

bool hcp_poisoned(const void *from, size_t size)
{
	const uint8_t *byte = from;

	while (size--)
		if (*byte++ != HCP_POISON)
			return false;
	return true;
}

HANDLE hcp_enable(DWORD flags, DWORD64 mask)
{
	HANDLE handle = NULL;
	DWORD code = EnableThreadProfiling(GetCurrentThread(), flags, mask, &handle);

	if (code)
		tap_die("Enable(%u, %#llx) gave %u: %s", flags, (unsigned long long)mask, code,
			threadprof_last_message());
	return handle;
}
