// SPDX-License-Identifier: GPL-2.0-only
/*
 * NTSTATUS and errno: the one table.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "status.h"

static const struct {
	NTSTATUS status;
	int error;
} table[] = {
	{ STATUS_SUCCESS,			0 },
	{ STATUS_NOT_IMPLEMENTED,		-ENOSYS },
	{ STATUS_INVALID_PARAMETER,		-EINVAL },
	{ STATUS_NO_MEMORY,			-ENOMEM },
	{ STATUS_BUFFER_TOO_SMALL,		-ERANGE },
	{ STATUS_INSUFFICIENT_RESOURCES,	-ENOSPC },
	{ STATUS_NOT_SUPPORTED,			-EOPNOTSUPP },
	{ STATUS_WMI_ALREADY_ENABLED,		-EBUSY },
};

int tprof_status_to_errno(NTSTATUS status)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (table[i].status == status)
			return table[i].error;
	}
	WARN_ONCE(1, "no errno for status %#x\n", (u32)status);
	return -EIO;
}
