/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef THREADPROF_ERROR_H
#define THREADPROF_ERROR_H

#include <threadprof/hcp.h>

/* The Windows code for a negative errno, 0 for 0. */
DWORD threadprof_error_code(int err);

/* Keeps text for threadprof_last_message(), and returns the code for err. */
DWORD threadprof_error(int err, const char *text);

#endif
