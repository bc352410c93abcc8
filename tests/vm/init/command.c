// SPDX-License-Identifier: GPL-2.0-only
/* Run the one command, pass on what it prints, return its exit status. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "init.h"

/* How long the dead may take to let go of the command's pipes. */
#define REAP_MS 20000

enum { OUT, ERR, KMSG, CHILD, FDS };

/* NUL-separated words of a file, ended by a null pointer. */
static char **read_argv(const char *path)
{
	size_t argc = 0, len, at = 0;
	struct stat st;
	char *text, **argv;
	FILE *f = fopen(path, "re");

	if (!f || fstat(fileno(f), &st) < 0)
		fatal("%s", path);
	len = st.st_size;
	text = malloc(len + 1);
	if (!text || fread(text, 1, len, f) != len)
		fatal("%s", path);
	fclose(f);
	text[len] = '\0';
	for (size_t i = 0; i < len; i++)
		argc += !text[i];
	argv = calloc(argc + 1, sizeof(*argv));
	if (!argv)
		fatal("argv");
	for (size_t i = 0; i < argc; i++) {
		argv[i] = text + at;
		at += strlen(argv[i]) + 1;
	}
	return argv;
}

static void become(char **argv, int out, int err)
{
	static char * const env[] = {
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/tests",
		"HOME=/root", "USER=root", "LOGNAME=root", "SHELL=/bin/bash",
		"LANG=C.UTF-8", "TERM=dumb", NULL
	};
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(126);
	if (null > 2)
		close(null);
	environ = (char **)env;
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* False at the end of the stream. */
static bool relay(int fd, struct port *port)
{
	static char buf[65536];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n > 0)
		port_write(port, buf, n);
	return n > 0;
}

/* Collect the dead; true once the command is among them. */
static bool reap(pid_t pid, int *status)
{
	bool found = false;
	int st;
	pid_t p;

	while ((p = waitpid(-1, &st, WNOHANG)) > 0) {
		if (p != pid)
			continue;
		*status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
		found = true;
	}
	return found;
}

static void make_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC) < 0)
		fatal("pipe");
	/* Ours only: the command's end stays blocking. */
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[0], F_SETPIPE_SZ, 1 << 18);
}

int command_run(struct port *out, struct port *err, struct port *kmsg)
{
	char **argv = read_argv("/.vm/argv");
	struct pollfd fds[FDS];
	int out_pipe[2], err_pipe[2], status = -1;
	struct signalfd_siginfo info;
	bool ended = false;
	sigset_t child;
	pid_t pid;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	make_pipe(out_pipe);
	make_pipe(err_pipe);
	fds[OUT] = (struct pollfd){ .fd = out_pipe[0], .events = POLLIN };
	fds[ERR] = (struct pollfd){ .fd = err_pipe[0], .events = POLLIN };
	fds[KMSG] = (struct pollfd){ .fd = kmsg_fd(), .events = POLLIN };
	fds[CHILD] = (struct pollfd){
		.fd = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC), .events = POLLIN
	};

	pid = fork();
	if (pid < 0 || fds[CHILD].fd < 0)
		fatal("fork");
	if (!pid)
		become(argv, out_pipe[1], err_pipe[1]);
	close(out_pipe[1]);
	close(err_pipe[1]);

	while (!ended || fds[OUT].fd >= 0 || fds[ERR].fd >= 0) {
		int n = poll(fds, FDS, ended ? REAP_MS : -1);

		if (n < 0 && errno != EINTR)
			fatal("poll");
		if (!n)
			fatal("processes that can't be killed hold the output");
		if (fds[OUT].revents && !relay(fds[OUT].fd, out))
			fds[OUT].fd = -1;
		if (fds[ERR].revents && !relay(fds[ERR].fd, err))
			fds[ERR].fd = -1;
		if (fds[KMSG].revents)
			kmsg_relay(kmsg);
		if (fds[CHILD].revents) {
			while (read(fds[CHILD].fd, &info, sizeof(info)) > 0)
				;
			if (reap(pid, &status)) {
				ended = true;
				/* What it left behind would keep the pipes open. */
				kill(-1, SIGKILL);
			}
		}
	}
	/* Let every process go through its exit before the kernel is judged. */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return status;
}
