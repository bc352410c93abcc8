// SPDX-License-Identifier: GPL-2.0-only
/* The events of this CPU by the names of its manual, from libpfm4's tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

#include "event.h"

static bool ready(void)
{
	static int state = 1;

	if (state > 0)
		state = pfm_initialize() == PFM_SUCCESS ? 0 : -1;
	return !state;
}

static int plm(uint32_t modes)
{
	return (modes & THREADPROF_MODE_USER ? PFM_PLM3 : 0) |
	       (modes & THREADPROF_MODE_KERNEL ? PFM_PLM0 : 0) |
	       (modes & THREADPROF_MODE_HYPERVISOR ? PFM_PLMH : 0);
}

/* Did the name carry libpfm4's own u, k or h, as in "EVENT:u=1:k=1"? */
static bool has_levels(const char *name)
{
	return strstr(name, ":u=") || strstr(name, ":k=") || strstr(name, ":h=") ||
	       strstr(name, ":u:") || strstr(name, ":k:") || strstr(name, ":h:");
}

int event_pfm(const char *name, bool modes_given, struct event *out, char error[EVENT_ERROR])
{
	struct perf_event_attr attr = { };
	pfm_perf_encode_arg_t encode = { .attr = &attr, .size = sizeof(encode) };
	int err;

	if (!ready())
		return 1;
	/* The extended set, so that what is meant for sampling is seen and named. */
	err = pfm_get_os_event_encoding(name, plm(out->modes), PFM_OS_PERF_EVENT_EXT, &encode);
	if (err == PFM_ERR_NOTFOUND)
		return 1;
	if (err != PFM_SUCCESS)
		return event_error(error, "'%.80s': %s", name, pfm_strerror(err));
	if (attr.precise_ip || attr.sample_period)
		return event_error(
			error,
			"'%.80s': precise, period and freq are for sampling, a counter has none",
			name);
	if (attr.pinned || attr.exclusive)
		return event_error(error, "'%.80s': pinned and excl have no meaning here", name);
	out->type = attr.type;
	out->config = attr.config;
	out->config1 = attr.config1;
	out->config2 = attr.config2;
	if (!modes_given && has_levels(name))
		out->modes =
			(attr.exclude_user ? 0 : THREADPROF_MODE_USER) |
			(attr.exclude_kernel ? 0 : THREADPROF_MODE_KERNEL) |
			(attr.exclude_hv || !strstr(name, ":h") ? 0 : THREADPROF_MODE_HYPERVISOR);
	if (!out->modes)
		return event_error(error, "'%.80s' counts in no mode", name);
	return 0;
}

static bool present(pfm_pmu_t id, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(id, info) == PFM_SUCCESS && info->is_present;
}

bool event_pfm_has_cpu(void)
{
	pfm_pmu_info_t info;
	pfm_pmu_t id;

	if (!ready())
		return false;
	pfm_for_all_pmus(id)
		if (present(id, &info) && info.type == PFM_PMU_TYPE_CORE)
			return id != PFM_PMU_PERF_EVENT && id != PFM_PMU_PERF_EVENT_RAW;
	return false;
}

static int one_event(const pfm_pmu_info_t *pmu, const pfm_event_info_t *event, bool umasks,
		     event_fn *fn, void *arg)
{
	pfm_event_attr_info_t attr;
	bool split = false;
	char name[256];
	int i, err;

	pfm_for_each_event_attr(i, event) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		split = true;
		if (!umasks)
			break;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu->name, event->name, attr.name);
		err = fn(name, attr.desc, arg);
		if (err)
			return err;
	}
	if (split && umasks)
		return 0;
	snprintf(name, sizeof(name), "%s::%s", pmu->name, event->name);
	return fn(name, event->desc, arg);
}

int event_pfm_each(bool umasks, event_fn *fn, void *arg)
{
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;
	pfm_pmu_t id;
	int idx, err;

	if (!ready())
		return 0;
	pfm_for_all_pmus(id) {
		/* The generic ones have names of their own, rNNN has none. */
		if (id == PFM_PMU_PERF_EVENT || id == PFM_PMU_PERF_EVENT_RAW || !present(id, &pmu))
			continue;
		for (idx = pmu.first_event; idx != -1; idx = pfm_get_event_next(idx)) {
			memset(&event, 0, sizeof(event));
			event.size = sizeof(event);
			if (pfm_get_event_info(idx, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
				continue;
			err = one_event(&pmu, &event, umasks, fn, arg);
			if (err)
				return err;
		}
	}
	return 0;
}
