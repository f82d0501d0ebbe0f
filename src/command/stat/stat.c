/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.c - `uncore stat`: count while a command runs, or for a while. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "measure.h"
#include "pictures.h"

/* *fd: -1 if no process was requested. */
static int find_process(long pid, int *fd)
{
	*fd = pid ? (int)syscall(SYS_pidfd_open, (pid_t)pid, 0) : -1;
	if (pid && *fd < 0) {
		say("process %ld: %s", pid, strerror(errno));
		return TOOL_FAILED;
	}
	if (pid)
		say("counting until process %ld ends; counts include all processes of the machine",
		    pid);
	return TOOL_OK;
}

/* A terminal stays empty until counting ends. */
static void announce(const struct request *r)
{
	if (!r->command && !r->pid && !(r->duration > 0) && isatty(STDERR_FILENO))
		say("counting all processes of the machine until Ctrl-C");
}

static FILE *open_output(const struct request *r)
{
	FILE *out = r->command ? stderr : stdout;
	struct caller before;

	if (!r->file)
		return out;
	caller_begin(&before);
	out = fopen(r->file, r->append ? "ae" : "we");
	caller_end(&before);
	if (!out)
		say_file(r->file, errno);
	return out;
}

/* fclose() may report write errors that were delayed. */
static int close_output(const struct session *s, int status)
{
	const char *file = s->request->file;

	if (!file || !s->counts.screen.out || fclose(s->counts.screen.out) == 0 || s->broken)
		return status;
	say("%s: %s", file, strerror(errno));
	return status ? status : TOOL_FAILED;
}

/* Show progress only on a terminal, and not between the output lines of a command. */
static struct progress progress_of(const struct request *r)
{
	return (struct progress){
		.wanted = isatty(STDERR_FILENO) && (!r->interval_ms || r->quiet) && !r->command,
		.runs = r->repeat > 1 ? r->repeat : 0,
		.duration = r->duration,
	};
}

static int count_all(struct uncore *u, const struct request *r, struct process *process,
		     const struct wanted *wanted)
{
	struct session s = {
		.request = r,
		.wanted = wanted,
		.process = process,
		.counts = {.u = u,
			   .wanted = wanted,
			   .layout = r->layout,
			   .separator = r->separator,
			   .intervals = r->interval_ms && !r->quiet,
			   .channels = r->per == PER_CHANNEL,
			   .machine = {.size = sizeof(s.counts.machine)}},
		.progress = progress_of(r),
	};
	int drawn = TOOL_OK, status = find_process(r->pid, &s.other);
	FILE *out = status == TOOL_OK ? open_output(r) : NULL;

	uncore_machine(u, &s.counts.machine);
	begin_measuring(&s);
	if (status == TOOL_OK && !out)
		status = TOOL_FAILED;
	if (out) {
		s.counts.screen = screen_of(out);
		announce(r);
		status = measure(&s);
		drawn = write_pictures(r, &s.record, s.counts.roofline);
	}
	status = close_output(&s, status ? status : drawn);
	if (s.other >= 0)
		close(s.other);
	end_measuring(&s);
	return status;
}

/* The first row with this finding. */
static bool is_new(const struct wanted *w, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (w->rows[i].erratum &&
		    strcmp(w->rows[i].erratum->erratum, w->rows[row].erratum->erratum) == 0)
			return false;
	return true;
}

/* Whether the count may be wrong.  The default answer is not asked for by name. */
static bool is_worth_a_note(const struct uncore_event_info *event, bool defaults)
{
	return event->verdict != UNCORE_ONLY_WITH &&
	       !(defaults && event->verdict == UNCORE_UNVERIFIED);
}

/* Known errors of the events, each once. */
static void note_errata(const struct wanted *w, bool defaults)
{
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct uncore_event_info *event = w->rows[i].erratum;
		char *text;

		if (!event || !is_new(w, i) || !is_worth_a_note(event, defaults))
			continue;
		text = erratum_text(event);
		say("%s: %s", event->name, text);
		free(text);
	}
}

/* Warnings are those of the machine, and then of names with dev=. */
static int count_on(struct uncore *u, const struct request *r, struct process *process)
{
	struct wanted wanted;
	unsigned reported = 0;
	int status;

	report_warnings(u, &reported);
	status = find_wanted(u, r, &wanted);
	report_warnings(u, &reported);
	if (status == TOOL_OK)
		note_errata(&wanted, r->defaults);
	if (status == TOOL_OK)
		status = count_all(u, r, process, &wanted);
	free_wanted(&wanted);
	return status;
}

/* Of each package, if there are several. */
static int add_defaults(struct request *r, struct uncore *u)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	struct asked list[DEFAULTS_MOST];
	size_t n = 0;
	const int status = find_defaults(u, list, &n);

	for (size_t i = 0; i < n; i++)
		add_asked(r, list[i]);
	r->defaults = true;
	if (r->metrics && r->per == PER_MACHINE && uncore_machine(u, &machine) == 0 &&
	    machine.packages > 1)
		r->per = PER_PACKAGE;
	return status;
}

/* The bytes of a roofline, of each package. */
static void add_traffic(struct request *r, struct uncore *u)
{
	unsigned id;

	for (size_t i = 0; roofline_traffic[i]; i++)
		if (i < 2 || uncore_event(u, roofline_traffic[i], &id) == 0)
			add_asked(r, (struct asked){roofline_traffic[i], true, 0});
	if (r->per == PER_MACHINE)
		r->per = PER_PACKAGE;
}

static int run(int argc, char **argv, const char *machine)
{
	struct request r = {.asked = NULL};
	struct process process = {.child = 0};
	int status = read_request(&r, argc, argv, &machine);
	struct uncore *u = status == TOOL_OK ? open_machine_of_ranks(machine, &stat_command) : NULL;

	if (status == TOOL_OK && !u)
		status = TOOL_FAILED;
	if (status == TOOL_OK && wants_roofline(&r))
		add_traffic(&r, u);
	if (status == TOOL_OK && r.n == 0)
		status = add_defaults(&r, u);
	if (status == TOOL_OK)
		status = check_pictures(&r);
	if (status == TOOL_OK)
		status = count_on(u, &r, &process);
	if (u && uncore_restore(u) < 0) /* last attempt */
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	free(r.asked);
	free((void *)r.pictures.labels);
	free(r.pictures.made);
	return process_end(&process, end_output(status));
}

const struct command stat_command = {
	.name = "stat",
	.summary = "count while a program runs, for a time, or by interval",
	.run = run,
	.usage = "[[--] COMMAND [ARG...]]",
	.help = "Examples:\n"
		"    uncore stat -- ./program\n"
		"    uncore stat -M latency -i 1s -d 10\n"
		"    uncore stat --per-box -e UNC_M_CAS_COUNT:RD -d 1\n"
		"\n"
		"Count events while COMMAND runs, for the time given with -d, until process PID "
		"ends, or until interrupted; with both -d and -p, until the first of them. "
		"Counting is system-wide: counts include all processes, not only COMMAND. "
		"Without -e and -M, memory traffic, links, PCIe, frequency and power of each "
		"package are shown. Counts are printed to standard error if COMMAND is given, "
		"otherwise to standard output. The exit status is that of COMMAND, or 127 or 126 "
		"if it cannot be run. SIGINT, SIGTERM and similar signals end COMMAND and print "
		"the counts.",
	.options = stat_options,
	.ordered = true,
	.example = "stat -- sleep 1",
};
