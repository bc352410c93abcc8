// SPDX-License-Identifier: GPL-2.0-only
/* The socket of the fake kernel; fake_family.c speaks the family. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "fake.h"
#include "fake_internal.h"

struct fake fake;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_socket sockets[FAKE_DESCRIPTORS];
static uint32_t last_port;

/*
 * No signal handler runs inside the kernel either, and one that came in here
 * could wait for a lock of the thread that it interrupted.
 */
sigset_t fake_enter(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	return old;
}

void fake_leave(sigset_t old)
{
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void fake_queue(struct fake_socket *socket, const void *data, size_t size, int error)
{
	struct fake_datagram *datagram, **end;
	size_t room = size + 256;

	datagram = calloc(1, sizeof(*datagram) + room);
	memcpy(datagram->data, data, size);
	datagram->size = size;
	datagram->error = error;
	if (fake.mutate && !error)
		fake.mutate(datagram->data, &datagram->size, room);
	for (end = &socket->first; *end; end = &(*end)->next)
		;
	*end = datagram;
}

static struct fake_socket *socket_of(int fd)
{
	if (fd < 0 || fd >= FAKE_DESCRIPTORS || !sockets[fd].pid)
		abort();	/* the library uses what it closed */
	if (sockets[fd].pid != getpid())
		fake.foreign++;
	return &sockets[fd];
}

static int open_socket(uint32_t *port)
{
	sigset_t old;
	int fd;

	if (fake.open_error)
		return -fake.open_error;
	old = fake_enter();
	/* Like the real one it has an inode of its own. */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || fd >= FAKE_DESCRIPTORS)
		abort();
	pthread_mutex_lock(&lock);
	sockets[fd] = (struct fake_socket){ .pid = getpid(), .port = ++last_port };
	*port = last_port;
	pthread_mutex_unlock(&lock);
	fake.opened++;
	fake_leave(old);
	return fd;
}

static ssize_t send_message(int fd, const void *data, size_t size)
{
	sigset_t old = fake_enter();

	fake.sent++;
	fake_answer(socket_of(fd), data, size);
	fake_leave(old);
	return size;
}

static ssize_t receive_message(int fd, void *data, size_t size)
{
	struct fake_socket *socket = socket_of(fd);
	struct fake_datagram *datagram = socket->first;
	sigset_t old;
	ssize_t n;

	fake.received++;
	if (!datagram)
		return -EAGAIN;
	old = fake_enter();
	n = datagram->error ? -datagram->error : (ssize_t)datagram->size;
	if (n > 0)
		memcpy(data, datagram->data, datagram->size < size ? datagram->size : size);
	socket->first = datagram->next;
	free(datagram);
	fake_leave(old);
	return n;
}

static void close_socket(int fd)
{
	struct fake_socket *socket = socket_of(fd);
	struct fake_datagram *datagram;
	sigset_t old = fake_enter();

	while ((datagram = socket->first)) {
		socket->first = datagram->next;
		free(datagram);
	}
	fake.closed++;
	pthread_mutex_lock(&lock);
	socket->pid = 0;
	close(fd);
	pthread_mutex_unlock(&lock);
	fake_leave(old);
}

static const struct transport fake_transport = {
	.open = open_socket,
	.send = send_message,
	.receive = receive_message,
	.close = close_socket,
	.position = fake_position,
	.operate = fake_operate,
};

void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.loaded = true;
	fake.family = 31;
	fake.page_version = THREADPROF_PAGE_VERSION;
	fake.piece = 16384;
	threadprof_transport = &fake_transport;
}
