/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HWCFG_RUN_IPC_H
#define HWCFG_RUN_IPC_H

#include <stdbool.h>

#include "event.h"

/* By perf's number, or by the name in this CPU's manual. */
bool run_is_cycles(const struct event *event);
bool run_is_instructions(const struct event *event);

/* Slots of cycles and instructions that count in the same modes; false: none. */
bool run_ipc_slots(const struct threadprof_configuration *config, uint64_t mask,
		   unsigned int *cycles, unsigned int *instructions);

#endif
