// SPDX-License-Identifier: LGPL-2.1-or-later
/* The Windows calls. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <threadprof/hcp.h>

#include "descriptor.h"
#include "error.h"
#include "handle.h"
#include "page.h"
#include "pool.h"
#include "process.h"
#include "profile.h"

#define ENABLE_FLAGS	THREAD_PROFILING_FLAG_DISPATCH
#define READ_FLAGS	(READ_THREAD_PROFILING_FLAG_DISPATCHING | \
			 READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS)
#define MASK		((1ULL << MAX_HW_COUNTERS) - 1)

_Static_assert(THREAD_PROFILING_FLAG_DISPATCH == THREADPROF_ENABLE_DISPATCH,
	       "flags travel to the kernel as they are");

static bool is_own_thread(HANDLE thread)
{
	return thread == GetCurrentThread();
}

/* The page stays mapped without the descriptor, so that a process needs but one. */
static int map_page(struct threadprof *tp, struct handle *handle, int fd)
{
	size_t size = sysconf(_SC_PAGESIZE);
	void *page;
	int err;

	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		err = -errno;
		return threadprof_fail(tp, err, "can't map the profile's page: %s",
				       strerrordesc_np(-err));
	}
	handle->page = page;
	handle->mapped = size;
	err = threadprof_page_check(page);
	if (err)
		return threadprof_fail(tp, err, "the module's page has version %u, size %u; "
				       "this library knows version %u", handle->page->version,
				       handle->page->page_size, THREADPROF_PAGE_VERSION);
	return 0;
}

/* Ends what was begun, and keeps the message that says why. */
static void undo(struct threadprof *tp, uint64_t id)
{
	char reason[MESSAGE_MAX];

	memcpy(reason, tp->message, sizeof(reason));
	threadprof_profile_end(tp, id);
	memcpy(tp->message, reason, sizeof(reason));
}

static int enable(struct threadprof *tp, struct process *process, struct handle *handle)
{
	int err, fd;

	err = threadprof_enable(tp, handle->flags, handle->mask, &fd, &handle->id, NULL);
	if (err == -ENOENT)	/* the family, for there is nothing else to be missing */
		return -EOPNOTSUPP;
	if (err)
		return err;
	err = map_page(tp, handle, fd);
	if (!err)
		err = threadprof_profile_prepare(tp, handle->id, &handle->update);
	if (!err) {
		err = threadprof_handle_attach(process, handle, fd);
		if (!err)
			return 0;
		threadprof_fail(tp, err, "can't keep the handle: %s", strerrordesc_np(-err));
	}
	undo(tp, handle->id);
	syscall(SYS_close, fd);	/* close() is a cancellation point */
	return err;
}

static DWORD enable_thread(DWORD flags, DWORD64 mask, HANDLE *out)
{
	struct process *process = threadprof_process();
	struct threadprof *tp;
	struct handle *handle;
	DWORD code = ERROR_SUCCESS;
	int err;

	handle = process ? threadprof_handle_new(process) : NULL;
	if (!handle)
		return threadprof_error(-ENOMEM, "not enough memory for a handle");
	handle->flags = flags;
	handle->mask = mask;

	err = threadprof_pool_take(&tp);
	if (!err)
		err = enable(tp, process, handle);
	if (err) {
		code = threadprof_error(err, threadprof_message(tp));
		threadprof_handle_drop(handle);
	} else {
		*out = (HANDLE)handle->value;
	}
	threadprof_pool_put(tp);
	return code;
}

DWORD EnableThreadProfiling(HANDLE ThreadHandle, DWORD Flags, DWORD64 HardwareCounters,
			    HANDLE *PerformanceDataHandle)
{
	int saved = errno;
	DWORD code;

	if (!ThreadHandle)
		return threadprof_error(-EBADF, "ThreadHandle is NULL");
	if (!is_own_thread(ThreadHandle))
		return threadprof_error(-EACCES, "ThreadHandle is not GetCurrentThread(): "
					"a thread can profile only itself");
	if (Flags & ~ENABLE_FLAGS)
		return threadprof_error(-EINVAL, "Flags has bits other than "
					"THREAD_PROFILING_FLAG_DISPATCH");
	if (HardwareCounters & ~MASK)
		return threadprof_error(-EINVAL, "HardwareCounters has bits above 15");
	if (!PerformanceDataHandle)
		return threadprof_error(-EINVAL, "PerformanceDataHandle is NULL");
	code = enable_thread(Flags, HardwareCounters, PerformanceDataHandle);
	errno = saved;
	return code;
}

static DWORD find_handle(HANDLE value, struct handle **out)
{
	struct process *process = threadprof_process();
	int err;

	err = process ? threadprof_handle_find(process, (uintptr_t)value, out) : -EBADF;
	switch (err) {
	case 0:
		return ERROR_SUCCESS;
	case -EACCES:
		return threadprof_error(err, "the handle is another thread's");
	default:
		return threadprof_error(err, "not a live handle of this process");
	}
}

static bool is_gone(int err)
{
	return err == -ENOENT || err == -EBADF;
}

static DWORD disable_thread(HANDLE value)
{
	struct threadprof *tp;
	struct handle *handle;
	DWORD code;
	int err;

	code = find_handle(value, &handle);
	if (code)
		return code;
	err = threadprof_pool_take(&tp);
	if (!err)
		err = threadprof_profile_end(tp, handle->id);
	if (err)
		code = threadprof_error(err, threadprof_message(tp));
	threadprof_pool_put(tp);
	if (!err)
		threadprof_handle_drop(handle);
	else if (is_gone(err))
		threadprof_handle_gone(handle);
	return code;
}

