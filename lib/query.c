// SPDX-License-Identifier: LGPL-2.1-or-later
/* QueryThreadProfiling. */
#include <errno.h>

#include <threadprof/hcp.h>

#include "error.h"
#include "pool.h"
#include "profile.h"

DWORD QueryThreadProfiling(HANDLE ThreadHandle, PBOOLEAN Enabled)
{
	int err, saved = errno;
	struct threadprof *tp;
	uint32_t enabled;
	DWORD code = ERROR_SUCCESS;

	if (ThreadHandle != GetCurrentThread())
		return threadprof_error(-EBADF, "ThreadHandle is not GetCurrentThread()");
	if (!Enabled)
		return threadprof_error(-EINVAL, "Enabled is NULL");
	err = threadprof_pool_take(&tp);
	if (!err)
		err = threadprof_profile_query(tp, &enabled);
	if (err == -ENOENT)
		err = -EOPNOTSUPP;
	if (err)
		code = threadprof_error(err, threadprof_message(tp));
	else
		*Enabled = enabled ? TRUE : FALSE;
	threadprof_pool_put(tp);
	errno = saved;
	return code;
}
