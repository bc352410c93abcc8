// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86. perf lets a process' user mode execute RDPMC while something that wants it is
 * mapped there. The area has an event for that, its key, which never counts.
 */
#include <asm/perf_event.h>
#include <asm/tlbflush.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "access.h"
#include "area.h"
#include "config.h"
#include "counter.h"
#include "filler.h"
#include "pmu.h"
#include "profile.h"

/* perf's own names for registers: RDPMC's argument + 1. */
#define FIXED_REGISTER	BIT(30)

void tprof_access_widen(struct perf_event_attr *attr)
{
}

/* Like a counter. -EACCES: the PMU would, but RDPMC is forbidden. */
static struct perf_event *key_like(const struct tprof_counter *counter)
{
	struct perf_event_attr attr;
	struct perf_event *key;
	bool knows;

	tprof_counter_attr(counter, &attr);
	attr.pinned = 0;
	attr.disabled = 1;
	key = perf_event_create_kernel_counter(&attr, raw_smp_processor_id(),
					       NULL, NULL, NULL);
	if (IS_ERR_OR_NULL(key))
		return key ?: ERR_PTR(-EOPNOTSUPP);
	knows = key->pmu->event_mapped && key->pmu->event_unmapped;
	if (knows && (key->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT))
		return key;
	perf_event_release_kernel(key);
	return ERR_PTR(knows ? -EACCES : -EOPNOTSUPP);
}

static struct perf_event *key_new(const struct tprof_profile *p)
{
	struct perf_event *key = ERR_PTR(-EOPNOTSUPP);
	unsigned int i, todo = p->slots;

	/* What has slots in use keeps their list as it is. */
	for (; todo && IS_ERR(key); todo &= todo - 1) {
		i = __ffs(todo);
		tprof_config_lock();
		key = key_like(&tprof_config_locked()->counter[i]);
		tprof_config_unlock();
	}
	return key;
}

/* Opens current's process to @area's key, for as long as it sees @number's page. */
static int map(struct tprof_area *area, const struct file *file,
	       unsigned int number)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	int error = -EINVAL;

	mmap_write_lock(mm);
	VMA_ITERATOR(vmi, mm, 0);
	for_each_vma(vmi, vma) {
		if (vma->vm_file != file || number < vma->vm_pgoff ||
		    number - vma->vm_pgoff >= vma_pages(vma))
			continue;
		if (!vma->vm_private_data) {
			vma->vm_private_data = area->access;
			area->access->pmu->event_mapped(area->access, mm);
		}
		error = 0;
		break;
	}
	mmap_write_unlock(mm);
	return error;
}

int tprof_access_open(struct tprof_profile *p, struct file *file)
{
	struct tprof_area *area = p->seat->area;
	struct perf_event *key;
	int error;

	mutex_lock(&area->access_lock);
	if (!area->access) {
		key = key_new(p);
		if (IS_ERR(key)) {
			mutex_unlock(&area->access_lock);
			return PTR_ERR(key);
		}
		area->access = key;
	}
	error = map(area, file, p->seat->number);
	mutex_unlock(&area->access_lock);
	return error;
}

void tprof_access_close(struct tprof_profile *p, bool here)
{
}

void tprof_access_split(struct vm_area_struct *vma)
{
	struct perf_event *key = vma->vm_private_data;

	if (key)
		key->pmu->event_mapped(key, vma->vm_mm);
}

void tprof_access_unmapped(struct vm_area_struct *vma)
{
	struct perf_event *key = vma->vm_private_data;

	if (key)
		key->pmu->event_unmapped(key, vma->vm_mm);
}

void tprof_access_end(struct tprof_area *area)
{
	if (area->access)
		perf_event_release_kernel(area->access);
	area->access = NULL;
}

/* The administrator may have forbidden it since. */
bool tprof_access_now(void)
{
	return cr4_read_shadow() & X86_CR4_PCE;
}

static u32 index_of(struct perf_event *event)
{
	return event->pmu->event_idx(event);
}

static bool is_fixed(u32 index)
{
	return (index - 1) & FIXED_REGISTER;
}

static unsigned int general_fillers(void)
{
	const struct tprof_config *config = tprof_config_rcu();
	const struct tprof_fillers *fillers;
	unsigned int i, count, general = 0;

	if (!config->fillers)
		return 0;
	fillers = this_cpu_ptr(config->fillers);
	count = smp_load_acquire(&fillers->count);	/* pairs with fill() */
	for (i = 0; i < count; i++)
		general += !is_fixed(index_of(fillers->event[i]));
	return general;
}

/*
 * An event may be moved when one comes that fits fewer counters. A fixed counter's
 * stays; so do all where the general ones are all ours.
 */
unsigned int tprof_access_settled(const struct tprof_profile *p,
				  const struct tprof_cpu_events *events,
				  unsigned int slots)
{
	unsigned int i, taken, fixed = 0, general = 0;
	struct x86_pmu_capability pmu;

	for (i = 0; i < THREADPROF_MAX_COUNTERS; i++) {
		struct perf_event *event = READ_ONCE(events->event[i]);
		u32 index;

		if (!event || !event->pmu->event_mapped)
			continue;
		index = index_of(event);
		if (index && is_fixed(index))
			fixed |= BIT(i);
		else if (index)
			general |= BIT(i);
	}
	perf_get_x86_pmu_capability(&pmu);
	taken = hweight32(general) + general_fillers();
	if (taken < pmu.num_counters_gp || !pmu.num_counters_gp)
		general = 0;
	return (fixed | general) & slots;
}

struct tprof_register tprof_access_register(const struct tprof_profile *p,
					    struct perf_event *event)
{
	struct x86_pmu_capability pmu;
	u32 index = index_of(event);

	if (!index || !event->pmu->event_mapped)
		return (struct tprof_register) { };
	perf_get_x86_pmu_capability(&pmu);
	return (struct tprof_register) {
		.index = index,
		.width = is_fixed(index) ? pmu.bit_width_fixed :
					   pmu.bit_width_gp,
	};
}
