// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The real way to the kernel: a generic netlink socket. libnl builds and reads
 * what goes through it, but its nl_sock is not used: nl_socket_alloc() and nl_recv()
 * call malloc(), and nl_connect() takes a lock of libnl's, while a Read may open
 * and use a connection in a signal handler; nl_recv() and nl_send() turn errnos
 * into fewer codes; and nl_connect() makes the receive buffer smaller.
 *
 * System calls are made with syscall(), because the functions of these names are
 * cancellation points: a thread cancelled there would lose its connection. None
 * of these calls waits: the kernel does the work of a request inside send().
 */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "connection.h"
#include "raw_call.h"

static int open_socket(uint32_t *port)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	socklen_t size = sizeof(address);
	int fd, err, on = 1;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0)
		return -errno;

	/* Connected to the kernel, it takes no message from anybody else. */
	if (bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    syscall(SYS_connect, fd, &address, size) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0) {
		err = -errno;
		syscall(SYS_close, fd);
		return err;
	}
	*port = address.nl_pid;

	/* Reasons in words, without a copy of the request: nice to have. */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	return fd;
}

static ssize_t send_message(int fd, const void *data, size_t size)
{
	long n;

	do
		n = syscall(SYS_sendto, fd, data, size, 0, NULL, 0);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static ssize_t receive_message(int fd, void *data, size_t size)
{
	long n;

	do
		n = syscall(SYS_recvfrom, fd, data, size, MSG_DONTWAIT | MSG_TRUNC, NULL, NULL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void close_socket(int fd)
{
	syscall(SYS_close, fd);
}

static int64_t position(int fd)
{
	return threadprof_raw_call(SYS_lseek, fd, 0, SEEK_CUR, 0);
}

static int operate(int fd, uint64_t at)
{
	return threadprof_raw_call(SYS_pread64, fd, 0, 0, at);
}

static const struct transport netlink_transport = {
	.open = open_socket,
	.send = send_message,
	.receive = receive_message,
	.close = close_socket,
	.position = position,
	.operate = operate,
};

const struct transport *threadprof_transport = &netlink_transport;
