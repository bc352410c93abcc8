// SPDX-License-Identifier: GPL-2.0-only
/* Debian's PAPI. */
#include <papi.h>

#include "die.h"
#include "events.h"
#include "figure.h"
#include "papi_peer.h"
#include "parts.h"

/* The same six; PAPI knows them by its names for perf's and the raw ones. */
static const char * const name[EVENTS] = {
	"perf::CYCLES", "perf::INSTRUCTIONS",
	"perf_raw::r0011", "perf_raw::r0008", "perf_raw::r0023", "perf_raw::r0024",
};

static void need(int error, const char *what)
{
	if (error != PAPI_OK)
		die("%s: %s", what, PAPI_strerror(error));
}

int papi_set(int count)
{
	int i, set = PAPI_NULL, version;

	/* Where root may do what others may not, PAPI does not even try. */
	setting("kernel/perf_event_paranoid", 1);
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		die("PAPI_library_init: %s", PAPI_strerror(version));
	need(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (i = 0; i < count; i++)
		need(PAPI_add_named_event(set, name[i]), name[i]);
	return set;
}

void papi_start_stop(void *set)
{
	long long value[EVENTS];

	need(PAPI_start(*(int *)set), "PAPI_start");
	need(PAPI_stop(*(int *)set, value), "PAPI_stop");
}

static void papi_read(void *set)
{
	static long long value[EVENTS];

	need(PAPI_read(*(int *)set, value), "PAPI_read");
}

static void read_each(const char *contender)
{
	long long value[EVENTS];
	struct measured m;
	unsigned int i;
	int set;

	for (i = 0; i < sizeof(events_sizes) / sizeof(events_sizes[0]); i++) {
		set = papi_set(events_sizes[i]);
		need(PAPI_start(set), "PAPI_start");
		m = measure(papi_read, &set);
		need(PAPI_stop(set, value), "PAPI_stop");
		/* The first counts cycles, so that it has something to show. */
		if (!value[0])
			die("PAPI counted nothing");
		figure_send("read", contender, events_sizes[i], FIGURE_NONE, &m);
		need(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
		need(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
	}
}

/* It looks at the setting when it starts, and reads registers where it may. */
void part_papi(void)
{
	setting("kernel/perf_user_access", 1);
	read_each("papi");
	setting("kernel/perf_user_access", 0);
}

void part_papi_slow(void)
{
	setting("kernel/perf_user_access", 0);
	read_each("papi-read");
}
