// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the initial RAM disk to a system like a distribution's: modules, the
 * layered root, the usual file systems.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "init.h"

/* syslog(2): set the level below which messages reach the console. */
#define SYSLOG_CONSOLE_LEVEL 8
/* "user" in the root's passwd file. */
#define USER_ID 1000

static void mount_on(const char *type, const char *from, const char *at,
		     unsigned long flags, const char *opts)
{
	mkdir(at, 0755);
	if (mount(from, at, type, flags, opts) < 0)
		fatal("mount %s on %s", from, at);
}

/* Kernels differ in what they have; a guest without these is still one. */
static void mount_if_known(const char *type, const char *at)
{
	mkdir(at, 0755);
	if (mount(type, at, type, MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 &&
	    errno != ENODEV && errno != ENOENT)
		fatal("mount %s on %s", type, at);
}

bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fatal("open %s", path);
	if (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST)
		fatal("load %s", path);
	close(fd);
}

static void load_list(const char *list)
{
	char path[512];
	FILE *f = fopen(list, "re");

	if (!f)
		fatal("open %s", list);
	while (fgets(path, sizeof(path), f)) {
		path[strcspn(path, "\n")] = '\0';
		load_module(path);
	}
	fclose(f);
}

/* Probing may go on after the driver's load has returned. */
static void wait_for(const char *path)
{
	for (int i = 0; i < 5000; i++) {
		if (access(path, F_OK) == 0)
			return;
		usleep(1000);
	}
	fatal("no %s", path);
}

void setup_early(void)
{
	mount_on("devtmpfs", "dev", "/dev", MS_NOSUID, NULL);
	mount_on("proc", "proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	mount_on("sysfs", "sys", "/sys", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

/* Disks in the order the host gives them: root, modules, this run. */
void setup_root(void)
{
	static const char * const move[] = { "/dev", "/proc", "/sys" };
	char to[64];

	load_list("/boot-modules");
	mount_on("tmpfs", "layers", "/l", 0, NULL);
	wait_for("/dev/vdc");
	mount_on("squashfs", "/dev/vda", "/l/root", MS_RDONLY, NULL);
	mount_on("squashfs", "/dev/vdb", "/l/modules", MS_RDONLY, NULL);
	mount_on("squashfs", "/dev/vdc", "/l/run", MS_RDONLY, NULL);
	mkdir("/l/upper", 0755);
	mkdir("/l/work", 0755);
	mount_on("overlay", "root", "/new", 0,
		 "lowerdir=/l/run:/l/modules:/l/root,upperdir=/l/upper,workdir=/l/work");
	if (access("/new/.vm/share", F_OK) == 0)
		load_list("/share-modules");

	for (size_t i = 0; i < sizeof(move) / sizeof(move[0]); i++) {
		snprintf(to, sizeof(to), "/new%s", move[i]);
		if (mount(move[i], to, NULL, MS_MOVE, NULL) < 0)
			fatal("move %s", move[i]);
	}
	if (chdir("/new") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 ||
	    chroot(".") < 0 || chdir("/") < 0)
		fatal("change root");
}

void read_conf(struct conf *conf)
{
	char line[128];
	FILE *f = fopen("/.vm/conf", "re");

	if (!f)
		fatal("conf");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "hung=%u", &conf->hung) != 1)
			fatal("conf: %s", line);
	fclose(f);
	conf->load = access("/.vm/threadprof.ko", F_OK) == 0;
	conf->share = access("/.vm/share", F_OK) == 0;
}

static void loopback_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &ifr) < 0)
		fatal("lo");
	close(fd);
}

void setup_system(const struct conf *conf)
{
	char secs[16];

	mount_on("tmpfs", "tmp", "/tmp", MS_NOSUID | MS_NODEV, "mode=1777");
	mount_on("tmpfs", "run", "/run", MS_NOSUID | MS_NODEV, "mode=755");
	mount_on("tmpfs", "shm", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
	mount_on("devpts", "devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "gid=5,mode=620,ptmxmode=666");
	mount_if_known("cgroup2", "/sys/fs/cgroup");
	mount_if_known("debugfs", "/sys/kernel/debug");
	mount_if_known("tracefs", "/sys/kernel/tracing");
	if (conf->share)
		mount_on("9p", "share", "/mnt", 0,
			 "trans=virtio,version=9p2000.L,msize=524288,cache=mmap");
	if (symlink("/proc/self/fd", "/dev/fd") < 0 ||
	    symlink("/proc/self/fd/0", "/dev/stdin") < 0 ||
	    symlink("/proc/self/fd/1", "/dev/stdout") < 0 ||
	    symlink("/proc/self/fd/2", "/dev/stderr") < 0)
		fatal("/dev/fd");
	/* The image can't give anything to anybody but root. */
	if (chown("/home/user", USER_ID, USER_ID) < 0)
		fatal("home");
	if (sethostname("threadprof", 10) < 0)
		fatal("hostname");
	loopback_up();

	/* Boot is over: what the kernel says from now on is worth the time. */
	klogctl(SYSLOG_CONSOLE_LEVEL, NULL, 7);
	snprintf(secs, sizeof(secs), "%u", conf->hung);
	write_file("/proc/sys/kernel/hung_task_timeout_secs", secs);
}
