/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - `uncore record`: a machine as a file. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/base/duration.h"
#include "tools.h"

/* Report what is missing on standard error, so that the user can retry with more permissions. */
static void report_missing(struct uncore *u, int code)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	char text[UNCORE_ERRMSG_MAX];

	if (code < 0)
		say("recording is incomplete: %s", uncore_errmsg(u, text, sizeof(text)));
	else if (uncore_machine(u, &m) == 0 && m.boxes_unreached)
		say("recording is incomplete: %u of %u boxes are not accessible; see `uncore "
		    "show` for the reasons",
		    m.boxes_unreached, m.boxes);
}

/* ---- samples ---- */

#define MOST_SAMPLES 100000

struct sampling {
	double interval; /* seconds; 0: no samples */
	unsigned long n; /* 0: until interrupted */
};

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

/* Samples so far are written after a signal. */
static void catch_signals(void)
{
	const struct sigaction action = {.sa_handler = end};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void add(struct timespec *t, double seconds)
{
	const double ns = (double)t->tv_nsec + seconds * 1e9;

	t->tv_sec += (time_t)(ns / 1e9);
	t->tv_nsec = (long)fmod(ns, 1e9);
}

static int take_samples(struct uncore *u, const struct sampling *s)
{
	struct timespec next;
	int code = 0;

	if (!(s->interval > 0))
		return TOOL_OK;
	catch_signals();
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (unsigned long i = 0; code == 0 && !ended && (!s->n || i < s->n); i++) {
		if (i)
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		code = uncore_record_sample(u);
		add(&next, s->interval);
	}
	return code < 0 ? report(u, code) : TOOL_OK;
}

static int take_interval(struct sampling *s)
{
	double ms;

	if (!duration_of(optarg, 1, &ms))
		return wrong_usage(
			&record_command,
			"invalid interval \"%s\": use milliseconds or a time, for example "
			"-I 1000 or -I 1s",
			optarg);
	s->interval = ms / 1e3;
	return TOOL_OK;
}

static int take_number(struct sampling *s)
{
	char *rest;

	s->n = *optarg >= '0' && *optarg <= '9' ? strtoul(optarg, &rest, 10) : 0;
	if (s->n >= 2 && s->n <= MOST_SAMPLES && !*rest)
		return TOOL_OK;
	return wrong_usage(&record_command,
			   "invalid number of samples \"%s\": use 2 to %u, for example -n 60",
			   optarg, MOST_SAMPLES);
}

/* ---- the file ---- */

static int write_to(struct uncore *u, const char *file, unsigned flags, int opened)
{
	const int fd = file ? create_file(file) : STDOUT_FILENO;
	int code;

	if (fd < 0) {
		say("%s: %s", file, strerror(errno));
		return TOOL_FAILED;
	}
	report_missing(u, opened);
	code = uncore_record(u, fd, flags);
	if (file && close(fd) != 0 && code == 0) {
		say("%s: %s", file, strerror(errno));
		return TOOL_FAILED;
	}
	return code < 0 ? report(u, code) : TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"output", required_argument, NULL, 'o'},
						{"registers", no_argument, NULL, 'r'},
						{"interval", required_argument, NULL, 'I'},
						{"samples", required_argument, NULL, 'n'},
						{NULL, 0, NULL, 0}};
	struct uncore_options o = {.size = sizeof(o), .record = 1};
	const char *file = NULL;
	struct sampling sampling = {.interval = 0};
	unsigned flags = 0;
	struct uncore *u;
	int c, status = TOOL_OK;

	while (status == TOOL_OK &&
	       (c = next_option(argc, argv, "ho:I:n:", options, &record_command, &machine)) != -1) {
		if (c == 'o')
			file = strcmp(optarg, "-") == 0 ? NULL : optarg;
		else if (c == 'I')
			status = take_interval(&sampling);
		else if (c == 'n')
			status = take_number(&sampling);
		flags |= c == 'r' ? UNCORE_RECORD_REGISTERS : 0;
	}
	if (status == TOOL_OK && sampling.n && !(sampling.interval > 0))
		status = wrong_usage(&record_command, "-n requires -I, for example -I 1s -n 60");
	if (status != TOOL_OK)
		return status;
	if (optind < argc)
		return unexpected_argument(&record_command, argv[optind]);
	o.machine = machine;
	give_up_rights_unless_native(machine);
	c = uncore_open(&u, &o);
	if (!u || (c < 0 && c != UNCORE_EACCESS && c != UNCORE_ENOSUPP && c != UNCORE_ENODEV &&
		   c != UNCORE_EIO)) {
		status = u ? report(u, c) : TOOL_FAILED;
		uncore_close(u);
		return status;
	}
	status = take_samples(u, &sampling);
	if (status == TOOL_OK)
		status = write_to(u, file, flags, c);
	uncore_close(u);
	return status;
}

const struct command record_command = {
	.name = "record",
	.summary = "record the machine for a bug report or a simulation",
	.run = run,
	.usage = "[-o FILE] [--registers] [-I TIME [-n N]]",
	.help = "Record a description of this machine as JSON: its CPUs, packages and PCI "
		"devices, the registers and CPUID leaves used to find boxes, and the relevant "
		"kernel settings. On another computer, --machine file:FILE makes show, list and "
		"plan work on the recorded machine. The recording contains no serial numbers, "
		"network addresses or host names. Nothing is written to registers; values that "
		"cannot be read without privileges are marked.\n\n"
		"-o, --output FILE\twrite to FILE instead of standard output (-)\n"
		"--registers\talso record the current values of each box's registers\n"
		"-I, --interval TIME\talso sample, every TIME, the counters that are counting, "
		"including those of other programs: on --machine file:FILE, stat and top count "
		"from the samples\n"
		"-n, --samples N\ttake N samples; the default is until interrupted\n"
		"--machine MACHINE\tnative, sim:NAME or file:FILE\n",
	.example = "record",
};
