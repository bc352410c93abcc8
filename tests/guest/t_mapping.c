// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor that ENABLE gives and the page behind it: how it may be mapped,
 * what it shows, whom it keeps alive.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

static struct raw r;
static uint64_t id;

static int enable(void)
{
	int fd = raw_enable(&r, THREADPROF_ENABLE_DISPATCH, 0, &id);

	if (fd < 0)
		tap_die("ENABLE: %s", r.message);
	return fd;
}

static struct threadprof_page *map(int fd)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		tap_die("mmap");
	return page;
}

static void refused(const char *name, int fd, size_t size, int prot, int flags, off_t offset,
		    int expected)
{
	void *page = mmap(NULL, size, prot, flags, fd, offset);

	tap_check(page == MAP_FAILED && errno == expected, name, "expected %s got %s",
		  strerror(expected), page == MAP_FAILED ? strerror(errno) : "a mapping");
	if (page != MAP_FAILED)
		munmap(page, size);
}

static void rules(void)
{
	int fd = enable();
	void *page;
	char c;

	refused("a writable mapping is refused", fd, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0,
		EACCES);
	refused("a mapping for writing alone is refused", fd, 4096, PROT_WRITE, MAP_SHARED, 0,
		EACCES);
	refused("an executable mapping is refused", fd, 4096, PROT_READ | PROT_EXEC, MAP_SHARED,
		0, EACCES);
	refused("a private mapping is refused", fd, 4096, PROT_READ, MAP_PRIVATE, 0, EACCES);
	refused("a writable private mapping is refused", fd, 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE, 0, EACCES);
	page = map(fd);
	ok(mprotect(page, 4096, PROT_READ | PROT_WRITE) && errno == EACCES,
	   "mprotect to writable is refused");
	ok(mprotect(page, 4096, PROT_READ | PROT_EXEC) && errno == EACCES,
	   "mprotect to executable is refused");
	ok(mremap(page, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED, "growing the mapping is refused");
	ok(fcntl(fd, F_GETFD) == FD_CLOEXEC, "the descriptor closes on exec");
	ok((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY, "the descriptor is read-only");
	ok(read(fd, &c, 1) == -1 && errno == EINVAL, "it can't be read");
	ok(write(fd, "x", 1) == -1, "it can't be written");
	ok(ioctl(fd, FIONREAD, &c) == -1, "it knows no ioctl");
	munmap(page, 4096);
	close(fd);
}

static void contents(void)
{
	const struct threadprof_page *page;
	uint64_t cycles, switches;
	int fd = enable();
	uint32_t seq;

	page = map(fd);
	ok_num("page: version", THREADPROF_PAGE_VERSION, page->version);
	ok_num("page: size", sizeof(*page), page->page_size);
	ok_num("page: tid", proc_tid(), page->tid);
	ok_num("page: profile id", id, page->profile_id);
	ok_num("page: flags", THREADPROF_PROFILE_DISPATCH,
	       page->flags & ~THREADPROF_PROFILE_NO_IRQ_TIME);
	ok(page->cycle_hz > 1000000, "page: ticks a second");
	ok(page->cycles_start > 0, "page: cycles_start while it runs");
	ok_num("page: seq is even in the owner", 0, page->seq & 1);
	ok(page->cpu < 64 && page->cpu < (uint32_t)proc_cpus(), "page: cpu");
	seq = page->seq;
	switches = page->switches;
	sleep_ms(2);
	ok(page->seq > seq && page->switches > switches && page->wait[4].count >= 1,
	   "page: a switch shows without any call");
	cycles = page->cycles;
	raw_command(&r, THREADPROF_CMD_READ);
	ok(page->cycles > cycles, "page: READ brings it up to date");
	ok_num("DISABLE", 0, raw_disable(&r));
	ok(page->flags & THREADPROF_PROFILE_ENDED, "page: DISABLE says ENDED");
	cycles = page->cycles;
	switches = page->switches;
	seq = page->seq;
	sleep_ms(2);
	ok(page->cycles == cycles && page->switches == switches && page->seq == seq,
	   "page: after DISABLE nothing changes");
	ok_num("READ after DISABLE", -ENOENT, raw_command(&r, THREADPROF_CMD_READ));
	munmap((void *)page, 4096);
	close(fd);
}

static int enabled(void)
{
	raw_command(&r, THREADPROF_CMD_QUERY);
	return raw_u32(&r, THREADPROF_A_ENABLED);
}

static void who_keeps(void)
{
	struct threadprof_page *page, *second;
	int fd = enable(), copy;

	close(fd);
	ok_num("closing the descriptor without a mapping ends the profile", 0, enabled());

	fd = enable();
	page = map(fd);
	close(fd);
	ok_num("the mapping alone keeps it", 1, enabled());
	munmap(page, 4096);
	ok_num("unmapping ends it", 0, enabled());

	fd = enable();
	page = map(fd);
	munmap(page, 4096);
	ok_num("the descriptor alone keeps it", 1, enabled());
	copy = dup(fd);
	close(fd);
	ok_num("a duplicate of the descriptor keeps it", 1, enabled());
	page = map(copy);
	second = map(copy);
	close(copy);
	munmap(page, 4096);
	ok_num("one of two mappings keeps it", 1, enabled());
	page = mremap(second, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, page);
	ok(page != MAP_FAILED && enabled() == 1 && page->tid == (uint32_t)proc_tid(),
	   "a mapping can be moved");
	munmap(page, 4096);
	ok_num("without the last it ends", 0, enabled());
	ok(raw_quiet(&r, 1000), "nothing is attached then");
}

static void fork_child(void)
{
	int fd = enable(), status;
	volatile struct threadprof_page *page = map(fd);
	pid_t pid;

	close(fd);
	pid = fork();
	if (!pid) {
		struct raw own;

		signal(SIGSEGV, SIG_DFL);
		if (raw_open(&own))
			_exit(2);
		if (raw_command(&own, THREADPROF_CMD_QUERY) ||
		    raw_u32(&own, THREADPROF_A_ENABLED))
			_exit(3);
		_exit(page->version ? 4 : 5);
	}
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV,
	   "a forked child has neither a profile nor the page");
	ok_num("the parent's profile goes on", 1, enabled());
	ok_num("the parent's page is there", proc_tid(), page->tid);
	munmap((void *)page, 4096);
}

static void ids(void)
{
	struct nl_msg *msg;
	uint64_t last = 0;
	int i, fd, grows = 1;

	for (i = 0; i < 20; i++) {
		fd = enable();
		grows &= id > last;
		last = id;
		close(fd);
	}
	ok(grows, "PROFILE_ID is never used again");
	fd = enable();
	msg = raw_new(&r, THREADPROF_CMD_READ, 0);
	nla_put_u64(msg, THREADPROF_A_PROFILE_ID, id - 1);
	ok(raw_ask(&r, msg) == -EBADF && r.bad_attr == THREADPROF_A_PROFILE_ID &&
	   strstr(r.message, "PROFILE_ID"), "READ with another's PROFILE_ID is refused");
	msg = raw_new(&r, THREADPROF_CMD_DISABLE, 0);
	nla_put_u64(msg, THREADPROF_A_PROFILE_ID, id + 1);
	ok(raw_ask(&r, msg) == -EBADF && r.bad_attr == THREADPROF_A_PROFILE_ID && enabled() == 1,
	   "DISABLE with another's PROFILE_ID is refused");
	msg = raw_new(&r, THREADPROF_CMD_DISABLE, 0);
	nla_put_u64(msg, THREADPROF_A_PROFILE_ID, id);
	ok_num("DISABLE with its own PROFILE_ID", 0, raw_ask(&r, msg));
	ok(raw_disable(&r) == -ENOENT && r.message[0], "DISABLE without a profile is refused");
	ok(raw_command(&r, THREADPROF_CMD_READ) == -ENOENT && r.message[0],
	   "READ without a profile is refused");
	close(fd);
	fd = enable();
	ok(raw_enable(&r, 0, 0, NULL) == -EBUSY && r.message[0], "ENABLE twice is refused");
	close(fd);
	ok(raw_enable(&r, THREADPROF_ENABLE_ON_EXEC, 0, NULL) == -EINVAL &&
	   r.bad_attr == THREADPROF_A_ENABLE_FLAGS && strstr(r.message, "INHERIT"),
	   "ENABLE with ON_EXEC alone is refused");
}

static void no_descriptor(void)
{
	struct rlimit limit, none;
	int fd = dup(0);

	close(fd);
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = fd;
	setrlimit(RLIMIT_NOFILE, &none);
	fd = raw_enable(&r, THREADPROF_ENABLE_DISPATCH, 0, NULL);
	ok(fd == -EMFILE && strstr(r.message, "descriptor"),
	   "ENABLE without a free descriptor is refused");
	ok_num("and leaves no profile", 0, enabled());
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(void)
{
	if (raw_open(&r))
		tap_die("no family");
	rules();
	contents();
	who_keeps();
	fork_child();
	ids();
	no_descriptor();
	leak_check(&r, "all this");
	return tap_end();
}
