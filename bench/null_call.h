/* SPDX-License-Identifier: GPL-2.0-only */
/* The system call that does nothing: what each door into the kernel costs at least. */
#ifndef BENCH_NULL_CALL_H
#define BENCH_NULL_CALL_H

#include <sys/syscall.h>
#include <unistd.h>

/* For measure(). */
static inline void null_call(void *arg)
{
	(void)arg;
	syscall(SYS_getppid);
}

#endif /* BENCH_NULL_CALL_H */
