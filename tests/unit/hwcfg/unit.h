/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_UNIT_H
#define HWCFG_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
