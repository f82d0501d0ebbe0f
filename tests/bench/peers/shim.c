/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shim.c - preloaded into LIKWID and PCM: the CPUID instruction describes the mounted
 * machine, and a program may believe that it runs on each of its CPUs.
 *
 * CPUID is made to fault (arch_prctl; Intel CPUs that can) and answered here.
 */
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define CORE_BITS 5 /* of an APIC id */

static __thread unsigned current; /* the CPU that this thread believes to be on */
static unsigned n_cpus, n_cores;
static uint32_t signature;
static struct sigaction theirs; /* what the program wants to do about SIGSEGV */

extern int __sigaction(int, const struct sigaction *, struct sigaction *);

/* ---- CPUID ---- */

static void fault(bool on)
{
	syscall(SYS_arch_prctl, ARCH_SET_CPUID, on ? 0 : 1);
}

static void real_cpuid(uint32_t leaf, uint32_t sub, uint32_t r[4])
{
	fault(false);
	__asm__ volatile("cpuid"
			 : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3])
			 : "0"(leaf), "2"(sub));
	fault(true);
}

static uint32_t apic_id(void)
{
	return current / n_cores << CORE_BITS | current % n_cores;
}

static void topology_leaf(uint32_t sub, uint32_t r[4])
{
	r[0] = sub == 0 ? 0 : sub == 1 ? CORE_BITS : 0;
	r[1] = sub == 0 ? 1 : sub == 1 ? n_cores : 0;
	r[2] = sub | (sub < 2 ? sub + 1 : 0) << 8;
	r[3] = apic_id();
}

static void answer(uint32_t leaf, uint32_t sub, uint32_t r[4])
{
	real_cpuid(leaf, sub, r);
	if (leaf == 0)
		r[0] = 0xd;
	if (leaf == 1) {
		r[0] = signature;
		r[1] = (r[1] & 0xff00) | apic_id() << 24 | n_cores << 16;
		r[2] &= ~(UINT32_C(1) << 31); /* no hypervisor */
		r[3] |= UINT32_C(1) << 28;
	}
	if (leaf == 4) /* one thread a core, n cores */
		r[0] = (r[0] & 0x3ff) | (31U << 26) | ((r[0] >> 5 & 7) == 3 ? 31U << 14 : 0);
	if (leaf == 0xa) {
		r[0] = 0x07300803;
		r[1] = 0;
		r[3] = 0x603;
	}
	if (leaf == 0xb)
		topology_leaf(sub, r);
	if (leaf > 0xd && leaf < 0x80000000)
		memset(r, 0, 4 * sizeof(*r));
}

/* Any other crash is the program's. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};

	if (theirs.sa_flags & SA_SIGINFO)
		theirs.sa_sigaction(number, info, context);
	else if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN)
		theirs.sa_handler(number);
	else
		__sigaction(number, &plain, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *at;
	uint32_t r[4];

	memcpy(&at, &g[REG_RIP], sizeof(at));
	if (at[0] != 0x0f || at[1] != 0xa2) {
		pass_on(number, info, context);
		return;
	}
	answer((uint32_t)g[REG_RAX], (uint32_t)g[REG_RCX], r);
	g[REG_RAX] = r[0];
	g[REG_RBX] = r[1];
	g[REG_RCX] = r[2];
	g[REG_RDX] = r[3];
	g[REG_RIP] += 2;
}

/* ---- CPUs ---- */

static int move(size_t size, const cpu_set_t *set)
{
	for (unsigned i = 0; i < n_cpus && i < 8 * size; i++)
		if (CPU_ISSET_S(i, size, set)) {
			current = i;
			return 0;
		}
	return 0;
}

static int fill_affinity(size_t size, cpu_set_t *set)
{
	CPU_ZERO_S(size, set);
	for (unsigned i = 0; i < n_cpus; i++)
		CPU_SET_S(i, size, set);
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	return move(size, set);
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	return pthread_equal(thread, pthread_self()) ? move(size, set) : 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	return fill_affinity(size, set);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	return fill_affinity(size, set);
}

int sched_getcpu(void)
{
	return (int)current;
}

/* ---- core registers that the machine lacks read as 0 ---- */

ssize_t pread(int fd, void *to, size_t len, off_t offset)
{
	const ssize_t n = syscall(SYS_pread64, fd, to, len, offset);

	if (n >= 0 || errno != EIO || len != 8)
		return n;
	memset(to, 0, len);
	return 8;
}

ssize_t pwrite(int fd, const void *from, size_t len, off_t offset)
{
	const ssize_t n = syscall(SYS_pwrite64, fd, from, len, offset);

	return n < 0 && errno == EIO && len == 8 ? 8 : n;
}

ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

/* ---- start ---- */

/* Programs that catch their own crashes would catch CPUID, too. */
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	if (number != SIGSEGV)
		return __sigaction(number, action, old);
	if (old)
		*old = theirs;
	if (action)
		theirs = *action;
	return 0;
}

static unsigned last_of(const char *path)
{
	unsigned first = 0, last = 0;
	FILE *f = fopen(path, "re");

	if (f && fscanf(f, "%u-%u", &first, &last) < 2)
		last = first;
	if (f)
		fclose(f);
	return last;
}

__attribute__((constructor)) static void start(void)
{
	const struct sigaction action = {.sa_sigaction = on_fault,
					 .sa_flags = SA_SIGINFO | SA_NODEFER};
	uint32_t regs[4];
	int fd = open("/dev/cpu/0/cpuid", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || pread(fd, regs, 16, 1) != 16)
		return;
	close(fd);
	signature = regs[0];
	n_cpus = last_of("/sys/devices/system/cpu/online") + 1;
	n_cores = n_cpus / (last_of("/sys/devices/system/node/online") + 1);
	__sigaction(SIGSEGV, &action, NULL);
	fault(true);
}
