/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simpci.c - runs QEMU with the PCI functions of a simulated Xeon.
 *
 * simpci [--trace FILE] [--show] SPEC MEGABYTES QEMU ARGUMENT...
 *
 * SPEC is what follows "sim:" in UNCORE_MACHINE.  Adds to QEMU's arguments the
 * machine type, the memory (which a proxied device demands to be shared) and
 * the devices, and answers for them until QEMU ends.  The exit code is
 * QEMU's.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proxy.h"

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "simpci: %s: %s\n", what, why);
	return 2;
}

static int usage(void)
{
	fprintf(stderr, "usage: simpci [--trace FILE] [--show] SPEC MEGABYTES QEMU ARGUMENT...\n");
	return 2;
}

/* One socket for each function: ours is closed in QEMU, QEMU's is inherited. */
static int *make_sockets(struct lab *lab)
{
	int *ends = calloc(lab->n, sizeof(*ends));
	int pair[2];

	for (size_t i = 0; ends != NULL && i < lab->n; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
			free(ends);
			return NULL;
		}
		lab->functions[i].fd = pair[0];
		ends[i] = pair[1];
	}
	return ends;
}

static int build_arguments(struct lab_args *args, const struct lab *lab, const int *ends,
			   char **command, const char *megabytes)
{
	int r = 0;

	for (; *command != NULL; command++)
		r |= lab_add(args, "%s", *command);
	r |= lab_add(args, "-m") | lab_add(args, "%s", megabytes) | lab_add(args, "-object") |
	     lab_add(args, "memory-backend-memfd,id=shared,size=%sM,share=on", megabytes) |
	     lab_add(args, "-machine") | lab_add(args, "q35,memory-backend=shared");
	return r | lab_arguments(args, lab, ends);
}

static pid_t start(const struct lab *lab, const int *ends, char **args)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid != 0) {
		for (size_t i = 0; i < lab->n; i++)
			close(ends[i]);
		return pid;
	}
	/* The machine ends with this program. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(2);
	for (size_t i = 0; i < lab->n; i++)
		close(lab->functions[i].fd);
	execvp(args[0], args);
	_exit(fail(args[0], strerror(errno)));
}

/* Until QEMU has closed all of them. */
static void serve(struct lab *lab, struct pollfd *polled)
{
	size_t open = lab->n;

	for (size_t i = 0; i < lab->n; i++)
		polled[i] = (struct pollfd){.fd = lab->functions[i].fd, .events = POLLIN};
	while (open > 0 && (poll(polled, lab->n, -1) >= 0 || errno == EINTR)) {
		for (size_t i = 0; i < lab->n; i++) {
			if (polled[i].revents == 0 || lab_serve(lab, &lab->functions[i]))
				continue;
			close(polled[i].fd);
			polled[i].fd = -1;
			open--;
		}
	}
}

static int run(struct lab *lab, char **command, const char *megabytes)
{
	struct pollfd *polled = calloc(lab->n, sizeof(*polled));
	int *ends = make_sockets(lab);
	struct lab_args args = {NULL, 0, 0};
	int status = 2 << 8;
	pid_t pid;

	if (polled == NULL || ends == NULL ||
	    build_arguments(&args, lab, ends, command, megabytes) != 0) {
		fail("cannot start", strerror(errno));
		goto out;
	}
	pid = start(lab, ends, args.arg);
	if (pid < 0) {
		fail("cannot start a process", strerror(errno));
		goto out;
	}
	serve(lab, polled);
	waitpid(pid, &status, 0);
out:
	for (size_t i = 0; i < args.n; i++)
		free(args.arg[i]);
	free(args.arg);
	free(polled);
	free(ends);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

static void show(const struct lab *lab)
{
	for (size_t i = 0; i < lab->n; i++)
		printf("%02x:%02x.%x %04x:%04x\n", lab->functions[i].bus,
		       lab->functions[i].devfn >> 3, lab->functions[i].devfn & 7U,
		       lab->functions[i].vendor, lab->functions[i].device);
}

static int with_machine(struct lab *lab, char **words, bool list)
{
	char why[256];
	int r;

	if (sim_open(words[0], &lab->sim, why, sizeof(why)) != 0)
		return fail(words[0], why);
	if (lab_devices(lab) != 0)
		r = fail(words[0], strerror(ENOMEM));
	else if (list)
		r = (show(lab), 0);
	else
		r = words[1] != NULL && words[2] != NULL ? run(lab, words + 2, words[1]) : usage();
	free(lab->functions);
	sim_close(lab->sim);
	return r;
}

int main(int argc, char **argv)
{
	struct lab lab = {.trace = NULL};
	bool list = false;
	int r;

	while (argc > 1 && strncmp(argv[1], "--", 2) == 0) {
		if (strcmp(argv[1], "--show") == 0) {
			list = true;
		} else if (strcmp(argv[1], "--trace") == 0 && argc > 2) {
			lab.trace = fopen(argv[2], "w");
			if (lab.trace == NULL)
				return fail(argv[2], strerror(errno));
			argc--;
			argv++;
		} else {
			return usage();
		}
		argc--;
		argv++;
	}
	if (argc < 2)
		return usage();
	r = with_machine(&lab, argv + 1, list);
	if (lab.trace != NULL)
		fclose(lab.trace);
	return r;
}
