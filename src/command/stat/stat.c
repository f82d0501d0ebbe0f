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

/* *fd: -1 if none was asked for. */
static int find_process(long pid, int *fd)
{
	*fd = pid ? (int)syscall(SYS_pidfd_open, (pid_t)pid, 0) : -1;
	if (pid && *fd < 0) {
		say("process %ld: %s", pid, strerror(errno));
		return TOOL_FAILED;
	}
	if (pid)
		say("until process %ld ends; all processes of the machine are counted", pid);
	return TOOL_OK;
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

/* A file that could not be written may tell so only now. */
static int close_output(const struct session *s, int status)
{
	const char *file = s->request->file;

	if (!file || !s->counts.screen.out || fclose(s->counts.screen.out) == 0 || s->broken)
		return status;
	say("%s: %s", file, strerror(errno));
	return status ? status : TOOL_FAILED;
}

/* A line that changes is for somebody who waits for it, and not between a command's own lines. */
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
			   .separator = r->separator,
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
		status = measure(&s);
		drawn = write_pictures(r, &s.record);
	}
	status = close_output(&s, status ? status : drawn);
	if (s.other >= 0)
		close(s.other);
	end_measuring(&s);
	return status;
}

static int count_on(struct uncore *u, const struct request *r, struct process *process)
{
	struct wanted wanted;
	int status = find_wanted(u, r, &wanted);

	if (status == TOOL_OK)
		status = count_all(u, r, process, &wanted);
	free_wanted(&wanted);
	return status;
}

/* Unless the user asks for something else. */
static int add_defaults(struct request *r, struct uncore *u)
{
	const char *const *names = NULL;
	const int status = default_events(u, &names);

	for (size_t i = 0; status == TOOL_OK && names[i]; i++)
		add_name(r, names[i]);
	return status;
}

static int run(int argc, char **argv, const char *machine)
{
	struct request r = {.asked = NULL};
	struct process process = {.child = 0};
	unsigned told = 0;
	int status = read_request(&r, argc, argv, &machine);
	struct uncore *u = status == TOOL_OK ? open_machine(machine, &stat_command) : NULL;

	if (status == TOOL_OK && !u)
		status = TOOL_FAILED;
	if (status == TOOL_OK && r.n == 0)
		status = add_defaults(&r, u);
	if (status == TOOL_OK)
		status = check_pictures(&r);
	if (status == TOOL_OK)
		tell_warnings(u, &told);
	if (status == TOOL_OK)
		status = count_on(u, &r, &process);
	if (u && uncore_restore(u) < 0) /* tried for the last time */
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	free(r.asked);
	return process_end(&process, end_output(status));
}

const struct command stat_command = {
	.name = "stat",
	.run = run,
	.usage =
		"[-a] [-e EVENT|LABEL=FORMULA[,...]]... [-M METRIC|GROUP[,...]]... "
		"[--per-package | --per-box] [-i TIME] [-r N] [--json | --csv | -x SEP] "
		"[-o FILE [--append]] [--svg FILE] [--heatmap FILE] [-d TIME] [-p PID] [[--timeout TIME] [--] COMMAND [ARG...]] "
		"[--until EVENT=N]... [--pmi-core CORE] "
		"[--multiplex[=MS]]",
	.help = "Count while COMMAND runs, for the time of -d, until process PID ends, or until it "
		"is interrupted; of -d and -p what comes first. All of "
		"the machine is counted, not only COMMAND. Without -e and -M: memory reads and "
		"writes. "
		"The counts go to standard error if there is a COMMAND, else to standard "
		"output. The exit status is COMMAND's; 127 and 126 if it cannot be run. "
		"SIGINT, SIGTERM and their like end the counting and COMMAND, and show the "
		"counts.\n\n"
		"-e, --event EVENT,...\twhat to count; may be given more than once. A list, a range or * "
		"for box= or pkg= (box=0-3,8) is a line for each box or package. "
		"bw=64*UNC_M_CAS_COUNT.RD/seconds shows what is reckoned: events, numbers, + - * / ( ), "
		"seconds\n"
		"-M, --metrics METRIC,...\tmetrics, without UNCORE_ if you like, or a group of them: "
		"memory, latency, cache, links, pcie, power. What does not fit at once takes turns\n"
		"--per-package\ta line for each package; in tables also their sum (system)\n"
		"--per-box\ta line for each box; of formulas, and of metrics that take no box=, for each package\n"
		"-a, --all-cpus\tas it is anyway\n"
		"-i, -I, --interval TIME\tprint the counts of every such interval, too: 100 (ms), 1s\n"
		"-r, --repeat N\trun COMMAND, or the time of -d, so often; print means and their "
		"deviation. The exit status is that of the first run that failed\n"
		"-d, --duration TIME\tcount that long: 2.5 (seconds), 500ms, 10m, 1h\n"
		"--timeout TIME\tthe same, without a unit ms; ends COMMAND by SIGTERM, and the exit status is 124 then\n"
		"-p, --pid PID\tcount until this process ends\n"
		"-o, --output FILE\twrite the counts to FILE\n"
		"--append\tbehind what is in it\n"
		"--svg FILE\tdraw the counts of intervals (-i; else 100 ms, which are not printed) as lines "
		"over time, into FILE\n"
		"--heatmap FILE\tdraw them as shades, a row for each box: with --per-box, or box=*\n"
		"-x, --field-separator SEP\ta line for each count: seconds, count, units, event, percent "
		"of the time that it was counted, with -r the deviation in percent, with SEP between "
		"them\n"
		"--csv\tthe same with commas\n"
		"--until EVENT=N\tstop when EVENT, which is counted, too, has occurred N "
		"times in its one box: by hardware where it can\n"
		"--pmi-core CORE\twith --until: this core of the package gets an interrupt, "
		"too, which a kernel may report as an unknown NMI; default: none\n"
		"--multiplex[=MS]\tlet events that do not fit take turns, in windows of 10 ms or MS\n"
		"--json\tone JSON object per line\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "stat -- sleep 1",
};
