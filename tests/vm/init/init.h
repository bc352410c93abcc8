/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VM_INIT_H
#define VM_INIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the host asks for, one key=value per line of /.vm/conf in the run's layer. */
struct conf {
	bool load;		/* load /.vm/threadprof.ko before COMMAND */
	bool share;		/* mount the host's folder at /mnt */
	unsigned int hung;	/* seconds until a task counts as hung */
};

/* A way out of the guest: a virtio port, and how much went through it. */
struct port {
	int fd;
	uint64_t sent;
};

void fatal(const char *what, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* setup.c */
void setup_early(void);
void setup_root(void);
void setup_system(const struct conf *conf);
void load_module(const char *path);
bool write_file(const char *path, const char *text);
void read_conf(struct conf *conf);

/* port.c */
struct port port_open(const char *name);
void port_write(struct port *port, const void *data, size_t len);

/* kmsg.c */
void kmsg_start(void);
int kmsg_fd(void);
void kmsg_relay(struct port *port);

/* leak.c */
void leak_start(void);
void leak_report(struct port *port);

/* command.c */
int command_run(struct port *out, struct port *err, struct port *kmsg);

#endif
