// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own messages, from the first of the boot, for the host to judge.
 * What programs write into the log is left out: only the kernel can report
 * that the kernel is broken.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "init.h"

static int log_fd = -1;

void kmsg_start(void)
{
	log_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log_fd < 0)
		fatal("kmsg");
}

int kmsg_fd(void)
{
	return log_fd;
}

/* "prio,seq,usec,flags[,...];text\n KEY=value\n..." */
static void relay_record(struct port *port, const char *rec)
{
	unsigned long long seq, usec;
	unsigned int prio;
	const char *text = strchr(rec, ';');
	char head[64];
	int n;

	if (!text || sscanf(rec, "%u,%llu,%llu", &prio, &seq, &usec) != 3 || prio >> 3)
		return;
	text++;
	n = snprintf(head, sizeof(head), "[%5llu.%06llu] ", usec / 1000000, usec % 1000000);
	port_write(port, head, n);
	port_write(port, text, strcspn(text, "\n"));
	port_write(port, "\n", 1);
}

void kmsg_relay(struct port *port)
{
	static const char lost[] = "guest: kernel messages lost\n";
	char rec[8192];

	for (;;) {
		ssize_t n = read(log_fd, rec, sizeof(rec) - 1);

		if (n < 0 && errno == EPIPE) {
			port_write(port, lost, sizeof(lost) - 1);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		rec[n] = '\0';
		relay_record(port, rec);
	}
}
