/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daemon_bench.c - what a read through uncored costs, against the same read by the process itself
 * and a bare request and answer of that size between two processes: docs/daemon.md.
 *
 * A two-package E5-2600 whose registers are files in memory.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "access/wire.h"
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

/* ---- two processes that do nothing else ---- */

static void echo(int fd, size_t answer)
{
	char bytes[65536] = {0};

	while (recv(fd, bytes, sizeof(bytes), 0) > 0 && send(fd, bytes, answer, 0) > 0)
		;
	_exit(0);
}

static double ping_pong(size_t answer)
{
	static double took[ROUNDS];
	char bytes[65536] = {0};
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0)
		die(NULL, "socketpair");
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		echo(fds[1], answer);
	}
	close(fds[1]);
	for (int i = 0; i < ROUNDS; i++) {
		const double t = now_ns();

		if (send(fds[0], bytes, sizeof(struct unc_wire_request), 0) < 0 ||
		    recv(fds[0], bytes, sizeof(bytes), 0) < 0)
			die(NULL, "ping-pong");
		took[i] = now_ns() - t;
	}
	close(fds[0]);
	waitpid(pid, NULL, 0);
	return median(took, ROUNDS);
}

/* ---- the library ---- */

static double read_time(const struct uncore_options *options, const struct bench_set *events)
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
	for (int i = 0; i < ROUNDS; i++) {
		const double t = now_ns();

		if (uncore_set_read(set, values) < 0)
			die(u, "read");
		took[i] = now_ns() - t;
	}
	uncore_set_stop(set); /* files do not reset: what it finds is not looked at */
	uncore_close(u);
	return median(took, ROUNDS);
}

static void compare(const char *root, const char *socket, const struct bench_set *events)
{
	const struct uncore_options here = {.size = sizeof(here),
					    .machine = "native",
					    .sysroot = root,
					    .wrap_poller = -1,
					    .journal = "none",
					    .access = "direct"};
	const struct uncore_options there = {
		.size = sizeof(there), .access = "daemon", .daemon = socket};
	const double direct = read_time(&here, events), remote = read_time(&there, events);
	const double trip =
		ping_pong(sizeof(struct unc_wire_reply) + bench_set_size(events) * sizeof(int64_t));

	printf("  %-31s itself %6.1f us, uncored %6.1f us, ping-pong %5.1f us: reads + %.2f x "
	       "ping-pong\n",
	       events->title, direct / 1e3, remote / 1e3, trip / 1e3, (remote - direct) / trip);
}

/* ---- the daemon ---- */

static pid_t start_daemon(const char *root, const char *socket)
{
	const char *build = getenv("BUILD");
	char program[512];
	pid_t pid;

	snprintf(program, sizeof(program), "%s/uncored", build ? build : "build");
	pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
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

int main(void)
{
	char root[] = "/dev/shm/uncore-bench-XXXXXX", socket[64], command[128];
	pid_t pid;

	if (!mkdtemp(root))
		die(NULL, root);
	tree_build(root);
	snprintf(socket, sizeof(socket), "%s/socket", root);
	pid = start_daemon(root, socket);
	wait_for(pid, socket);
	printf("reads through uncored (register files in memory, two packages; goal: reads + 1.5 x "
	       "ping-pong)\n");
	for (size_t i = 0; i < BENCH_SETS; i++)
		compare(root, socket, &bench_sets[i]);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) != 0;
}
