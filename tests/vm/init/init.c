// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of a guest: makes the system, runs one command, tells the host.
 *
 * The verdict goes through a port of its own and says how many bytes went
 * through the others, so that the host knows when it has everything; nothing
 * printed by the command or the kernel can be taken for it.  The host ends the
 * machine.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/reboot.h>

#include "init.h"

/* The console is all there is when the ports are not there yet. */
void fatal(const char *what, ...)
{
	va_list ap;
	int err = errno;

	va_start(ap, what);
	fprintf(stderr, "guest: ");
	vfprintf(stderr, what, ap);
	fprintf(stderr, ": %s\n", strerror(err));
	va_end(ap);
	fflush(stderr);
	reboot(RB_POWER_OFF);
	_exit(1);
}

static unsigned long taint(void)
{
	unsigned long bits = 0;
	FILE *f = fopen("/proc/sys/kernel/tainted", "re");

	if (!f || fscanf(f, "%lu", &bits) != 1)
		fatal("tainted");
	fclose(f);
	return bits;
}

int main(void)
{
	struct conf conf = { 0 };
	struct port out, err, kmsg, verdict;
	unsigned long before;
	char line[256];
	int status;

	setup_early();
	kmsg_start();
	setup_root();
	read_conf(&conf);
	setup_system(&conf);

	out = port_open("out");
	err = port_open("err");
	kmsg = port_open("kmsg");
	verdict = port_open("verdict");

	before = taint();
	leak_start();
	if (conf.load)
		load_module("/.vm/threadprof.ko");
	kmsg_relay(&kmsg);
	port_write(&verdict, "start\n", 6);

	status = command_run(&out, &err, &kmsg);

	leak_report(&kmsg);
	sync();
	kmsg_relay(&kmsg);
	snprintf(line, sizeof(line), "verdict %d %llu %llu %llu %lu %lu\n", status,
		 (unsigned long long)out.sent, (unsigned long long)err.sent,
		 (unsigned long long)kmsg.sent, before, taint());
	port_write(&verdict, line, strlen(line));

	for (;;)
		pause();
}
