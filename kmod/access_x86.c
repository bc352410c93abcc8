// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86. perf lets a process' user mode execute RDPMC while something that wants it is
 * mapped there. The area has an event for that, its key, which never counts.
 */
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/tlbflush.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "access.h"
#include "area.h"
#include "asker.h"
#include "config.h"
#include "counter.h"
#include "direct.h"
#include "filler.h"
#include "pmu.h"
#include "profile.h"

/* Known once somebody has asked for access; the same for all CPUs. */
static struct x86_pmu_capability pmu;

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
	if (PTR_ERR_OR_ZERO(key) == -ENOMEM)
		return key;
	if (IS_ERR_OR_NULL(key))
		return ERR_PTR(-EOPNOTSUPP);
	knows = key->pmu->event_mapped && key->pmu->event_unmapped;
	if (knows && (key->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT))
		return key;
	perf_event_release_kernel(key);
	return ERR_PTR(knows ? -EACCES : -EOPNOTSUPP);
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

/*
 * The instruction reads any counter of a CPU, whoever's. So it takes the right to count
 * them, or whoever had that when setting the list has allowed it.
 */
static bool is_allowed(const struct file *file)
{
	const struct tprof_config *config;
	bool allowed;

	tprof_config_lock();
	config = tprof_config_locked();
	allowed = config->flags & (THREADPROF_CONFIG_DIRECT |
				   THREADPROF_CONFIG_DIRECT_RELAXED);
	tprof_config_unlock();
	return allowed || tprof_privileged_file(file);
}

/* The administrator may have forbidden it meanwhile. */
static bool is_open(void)
{
	bool open;

	preempt_disable();
	open = tprof_access_now();
	preempt_enable();
	return open;
}

int tprof_access_open(struct tprof_profile *p, struct file *file)
{
	struct tprof_area *area = p->seat->area;
	struct perf_event *key;
	int error;

	/* Two kinds of cores: perf has no one answer there. */
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return -EOPNOTSUPP;
	if (!is_allowed(file))
		return -EACCES;
	perf_get_x86_pmu_capability(&pmu);
	mutex_lock(&area->access_lock);
	if (!area->access) {
		key = tprof_direct_key(p, key_like);
		if (IS_ERR(key)) {
			mutex_unlock(&area->access_lock);
			return PTR_ERR(key);
		}
		area->access = key;
	}
	error = map(area, file, p->seat->number);
	mutex_unlock(&area->access_lock);
	return error || is_open() ? error : -EACCES;
}

void tprof_access_close(struct tprof_profile *p, bool here)
{
}

void tprof_access_opened(struct vm_area_struct *vma)
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

/* Registers of a PMU, a bit each, that events of ours hold. */
struct held {
	u64 fixed;
	u64 general;
};

/* Is it in a register? */
static bool hold(struct perf_event *event, struct held *held)
{
	u32 index;

	if (!event || !event->pmu->event_mapped ||
	    READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE)
		return false;
	index = index_of(event);
	if (!index)
		return false;
	if (is_fixed(index))
		held->fixed |= BIT_ULL((index - 1) & 31);
	else
		held->general |= BIT_ULL((index - 1) & 63);
	return true;
}

static void hold_fillers(const struct tprof_fillers *fillers, struct held *held)
{
	unsigned int i, count;

	count = smp_load_acquire(&fillers->count);	/* pairs with fill() */
	for (i = 0; i < count; i++)
		hold(fillers->event[i], held);
}

/*
 * When an event comes, perf may deal out all registers anew; even one with a counter of
 * its own may find itself in a general one. Nothing comes where none is left.
 */
unsigned int tprof_access_settled(const struct tprof_profile *p,
				  const struct tprof_cpu_events *events,
				  unsigned int slots)
{
	const struct tprof_config *config = tprof_config_rcu();
	unsigned int i, settled = 0;
	struct held held = { };

	for (i = 0; i < config->count; i++) {
		if (hold(READ_ONCE(events->event[i]), &held))
			settled |= BIT(i);
	}
	if (config->fillers)
		hold_fillers(this_cpu_ptr(config->fillers), &held);
	if (!pmu.num_counters_gp ||
	    hweight64(held.general) != pmu.num_counters_gp ||
	    hweight64(held.fixed) != pmu.num_counters_fixed)
		return 0;
	return settled & slots;
}

struct tprof_register tprof_access_register(const struct tprof_profile *p,
					    struct perf_event *event)
{
	u32 index = index_of(event);

	if (!index || !event->pmu->event_mapped)
		return (struct tprof_register) { };
	return (struct tprof_register) {
		.index = index,
		.width = is_fixed(index) ? pmu.bit_width_fixed :
					   pmu.bit_width_gp,
	};
}
