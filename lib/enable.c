// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * EnableThreadProfiling. The first of a process goes over netlink and gives the area;
 * in it each further one is a single system call. Whatever goes wrong there, netlink
 * is asked: it has the reason in words, or an area in the place of one whose
 * descriptor the program has closed.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <threadprof/hcp.h>

#include "area.h"
#include "descriptor.h"
#include "error.h"
#include "handle.h"
#include "pool.h"
#include "profile.h"

#define ENABLE_FLAGS	THREAD_PROFILING_FLAG_DISPATCH
#define MASK		((1ULL << MAX_HW_COUNTERS) - 1)

/* Pages that are tried: one may still show a thread that has not quite exited. */
#define PAGES		4
/* Areas that are tried: other threads may begin and close them meanwhile. */
#define AREAS		4
#define WAITS		10000

_Static_assert(THREAD_PROFILING_FLAG_DISPATCH == THREADPROF_ENABLE_DISPATCH,
	       "flags travel to the kernel as they are");

static uint32_t reads_allowed(DWORD flags, DWORD64 mask)
{
	return (flags & THREAD_PROFILING_FLAG_DISPATCH ?
		READ_THREAD_PROFILING_FLAG_DISPATCHING : 0) |
	       (mask ? READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS : 0);
}

/*
 * Not by the descriptor of an area that another thread is just about to begin: the
 * profile would be shown there, in a page of anybody's. Such a thread takes the area
 * away first, and waits for those who have seen it.
 */
static int ask_in_force(struct process *process, const struct seat *seat, DWORD flags,
			DWORD64 mask)
{
	int err = -EBADF;

	atomic_fetch_add(&process->enabling, 1);
	if (atomic_load(&process->area) == seat->area)
		err = threadprof_descriptor_operate(THREADPROF_OP_ENABLE, seat, flags, mask);
	atomic_fetch_sub(&process->enabling, 1);
	return err;
}

static struct area *take_from_force(struct process *process)
{
	struct area *area = atomic_exchange(&process->area, NULL);
	int i;

	/* Bounded for the sake of signal handlers that never return. */
	for (i = 0; i < WAITS && atomic_load(&process->enabling) > 0; i++)
		sched_yield();
	return area;
}

/*
 * By the descriptor. 0: the seat shows a new profile, as the page itself says; the
 * number may be another file's by now, which says 0 to anything.
 */
static int enable_in(const struct handle *handle, const struct seat *seat, DWORD flags,
		     DWORD64 mask)
{
	const struct threadprof_page *page = seat->page;
	uint64_t before = threadprof_seat_is_known(seat) ? PAGE_LOAD(page->profile_id) : 0;
	int err = ask_in_force(handle->process, seat, flags, mask);

	if (err)
		return err;
	if (threadprof_seat_exists(seat) && PAGE_LOAD(page->profile_id) != before &&
	    PAGE_LOAD(page->tid) == (uint32_t)handle->tid &&
	    !(PAGE_LOAD(page->flags) & THREADPROF_PROFILE_ENDED))
		return 0;
	/* The program may have an area of its own at the number. */
	threadprof_descriptor_operate(THREADPROF_OP_DISABLE, seat, 0, 0);
	return -EBADF;
}

/* As before, in the seat that this thread has. 0: not so. */
static uintptr_t enable_again(DWORD flags, DWORD64 mask)
{
	struct handle *own = threadprof_own;

	/* The mark is that of a process which a fork's child sees by it, as with Reads. */
	if (!own || !own->seat.page || threadprof_handle_is_live(own) || own->process->pid ||
	    atomic_load(&own->process->mark) != own->mark ||
	    !threadprof_area_enter(own->process, &own->seat))
		return 0;
	if (enable_in(own, &own->seat, flags, mask)) {
		threadprof_area_leave(own->process, &own->seat);
		return 0;
	}
	return threadprof_handle_begin(own, reads_allowed(flags, mask));
}

static void stand_up(struct process *process, const struct seat *seat)
{
	sigset_t signals;

	threadprof_process_lock(process, &signals);
	threadprof_seat_give_up(seat);
	threadprof_process_unlock(process, &signals);
}

/* In a new seat of the area in force; *areas: how many there had been then. */
static bool enable_here(const struct handle *handle, DWORD flags, DWORD64 mask,
			struct seat *seat, uint64_t *areas)
{
	struct process *process = handle->process;
	int64_t after = -1;
	sigset_t signals;
	bool was_known;
	int err, i;

	for (i = 0; i < PAGES; i++) {
		threadprof_process_lock(process, &signals);
		*areas = process->areas;
		err = threadprof_area_sit(process, after, seat);
		threadprof_process_unlock(process, &signals);
		if (err)
			return false;
		was_known = threadprof_seat_is_known(seat);
		err = enable_in(handle, seat, flags, mask);
		if (!err)
			return true;
		after = seat->page_number;
		stand_up(process, seat);
		threadprof_area_leave(process, seat);
		/* A page that nobody had cannot be what is busy: this thread is. */
		if (err != -EBUSY || !was_known)
			return false;
	}
	return false;
}

