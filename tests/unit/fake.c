// SPDX-License-Identifier: GPL-2.0-only
/* The socket of the fake kernel and the profiles; fake_family.c speaks the family. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "connection.h"
#include "fake.h"
#include "fake_internal.h"

#define SOCKETS	4096

struct fake fake;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_socket sockets[SOCKETS];
static struct fake_profile *profiles;
static uint32_t last_port;
static uint64_t last_id;

/*
 * No signal handler runs inside the kernel either, and one that came in here
 * could wait for a lock of the thread that it interrupted.
 */
static sigset_t enter(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	return old;
}

static void leave(sigset_t old)
{
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static struct fake_profile **find(pid_t tid)
{
	struct fake_profile **p;

	for (p = &profiles; *p && (*p)->tid != tid; p = &(*p)->next)
		;
	return p;
}

struct fake_profile *fake_own(void)
{
	struct fake_profile *profile;

	pthread_mutex_lock(&lock);
	profile = *find(syscall(SYS_gettid));
	pthread_mutex_unlock(&lock);
	return profile;
}

struct threadprof_page *fake_page(void)
{
	sigset_t old = enter();
	struct fake_profile *profile = fake_own();

	leave(old);
	return profile ? profile->page : NULL;
}

void fake_end(void)
{
	struct fake_profile **at, *profile;

	pthread_mutex_lock(&lock);
	at = find(syscall(SYS_gettid));
	profile = *at;
	if (profile)
		*at = profile->next;
	pthread_mutex_unlock(&lock);
	if (!profile)
		return;
	munmap(profile->page, sysconf(_SC_PAGESIZE));
	free(profile);
}

unsigned int fake_count(void)
{
	struct fake_profile *profile;
	unsigned int count = 0;

	pthread_mutex_lock(&lock);
	for (profile = profiles; profile; profile = profile->next)
		count++;
	pthread_mutex_unlock(&lock);
	return count;
}

struct fake_profile *fake_begin(uint32_t flags, uint64_t mask, int *fd)
{
	struct fake_profile *profile = calloc(1, sizeof(*profile));
	size_t size = sysconf(_SC_PAGESIZE);
	unsigned int i;

	*fd = memfd_create("profile", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, size) < 0)
		abort();
	profile->page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (profile->page == MAP_FAILED)
		abort();
	/* What marks it as ours: other files are not that long. */
	if (lseek(*fd, THREADPROF_POSITION, SEEK_SET) < 0)
		abort();
	profile->tid = syscall(SYS_gettid);
	profile->page->version = fake.page_version;
	profile->page->page_size = sizeof(*profile->page);
	profile->page->hardware_counters = mask;
	profile->page->flags = flags;
	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++)
		if (mask & (1U << i))
			profile->page->slot[i].state = i < fake.config.count ?
				THREADPROF_SLOT_COUNTING : THREADPROF_SLOT_NOT_CONFIGURED;
	pthread_mutex_lock(&lock);
	profile->id = profile->page->profile_id = ++last_id;
	profile->next = profiles;
	profiles = profile;
	pthread_mutex_unlock(&lock);
	return profile;
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
	if (fd < 0 || fd >= SOCKETS || !sockets[fd].pid)
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
	old = enter();
	/* Like the real one it has an inode of its own. */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || fd >= SOCKETS)
		abort();
	pthread_mutex_lock(&lock);
	sockets[fd] = (struct fake_socket){ .pid = getpid(), .port = ++last_port };
	*port = last_port;
	pthread_mutex_unlock(&lock);
	fake.opened++;
	leave(old);
	return fd;
}

static ssize_t send_message(int fd, const void *data, size_t size)
{
	sigset_t old = enter();

	fake.sent++;
	fake_answer(socket_of(fd), data, size);
	leave(old);
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
	old = enter();
	n = datagram->error ? -datagram->error : (ssize_t)datagram->size;
	if (n > 0)
		memcpy(data, datagram->data, datagram->size < size ? datagram->size : size);
	socket->first = datagram->next;
	free(datagram);
	leave(old);
	return n;
}

static void close_socket(int fd)
{
	struct fake_socket *socket = socket_of(fd);
	struct fake_datagram *datagram;
	sigset_t old = enter();

	while ((datagram = socket->first)) {
		socket->first = datagram->next;
		free(datagram);
	}
	fake.closed++;
	pthread_mutex_lock(&lock);
	socket->pid = 0;
	close(fd);
	pthread_mutex_unlock(&lock);
	leave(old);
}

static int64_t position(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct fake_profile *profile;
	sigset_t old;

	fake.asked++;
	if (at < (off_t)THREADPROF_POSITION)
		return at < 0 ? -errno : at;
	if (!fake.by_position)
		return -ENOENT;
	old = enter();
	profile = fake_own();
	if (profile && fake.on_read)
		fake.on_read(profile->page);
	leave(old);
	if (!profile)
		return -ENOENT;
	fake.positions++;
	return THREADPROF_POSITION + profile->id;
}

static const struct transport fake_transport = {
	.open = open_socket,
	.send = send_message,
	.receive = receive_message,
	.close = close_socket,
	.position = position,
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
