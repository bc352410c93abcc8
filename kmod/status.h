/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TPROF_STATUS_H
#define _TPROF_STATUS_H

#include <threadprof/ntddk.h>

int tprof_status_to_errno(NTSTATUS status);

#endif /* _TPROF_STATUS_H */
