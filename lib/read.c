// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ReadThreadProfilingData. What the scheduler knows is in the page at any time; so are
 * counters, if the thread may read the registers. Otherwise the kernel brings the page
 * up to date first.
 */
#include <errno.h>
#include <string.h>

#include <threadprof/hcp.h>

#include "clock.h"
#include "descriptor.h"
#include "error.h"
#include "handle.h"
#include "pool.h"
#include "profile.h"

#define DISPATCHING	READ_THREAD_PROFILING_FLAG_DISPATCHING
#define COUNTERS	READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
/* So that what is done often has to save few registers. */
#define NOINLINE	__attribute__((noinline))
#define COLD		__attribute__((noinline, cold))

static inline void fill(struct handle *handle, DWORD flags, uint64_t switches,
			uint64_t reasons, uint64_t cycles, DWORD passes, PERFORMANCE_DATA *out)
{
	if (flags & DISPATCHING) {
		if (cycles < handle->cycles)
			cycles = handle->cycles;
		handle->cycles = cycles;
		out->ContextSwitchCount = (DWORD)switches;
		out->WaitReasonBitMap = reasons;
		out->CycleTime = cycles;
		out->RetryCount = passes;
	}
	out->Reserved = 0;
	if (flags & COUNTERS) {
		out->HwCountersCount = handle->slice.configured;
		memcpy(out->HwCounters, handle->slice.data, sizeof(out->HwCounters));
	}
}

enum again { DONE, TORN, OVER };

/* As long as the slice runs on that the last Read saw. */
static inline enum again read_again(struct handle *handle, DWORD flags, PERFORMANCE_DATA *out)
{
	uint64_t key = atomic_load_explicit(&handle->slice.key, memory_order_relaxed), now;
	const struct threadprof_page *page = handle->seat.page;
	struct slice *slice = &handle->slice;
	bool good = true;

	if (flags & ~(key >> 32) || !threadprof_slice_is_current(slice, page, key))
		return OVER;
	now = threadprof_ticks();
	if (flags & COUNTERS)
		good = threadprof_slice_advance(slice);
	if (!threadprof_page_has(page, key))
		return TORN;
	if (!good)
		return OVER;
	fill(handle, flags, slice->switches, 0,
	     threadprof_slice_cycles(slice->cycles, slice->began, now), 1, out);
	return DONE;
}

/* Brings the page up to date by a request, where no descriptor does it. */
static DWORD ask_for_update(const struct handle *handle)
{
	DWORD code = ERROR_SUCCESS;
	struct threadprof *tp;
	int saved = errno, err;

	err = threadprof_pool_take_bare(&tp);
	if (!err)
		err = threadprof_profile_update(tp, atomic_load(&handle->process->family),
						handle->id);
	if (err)
		code = threadprof_error(err, threadprof_message(tp));
	threadprof_pool_put_bare(tp);
	/*
	 * If the profile is over, Disable, Enable or the thread's exit ends the
	 * handle: a signal handler must not.
	 */
	errno = saved;
	return code;
}

static DWORD enter(struct handle *handle)
{
	return threadprof_descriptor_update(handle) ? ERROR_SUCCESS : ask_for_update(handle);
}

/* One pass: false if it was torn. */
static bool copy(struct handle *handle, DWORD flags, struct page_pass *pass)
{
	const struct threadprof_page *page = handle->seat.page;
	struct slice *slice = &handle->slice;

	threadprof_slice_copy(slice, page);
	if (flags & COUNTERS)
		threadprof_slice_copy_counters(slice, page);
	if ((flags & DISPATCHING) && slice->switches != handle->reasons.told)
		threadprof_reasons_copy(&handle->reasons, page, slice->switches);
	return threadprof_page_has(page, pass->seq);
}

/* Later Reads go by the copy, for what is in it. */
static void keep(struct handle *handle, DWORD flags, uint32_t seq)
{
	struct slice *slice = &handle->slice;
	DWORD serves = 0;

	if (!slice->is_running)
		return;
	/* No reason is left to be told. */
	if (slice->switches == handle->reasons.told)
		serves |= handle->allowed & DISPATCHING;
	if ((flags & COUNTERS) && handle->direct.is_on && slice->is_readable)
		serves |= COUNTERS;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&slice->key, threadprof_slice_key(seq, serves),
			      memory_order_relaxed);
}

static DWORD finish(struct handle *handle, DWORD flags, uint64_t now,
		    const struct page_pass *pass, PERFORMANCE_DATA *out)
{
	const struct slice *slice = &handle->slice;
	uint64_t reasons = 0, cycles = slice->cycles;

	if ((flags & DISPATCHING) && handle->reasons.copied != handle->reasons.told)
		reasons = threadprof_reasons_tell(&handle->reasons);
	if (slice->is_running)
		cycles = threadprof_slice_cycles(cycles, slice->began, now);
	fill(handle, flags, slice->switches, reasons, cycles, pass->number, out);
	keep(handle, flags, pass->seq);
	return ERROR_SUCCESS;
}

/* To what the registers have now. False: they do not tell. */
static bool advance(struct handle *handle)
{
	return !handle->direct.is_hidden && threadprof_slice_advance(&handle->slice);
}

/*
 * With a new copy of the page, which was brought up to date if `asked`; so many passes
 * were torn before. A page that says its thread is not running is not that of the one
 * that reads: a vfork child's parent's, or one whose profile is over. The kernel has
 * the word then.
 */
