// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Windows calls in one thread: E1 to E8, D1 to D4, Q1, R1 to R3.
 * Codes where the documents are silent are ours, as the header has them.
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <threadprof.h>

#include "hcp.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define SW(event)	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event)

static struct raw r;

#define UNTOUCHED(data, member) hcp_poisoned(&(data)->member, sizeof((data)->member))

/* A refused Enable: the code, a reason, and the result left alone. */
static void enable_refused(const char *name, HANDLE thread, DWORD flags, DWORD64 mask,
			   DWORD expected)
{
	HANDLE handle = (HANDLE)0x5a5a;
	DWORD code = EnableThreadProfiling(thread, flags, mask, &handle);

	tap_check(code == expected && handle == (HANDLE)0x5a5a && *threadprof_last_message(),
		  name, "expected %u and the result left alone got %u, %p, '%s'", expected, code,
		  handle, threadprof_last_message());
	if (!code)
		DisableThreadProfiling(handle);
}

static void enable_arguments(void)
{
	HANDLE me = GetCurrentThread(), handle, again;
	int before, i;

	enable_refused("E1 a NULL thread handle is refused", NULL, DISPATCH, 0,
		       ERROR_INVALID_HANDLE);
	enable_refused("E1 another thread's handle is refused", (HANDLE)0x1234, DISPATCH, 0,
		       ERROR_ACCESS_DENIED);
	enable_refused("E1 INVALID_HANDLE_VALUE is refused", INVALID_HANDLE_VALUE, DISPATCH, 0,
		       ERROR_ACCESS_DENIED);
	enable_refused("E2 flag 2 is refused", me, 2, 0, ERROR_INVALID_PARAMETER);
	enable_refused("E2 flags 0x80000001 are refused", me, 0x80000001, 0,
		       ERROR_INVALID_PARAMETER);
	enable_refused("E3 mask bit 16 is refused", me, DISPATCH, 0x10000,
		       ERROR_INVALID_PARAMETER);
	enable_refused("E3 mask bit 63 is refused", me, DISPATCH, 1ULL << 63,
		       ERROR_INVALID_PARAMETER);
	ok_num("E5 NULL for the result is refused", ERROR_INVALID_PARAMETER,
	       EnableThreadProfiling(me, DISPATCH, 0, NULL));
	ok_num("E6 refusals leave no profile behind", 0, raw_profiles(&r));

	/* The library keeps the connection it made. */
	DisableThreadProfiling(hcp_enable(0, 0));
	before = proc_descriptors();
	handle = hcp_enable(DISPATCH, 0xffff);
	ok(handle && handle != INVALID_HANDLE_VALUE, "E5 the handle is neither NULL nor -1");
	ok_num("E5 a profiled process keeps one descriptor", before + 1, proc_descriptors());
	enable_refused("E6 enabling twice is refused", me, DISPATCH, 0, ERROR_WMI_ALREADY_ENABLED);
	ok_num("E6 the first profile outlives the second try", 0, DisableThreadProfiling(handle));
	again = hcp_enable(0, 0);
	ok(1, "E2 neither flags nor mask is no error (ours)");
	ok_num("D3 the handle of before stays invalid", ERROR_INVALID_HANDLE,
	       DisableThreadProfiling(handle));
	DisableThreadProfiling(again);

	for (i = 0; i < 500; i++) {
		handle = hcp_enable(DISPATCH, 1);
		if (DisableThreadProfiling(handle))
			break;
	}
	ok_num("D1 500 times on and off", 500, i);
	/* Ours: a process that does this again and again keeps what it will need. */
	ok_num("D1 nothing but one descriptor stays open after it", before + 1,
	       proc_descriptors());
}