/* Ends what was begun, and keeps the message that says why. */
static void undo(struct threadprof *tp, uint64_t id)
{
	char reason[MESSAGE_MAX];

	memcpy(reason, tp->message, sizeof(reason));
	threadprof_profile_end(tp, id);
	memcpy(tp->message, reason, sizeof(reason));
}

static int begin_area(struct threadprof *tp, struct process *process, struct area *before,
		      DWORD flags, DWORD64 mask, struct seat *seat)
{
	uint64_t id;
	int err, fd;

	err = threadprof_enable(tp, flags, mask, &fd, &id, NULL);
	if (err == -ENOENT)	/* the family, for there is nothing else to be missing */
		return -EOPNOTSUPP;
	if (err)
		return err;
	err = threadprof_area_begin(process, tp, fd, before, seat);
	if (err) {
		undo(tp, id);
		/* Else the program has closed it already, and mapped was what it opened. */
		return threadprof_descriptor_close(fd) ? err : -EAGAIN;
	}
	atomic_store(&process->family, tp->family);
	return 0;
}

/* -EAGAIN: another thread has begun an area meanwhile, or closed this one's. */
static int enable_over_netlink(struct threadprof *tp, struct process *process, DWORD flags,
			       DWORD64 mask, struct seat *seat, uint64_t areas)
{
	struct area *before;
	sigset_t signals;
	int err = -EAGAIN;

	threadprof_process_lock(process, &signals);
	if (process->areas == areas) {
		before = take_from_force(process);
		err = begin_area(tp, process, before, flags, mask, seat);
		if (err)
			atomic_store(&process->area, before);
	} else {
		threadprof_fail(tp, err, "other threads begin and end too fast");
	}
	threadprof_process_unlock(process, &signals);
	return err;
}

static DWORD enable_newly(struct handle *handle, DWORD flags, DWORD64 mask, struct seat *seat)
{
	struct process *process = handle->process;
	struct threadprof *tp;
	DWORD code = ERROR_SUCCESS;
	uint64_t areas;
	int err, i;

	for (i = 0; i < AREAS; i++) {
		if (enable_here(handle, flags, mask, seat, &areas))
			return ERROR_SUCCESS;
		err = threadprof_pool_take(&tp);
		if (!err)
			err = enable_over_netlink(tp, process, flags, mask, seat, areas);
		code = err ? threadprof_error(err, threadprof_message(tp)) : ERROR_SUCCESS;
		threadprof_pool_put(tp);
		if (err != -EAGAIN)
			break;
	}
	return code;
}

static DWORD enable_slowly(DWORD flags, DWORD64 mask, HANDLE *out)
{
	struct process *process = threadprof_process();
	struct handle *handle;
	struct seat seat;
	bool was_live;
	DWORD code;
	int err;

	err = process ? threadprof_handle_make(process, &handle) : -ENOMEM;
	if (err)
		return threadprof_error(err, "can't make a handle");
	was_live = threadprof_handle_is_live(handle);
	/* The memory is shared; another profile would take the place of the parent's. */
	if (was_live && handle->tid != syscall(SYS_gettid))
		return threadprof_error(-EBUSY, "the thread that made this vfork child is "
					"profiled already");
	code = enable_newly(handle, flags, mask, &seat);
	if (code)
		return code;
	/* The kernel took a new profile, so whatever was here is over. */
	if (was_live)
		threadprof_handle_end(handle);
	if (handle->seat.page)
		stand_up(process, &handle->seat);
	handle->seat = seat;
	*out = (HANDLE)threadprof_handle_begin(handle, reads_allowed(flags, mask));
	return ERROR_SUCCESS;
}

DWORD EnableThreadProfiling(HANDLE ThreadHandle, DWORD Flags, DWORD64 HardwareCounters,
			    HANDLE *PerformanceDataHandle)
{
	uintptr_t value;
	DWORD code;
	int saved;

	if (!ThreadHandle)
		return threadprof_error(-EBADF, "ThreadHandle is NULL");
	if (ThreadHandle != GetCurrentThread())
		return threadprof_error(-EACCES, "ThreadHandle is not GetCurrentThread(): "
					"a thread can profile only itself");
	if (Flags & ~ENABLE_FLAGS)
		return threadprof_error(-EINVAL, "Flags has bits other than "
					"THREAD_PROFILING_FLAG_DISPATCH");
	if (HardwareCounters & ~MASK)
		return threadprof_error(-EINVAL, "HardwareCounters has bits above 15");
	if (!PerformanceDataHandle)
		return threadprof_error(-EINVAL, "PerformanceDataHandle is NULL");

	value = enable_again(Flags, HardwareCounters);
	if (value) {
		*PerformanceDataHandle = (HANDLE)value;
		return ERROR_SUCCESS;
	}
	saved = errno;
	code = enable_slowly(Flags, HardwareCounters, PerformanceDataHandle);
	errno = saved;
	return code;
}
