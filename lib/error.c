// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Errors of the Windows calls. The documentation names no codes, so that the
 * table is ours; it stands here only.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <threadprof.h>

#include "connection.h"
#include "error.h"

static const struct {
	int err;
	DWORD code;
} table[] = {
	{ 0,		ERROR_SUCCESS },

	/* another thread's handle; not privileged enough */
	{ EACCES,	ERROR_ACCESS_DENIED },
	{ EPERM,	ERROR_ACCESS_DENIED },

	/* no such profile, no such thread */
	{ EBADF,	ERROR_INVALID_HANDLE },
	{ ENOENT,	ERROR_INVALID_HANDLE },
	{ ESRCH,	ERROR_INVALID_HANDLE },

	{ EINVAL,	ERROR_INVALID_PARAMETER },
	{ EBUSY,	ERROR_WMI_ALREADY_ENABLED },

	/* no module, no generic netlink, no support for the machine */
	{ EOPNOTSUPP,	ERROR_NOT_SUPPORTED },
	{ ENOSYS,	ERROR_NOT_SUPPORTED },

	/* a page that this library does not know */
	{ EPROTONOSUPPORT, ERROR_REVISION_MISMATCH },

	{ ENOMEM,	ERROR_NOT_ENOUGH_MEMORY },
	{ E2BIG,	ERROR_NO_SYSTEM_RESOURCES },
	{ EAGAIN,	ERROR_NO_SYSTEM_RESOURCES },
	{ EMFILE,	ERROR_NO_SYSTEM_RESOURCES },
	{ ENFILE,	ERROR_NO_SYSTEM_RESOURCES },
	{ ENOBUFS,	ERROR_NO_SYSTEM_RESOURCES },
	{ ENOSPC,	ERROR_NO_SYSTEM_RESOURCES },
};

/* initial-exec: as in handle.c */
static _Thread_local char last[MESSAGE_MAX] __attribute__((tls_model("initial-exec")));

DWORD threadprof_error_code(int err)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].err == -err)
			return table[i].code;

	/* EPROTO, EIO, EMSGSIZE and the like: kernel and library do not talk alike. */
	return ERROR_INVALID_DATA;
}

DWORD threadprof_error(int err, const char *text)
{
	size_t length = strnlen(text, sizeof(last) - 1);

	memcpy(last, text, length);
	last[length] = '\0';
	return threadprof_error_code(err);
}

const char *threadprof_last_message(void)
{
	return last;
}
