// SPDX-License-Identifier: GPL-2.0-only
/* Virtio serial ports, found by the name the host gave them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "init.h"

static bool find(const char *name, char *path, size_t size)
{
	static const char dir[] = "/sys/class/virtio-ports";
	char file[300], got[64];
	struct dirent *e;
	bool found = false;
	DIR *d = opendir(dir);

	if (!d)
		return false;
	while (!found && (e = readdir(d))) {
		FILE *f;

		snprintf(file, sizeof(file), "%s/%s/name", dir, e->d_name);
		f = fopen(file, "re");
		if (!f)
			continue;
		if (fgets(got, sizeof(got), f)) {
			got[strcspn(got, "\n")] = '\0';
			found = !strcmp(got, name);
		}
		fclose(f);
		if (found)
			snprintf(path, size, "/dev/%s", e->d_name);
	}
	closedir(d);
	return found;
}

/* Ports come up through messages from the host, some time after the driver. */
struct port port_open(const char *name)
{
	struct port port = { .fd = -1 };
	char path[300];

	for (int i = 0; i < 5000; i++) {
		if (find(name, path, sizeof(path)))
			port.fd = open(path, O_WRONLY | O_CLOEXEC);
		if (port.fd >= 0)
			return port;
		usleep(1000);
	}
	fatal("port %s", name);
}

void port_write(struct port *port, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(port->fd, p, len);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			fatal("port write");
		p += n;
		len -= n;
		port->sent += n;
	}
}
