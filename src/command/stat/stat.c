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
		say("%s: %s", r->file, strerror(errno));
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
		drawn = write_pictures(r, &s.record);
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

static int count_on(struct uncore *u, const struct request *r, struct process *process)
{
	struct wanted wanted;
	int status = find_wanted(u, r, &wanted);

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

static int run(int argc, char **argv, const char *machine)
{
	struct request r = {.asked = NULL};
	struct process process = {.child = 0};
	unsigned reported = 0;
	int status = read_request(&r, argc, argv, &machine);
	struct uncore *u = status == TOOL_OK ? open_machine(machine, &stat_command) : NULL;

	if (status == TOOL_OK && !u)
		status = TOOL_FAILED;
	if (status == TOOL_OK && r.n == 0)
		status = add_defaults(&r, u);
	if (status == TOOL_OK)
		status = check_pictures(&r);
	if (status == TOOL_OK)
		report_warnings(u, &reported);
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
	.usage =
		"[-a] [-e EVENT|LABEL=FORMULA[,...]]... [-M METRIC|GROUP[,...]]... "
		"[--per-package | --per-box] [-i TIME] [-r N] [--json | --csv[=long] | --influx | -x SEP] "
		"[-o FILE [--append]] [--svg FILE] [--heatmap FILE] [-d TIME] [-p PID] [[--timeout TIME] [--] COMMAND [ARG...]] "
		"[--until EVENT=N]... [--pmi-core CORE] "
		"[--multiplex[=MS]] [--share]",
	.help = "Examples:\n"
		"    uncore stat -- ./program\n"
		"    uncore stat -M latency -i 1s -d 10\n"
		"    uncore stat --per-box -e UNC_M_CAS_COUNT:RD -d 1\n\n"
		"Count events while COMMAND runs, for the time given with -d, until process PID "
		"ends, or until interrupted; with both -d and -p, until the first of them. "
		"Counting is system-wide: counts include all processes, not only COMMAND. "
		"Without -e and -M, memory traffic, links, PCIe, frequency and power of each "
		"package are shown. Counts are printed to standard error if COMMAND is given, "
		"otherwise to standard output. The exit status is that of COMMAND, or 127 or 126 "
		"if it cannot be run. SIGINT, SIGTERM and similar signals end COMMAND and print the counts.\n\n"
		"-e, --event EVENT,...\tevents to count; may be repeated. A list, a range or * "
		"in box= or pkg= (box=0-3,8) prints a line for each box or package. Events in "
		"braces, {A,B}, are counted in the same windows. "
		"LABEL=FORMULA prints a computed value, for example "
		"bw=64*UNC_M_CAS_COUNT.RD/seconds: events, numbers, + - * / ( ), seconds\n"
		"-M, --metrics METRIC,...\tmetrics, with or without the prefix UNCORE_, or "
		"groups of metrics: memory, latency, cache, links, pcie, power. Metrics that do "
		"not fit at once are multiplexed\n"
		"-g, --group GROUP\tthe counterpart of a group of likwid-perfctr: MEM, L3, CACHES, "
		"QPI, UPI, NUMA, ENERGY\n"
		"--per-package, --per-socket\tprint a line for each package, and in tables their "
		"sum (system)\n"
		"-A, --no-aggr, --per-box\tprint a line for each box; for formulas and metrics "
		"without box=, for each package\n"
		"-a, --all-cpus, -v, --verbose\tignored: counting is always system-wide\n"
		"-i, -I, --interval TIME\talso print a line for every interval: 100 (ms), 1s; where a "
		"terminal has too few columns, a line for each event\n"
		"-r, --repeat N\trun COMMAND, or count for the time of -d, N times; print means "
		"and deviations. The exit status is that of the first run that failed\n"
		"-d, --duration TIME\tcount for TIME: 2.5 (seconds), 500ms, 10m, 1h\n"
		"--timeout TIME\tthe same, in ms without a unit; end COMMAND with SIGTERM and "
		"exit with status 124\n"
		"-p, --pid PID\tcount until this process ends\n"
		"-o, --output FILE\twrite the counts to FILE\n"
		"--append\tappend to FILE\n"
		"--svg FILE\twrite a line chart of the counts over time to FILE, with a point "
		"for each interval of -i; the default is 100 ms, not printed. A name that ends in "
		".pdf or .png selects that format\n"
		"--heatmap FILE\twrite a heat map with a row for each box to FILE; requires "
		"--per-box or box=*\n"
		"--lines\tdraw lines with --svg, also if there are more than 8 with one unit, which "
		"otherwise become a heat map\n"
		"--title TEXT\ttitle of pictures; default: the processor\n"
		"--label TEXT\tname of the next line or row in pictures; may be repeated\n"
		"--size MM\twidth of pictures on paper, 40 to 500 mm: 85 for a column, 178 for a page\n"
		"--caption\tprint host, time and command below pictures; they are in the metadata "
		"of the file, too\n"
		"-x, --field-separator SEP\tprint a line for each count, with the fields of perf stat "
		"separated by SEP: with -I the time, then count, unit, event, with -r the "
		"deviation, time counted in ns and in percent, rate and its unit\n"
		"--csv\tprint a table with a line for each interval, or one for the whole time: "
		"seconds and a column for each event\n"
		"--csv=long\tprint a line for each count: seconds, event, count, unit, percentage "
		"of the time it was counted, and with -r the deviation in percent\n"
		"--influx\tprint a line of InfluxDB's line protocol for each count\n"
		"--until EVENT=N\talso count EVENT and stop when it has occurred N times in its "
		"box: in hardware where supported\n"
		"--pmi-core CORE\twith --until: also interrupt this core of the package, which a "
		"kernel may report as an unknown NMI; default: none\n"
		"--multiplex[=MS]\tmultiplex events that do not fit at once, in windows of MS; "
		"default: 10 ms, 100 ms or longer if no processor is idle\n"
		"--share\talso count the bytes of memory that COMMAND and its children moved, by a "
		"monitoring group of the kernel (resctrl, docs/who.md); requires root\n"
		"--json\tone JSON object per line\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "stat -- sleep 1",
};
