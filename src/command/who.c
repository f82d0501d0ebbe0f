/* SPDX-License-Identifier: BSD-3-Clause */
/* who.c - `uncore who`: whose traffic it is that the memory controllers count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/clock.h"
#include "command/base/root.h"
#include "command/stat/process.h"
#include "tools.h"
#include "who_table.h"

#define INTERVAL 1.0 /* s */
/* Seconds between two looks at the processes: new ones need a group, or where threads run. */
#define LOOK_RESCTRL 1.0
#define LOOK_OTHERS  0.1

struct who_options {
	enum who_by by;
	enum source_kind source;
	double interval; /* s */
	unsigned count;  /* of intervals; 0: until a signal */
	bool json;
};

struct who {
	struct uncore *u;
	const struct who_options *how;
	struct uncore_machine_info machine;
	struct source source;
	struct process process;
};

/* ---- intervals ---- */

static int failed_look(int error)
{
	say("cannot read /proc: %s", strerror(error));
	return TOOL_FAILED;
}

static int wait_and_look(struct who *w)
{
	const double end = w->source.since + w->how->interval;
	const double look = w->source.kind == SOURCE_RESCTRL ? LOOK_RESCTRL : LOOK_OTHERS;
	int error = 0;

	while (!error && !process_is_over(&w->process) && seconds_now() < end) {
		process_wait(&w->process, fmax(fmin(end - seconds_now(), look), 0));
		error = source_look(&w->source);
	}
	return error;
}

static struct json_object *shares_object(const void *of)
{
	return report_json(of);
}

static void shares_text(const void *of, const struct screen *screen)
{
	print_shares(screen, of);
}

static void show(const struct who *w)
{
	static const struct rows_class shares = {.object = shares_object, .text = shares_text};
	const struct screen screen = screen_of(stdout);
	struct report report;
	const struct rows rows = {&shares, &report};

	report_new(&report, &w->source);
	emit_json_or_text(w->how->json, &screen, &rows);
	fflush(stdout);
	report_free(&report);
}

static void introduce(const struct who *w)
{
	static const char *const texts[SOURCES] = {
		[SOURCE_RESCTRL] =
			"Traffic of the cores by the kernel's monitoring groups (resctrl)",
		[SOURCE_CORES] = "Reads of the cores by the filters of the C-Boxes",
		[SOURCE_PERF] = "Reads of threads by their cache misses (perf)"};
	const struct screen screen = screen_of(stdout);

	if (w->how->json)
		return;
	if (w->machine.simulated)
		print_paragraph(&screen, 0, "SIMULATED %s: counts do not describe a real machine",
				w->machine.title);
	print_paragraph(&screen, 0, "%s\n", texts[w->source.kind]);
}

/* The first reading begins. */
static int watch(struct who *w)
{
	int error = source_look(&w->source), code = 0;

	if (!error)
		code = source_read(&w->source);
	for (unsigned i = 0; !error && code == 0 && (!w->how->count || i < w->how->count); i++) {
		error = wait_and_look(w);
		if (!error && !w->process.signal)
			code = source_read(&w->source);
		if (error || code != 0 || w->process.signal)
			break;
		if (i == 0)
			introduce(w);
		show(w);
	}
	return error ? failed_look(error) : code != 0 ? report(w->u, code) : TOOL_OK;
}

/* ---- the command ---- */

/* A simulated machine has processes only if it is mounted, a recording has none. */
static bool has_processes(const struct who *w, const char *root)
{
	if (w->machine.recorded || (w->machine.simulated && !*root)) {
		say("%s machine has no processes: use a real one, or mount a simulated one "
		    "(uncore sim mount --processes)",
		    w->machine.recorded ? "a recorded" : "a simulated");
		return false;
	}
	return true;
}

