// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own netlink family that tells, among other things, how often. */
#include <linux/taskstats.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "figure.h"
#include "genl.h"
#include "parts.h"

void part_taskstats(void)
{
	static struct genl g;
	struct measured m;

	genl_prepare(&g, TASKSTATS_GENL_NAME, TASKSTATS_GENL_VERSION, TASKSTATS_CMD_GET,
		     TASKSTATS_CMD_ATTR_PID, syscall(SYS_gettid));
	m = measure(genl_ask, &g);
	figure_send("dispatch", "taskstats", FIGURE_NONE, FIGURE_NONE, &m);
	genl_end(&g);
}
