/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * With this directory on the include path, a source that includes <windows.h>
 * for the hardware counter profiling calls compiles unchanged.
 */
#ifndef THREADPROF_COMPAT_WINDOWS_H
#define THREADPROF_COMPAT_WINDOWS_H

#include "../hcp.h"

#endif /* THREADPROF_COMPAT_WINDOWS_H */