static void disable_arguments(void)
{
	static const uintptr_t bogus[] = {
		0, (uintptr_t)-2, (uintptr_t)-1, 1, 2, 8, 4096, 0x7fffffff, 0xdeadbeef,
		(uintptr_t)1 << 47, (uintptr_t)1 << 63, UINTPTR_MAX - 4095
	};
	PERFORMANCE_DATA data;
	uint64_t local[8] = { 0 };
	HANDLE live = hcp_enable(DISPATCH, 0), page;
	unsigned int i, wrong = 0, read_wrong = 0;

	hcp_poison(&data);
	for (i = 0; i < sizeof(bogus) / sizeof(bogus[0]); i++) {
		wrong += DisableThreadProfiling((HANDLE)bogus[i]) != ERROR_INVALID_HANDLE;
		read_wrong += ReadThreadProfilingData((HANDLE)bogus[i], READ_D, &data) !=
			      ERROR_INVALID_HANDLE;
	}
	ok_num("D4 rubbish is refused as a handle by Disable", 0, wrong);
	ok_num("D4 rubbish is refused as a handle by Read", 0, read_wrong);
	ok_num("D4 an address on the stack is no handle", ERROR_INVALID_HANDLE,
	       DisableThreadProfiling(local));
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ok_num("D4 unreadable memory is no handle", ERROR_INVALID_HANDLE,
	       DisableThreadProfiling(page));
	wrong = 0;
	for (i = 0; i < 20000; i++) {
		HANDLE guess = (HANDLE)((uintptr_t)live ^ (i + 1) * 0x9e3779b97f4a7c15ULL);

		wrong += DisableThreadProfiling(guess) != ERROR_INVALID_HANDLE;
	}
	ok_num("D4 20,000 guesses near a live handle hit nothing", 0, wrong);
	for (i = 1, wrong = 0; i < 4096; i++)
		wrong += DisableThreadProfiling((HANDLE)((uintptr_t)live ^ i)) !=
			 ERROR_INVALID_HANDLE;
	ok_num("D4 neighbours of a live handle are none", 0, wrong);

	ok_num("D1 Disable gives ERROR_SUCCESS", 0, DisableThreadProfiling(live));
	ok_num("D3 Disable twice is refused", ERROR_INVALID_HANDLE, DisableThreadProfiling(live));
	ok_num("D3 Read after Disable is refused", ERROR_INVALID_HANDLE,
	       ReadThreadProfilingData(live, READ_D, &data));
	ok(UNTOUCHED(&data, ContextSwitchCount) && UNTOUCHED(&data, HwCounters),
	   "D3 a refused Read writes nothing");
}

static void query(void)
{
	struct {
		uint8_t before;
		BOOLEAN enabled;
		uint8_t after[7];
	} byte;
	HANDLE handle;

	memset(&byte, HCP_POISON, sizeof(byte));
	ok(!QueryThreadProfiling(GetCurrentThread(), &byte.enabled) && byte.enabled == FALSE,
	   "Q1 FALSE before Enable");
	handle = hcp_enable(0, 1);
	ok(!QueryThreadProfiling(GetCurrentThread(), &byte.enabled) && byte.enabled == TRUE,
	   "Q1 TRUE after Enable");
	DisableThreadProfiling(handle);
	ok(!QueryThreadProfiling(GetCurrentThread(), &byte.enabled) && byte.enabled == FALSE,
	   "Q1 FALSE after Disable");
	ok(hcp_poisoned(&byte.before, 1) && hcp_poisoned(byte.after, 7), "Q1 BOOLEAN is one byte");
	ok_num("Q1 NULL for the result is refused", ERROR_INVALID_PARAMETER,
	       QueryThreadProfiling(GetCurrentThread(), NULL));
	ok_num("Q1 a bogus handle is refused", ERROR_INVALID_HANDLE,
	       QueryThreadProfiling((HANDLE)0x1234, &byte.enabled));
	ok_num("Q1 a NULL handle is refused", ERROR_INVALID_HANDLE,
	       QueryThreadProfiling(NULL, &byte.enabled));
}

static void read_refused(const char *name, HANDLE handle, DWORD flags, WORD size, BYTE version)
{
	PERFORMANCE_DATA data, same;
	DWORD code;

	hcp_poison(&data);
	data.Size = size;
	data.Version = version;
	same = data;
	code = ReadThreadProfilingData(handle, flags, &data);
	tap_check(code == ERROR_INVALID_PARAMETER && !memcmp(&same, &data, sizeof(data)), name,
		  "expected 87 and nothing written got %u, %s", code,
		  memcmp(&same, &data, sizeof(data)) ? "something written" : "nothing written");
}

