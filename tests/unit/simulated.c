// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "simulated.h"

_Atomic uint64_t simulated_register[SIMULATED_REGISTERS];
void (*simulated_on_read)(unsigned int number);
