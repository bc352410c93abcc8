// SPDX-License-Identifier: GPL-2.0-only
/*
 * The area by bare system calls, in one thread: what each operation does, what it
 * refuses, which pages there are.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "area.h"
#include "leak.h"
#include "loop.h"
#include "proc.h"
#include "raw.h"
#include "tap.h"

#define CLOCK	THREADPROF_INDEX(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define PAGES	500		/* fewer than an area of one thread may have */
#define LAST	(THREADPROF_MAX_PAGES - 1)
#define ROUNDS	1000

static struct raw r;
static uint64_t id;

static int begin(void)
{
	int fd = raw_enable(&r, THREADPROF_ENABLE_DISPATCH, 0, &id);

	if (fd < 0)
		tap_die("ENABLE: %s", r.message);
	return fd;
}

static int enable(int fd, unsigned int page)
{
	return area_op(fd, THREADPROF_OP_ENABLE, page, THREADPROF_ENABLE_DISPATCH, 1);
}

static int disable(int fd, unsigned int page)
{
	return area_op(fd, THREADPROF_OP_DISABLE, page, 0, 0);
}

/* --- which pages there are --------------------------------------------------- */

static sigjmp_buf back;

static void on_fault(int number)
{
	siglongjmp(back, number);
}

/* The signal that touching it raises; 0: none. */
static int touch(const volatile struct threadprof_page *page)
{
	int number = sigsetjmp(back, 1);

	if (!number)
		(void)page->version;
	return number;
}

static void ranges(void)
{
	static const struct {
		const char *name;
		unsigned int first, count;
		bool good;
	} range[] = {
		{ "the first page", 0, 1, true },
		{ "the last page", LAST, 1, true },
		{ "some in the middle", 1000, 64, true },
		{ "all 65,536 pages", 0, THREADPROF_MAX_PAGES, true },
		{ "the page behind the last", THREADPROF_MAX_PAGES, 1, false },
		{ "the last and one more", LAST, 2, false },
		{ "all and one more", 0, THREADPROF_MAX_PAGES + 1, false },
		{ "far behind", 1U << 30, 1, false },
	};
	int fd = begin(), error;
	char name[96];
	unsigned int i;
	void *page;

	for (i = 0; i < sizeof(range) / sizeof(range[0]); i++) {
		page = mmap(NULL, (size_t)range[i].count * AREA_PAGE, PROT_READ, MAP_SHARED, fd,
			    (off_t)range[i].first * AREA_PAGE);
		error = page == MAP_FAILED ? errno : 0;
		snprintf(name, sizeof(name), "mapping %s is %s", range[i].name,
			 range[i].good ? "allowed" : "refused");
		ok_num(name, range[i].good ? 0 : EINVAL, error);
		if (!error)
			area_unmap(page, range[i].count);
	}
	close(fd);
}

static void existence(void)
{
	const volatile struct threadprof_page *all, *five;
	int fd = begin();

	all = area_map(fd, 0, THREADPROF_MAX_PAGES);
	ok_num("the page of ENABLE is there", 0, touch(all));
	ok_num("a page that showed no profile yet is SIGBUS", SIGBUS, touch(area_page(all, 5)));
	ok_num("so is the last", SIGBUS, touch(area_page(all, LAST)));
	ok_num("DISABLE", 0, disable(fd, 0));
	ok_num("OP_ENABLE in the last page", 0, enable(fd, LAST));
	ok_num("which is there now", 0, touch(area_page(all, LAST)));
	ok_num("it shows this thread", proc_tid(), area_page(all, LAST)->tid);
	ok_num("its neighbour is not there", SIGBUS, touch(area_page(all, LAST - 1)));
	ok_num("DISABLE there", 0, disable(fd, LAST));
	ok_num("OP_ENABLE in page 5", 0, enable(fd, 5));
	five = area_map(fd, 5, 1);
	ok(area_page(all, 5)->profile_id == five->profile_id &&
	   five->profile_id == (uint64_t)area_refresh(fd), "two mappings show the same page");
	area_unmap(all, 5);
	area_unmap(area_page(all, 6), LAST - 5);
	ok_num("what is around a page can be unmapped", 0, touch(area_page(all, 5)));
	area_unmap(five, 1);
	close(fd);
	ok_num("and one page of many keeps the profile", 0, raw_command(&r, THREADPROF_CMD_READ));
	area_unmap(area_page(all, 5), 1);
	ok_num("without the last page it ends", -ENOENT, raw_command(&r, THREADPROF_CMD_READ));
}

/* --- operations ------------------------------------------------------------- */

