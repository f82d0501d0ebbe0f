/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daemon_bench.c - cost of a read through uncored, compared with the same read by the process
 * itself and a bare request and answer of that size between two processes: docs/daemon.md.
 *
 * A two-package E5-2600 whose registers are files in memory.  The processes are tied to CPUs: where
 * the scheduler puts them makes more of a difference than anything else.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "backend/daemon/wire.h"
#include "clock.h"
#include "events.h"
#include "tree.h"

#include "uncore.h"

enum { ROUNDS = 2001 };

static void die(struct uncore *u, const char *what)
{
	char text[UNCORE_ERRMSG_MAX];

	fprintf(stderr, "daemon_bench: %s: %s\n", what,
		u ? uncore_errmsg(u, text, sizeof(text)) : "failed");
	exit(1);
}

static void pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((unsigned)cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) != 0)
		die(NULL, "sched_setaffinity");
}

/* ---- two processes with nothing but one request ---- */

static void echo(int fd, size_t answer)
{
	char bytes[65536] = {0};

	while (recv(fd, bytes, sizeof(bytes), 0) > 0 && send(fd, bytes, answer, 0) > 0)
		;
	_exit(0);
}

struct peer {
	int fd;
	pid_t pid;
	size_t answer;
};

static struct peer start_peer(size_t answer, int daemon_cpu)
{
	struct peer p = {.answer = answer};
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0)
		die(NULL, "socketpair");
	p.pid = fork();
	if (p.pid == 0) {
		close(fds[0]);
		pin(daemon_cpu);
		echo(fds[1], answer);
	}
	close(fds[1]);
	p.fd = fds[0];
	return p;
}

static void end_peer(struct peer *p)
{
	close(p->fd);
	waitpid(p->pid, NULL, 0);
}

static void exchange(const struct peer *p)
{
	char bytes[65536];

	memset(bytes, 0, sizeof(struct unc_wire_request));
	if (send(p->fd, bytes, sizeof(struct unc_wire_request), 0) < 0 ||
	    recv(p->fd, bytes, sizeof(bytes), 0) < 0)
		die(NULL, "ping-pong");
}

static double ping_pong(const struct peer *p)
{
	static double took[ROUNDS];

	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double t = now_ns();

		exchange(p);
		took[i] = now_ns() - t;
	}
	return median(took, repeats(ROUNDS));
}

/* ---- the library ---- */

/* With a peer, each read comes after an exchange with it, as those of a daemon do. */
static double read_time(const struct uncore_options *options, const struct bench_set *events,
			const struct peer *peer)
{
	static double took[ROUNDS];
	const size_t n = bench_set_size(events);
	struct uncore_set *set;
	struct uncore *u;
	unsigned ids[40];
	int64_t values[40];

	if (uncore_open(&u, options) < 0 || uncore_set_create(u, &set) < 0)
		die(u, "opening");
	for (size_t i = 0; i < n; i++)
		if (uncore_event(u, events->events[i], &ids[i]) < 0)
			die(u, events->events[i]);
	if (uncore_set_assign(set, ids, n) < 0 || uncore_set_start(set) < 0)
		die(u, events->title);
	for (int i = 0; i < repeats(ROUNDS); i++) {
		double t;

		if (peer)
			exchange(peer);
		t = now_ns();
		if (uncore_set_read(set, values) < 0)
			die(u, "read");
		took[i] = now_ns() - t;
	}
	uncore_set_stop(set); /* files do not reset: what it finds is not looked at */
	uncore_close(u);
	return median(took, repeats(ROUNDS));
}

/* The cost of the process itself is measured in a separate tree: files do not reset. */
static void compare(const char *own, const char *socket, int daemon_cpu,
		    const struct bench_set *events)
{
	const struct uncore_options here = {.size = sizeof(here),
					    .machine = "native",
					    .sysroot = own,
					    .wrap_poller = -1,
					    .journal = "none",
					    .access = "direct"};
	const struct uncore_options uncored = {
		.size = sizeof(uncored), .access = "daemon", .daemon = socket};
	const size_t answer =
		sizeof(struct unc_wire_reply) + bench_set_size(events) * sizeof(int64_t);
	struct peer peer = start_peer(answer, daemon_cpu);
	const double warm = read_time(&here, events, NULL);
	const double reads = read_time(&here, events, &peer);
	const double trip = ping_pong(&peer), remote = read_time(&uncored, events, NULL);

	printf("  %-31s reads in a loop %5.1f us, after an exchange %5.1f us; exchange %5.1f us; "
	       "uncored %6.1f us: reads + %.2f exchanges\n",
	       events->title, warm / 1e3, reads / 1e3, trip / 1e3, remote / 1e3,
	       (remote - reads) / trip);
	end_peer(&peer);
}

/* ---- the daemon ---- */

static pid_t start_daemon(const char *root, const char *socket, int cpu)
{
	const char *build = getenv("BUILD");
	char program[512];
	pid_t pid;

	snprintf(program, sizeof(program), "%s/uncored", build ? build : "build");
	pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(cpu);
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	execl(program, program, "--sysroot", root, "--socket", socket, (char *)NULL);
	_exit(1);
}

static void wait_for(pid_t pid, const char *socket)
{
	for (int i = 0; i < 500; i++) {
		const struct timespec moment = {.tv_nsec = 10000000};

		if (access(socket, F_OK) == 0)
			return;
		if (waitpid(pid, NULL, WNOHANG) == pid)
			break;
		nanosleep(&moment, NULL);
	}
	die(NULL, "uncored did not start");
}

/* Two trees in a directory of their own, for the process and for the daemon. */
static void compare_all(int daemon_cpu)
{
	char dir[] = "/dev/shm/uncore-bench-XXXXXX", own[64], root[64], socket[64], command[128];
	pid_t pid;

	if (!mkdtemp(dir))
		die(NULL, dir);
	snprintf(own, sizeof(own), "%s/own", dir);
	snprintf(root, sizeof(root), "%s/daemon", dir);
	snprintf(socket, sizeof(socket), "%s/socket", dir);
	tree_build(own);
	tree_build(root);
	pid = start_daemon(root, socket, daemon_cpu);
	wait_for(pid, socket);
	for (size_t i = 0; i < BENCH_SETS; i++)
		compare(own, socket, daemon_cpu, &bench_sets[i]);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command) != 0)
		die(NULL, dir);
}

int main(void)
{
	pin(0);
	printf("reads through uncored (register files in memory, two packages; goal: reads + 1.5 "
	       "exchanges)\n on one CPU\n");
	compare_all(0);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		printf(" on two CPUs: there is one only\n");
		return 0;
	}
	printf(" on two CPUs\n");
	compare_all(1);
	return 0;
}