DWORD DisableThreadProfiling(HANDLE PerformanceDataHandle)
{
	int saved = errno;
	DWORD code = disable_thread(PerformanceDataHandle);

	errno = saved;
	return code;
}

DWORD QueryThreadProfiling(HANDLE ThreadHandle, PBOOLEAN Enabled)
{
	int err, saved = errno;
	struct threadprof *tp;
	uint32_t enabled;
	DWORD code = ERROR_SUCCESS;

	if (!is_own_thread(ThreadHandle))
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

/*
 * A signal handler may have read in the middle of this: what it saw is newer, and
 * was reported by it, so that nothing steps back here.
 */
static uint64_t new_reasons(struct handle *handle, const struct page_snapshot *snapshot)
{
	uint64_t bits = 0;
	unsigned int i;

	if (!snapshot->new_switches)
		return 0;
	for (i = 0; i < THREADPROF_WAIT_REASONS; i++) {
		if (snapshot->wait[i] <= handle->seen[i])
			continue;
		handle->seen[i] = snapshot->wait[i];
		bits |= 1ULL << i;
	}
	return bits;
}

static void fill(struct handle *handle, const struct page_snapshot *snapshot, DWORD flags,
		 PERFORMANCE_DATA *out)
{
	unsigned int i;

	out->Reserved = 0;
	if (flags & READ_THREAD_PROFILING_FLAG_DISPATCHING) {
		if (handle->cycles < snapshot->cycles)
			handle->cycles = snapshot->cycles;
		out->ContextSwitchCount = (DWORD)snapshot->switches;
		out->CycleTime = handle->cycles;
		out->RetryCount = snapshot->passes;
		out->WaitReasonBitMap = new_reasons(handle, snapshot);
		handle->seen_switches = snapshot->switches;
	}
	if (flags & READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS) {
		out->HwCountersCount = __builtin_popcount(snapshot->configured);
		for (i = 0; i < MAX_HW_COUNTERS; i++)
			out->HwCounters[i] = (HARDWARE_COUNTER_DATA){
				.Type = PMCCounter,
				.Value = snapshot->slot[i],
			};
	}
}

/* Brings the page up to date by a request, where no descriptor does it. */
static DWORD ask_for_update(const struct handle *handle)
{
	DWORD code = ERROR_SUCCESS;
	struct threadprof *tp;
	int err;

	err = threadprof_pool_take_bare(&tp);
	if (!err)
		err = threadprof_profile_update(tp, &handle->update);
	if (err)
		code = threadprof_error(err, threadprof_message(tp));
	threadprof_pool_put_bare(tp);
	/*
	 * If the profile is over, Disable, Enable or the thread's exit drops the
	 * handle: a signal handler must not call free().
	 */
	return code;
}

/*
 * One consistent pass over the page. Counters are read by the kernel; what the
 * scheduler knows is in the page at any time, and needs no system call. A page that
 * says its thread is not running is not that of the one that reads: a vfork
 * child's parent's, or one whose profile is over. The kernel has the word then.
 */
static DWORD take_snapshot(const struct handle *handle, unsigned int parts,
			   struct page_snapshot *out)
{
	bool ask = (parts & PAGE_SLOTS) &&
		   !threadprof_descriptor_update(handle);
	bool asked;
	DWORD code;
	int err;

	do {
		asked = ask;
		code = ask ? ask_for_update(handle) : ERROR_SUCCESS;
		if (code)
			return code;
		err = threadprof_page_read(handle->page, parts, handle->mask,
					   handle->seen_switches, out);
		if (err)
			return threadprof_error(err, "the profile's page never stood still");
		ask = !out->running;
	} while (ask && !asked);
	return ERROR_SUCCESS;
}

static DWORD read_thread(HANDLE value, DWORD flags, PERFORMANCE_DATA *out)
{
	struct page_snapshot snapshot;
	unsigned int parts = 0;
	struct handle *handle;
	DWORD code;

	code = find_handle(value, &handle);
	if (code)
		return code;
	if (flags & READ_THREAD_PROFILING_FLAG_DISPATCHING) {
		if (!(handle->flags & THREAD_PROFILING_FLAG_DISPATCH))
			return threadprof_error(-EINVAL, "DISPATCHING was not asked for "
						"when profiling was enabled");
		parts |= PAGE_DISPATCH;
	}
	if (flags & READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS) {
		if (!handle->mask)
			return threadprof_error(-EINVAL, "no hardware counters were asked for "
						"when profiling was enabled");
		parts |= PAGE_SLOTS;
	}

	code = take_snapshot(handle, parts, &snapshot);
	if (code)
		return code;
	fill(handle, &snapshot, flags, out);
	return ERROR_SUCCESS;
}

DWORD ReadThreadProfilingData(HANDLE PerformanceDataHandle, DWORD Flags,
			      PPERFORMANCE_DATA PerformanceData)
{
	int saved = errno;
	DWORD code;

	if (!PerformanceData)
		return threadprof_error(-EINVAL, "PerformanceData is NULL");
	if (!Flags || (Flags & ~READ_FLAGS))
		return threadprof_error(-EINVAL, "Flags is not one or both of the "
					"READ_THREAD_PROFILING_FLAG_ bits");
	if (PerformanceData->Size != sizeof(*PerformanceData))
		return threadprof_error(-EINVAL, "Size is not sizeof(PERFORMANCE_DATA)");
	if (PerformanceData->Version != PERFORMANCE_DATA_VERSION)
		return threadprof_error(-EINVAL, "Version is not PERFORMANCE_DATA_VERSION");
	code = read_thread(PerformanceDataHandle, Flags, PerformanceData);
	errno = saved;
	return code;
}