static DWORD COLD read_anew(struct handle *handle, DWORD flags, bool asked, uint32_t passes,
			    PERFORMANCE_DATA *out)
{
	const struct threadprof_page *page = handle->seat.page;
	struct slice *slice = &handle->slice;
	struct page_pass pass = { .number = passes };
	bool ask = (flags & COUNTERS) && handle->direct.is_hidden && !asked;
	uint64_t now;
	DWORD code;
	bool good;

	for (;;) {
		if (ask) {
			code = enter(handle);
			if (code)
				return code;
			asked = true;
			pass = (struct page_pass){ 0 };
		}
		if (!threadprof_page_begin(page, &pass))
			return threadprof_error(-EIO, "the profile's page never stood still");
		ask = false;
		if (!copy(handle, flags, &pass))
			continue;
		if (flags & COUNTERS)
			handle->direct.is_hidden = !slice->is_readable;
		now = threadprof_ticks();
		good = asked || (slice->is_running &&
				 (!(flags & COUNTERS) || advance(handle)));
		/* What a torn pass found is not even a reason to ask. */
		if (!threadprof_page_has(page, pass.seq))
			continue;
		if (good)
			return finish(handle, flags, now, &pass, out);
		ask = true;
	}
}

/* By a request, where no descriptor does it. */
static DWORD COLD read_by_request(struct handle *handle, DWORD flags, PERFORMANCE_DATA *out)
{
	DWORD code = ask_for_update(handle);

	return code ?: read_anew(handle, flags, true, 0, out);
}

/* It pays to ask whether the thread may read registers. */
static DWORD COLD read_asking(struct handle *handle, DWORD flags, PERFORMANCE_DATA *out)
{
	int answer = threadprof_descriptor_operate(THREADPROF_OP_DIRECT, &handle->seat, 0, 0);

	if (!threadprof_descriptor_update(handle))
		return read_by_request(handle, flags, out);
	/* The descriptor is ours: that was the kernel's answer. */
	threadprof_direct_answer(&handle->direct, answer);
	return read_anew(handle, flags, true, 0, out);
}

/* Counters of a thread that can't read registers: a lean pass, behind the kernel's. */
static DWORD NOINLINE read_entered(struct handle *handle, DWORD flags, PERFORMANCE_DATA *out)
{
	const struct threadprof_page *page = handle->seat.page;
	uint64_t switches, began, cycles, now;
	uint32_t seq;

	flags |= COUNTERS;
	if (unlikely(threadprof_direct_pays(&handle->direct, PAGE_LOAD(page->switches))))
		return read_asking(handle, flags, out);
	if (unlikely(!threadprof_descriptor_update(handle)))
		return read_by_request(handle, flags, out);
	seq = threadprof_page_seq(page);
	began = PAGE_LOAD(page->cycles_start);
	switches = PAGE_LOAD(page->switches);
	cycles = PAGE_LOAD(page->cycles);
	now = threadprof_ticks();
	threadprof_slice_copy_totals(&handle->slice, page);
	if (unlikely((seq & 1) || !began ||
		     ((flags & DISPATCHING) && switches != handle->reasons.told) ||
		     !threadprof_page_has(page, seq)))
		return read_anew(handle, flags, true, !threadprof_page_has(page, seq), out);
	fill(handle, flags, switches, 0, threadprof_slice_cycles(cycles, began, now), 1, out);
	return ERROR_SUCCESS;
}

/* Where the last copy does not do. */
static inline DWORD read_page(struct handle *handle, DWORD flags, uint32_t passes,
			      PERFORMANCE_DATA *out)
{
	if ((flags & COUNTERS) && !handle->direct.is_on)
		return read_entered(handle, flags, out);
	return read_anew(handle, flags, false, passes, out);
}

static inline bool has_known_layout(const PERFORMANCE_DATA *data)
{
	return data->Size == sizeof(*data) && data->Version == PERFORMANCE_DATA_VERSION;
}

/* Everything in its order, where something is not as it mostly is. */
static DWORD COLD check_and_read(HANDLE value, DWORD flags, PERFORMANCE_DATA *out)
{
	struct handle *handle;
	DWORD code;

	if (!out)
		return threadprof_error(-EINVAL, "PerformanceData is NULL");
	if (!flags || (flags & ~(DISPATCHING | COUNTERS)))
		return threadprof_error(-EINVAL, "Flags is not one or both of the "
					"READ_THREAD_PROFILING_FLAG_ bits");
	if (out->Size != sizeof(*out))
		return threadprof_error(-EINVAL, "Size is not sizeof(PERFORMANCE_DATA)");
	if (!has_known_layout(out))
		return threadprof_error(-EINVAL, "Version is not PERFORMANCE_DATA_VERSION");
	code = threadprof_handle_find((uintptr_t)value, &handle);
	if (code)
		return code;
	if (flags & ~handle->allowed & DISPATCHING)
		return threadprof_error(-EINVAL, "DISPATCHING was not asked for "
					"when profiling was enabled");
	if (flags & ~handle->allowed)
		return threadprof_error(-EINVAL, "no hardware counters were asked for "
					"when profiling was enabled");
	return read_page(handle, flags, 0, out);
}

DWORD ReadThreadProfilingData(HANDLE PerformanceDataHandle, DWORD Flags,
			      PPERFORMANCE_DATA PerformanceData)
{
	struct handle *own = threadprof_own;
	enum again again;

	if (likely(PerformanceData && has_known_layout(PerformanceData) && Flags && own &&
		   threadprof_handle_is(own, (uintptr_t)PerformanceDataHandle))) {
		again = read_again(own, Flags, PerformanceData);
		if (likely(again == DONE))
			return ERROR_SUCCESS;
		if (!(Flags & ~own->allowed))
			return read_page(own, Flags, again == TORN, PerformanceData);
	}
	return check_and_read(PerformanceDataHandle, Flags, PerformanceData);
}
