// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which registers a page shows. One is shown only while
 *
 *	value = total + (register - start)
 *
 * is right until the next switch: its event counts and stays in its register, user
 * mode may read that, and it is wide enough not to pass its end meanwhile.
 */
#include <linux/err.h>
#include <linux/perf_event.h>

#include "access.h"
#include "config.h"
#include "direct.h"
#include "list.h"
#include "profile.h"

/* A narrower one is set back by its overflow interrupt every few seconds. */
#define MIN_WIDTH	40

/* Before @p begins to be shown. The owner, process context. As OP_DIRECT. */
int tprof_direct_open(struct tprof_profile *p, struct file *file)
{
	int error;

	if (p->direct)
		return 0;
	if (!p->slots)
		return -EOPNOTSUPP;
	error = tprof_access_open(p, file);
	if (!error)
		p->direct = 1;
	return error;
}

/*
 * By the owner before it ends, @here, or by whoever lets go of it. May sleep. A switch
 * callback may just be looking at it: what that uses is freed under RCU.
 */
void tprof_direct_close(struct tprof_profile *p, bool here)
{
	if (!xchg(&p->direct, 0))
		return;
	tprof_access_close(p, here);
	if (here)
		return;
	raw_spin_lock_irq(&tprof_list_lock);
	tprof_list_drop_hardware(p);
	raw_spin_unlock_irq(&tprof_list_lock);
}

struct perf_event *
tprof_direct_key(const struct tprof_profile *p,
		 struct perf_event *(*like)(const struct tprof_counter *counter))
{
	struct perf_event *key = ERR_PTR(-EOPNOTSUPP);
	unsigned int i, todo = p->slots;

	/* Slots in use keep their list as it is. */
	for (; todo && PTR_ERR_OR_ZERO(key) == -EOPNOTSUPP; todo &= todo - 1) {
		i = __ffs(todo);
		tprof_config_lock();
		key = like(&tprof_config_locked()->counter[i]);
		tprof_config_unlock();
	}
	return key;
}

static u64 mask_of(unsigned int width)
{
	return GENMASK_ULL(width - 1, 0);
}

/*
 * The register's value when the event's count was @count. perf writes both after
 * each look at the register, an interrupt's included.
 */
static u64 register_at(struct perf_event *event, u64 count)
{
	u64 raw, now;

	do {
		raw = local64_read(&event->hw.prev_count);
		now = local64_read(&event->count);
	} while (raw != local64_read(&event->hw.prev_count));
	return raw - (now - count);
}

/* Is there a quarter of its range before it? A Read trusts an eighth: uapi. */
static bool is_far_from_end(u64 raw, unsigned int width)
{
	return (-raw & mask_of(width)) >> (width - 2);
}

static bool show_slot(struct tprof_profile *p, unsigned int i,
		      struct perf_event *event)
{
	struct threadprof_page_slot *slot = &p->page->slot[i];
	struct tprof_register reg = { };
	u64 raw;

	if (event)
		reg = tprof_access_register(p, event);
	if (!reg.index || reg.width < MIN_WIDTH)
		return false;
	raw = register_at(event, p->start[i]);
	if (!is_far_from_end(raw, reg.width))
		return false;
	slot->start = raw & mask_of(reg.width);
	slot->index = reg.index;
	slot->width = reg.width;
	return true;
}

static void hide_slot(struct tprof_profile *p, unsigned int i)
{
	p->page->slot[i].index = 0;
	p->page->slot[i].width = 0;
}

void tprof_direct_show(struct tprof_profile *p,
		       const struct tprof_cpu_events *events)
{
	unsigned int i, todo, show = 0;

	if (tprof_access_now())
		show = tprof_config_rcu()->flags &
		       THREADPROF_CONFIG_DIRECT_RELAXED ? p->live :
		       tprof_access_settled(p, events, p->live);
	for (todo = p->slots; todo; todo &= todo - 1) {
		i = __ffs(todo);
		if (!(show & BIT(i)) ||
		    !show_slot(p, i, READ_ONCE(events->event[i])))
			hide_slot(p, i);
	}
}

/* For good. */
void tprof_direct_hide(struct tprof_profile *p)
{
	unsigned int todo;

	for (todo = p->slots; todo; todo &= todo - 1)
		hide_slot(p, __ffs(todo));
}
