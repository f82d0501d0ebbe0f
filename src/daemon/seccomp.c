/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seccomp.c - the system calls that serving clients needs.
 *
 * Other calls fail with EPERM, which the library reports like any error: no counts are lost.
 * For example, user names that come from a name service daemon become numbers.  Calls that only
 * an attacker would make kill the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "daemon/daemon.h"
#include "daemon/say.h"

/* The run-time libraries of sanitizers need other calls, such as ptrace(). */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

#define SYS(name) SCMP_SYS(name)

static const int allowed[] = {
	/* clients */
	SYS(accept4),
	SYS(recvmsg),
	SYS(sendmsg),
	SYS(getsockopt),
	SYS(pidfd_open),
	SYS(poll),
	SYS(ppoll),
	SYS(close),
	SYS(eventfd2),
	/* registers and journals */
	SYS(read),
	SYS(pread64),
	SYS(write),
	SYS(pwrite64),
	SYS(writev),
	SYS(openat),
	SYS(lseek),
	SYS(fstat),
	SYS(newfstatat),
	SYS(statx),
	SYS(getdents64),
	SYS(access),
	SYS(faccessat),
	SYS(faccessat2),
	SYS(readlink),
	SYS(readlinkat),
	SYS(fcntl),
	SYS(mkdir),
	SYS(mkdirat),
	SYS(rename),
	SYS(renameat),
	SYS(renameat2),
	SYS(unlink),
	SYS(unlinkat),
	SYS(fchown),
	SYS(fchmod),
	/* memory, and pages of counts */
	SYS(memfd_create),
	SYS(ftruncate),
	SYS(brk),
	SYS(munmap),
	SYS(mremap),
	SYS(madvise),
	/* threads and their signals */
	SYS(futex),
	SYS(rseq),
	SYS(set_robust_list),
	SYS(sched_getaffinity),
	SYS(sched_setaffinity),
	SYS(sched_yield),
	SYS(setpriority),
	SYS(getcpu),
	SYS(rt_sigaction),
	SYS(rt_sigprocmask),
	SYS(rt_sigreturn),
	SYS(sigaltstack),
	SYS(tgkill),
	SYS(restart_syscall),
	SYS(exit),
	SYS(exit_group),
	/* time and identity */
	SYS(clock_gettime),
	SYS(clock_nanosleep),
	SYS(nanosleep),
	SYS(gettimeofday),
	SYS(getpid),
	SYS(gettid),
	SYS(getuid),
	SYS(geteuid),
	SYS(getgid),
	SYS(getegid),
	SYS(getrandom),
	SYS(uname),
	SYS(sysinfo),
	SYS(prlimit64),
	SYS(getrlimit),
};

static const int deadly[] = {
	SYS(execve),
	SYS(execveat),
	SYS(fork),
	SYS(vfork),
	SYS(ptrace),
	SYS(process_vm_readv),
	SYS(process_vm_writev),
	SYS(setuid),
	SYS(setresuid),
	SYS(setgid),
	SYS(setresgid),
	SYS(capset),
	SYS(mount),
	SYS(unshare),
	SYS(setns),
	SYS(chroot),
	SYS(pivot_root),
	SYS(bpf),
	SYS(perf_event_open),
	SYS(init_module),
	SYS(finit_module),
	SYS(kexec_load),
	SYS(iopl),
	SYS(ioperm),
	SYS(chmod),
	SYS(chown),
	SYS(symlink),
	SYS(symlinkat),
	SYS(link),
	SYS(linkat),
};

/* No memory is both writable and executable. */
static int allow_memory(scmp_filter_ctx f)
{
	const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	const int r = seccomp_rule_add(f, SCMP_ACT_ALLOW, SYS(mmap), 1, no_code);

	return r < 0 ? r : seccomp_rule_add(f, SCMP_ACT_ALLOW, SYS(mprotect), 1, no_code);
}

/*
 * The arguments of clone3() are in memory, which a filter cannot read; with ENOSYS glibc uses
 * clone().
 */
static int allow_threads(scmp_filter_ctx f)
{
	const struct scmp_arg_cmp thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
	const int r = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SYS(clone3), 0);

	return r < 0 ? r : seccomp_rule_add(f, SCMP_ACT_ALLOW, SYS(clone), 1, thread);
}

/*
 * Of ioctl() only msr-safe's batch (X86_IOC_MSR_BATCH is _IOWR('c', 0xa2, ...)): its number and
 * type.
 */
static int allow_batch(scmp_filter_ctx f)
{
	return seccomp_rule_add(f, SCMP_ACT_ALLOW, SYS(ioctl), 1,
				SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffff, 'c' << 8 | 0xa2));
}

static int add_all(scmp_filter_ctx f, uint32_t action, const int *calls, size_t n)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = seccomp_rule_add(f, action, calls[i], 0);
	return r;
}

static int fill(scmp_filter_ctx f)
{
	int r = seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1);

	if (r == 0)
		r = seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (r == 0)
		r = add_all(f, SCMP_ACT_ALLOW, allowed, sizeof(allowed) / sizeof(*allowed));
	if (r == 0)
		r = add_all(f, SCMP_ACT_KILL_PROCESS, deadly, sizeof(deadly) / sizeof(*deadly));
	if (r == 0)
		r = allow_memory(f);
	if (r == 0)
		r = allow_threads(f);
	return r < 0 ? r : allow_batch(f);
}

int daemon_filter_calls(const char **why)
{
	scmp_filter_ctx f;
	int r = -ENOMEM;

	*why = "built with sanitizers";
	if (SANITIZED)
		return 0;
	f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	if (f)
		r = fill(f);
	if (r == 0)
		r = seccomp_load(f);
	if (f)
		seccomp_release(f);
	if (r == 0)
		return 1;
	daemon_say(SAY_ERROR,
		   "cannot restrict system calls: %s; use --no-seccomp to run without the "
		   "filter",
		   strerror(-r));
	return -1;
}
