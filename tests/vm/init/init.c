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
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/reboot.h>

#include "init.h"

/*
 * The kernel's log is all there is when the ports are not there yet; it reaches
 * whatever console there is.
 */
void fatal(const char *what, ...)
{
	char text[512] = "<2>guest: ";
	size_t len = strlen(text);
	int err = errno, fd;
	va_list ap;

	va_start(ap, what);
	vsnprintf(text + len, sizeof(text) - len, what, ap);
	va_end(ap);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, ": %s\n", strerror(err));
	fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fputs(text, stderr);
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
