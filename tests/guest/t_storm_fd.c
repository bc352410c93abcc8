// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptors and pages of profiles in the hands of others: storm_fd CASE.
 * Afterwards nothing may be left.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "storm.h"
#include "tap.h"

/* --- others let go of what is ours -------------------------------------------------- */

struct shared {
	pthread_barrier_t barrier;
	int fd;
	void *page;
	int rounds, wrong;
};

static void *closer(void *arg)
{
	struct shared *s = arg;
	int i;

	if (proc_cpus() > 1)
		proc_pin(1);
	for (i = 0; i < s->rounds; i++) {
		pthread_barrier_wait(&s->barrier);
		if (s->page)
			munmap(s->page, 4096);
		else
			close(s->fd);
		pthread_barrier_wait(&s->barrier);
	}
	return NULL;
}

/* The other thread lets go while the owner runs, switches and asks. */
static void released_by_another(bool mapped, uint32_t flags)
{
	struct shared s = { .rounds = 400 };
	pthread_t thread;
	struct raw own;
	char name[96];
	int i, k;

	pthread_barrier_init(&s.barrier, NULL, 2);
	pthread_create(&thread, NULL, closer, &s);
	raw_open(&own);
	proc_pin(0);
	for (i = 0; i < s.rounds; i++) {
		s.fd = raw_enable(&own, flags, 1, NULL);
		s.page = NULL;
		s.wrong += s.fd < 0;
		if (mapped) {
			s.page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, s.fd, 0);
			close(s.fd);
		}
		pthread_barrier_wait(&s.barrier);
		for (k = storm_random(4); k; k--)
			sched_yield();
		raw_command(&own, THREADPROF_CMD_READ);
		pthread_barrier_wait(&s.barrier);
		s.wrong += raw_command(&own, THREADPROF_CMD_READ) != -ENOENT;
	}
	pthread_join(thread, NULL);
	raw_close(&own);
	snprintf(name, sizeof(name), "400 times another thread %s%s",
		 mapped ? "unmaps the page" : "closes the descriptor",
		 flags ? " of a profile with INHERIT" : "");
	ok_num(name, 0, s.wrong);
}

static void releases(void)
{
	released_by_another(false, 0);
	released_by_another(true, 0);
	released_by_another(false, THREADPROF_ENABLE_INHERIT);
	released_by_another(true, THREADPROF_ENABLE_INHERIT);
	leak_check(&storm_raw, "release by another thread");
}

/* --- a descriptor that travels ------------------------------------------------------- */

static void send_fd(int socket, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec io = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	if (sendmsg(socket, &msg, 0) != 1)
		_exit(8);
}

static int receive_fd(int socket)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec io = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	int fd = -1;

	if (recvmsg(socket, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void travels(void)
{
	int socket[2], fd, status;
	struct threadprof_page *page;
	uint64_t switches;
	struct raw own;
	pid_t pid;

	socketpair(AF_UNIX, SOCK_STREAM, 0, socket);
	pid = fork();
	if (!pid) {
		raw_open(&own);
		fd = raw_enable(&own, 1, 0, NULL);
		send_fd(socket[1], fd);
		close(fd);
		for (;;)
			sleep_ms(1);
	}
	fd = receive_fd(socket[0]);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		tap_die("mmap of a received descriptor");
	ok_num("a descriptor passed on shows its thread's page", pid, page->tid);
	switches = page->switches;
	sleep_ms(30);
	ok(page->switches > switches, "it shows the thread's switches as they happen");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(page->flags & THREADPROF_PROFILE_ENDED, "the page of a killed thread says ENDED");
	ok(raw_quiet(&storm_raw, 2000), "a descriptor of a dead thread's keeps no profile attached");
	close(fd);
	ok(page->switches >= switches, "its last values can be read");
	munmap(page, 4096);

	/* And one that is still on its way when everybody is gone. */
	pid = fork();
	if (!pid) {
		raw_open(&own);
		send_fd(socket[1], raw_enable(&own, 0, 0, NULL));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	close(socket[0]);
	close(socket[1]);
	leak_check(&storm_raw, "descriptors that travelled");
}

int main(int argc, char **argv)
{
	static const struct storm storms[] = {
		{ "releases", releases }, { "travels", travels }, { }
	};

	return storm_main(argc, argv, storms);
}