static void read_arguments(void)
{
	HANDLE handle = hcp_enable(DISPATCH, 0);

	read_refused("R1 no flag is refused", handle, 0, 288, 1);
	read_refused("R1 flag 4 is refused", handle, 4, 288, 1);
	read_refused("R1 flag 4 beside a good one is refused", handle, 5, 288, 1);
	read_refused("R1 HARDWARE_COUNTERS without a mask is refused", handle, READ_H, 288, 1);
	read_refused("R1 both without a mask are refused", handle, READ_D | READ_H, 288, 1);
	read_refused("R2 Size 0 is refused", handle, READ_D, 0, 1);
	read_refused("R2 Size 287 is refused", handle, READ_D, 287, 1);
	read_refused("R2 Size 289 is refused", handle, READ_D, 289, 1);
	read_refused("R2 Version 0 is refused", handle, READ_D, 288, 0);
	read_refused("R2 Version 2 is refused", handle, READ_D, 288, 2);
	ok_num("R2 NULL is refused", ERROR_INVALID_PARAMETER,
	       ReadThreadProfilingData(handle, READ_D, NULL));
	DisableThreadProfiling(handle);
	handle = hcp_enable(0, 1);
	read_refused("R1 DISPATCHING without DISPATCH is refused", handle, READ_D, 288, 1);
	read_refused("R1 both without DISPATCH are refused", handle, READ_D | READ_H, 288, 1);
	DisableThreadProfiling(handle);
}

static void members(void)
{
	PERFORMANCE_DATA data;
	HANDLE handle = hcp_enable(DISPATCH, 3);

	hcp_poison(&data);
	ok_num("R1 DISPATCHING alone", 0, ReadThreadProfilingData(handle, READ_D, &data));
	ok(UNTOUCHED(&data, HwCounters) && UNTOUCHED(&data, HwCountersCount),
	   "R1 DISPATCHING leaves the counters' members alone (ours)");
	ok_num("R2 Reserved becomes 0", 0, data.Reserved);
	ok(data.Size == 288 && data.Version == 1, "R2 Size and Version stay");
	ok_range("R3 RetryCount counts the passes, 1 is the first (ours)", 1, 3, data.RetryCount);
	hcp_poison(&data);
	ok_num("R1 HARDWARE_COUNTERS alone", 0, ReadThreadProfilingData(handle, READ_H, &data));
	ok(UNTOUCHED(&data, ContextSwitchCount) && UNTOUCHED(&data, WaitReasonBitMap) &&
	   UNTOUCHED(&data, CycleTime) && UNTOUCHED(&data, RetryCount),
	   "R1 HARDWARE_COUNTERS leaves the dispatch members alone (ours)");
	hcp_poison(&data);
	ok_num("R1 both at once", 0, ReadThreadProfilingData(handle, READ_D | READ_H, &data));
	ok(!UNTOUCHED(&data, CycleTime) && !UNTOUCHED(&data, HwCounters),
	   "R1 both fill both");
	DisableThreadProfiling(handle);
}

static void nothing_configured(void)
{
	PERFORMANCE_DATA data;
	HANDLE handle;
	int i, not_zero = 0;

	raw_config_set(&r, NULL, 0, 0, 0);
	handle = hcp_enable(0, 1);
	hcp_poison(&data);
	burn_ms(5);
	ok_num("E4 Enable(0, 1) without a configuration can be read", 0,
	       ReadThreadProfilingData(handle, READ_H, &data));
	ok_num("E4 KS10 no configuration: HwCountersCount 0", 0, data.HwCountersCount);
	for (i = 0; i < 16; i++)
		not_zero += data.HwCounters[i].Value || data.HwCounters[i].Type ||
			    data.HwCounters[i].Reserved;
	ok_num("E4 KS10 no configuration: all 16 elements are 0", 0, not_zero);
	DisableThreadProfiling(handle);
}

