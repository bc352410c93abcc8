// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <time.h>

#include "loop.h"

void __attribute__((noinline)) loop_exact(uint64_t rounds)
{
#ifdef __aarch64__
	asm volatile("1:\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
#else
	asm volatile("1:\n\tsubq $1, %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
#endif
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void sleep_ms(unsigned int ms)
{
	struct timespec left = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000L,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

void burn_ms(unsigned int ms)
{
	uint64_t end = cpu_ns() + (uint64_t)ms * 1000000;

	while (cpu_ns() < end)
		loop_exact(20000);
}