static int run_on(struct uncore *u, const struct who_options *how)
{
	const char *root = files_root();
	struct who w = {.u = u, .how = how, .machine = {.size = sizeof(w.machine)}};
	char why[2 * UNCORE_ERRMSG_MAX];
	int status = TOOL_FAILED;

	uncore_machine(u, &w.machine);
	process_begin(&w.process);
	if (!has_processes(&w, root))
		status = TOOL_FAILED;
	else if (source_open(&w.source, how->source, root, u, how->by, why, sizeof(why))) {
		status = watch(&w);
		source_close(&w.source);
	} else if (w.source.code)
		status = report(u, w.source.code);
	else
		say("cannot divide the traffic of this machine: %s", why);
	if (uncore_restore(u) < 0)
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	return process_end(&w.process, end_output(status));
}

static int take_owner(void *into, const char *text)
{
	struct who_options *how = into;

	return who_by_named(text, &how->by)
		       ? TOOL_OK
		       : wrong_usage(&who_command,
				     "invalid owner \"%s\": use process, job, cgroup, user, "
				     "container or socket",
				     text);
}

static int take_source(void *into, const char *text)
{
	struct who_options *how = into;

	return source_named(text, &how->source)
		       ? TOOL_OK
		       : wrong_usage(&who_command,
				     "invalid source \"%s\": use resctrl, cores, perf or best",
				     text);
}

static int take_count(void *into, const char *text)
{
	struct who_options *how = into;

	return whole_number(text, 1, UINT32_MAX, &how->count)
		       ? TOOL_OK
		       : wrong_usage(&who_command, "invalid count \"%s\": use a number such as 10",
				     text);
}

static int take_interval(void *into, const char *text)
{
	struct who_options *how = into;

	return interval_value(&who_command, text, "-I 500 or -I 2s", &how->interval);
}

static int run(int argc, char **argv, const char *machine)
{
	struct who_options how = {.by = BY_PROCESS};
	const int status = read_only_options(&who_command, argc, argv, &how, &machine);
	struct uncore *u;

	if (status != TOOL_OK)
		return status;
	if (how.interval <= 0 && !how.count)
		how.count = 1;
	if (how.interval <= 0)
		how.interval = INTERVAL;
	u = open_machine(machine, &who_command);
	return u ? run_on(u, &how) : TOOL_FAILED;
}

static const struct unc_option options[] = {
	{.names = "--by",
	 .arg = "OWNER",
	 .help = "process (default), job (Slurm, PBS, LSF), cgroup, user, container, or socket",
	 .kind = UNC_OPTION_CALL,
	 .take = take_owner,
	 .values = "process job cgroup user container socket"},
	{.names = "-I, -i, --interval",
	 .shown = "-I, --interval",
	 .arg = "TIME",
	 .help = "one table for each TIME until Ctrl-C: 500 (milliseconds), 2s; without this "
		 "option one table after a second",
	 .kind = UNC_OPTION_CALL,
	 .take = take_interval,
	 .before = "every",
	 .unit = "ms"},
	{.names = "-n, --count",
	 .arg = "COUNT",
	 .help = "end after COUNT tables",
	 .kind = UNC_OPTION_CALL,
	 .take = take_count},
	{.names = "--source",
	 .arg = "SOURCE",
	 .help = "resctrl: monitoring groups of the kernel, which are made for each owner and "
		 "removed at the end; cores: the filters of the C-Boxes of Sandy Bridge-EP to "
		 "Broadwell-EP; perf: cache misses of each thread, by the kernel; best: the first "
		 "of these that this machine has (default)",
	 .kind = UNC_OPTION_CALL,
	 .take = take_source,
	 .values = "resctrl cores perf best"},
	{.names = "--json",
	 .help = "print one JSON object for each interval",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct who_options, json)},
	COMMON_OPTIONS("native, or a simulated machine that is mounted"),
};

const struct command who_command = {
	.name = "who",
	.summary = "divide the memory traffic among processes, jobs and containers",
	.run = run,
	.help = "Divide the traffic that the memory controllers count among its owners: what "
		"each reads from and writes to memory, local and remote, its part of the "
		"last-level cache, and where the kernel measures it, the energy of its cores. "
		"The rest is in rows of its own: devices, and what no source explains. Nothing "
		"is scaled to make the sum fit; each row has an error, see uncore(1).",
	.options = options,
	.example = NULL,
};
