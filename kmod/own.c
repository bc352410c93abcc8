// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calling thread's own profile: found, enabled.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/sched.h>

#include "area.h"
#include "asker.h"
#include "attach.h"
#include "config.h"
#include "group.h"
#include "own.h"
#include "profile.h"

/* Those that were released are gone for their owner; this is where they leave. */
struct tprof_profile *tprof_own_get(void)
{
	tprof_profile_end_released();
	return tprof_profile_own();
}

static bool is_privileged(const struct tprof_request *request)
{
	return request->skb ? tprof_privileged(request->skb) :
			      tprof_privileged_file(request->file);
}

static int check(const struct tprof_request *request,
		 const struct tprof_refusal *why)
{
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER)) {
		tprof_refuse(why, "not asked by a thread of a program");
		return -EOPNOTSUPP;
	}
	if ((request->flags & THREADPROF_ENABLE_ON_EXEC) &&
	    !(request->flags & THREADPROF_ENABLE_INHERIT)) {
		tprof_refuse(why, "ENABLE_FLAGS: ON_EXEC needs INHERIT");
		return -EINVAL;
	}
	/* Children are made in fork's tracepoint, where RT can't allocate. */
	if ((request->flags & THREADPROF_ENABLE_INHERIT) &&
	    IS_ENABLED(CONFIG_PREEMPT_RT)) {
		tprof_refuse(why, "ENABLE_FLAGS: no INHERIT on PREEMPT_RT kernels");
		return -EOPNOTSUPP;
	}
	if (tprof_own_get()) {
		tprof_refuse(why, "this thread is profiled already");
		return -EBUSY;
	}
	return 0;
}

static u32 profile_flags(u32 enable_flags)
{
	u32 flags = 0;

	if (enable_flags & THREADPROF_ENABLE_DISPATCH)
		flags |= THREADPROF_PROFILE_DISPATCH;
	if (enable_flags & THREADPROF_ENABLE_INHERIT)
		flags |= THREADPROF_PROFILE_INHERIT;
	return flags;
}

/* A profile as asked for, not attached, with its group. Takes over @seat. */
static struct tprof_profile *profile_for(struct tprof_seat *seat,
					 const struct tprof_request *request)
{
	struct tprof_profile *p;

	p = tprof_profile_new(seat, profile_flags(request->flags),
			      request->mask, GFP_KERNEL);
	if (!p) {
		tprof_seat_give_back(seat);
		return NULL;
	}
	if (!(request->flags & THREADPROF_ENABLE_INHERIT))
		return p;
	p->group = tprof_group_new(request->flags & THREADPROF_ENABLE_ON_EXEC,
				   is_privileged(request));
	if (!p->group) {
		tprof_profile_put(p);
		return NULL;
	}
	return p;
}

static int attach(struct tprof_profile *p, struct tprof_request *request,
		  const struct tprof_refusal *why)
{
	const struct tprof_config *config;
	int error;

	tprof_config_lock();
	config = tprof_config_locked();
	request->generation = config->generation;
	if (request->mask && (config->modes & ~THREADPROF_MODE_USER) &&
	    !is_privileged(request)) {
		tprof_refuse(why,
			     "HARDWARE_COUNTERS: they count kernel mode too: CAP_PERFMON needed");
		error = -EACCES;
	} else {
		error = tprof_profile_attach(p, why);
	}
	tprof_config_unlock();
	return error;
}

/*
 * tprof_own_enable - profile current from now on, shown in a page of @area
 *
 * The caller holds a file of ours. Gives the profile, or an ERR_PTR of the errors
 * of ENABLE.
 */
struct tprof_profile *tprof_own_enable(struct tprof_area *area,
				       unsigned int page,
				       struct tprof_request *request,
				       const struct tprof_refusal *why)
{
	struct tprof_profile *p;
	struct tprof_seat *seat;
	int error;

	error = check(request, why);
	if (error)
		return ERR_PTR(error);
	seat = tprof_seat_take(area, page);
	p = IS_ERR(seat) ? NULL : profile_for(seat, request);
	if (!p) {
		error = IS_ERR(seat) ? PTR_ERR(seat) : -ENOMEM;
		if (error == -ENOMEM)
			tprof_refuse(why, "no memory for a profile");
		return ERR_PTR(error);
	}
	error = attach(p, request, why);
	if (error) {
		tprof_profile_put(p);
		return ERR_PTR(error);
	}
	return p;
}
