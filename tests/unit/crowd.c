// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>

#include "crowd.h"

unsigned int crowd_page[CROWD_MAX];
static pthread_barrier_t barrier;
static _Atomic unsigned int failed;

DWORD enable(HANDLE *handle)
{
	return EnableThreadProfiling(GetCurrentThread(), DISPATCH, 1, handle);
}

DWORD read_value(HANDLE handle)
{
	PERFORMANCE_DATA data = fresh_data();

	return ReadThreadProfilingData(handle, READ_BOTH, &data);
}

bool cycle(void)
{
	HANDLE handle;

	return !enable(&handle) && !read_value(handle) && !DisableThreadProfiling(handle);
}

bool run_thread(void *(*body)(void *))
{
	pthread_t thread;
	bool good = false;

	return !pthread_create(&thread, NULL, body, &good) && !pthread_join(thread, NULL) && good;
}

void *enable_and_exit(void *good)
{
	HANDLE handle;

	*(bool *)good = !enable(&handle) && !read_value(handle);
	return NULL;
}

static void *member(void *arg)
{
	unsigned int number = (uintptr_t)arg;
	HANDLE handle = NULL;

	failed += !!enable(&handle);
	crowd_page[number] = fake_page_number();
	pthread_barrier_wait(&barrier);	/* all are enabled */
	pthread_barrier_wait(&barrier);	/* it was looked at */
	failed += !!read_value(handle);
	failed += !!DisableThreadProfiling(handle);
	return NULL;
}

bool crowd(unsigned int count, void (*look)(void))
{
	pthread_t thread[CROWD_MAX];
	unsigned int i;

	failed = 0;
	pthread_barrier_init(&barrier, NULL, count + 1);
	for (i = 0; i < count; i++)
		if (pthread_create(&thread[i], NULL, member, (void *)(uintptr_t)i))
			abort();
	pthread_barrier_wait(&barrier);
	if (look)
		look();
	pthread_barrier_wait(&barrier);
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&barrier);
	return !failed;
}
