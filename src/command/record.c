/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - `uncore record`: a machine as a file. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

struct record_request {
	const char *file; /* NULL: standard output */
	bool registers;
	struct sampling sampling;
};

static int take_interval(void *into, const char *text)
{
	struct record_request *r = into;

	return interval_value(&record_command, text, "-I 1000 or -I 1s", &r->sampling.interval);
}

static int take_number(void *into, const char *text)
{
	struct sampling *s = &((struct record_request *)into)->sampling;
	char *rest;

	s->n = *text >= '0' && *text <= '9' ? strtoul(text, &rest, 10) : 0;
	if (s->n >= 2 && s->n <= MOST_SAMPLES && !*rest)
		return TOOL_OK;
	return wrong_usage(&record_command,
			   "invalid number of samples \"%s\": use 2 to %u, for example -n 60", text,
			   MOST_SAMPLES);
}

static int take_options(struct record_request *r, int argc, char **argv, const char **machine)
{
	const int status = read_options(&record_command, argc, argv, r, machine);

	if (status != TOOL_OK)
		return status;
	if (r->sampling.n && !(r->sampling.interval > 0))
		return wrong_usage(&record_command, "-n requires -I, for example -I 1s -n 60");
	if (optind < argc)
		return unexpected_argument(&record_command, argv[optind]);
	if (r->file && strcmp(r->file, "-") == 0)
		r->file = NULL;
	return TOOL_OK;
}

/* ---- the file ---- */

static int write_to(struct uncore *u, const char *file, unsigned flags, int opened)
{
	const int fd = file ? create_file(file) : STDOUT_FILENO;
	int code;

	if (fd < 0) {
		say_file(file, errno);
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
	struct uncore_options o = {.size = sizeof(o), .share = share_option(), .record = 1};
	struct record_request r = {.file = NULL};
	int c, status = take_options(&r, argc, argv, &machine);
	struct uncore *u;

	if (status != TOOL_OK)
		return status;
	o.machine = machine;
	give_up_rights_unless_native(machine);
	c = uncore_open(&u, &o);
	if (!u || (c < 0 && c != UNCORE_EACCESS && c != UNCORE_ENOSUPP && c != UNCORE_ENODEV &&
		   c != UNCORE_EIO)) {
		status = u ? report(u, c) : TOOL_FAILED;
		uncore_close(u);
		return status;
	}
	status = take_samples(u, &r.sampling);
	if (status == TOOL_OK)
		status = write_to(u, r.file, r.registers ? UNCORE_RECORD_REGISTERS : 0, c);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-o, --output",
	 .arg = "FILE",
	 .help = "write to FILE instead of standard output (-)",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct record_request, file)},
	{.names = "--registers",
	 .help = "also record the current values of each box's registers",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct record_request, registers)},
	{.names = "-I, --interval",
	 .arg = "TIME",
	 .help = "also sample, every TIME, the counters that are counting, including those of "
		 "other programs: on --machine file:FILE, stat and top count from the samples",
	 .kind = UNC_OPTION_CALL,
	 .take = take_interval,
	 .before = "every",
	 .unit = "ms",
	 .usage = "[-I TIME [-n N]]"},
	{.names = "-n, --samples",
	 .arg = "N",
	 .help = "take N samples; the default is until interrupted",
	 .kind = UNC_OPTION_CALL,
	 .take = take_number,
	 .usage = ""},
	COMMON_OPTIONS("native, sim:NAME or file:FILE"),
};

const struct command record_command = {
	.name = "record",
	.summary = "record the machine for a bug report or a simulation",
	.run = run,
	.help = "Record a description of this machine as JSON: its CPUs, packages and PCI "
		"devices, the registers and CPUID leaves used to find boxes, and the relevant "
		"kernel settings. On another computer, --machine file:FILE makes show, list and "
		"plan work on the recorded machine. The recording contains no serial numbers, "
		"network addresses or host names. Nothing is written to registers; values that "
		"cannot be read without privileges are marked.",
	.options = options,
	.example = "record",
};