static void one_thread(void)
{
	const volatile struct threadprof_page *pages;
	struct threadprof_page final;
	int fd = begin(), second;
	uint64_t first_id = id;

	pages = area_map(fd, 0, 3);
	ok_num("lseek() gives the PROFILE_ID", id, area_refresh(fd));
	ok_num("OP_ENABLE of a profiled thread is EBUSY", -EBUSY, enable(fd, 1));
	ok_num("so it is in its own page", -EBUSY, enable(fd, 0));
	ok_num("OP_DISABLE of another page is EBADF", -EBADF, disable(fd, 1));
	ok_num("OP_DIRECT of another page is EBADF", -EBADF,
	       area_op(fd, THREADPROF_OP_DIRECT, 1, 0, 0));
	ok_num("none of them has made the page", SIGBUS, touch(area_page(pages, 1)));
	area_wait_switch(pages);
	burn_ms(2);
	area_refresh(fd);
	area_copy(&final, pages);
	ok(final.switches && final.wait[THREADPROF_WAIT_DELAY_EXECUTION].count && final.cycles,
	   "the page counts");
	ok_num("OP_DISABLE", 0, disable(fd, 0));
	ok(pages->flags & THREADPROF_PROFILE_ENDED, "the page says ENDED");
	ok(pages->profile_id == first_id && pages->switches >= final.switches &&
	   pages->cycles >= final.cycles && pages->tid == (uint32_t)proc_tid(),
	   "and keeps the final values");
	area_copy(&final, pages);
	sleep_ms(2);
	ok(!memcmp(&final, (const void *)pages, sizeof(final)), "which stay");
	ok_num("lseek() without a profile is ENOENT", -ENOENT, area_refresh(fd));
	ok_num("OP_DISABLE without a profile is ENOENT", -ENOENT, disable(fd, 0));
	ok_num("OP_DIRECT without a profile is ENOENT", -ENOENT,
	       area_op(fd, THREADPROF_OP_DIRECT, 0, 0, 0));

	ok_num("OP_ENABLE in page 2", 0, enable(fd, 2));
	ok_num("page 0 still shows the first profile", first_id, pages->profile_id);
	ok(area_page(pages, 2)->profile_id > first_id, "PROFILE_ID is a new one");
	ok_num("OP_DISABLE in page 2", 0, disable(fd, 2));
	ok_num("OP_ENABLE in page 0 again", 0, enable(fd, 0));
	ok(!(pages->flags & THREADPROF_PROFILE_ENDED) && pages->profile_id > first_id + 1 &&
	   pages->switches <= 1 && pages->seq > final.seq && !(pages->seq & 1) &&
	   pages->version == THREADPROF_PAGE_VERSION && pages->page_size == sizeof(*pages),
	   "the page begins anew, its seq goes on");
	ok_num("flags are as asked for", THREADPROF_PROFILE_DISPATCH,
	       pages->flags & ~THREADPROF_PROFILE_NO_IRQ_TIME);
	ok_num("so is the mask", 1, pages->hardware_counters);
	ok_num("its slot is as in the list", THREADPROF_SLOT_COUNTING, pages->slot[0].state);
	ok_num("DISABLE over netlink", 0, raw_disable(&r));
	ok(pages->flags & THREADPROF_PROFILE_ENDED, "which ends it too");

	second = begin();
	ok_num("ENABLE over netlink makes an area of its own", id, area_refresh(second));
	ok_num("another area's descriptor brings up to date too", id, area_refresh(fd));
	ok_num("but does not DISABLE", -EBADF, disable(fd, 0));
	ok_num("its own does", 0, disable(second, 0));
	close(second);
	area_unmap(pages, 3);
	close(fd);
}

