// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "connect.h"
#include "say.h"

int connect_module(struct threadprof **tp)
{
	int err = threadprof_open(tp);

	if (!err)
		return 0;
	if (err == -ENOENT) {
		say("the threadprof module is not loaded: modprobe threadprof");
		err = EXIT_USAGE;
	} else {
		err = *tp ? connect_refused(*tp, err) : (say("%s", strerror(-err)), EXIT_REFUSED);
	}
	if (*tp)
		threadprof_close(*tp);
	*tp = NULL;
	return err;
}

int connect_refused(const struct threadprof *tp, int err)
{
	const char *message = threadprof_message(tp);

	say("%s", *message ? message : strerror(-err));
	return EXIT_REFUSED;
}
