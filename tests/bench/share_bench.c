/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share_bench.c - cost of the lock and the journal at start and stop, and that a read has
 * nothing of them.
 *
 * A two-package E5-2600 whose registers are files in memory, so an access costs a system call, as
 * on a real machine, but no interrupt to another CPU: there starts take longer and the
 * ratios are smaller.  Alone, and with other processes that count on other boxes.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "clock.h"
#include "tree.h"

#include "uncore.h"

enum { ROUNDS = 301, OTHERS = 7 };

struct cost {
	double start, stop, read;
};

static void die(struct uncore *u, const char *what)
{
	char text[UNCORE_ERRMSG_MAX];

	fprintf(stderr, "share_bench: %s: %s\n", what,
		u ? uncore_errmsg(u, text, sizeof(text)) : "");
	exit(1);
}

static struct uncore_set *open_set(const char *root, const char *journal, const char *event,
				   struct uncore **u)
{
	const struct uncore_options options = {.size = sizeof(options),
					       .machine = "native",
					       .sysroot = root,
					       .wrap_poller = -1,
					       .journal = journal};
	struct uncore_set *set;
	unsigned id;

	if (uncore_open(u, &options) < 0 || uncore_event(*u, event, &id) < 0 ||
	    uncore_set_create(*u, &set) < 0 || uncore_set_assign(set, &id, 1) < 0)
		die(*u, event);
	return set;
}

static struct cost measure(const char *root, const char *journal, const char *event)
{
	static double start[ROUNDS], stop[ROUNDS], read[ROUNDS];
	struct uncore *u;
	struct uncore_set *set = open_set(root, journal, event, &u);

	for (int i = 0; i < repeats(ROUNDS); i++) {
		double t = now_ns();
		int64_t value;

		if (uncore_set_start(set) < 0)
			die(u, "start");
		start[i] = now_ns() - t;
		t = now_ns();
		uncore_set_read(set, &value);
		read[i] = now_ns() - t;
		t = now_ns();
		uncore_set_stop(set); /* files do not reset: what it finds is not looked at */
		stop[i] = now_ns() - t;
	}
	uncore_close(u);
	return (struct cost){median(start, repeats(ROUNDS)), median(stop, repeats(ROUNDS)),
			     median(read, repeats(ROUNDS))};
}

/* A process that counts on one box until it is killed. */
static pid_t other(const char *root, const char *journal, unsigned box)
{
	char event[64], ready = 0;
	int pipes[2];
	pid_t pid;

	if (pipe(pipes) != 0)
		die(NULL, "pipe");
	pid = fork();
	if (pid == 0) {
		struct uncore *u;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		snprintf(event, sizeof(event), "UNC_C_CLOCKTICKS:box=%u", box);
		if (uncore_set_start(open_set(root, journal, event, &u)) < 0)
			die(u, event);
		ready = write(pipes[1], "r", 1) == 1;
		for (;;)
			pause();
	}
	close(pipes[1]);
	if (read(pipes[0], &ready, 1) != 1)
		die(NULL, "another process did not start");
	close(pipes[0]);
	return pid;
}

static void print(const char *what, struct cost cost, struct cost alone)
{
	printf("  %-34s start %7.1f us (x %.2f)  stop %7.1f us (x %.2f)  read %5.1f us (x %.2f)\n",
	       what, cost.start / 1e3, cost.start / alone.start, cost.stop / 1e3,
	       cost.stop / alone.stop, cost.read / 1e3, cost.read / alone.read);
}

static void bench(const char *root, const char *journal, const char *event, const char *what)
{
	const struct cost without = measure(root, "none", event);
	pid_t pids[OTHERS];

	printf("%s\n", what);
	print("no journal", without, without);
	print("journal", measure(root, journal, event), without);
	for (unsigned i = 0; i < OTHERS; i++)
		pids[i] = other(root, journal, i);
	print("journal, 7 other processes count", measure(root, journal, event), without);
	for (unsigned i = 0; i < OTHERS; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

int main(void)
{
	char root[] = "/dev/shm/uncore-bench-XXXXXX", journal[64], command[128];
	cpu_set_t first;

	/* files are not shared by the CPUs of a package, as registers are */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first) != 0 || !mkdtemp(root))
		die(NULL, root);
	tree_build(root);
	snprintf(journal, sizeof(journal), "%s/journal", root);
	printf("starts and stops with other processes (register files in memory, two packages)\n");
	bench(root, journal, "UNC_M_CAS_COUNT:RD:box=0:pkg=0", "one box");
	bench(root, journal, "UNC_M_CAS_COUNT:RD", "8 boxes in two packages");
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) != 0;
}
