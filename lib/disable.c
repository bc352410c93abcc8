// SPDX-License-Identifier: LGPL-2.1-or-later
/* DisableThreadProfiling. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <threadprof/hcp.h>

#include "area.h"
#include "descriptor.h"
#include "error.h"
#include "handle.h"
#include "pool.h"
#include "profile.h"

/*
 * By the descriptor, if it is that of the handle's area. Whether it was done says the
 * page: the number may be another file's by now, which says 0 to anything.
 */
static bool disable_here(const struct handle *handle)
{
	const struct seat *seat = &handle->seat;

	return atomic_load(&handle->process->area) == seat->area &&
	       !threadprof_descriptor_operate(THREADPROF_OP_DISABLE, seat, 0, 0) &&
	       (PAGE_LOAD(seat->page->flags) & THREADPROF_PROFILE_ENDED) &&
	       PAGE_LOAD(seat->page->profile_id) == handle->id;
}

static bool is_gone(int err)
{
	return err == -ENOENT || err == -EBADF;
}

static DWORD disable_over_netlink(struct handle *handle)
{
	DWORD code = ERROR_SUCCESS;
	struct threadprof *tp;
	int err;

	err = threadprof_pool_take(&tp);
	if (!err)
		err = threadprof_profile_end(tp, handle->id);
	if (err)
		code = threadprof_error(err, threadprof_message(tp));
	threadprof_pool_put(tp);
	/* A vfork child, which sees its parent's handle, leaves it alone. */
	if (!err || (is_gone(err) && handle->tid == syscall(SYS_gettid)))
		threadprof_handle_end(handle);
	return code;
}

DWORD DisableThreadProfiling(HANDLE PerformanceDataHandle)
{
	struct handle *handle = threadprof_own;
	DWORD code;
	int saved;

	if (!handle || !threadprof_handle_is(handle, (uintptr_t)PerformanceDataHandle)) {
		code = threadprof_handle_find((uintptr_t)PerformanceDataHandle, &handle);
		if (code)
			return code;
	}
	if (disable_here(handle)) {
		threadprof_handle_end(handle);
		return ERROR_SUCCESS;
	}
	saved = errno;
	code = disable_over_netlink(handle);
	errno = saved;
	return code;
}
