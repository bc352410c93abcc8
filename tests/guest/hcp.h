/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests of the Windows calls have in common. */
#ifndef GUEST_HCP_H
#define GUEST_HCP_H

#include <stdbool.h>
#include <stddef.h>
#include <threadprof/hcp.h>

#define DISPATCH	THREAD_PROFILING_FLAG_DISPATCH
#define READ_D		READ_THREAD_PROFILING_FLAG_DISPATCHING
#define READ_H		READ_THREAD_PROFILING_FLAG_HARDWARE_COUNTERS

#define HCP_POISON	0xa5

/* Ready to be given to a Read, with what it does not write to be told apart. */
void hcp_poison(PERFORMANCE_DATA *data);
bool hcp_poisoned(const void *from, size_t size);
/* Enables this thread, which can't fail. */
HANDLE hcp_enable(DWORD flags, DWORD64 mask);

#endif /* GUEST_HCP_H */