static void some_configured(void)
{
	static const uint64_t list[] = { SW(TASK_CLOCK), SW(CPU_CLOCK), SW(PAGE_FAULTS),
					 SW(PAGE_FAULTS_MIN) };
	PERFORMANCE_DATA data, later;
	HANDLE handle;
	char *memory;
	int i, not_zero = 0, back = 0;

	if (raw_config_set(&r, list, 4, 0, 0))
		tap_die("CONFIG_SET: %s", r.message);
	memory = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	handle = hcp_enable(DISPATCH, 0xffff);
	for (i = 0; i < 64; i++)
		memory[i * 4096L] = 1;
	burn_ms(20);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D | READ_H, &data);
	ok_num("E4 mask 0xFFFF, 4 configured: HwCountersCount 4 (ours)", 4, data.HwCountersCount);
	for (i = 4; i < 16; i++)
		not_zero += data.HwCounters[i].Value != 0;
	ok_num("E4 bits without a configured counter read 0", 0, not_zero);
	ok(data.HwCounters[0].Value >= 15000000, "E3 KS8 element 0 is the first of the list");
	ok(data.HwCounters[2].Value >= 64 && data.HwCounters[3].Value >= 64 &&
	   data.HwCounters[2].Value < 10000,
	   "E3 KS8 elements 2 and 3 are the third and fourth of the list");
	burn_ms(20);
	ReadThreadProfilingData(handle, READ_D | READ_H, &later);
	hcp_poison(&later);
	ReadThreadProfilingData(handle, READ_D | READ_H, &later);
	for (i = 0; i < 16; i++)
		back += later.HwCounters[i].Value < data.HwCounters[i].Value;
	ok_num("R3 totals never step back", 0, back);
	ok(later.HwCounters[0].Value >= data.HwCounters[0].Value + 15000000 &&
	   later.CycleTime > data.CycleTime &&
	   later.ContextSwitchCount >= data.ContextSwitchCount,
	   "R3 values are running totals since Enable");
	DisableThreadProfiling(handle);

	handle = hcp_enable(0, 0xa);	/* bits 1 and 3 */
	memory[0] = 1;
	burn_ms(10);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_H, &data);
	ok(data.HwCountersCount == 2 && data.HwCounters[1].Value && !data.HwCounters[0].Value &&
	   !data.HwCounters[2].Value,
	   "E3 bits 1 and 3 fill elements 1 and 3, nothing is packed");
	DisableThreadProfiling(handle);
	munmap(memory, 64 * 4096);

	handle = hcp_enable(DISPATCH, 1);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D | READ_H, &data);
	ok(data.HwCounters[0].Value < 100000000 && data.ContextSwitchCount < 5,
	   "R3 a new Enable begins at zero");
	DisableThreadProfiling(handle);
}

static void wait_bits(void)
{
	const DWORD64 sleep_bit = 1ULL << DelayExecution;
	PERFORMANCE_DATA data;
	HANDLE handle = hcp_enable(DISPATCH, 1);

	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D, &data);
	ok(!(data.WaitReasonBitMap & sleep_bit), "R3 WaitReasonBitMap begins without a sleep");
	sleep_ms(5);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_H, &data);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D, &data);
	ok(data.WaitReasonBitMap & sleep_bit,
	   "R3 a Read of the counters alone does not clear WaitReasonBitMap (ours)");
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D, &data);
	ok(!(data.WaitReasonBitMap & sleep_bit),
	   "R3 WaitReasonBitMap is since the last Read of it");
	sleep_ms(5);
	hcp_poison(&data);
	ReadThreadProfilingData(handle, READ_D | READ_H, &data);
	ok(data.WaitReasonBitMap & sleep_bit, "R3 the next sleep sets the bit again");
	DisableThreadProfiling(handle);
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	raw_config_set(&r, NULL, 0, 0, 0);
	enable_arguments();
	disable_arguments();
	query();
	read_arguments();
	members();
	nothing_configured();
	some_configured();
	wait_bits();
	raw_config_set(&r, NULL, 0, 0, 0);
	ok(raw_quiet(&r, 1000), "D1 nothing is profiled at the end");
	return tap_end();
}