static void refused_positions(void)
{
	static const struct {
		const char *name;
		uint64_t at;
	} bad[] = {
		{ "no operation", THREADPROF_AT(0, 0, 0, 0) },
		{ "operation 4", THREADPROF_AT(4, 0, 0, 0) },
		{ "operation 63", THREADPROF_AT(63, 0, 0, 0) },
		{ "a position below", THREADPROF_AT(1, 0, 0, 0) - THREADPROF_POSITION },
		{ "position 0", 0 },
		{ "a negative position", THREADPROF_AT(1, 0, 0, 0) | 1ULL << 63 },
		{ "bit 52", THREADPROF_AT(1, 0, 0, 0) | 1ULL << 52 },
		{ "bit 55", THREADPROF_AT(1, 0, 0, 0) | 1ULL << 55 },
		{ "INHERIT", THREADPROF_AT(1, 0, THREADPROF_ENABLE_INHERIT, 0) },
		{ "INHERIT with ON_EXEC", THREADPROF_AT(1, 0, 6, 0) },
		{ "ON_EXEC", THREADPROF_AT(1, 0, THREADPROF_ENABLE_ON_EXEC, 0) },
		{ "an unknown flag", THREADPROF_AT(1, 0, 8, 0) },
		{ "the highest flag", THREADPROF_AT(1, 0, 0x8000, 0) },
		{ "OP_ENABLE of the page behind the last",
		  THREADPROF_AT(1, THREADPROF_MAX_PAGES, 0, 0) },
		{ "OP_ENABLE of page 0xfffff", THREADPROF_AT(1, 0xfffff, 0, 0) },
		{ "OP_DISABLE with a flag", THREADPROF_AT(2, 0, 1, 0) },
		{ "OP_DISABLE with a mask", THREADPROF_AT(2, 0, 0, 1) },
		{ "OP_DIRECT with a flag", THREADPROF_AT(3, 0, 1, 0) },
		{ "OP_DIRECT with a mask", THREADPROF_AT(3, 0, 0, 1) },
		{ "OP_DISABLE of the page behind the last",
		  THREADPROF_AT(2, THREADPROF_MAX_PAGES, 0, 0) },
		{ "OP_DIRECT of the page behind the last",
		  THREADPROF_AT(3, THREADPROF_MAX_PAGES, 0, 0) },
	};
	const uint64_t enable_here = THREADPROF_AT(THREADPROF_OP_ENABLE, 0, 0, 0);
	int fd = begin(), profiled;
	char name[96], byte = 'x';
	struct iovec nothing = { &byte, 0 }, one = { &byte, 1 };
	unsigned int i;

	for (profiled = 1; profiled >= 0; profiled--) {
		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			snprintf(name, sizeof(name), "%s is EINVAL, %s", bad[i].name,
				 profiled ? "profiled" : "not profiled");
			ok_num(name, -EINVAL, area_at(fd, bad[i].at));
		}
		ok_num(profiled ? "the profile is there" : "no profile is there", !profiled,
		       raw_command(&r, THREADPROF_CMD_READ) == -ENOENT);
		if (profiled)
			raw_disable(&r);
	}
	ok(pread(fd, &byte, 1, enable_here) == -1 && errno == EINVAL && byte == 'x',
	   "a count above 0 is EINVAL");
	ok(preadv(fd, &one, 1, enable_here) == -1 && errno == EINVAL && byte == 'x',
	   "so it is of a vector");
	preadv(fd, &nothing, 1, enable_here);
	raw_disable(&r);
	ok(read(fd, &byte, 1) == -1 && errno == EINVAL, "read() is EINVAL");
	ok(read(fd, &byte, 0) == -1 && errno == EINVAL, "read() of nothing too");
	ok(pwrite(fd, &byte, 1, enable_here) == -1, "pwrite() is refused");
	ok(lseek(fd, 0, SEEK_SET) == -1 && errno == EINVAL, "lseek(SEEK_SET) is EINVAL");
	ok(lseek(fd, 1, SEEK_CUR) == -1 && errno == EINVAL, "lseek() by 1 is EINVAL");
	ok(lseek(fd, 0, SEEK_END) == -1 && errno == EINVAL, "lseek(SEEK_END) is EINVAL");
	close(fd);
}

/* --- nothing is left behind --------------------------------------------------- */

static void again_and_again(void)
{
	const volatile struct threadprof_page *page;
	int fd = begin(), i, busy = 0, bad = 0;
	long before, after;

	page = area_map(fd, 0, 1);
	disable(fd, 0);
	before = leak_group_pages("area");
	for (i = 0; i < ROUNDS; i++) {
		/* Somebody may look at the last one still; nobody does here. */
		busy += enable(fd, 0) != 0;
		bad += area_refresh(fd) != (int64_t)page->profile_id ||
		       page->flags & THREADPROF_PROFILE_ENDED;
		bad += disable(fd, 0) != 0 || !(page->flags & THREADPROF_PROFILE_ENDED);
	}
	after = leak_group_pages("area");
	ok_num("1,000 times OP_ENABLE and OP_DISABLE in page 0: none is EBUSY", 0, busy);
	ok_num("each begins and ends a profile", 0, bad);
	ok_range("they take no pages (KiB)", before - 64, before + 64, after);
	area_unmap(page, 1);
	close(fd);
}

static void many_pages(void)
{
	const volatile struct threadprof_page *all;
	int fd = begin(), i, bad = 0;
	long before, with, after;

	disable(fd, 0);
	all = area_map(fd, 0, PAGES);
	before = leak_group_pages("area");
	for (i = 1; i < PAGES; i++) {
		bad += enable(fd, i) != 0;
		bad += area_page(all, i)->profile_id != (uint64_t)area_refresh(fd);
		bad += disable(fd, i) != 0;
	}
	with = leak_group_pages("area");
	ok_num("500 pages, one after the other", 0, bad);
	ok_range("each page takes a page (KiB)", (PAGES - 1) * 4 - 256, (PAGES - 1) * 4 + 256,
		 with - before);
	while (i < ROUNDS && !enable(fd, i)) {
		disable(fd, i);
		i++;
	}
	ok_num("512 more than there are threads is the most", 513, i);
	ok_num("one above is ENOMEM", -ENOMEM, enable(fd, i));
	ok_num("those that are there can be used on", 0, enable(fd, 512));
	disable(fd, 512);
	area_unmap(all, PAGES);
	close(fd);
	after = leak_group_pages("area");
	ok_range("all are given back with the area (KiB)", before - 256, before + 256, after);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_fault };
	const uint64_t list = CLOCK;

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	leak_group_enter("area");
	if (raw_open(&r) || raw_config_set(&r, &list, 1, 0, 0))
		tap_die("family: %s", r.message);
	ranges();
	existence();
	one_thread();
	refused_positions();
	again_and_again();
	many_pages();
	raw_config_set(&r, NULL, 0, 0, 0);
	leak_check(&r, "all this");
	ok_num("nothing holds the module", 0, proc_number("/sys/module/threadprof/refcnt", -1));
	return tap_end();
}
