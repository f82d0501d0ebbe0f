/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - the command that `uncore stat` runs, and the signals that end the counting. */
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/stat/process.h"
#include "command/tools.h"

#define TIMED_OUT      124 /* as in timeout(1) */
#define NOT_EXECUTABLE 126 /* as in shells */
#define NOT_FOUND      127

/* Seconds the command has to end after the forwarded signal, and after SIGTERM. */
#define GRACE      1.0
#define KILL_AFTER 30.0

/* ---- signals ---- */

/*
 * SIGHUP stays ignored under nohup.  Shell scripts start background processes with SIGINT and
 * SIGQUIT ignored, but use kill -INT to end a count.
 */
static bool is_ignored(int sig)
{
	struct sigaction action;

	return sig != SIGINT && sig != SIGQUIT && sigaction(sig, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

/*
 * All signals that would end the program with its registers programmed, except synchronous ones
 * such as SIGSEGV, which cannot wait.  Job control is unchanged.
 */
static void choose(sigset_t *set)
{
	static const int others[] = {SIGBUS,  SIGFPE,  SIGILL,  SIGSEGV, SIGSYS,
				     SIGTRAP, SIGKILL, SIGSTOP, SIGCONT, SIGTSTP,
				     SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH};

	sigfillset(set);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		sigdelset(set, others[i]);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (is_ignored(sig))
			sigdelset(set, sig);
}

/* Without SIGCHLD's default a child that has ended leaves no status. */
void process_begin(struct process *p)
{
	signal(SIGCHLD, SIG_DFL);
	choose(&p->waited);
	sigprocmask(SIG_BLOCK, &p->waited, &p->before);
}

static void send(struct process *p, int sig)
{
	kill(p->child, sig);
	p->sent = sig;
}

/* The terminal also signals the command, which may ignore it and keep running. */
static void take(struct process *p, const siginfo_t *info)
{
	const int sig = info->si_signo;

	if (p->child && (sig == SIGINT || sig == SIGQUIT) && info->si_code == SI_KERNEL) {
		p->typed = sig;
		return;
	}
	if (!p->signal) {
		p->signal = sig;
		p->since = seconds_now();
	}
	if (p->child)
		send(p, sig);
}

/* Has the command ended?  Then its status is known. */
static void reap(struct process *p)
{
	int status;

	if (!p->child || waitpid(p->child, &status, WNOHANG) != p->child)
		return;
	p->child = 0;
	p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (p->stopped && p->status != 128 + SIGKILL)
		p->status = TIMED_OUT;
	else if (WIFSIGNALED(status))
		say("%s: %s", p->command[0], strsignal(WTERMSIG(status)));
}

/* ---- a command that survives the signal it was sent ---- */

static bool is_ending(const struct process *p)
{
	return p->child && (p->signal || p->stopped);
}

void process_stop(struct process *p)
{
	if (!p->child || p->stopped)
		return;
	p->stopped = true;
	p->since = seconds_now();
	send(p, SIGTERM);
}

/* The next signal for the command; 0: none, or not yet. */
static int next_signal(const struct process *p, double *when)
{
	if (!is_ending(p) || p->sent == SIGKILL)
		return 0;
	*when = p->since + (p->sent == SIGTERM ? KILL_AFTER : GRACE);
	return p->sent == SIGTERM ? SIGKILL : SIGTERM;
}

static void insist(struct process *p)
{
	double when;
	const int sig = next_signal(p, &when);

	if (sig && seconds_now() >= when)
		send(p, sig);
}

/* ---- waiting ---- */

/* The earliest of: the requested time, the next signal for the command, the final timeout. */
static double limit(const struct process *p, double seconds)
{
	const double now = seconds_now();
	double when;

	if (!next_signal(p, &when))
		return seconds;
	if (now < p->since + GRACE)
		when = fmin(when, p->since + GRACE);
	when = fmax(when - now, 0);
	return seconds < 0 ? when : fmin(when, seconds);
}

static int wait_signal(const struct process *p, double seconds, siginfo_t *info)
{
	struct timespec t;
	double whole;

	if (seconds < 0)
		return sigwaitinfo(&p->waited, info);
	t.tv_nsec = (long)(modf(seconds, &whole) * 1e9);
	t.tv_sec = (time_t)whole;
	return sigtimedwait(&p->waited, info, &t);
}

void process_wait(struct process *p, double seconds)
{
	siginfo_t info;
	const int sig = wait_signal(p, limit(p, seconds), &info);

	reap(p);
	if (sig > 0 && sig != SIGCHLD)
		take(p, &info);
	insist(p);
}

/* Do not keep the registers while a slow command ends. */
bool process_is_over(const struct process *p)
{
	if (p->child)
		return is_ending(p) && seconds_now() >= p->since + GRACE;
	return p->signal || p->command;
}

void process_finish(struct process *p)
{
	while (p->child)
		process_wait(p, -1);
}

/* ---- begin and end ---- */

int process_spawn(struct process *p, char **command)
{
	posix_spawnattr_t attr;
	int r;

	posix_spawnattr_init(&attr);
	/* a setuid program runs the command as its caller */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_RESETIDS);
	posix_spawnattr_setsigmask(&attr, &p->before);
	r = posix_spawnp(&p->child, command[0], NULL, &attr, command, environ);
	posix_spawnattr_destroy(&attr);
	p->command = command;
	p->stopped = false;
	p->status = p->sent = 0;
	if (r == 0)
		return TOOL_OK;
	p->child = 0;
	say("%s: %s", command[0], strerror(r));
	return r == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

/* Like perf, so that an interrupted shell script also ends.  Without a core file. */
int process_end(const struct process *p, int status)
{
	int sig = p->signal;
	sigset_t one;

	if (!sig && p->typed && p->status == 128 + p->typed)
		sig = p->typed;
	if (!sig)
		return status;
	prctl(PR_SET_DUMPABLE, 0);
	signal(sig, SIG_DFL);
	raise(sig);
	sigemptyset(&one);
	sigaddset(&one, sig);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	return 128 + sig;
}
