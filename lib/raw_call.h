/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A system call of up to four arguments that gives a negative errno. The C library's
 * way sets its own errno, which the Windows calls leave alone; to save and to restore it
 * costs as much as all else that a cheap call does on its way into the kernel.
 */
#ifndef THREADPROF_RAW_CALL_H
#define THREADPROF_RAW_CALL_H

static inline long threadprof_raw_call(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#else
#error "no way into the kernel is known for this architecture"
#endif
}

#endif
