/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - `uncore explain`: what limits a program on this machine, with evidence. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/caller.h"
#include "command/base/clock.h"
#include "command/base/made.h"
#include "command/explain/background.h"
#include "command/explain/explanation.h"
#include "command/explain/program.h"
#include "command/stat/process.h"
#include "tools.h"

#define INTERVAL  0.1 /* s */
#define MOST_RUNS 1000u
#define BEFORE    0.3 /* s in which other programs are counted before the run */

#define LOOK_BEFORE 0.001 /* s between two looks at the memory traffic */

struct explain_options {
	double interval, duration; /* s; duration 0: until the command ends or a signal */
	unsigned repeat;           /* runs of the command */
	bool json, after;          /* after: other programs are counted after the run, too */
	const char *page;          /* file; NULL: none */
	bool compare;              /* two files of --json instead of a run */
	char **command;            /* NULL: none */
};

/* ---- counting ---- */

struct run {
	const struct explain_options *how;
	struct clocks clocks;
	struct collection counted;
	struct program program;
	struct process process;
	double began; /* of seconds_now() */
	bool ended;   /* the last program has ended */
	int status;   /* not TOOL_OK: the command could not be started, which has been reported */
};

static int sample(struct run *r)
{
	const int code = collection_sample(&r->counted, seconds_now() - r->began);

	if (code == 0)
		program_row(&r->program, &r->counted);
	return code;
}

static bool is_over(const struct run *r, double since)
{
	if (process_is_over(&r->process))
		return true;
	return r->how->duration > 0 && seconds_now() - since >= r->how->duration;
}

/* As the rows of a long run that are kept. */
static double interval_of(const struct run *r)
{
	return r->how->interval * ldexp(1, (int)r->counted.thinned);
}

static bool is_interrupted(const struct run *r)
{
	return r->process.signal || r->process.typed;
}

static bool is_cut_short(const struct run *r)
{
	return r->ended ? is_interrupted(r) : process_is_over(&r->process);
}

/* Until the end of an interval, or of the program. */
static int wait_and_look(struct run *r, struct collection *c, double end)
{
	int code = 0;

	while (code == 0 && !is_cut_short(r) && seconds_now() < end) {
		const double left = fmax(end - seconds_now(), 0);

		process_wait(&r->process, fmin(left, collection_pace(c)));
		if (!is_cut_short(r) && seconds_now() < end)
			code = collection_look(c);
	}
	return code;
}

static int count_run(struct run *r)
{
	const double since = seconds_now();
	double next = since + interval_of(r);
	int code = 0;

	while (code == 0 && !is_over(r, since)) {
		double end = next;

		if (r->how->duration > 0)
			end = fmin(end, since + r->how->duration);
		code = wait_and_look(r, &r->counted, end);
		if (code < 0 || seconds_now() < next)
			continue;
		code = sample(r);
		next += interval_of(r) * (floor((seconds_now() - next) / interval_of(r)) + 1);
	}
	process_stop(&r->process);
	return code == 0 ? sample(r) : code;
}

/* A program may end, or a signal come, while nothing else runs. */
static void wait_until(struct run *r, double when)
{
	while (!is_interrupted(r) && seconds_now() < when)
		process_wait(&r->process, fmax(when - seconds_now(), 0));
}

static void spawn(struct run *r)
{
	program_enter(&r->program);
	r->status = process_spawn(&r->process, r->how->command);
	program_leave(&r->program);
}

static int count_runs(struct run *r, struct uncore *u)
{
	int code = collection_start(&r->counted);

	if (code == 0)
		code = sample(r);
	if (code == 0 && r->how->command)
		program_open(&r->program, u);
	for (unsigned i = 0; code == 0 && i < r->how->repeat && !is_interrupted(r); i++) {
		if (r->how->command)
			spawn(r);
		if (r->status != TOOL_OK)
			break;
		code = count_run(r);
		process_finish(&r->process);
	}
	return code;
}

/* Other programs, as long as the DRAM clock is counted, or until their traffic is known. */
static int count_others(struct run *r, struct collection *c, struct facts *others)
{
	int code, stopped;
	double begin;

	c->look_interval = LOOK_BEFORE;
	code = collection_start(c);
	if (code == 0)
		code = collection_sample(c, seconds_now() - r->began);
	begin = seconds_now();
	for (int i = 1; code == 0 && background_needs_row(c); i++) {
		code = wait_and_look(r, c, begin + i * BEFORE / BACKGROUND_ROWS);
		if (code == 0)
			code = collection_sample(c, seconds_now() - r->began);
	}
	stopped = collection_stop(c);
	code = code == 0 ? stopped : code;
	if (code == 0)
		background_facts(c, others);
	return code;
}

static int count_before(struct run *r, struct facts *before)
{
	const double usual = r->counted.look_interval;
	const int code = count_others(r, &r->counted, before);

	r->counted.look_interval = usual;
	return code;
}

/* In a collection of its own: the rows of the run are still needed. */
static int count_after(struct run *r, struct uncore *u, struct facts *before)
{
	struct collection later;
	struct facts after = {.packages = 0};
	int code;

	collection_new(&later, u, r->how->interval, r->counted.clocks, NULL);
	r->ended = true;
	code = count_others(r, &later, &after);
	if (code == 0)
		background_join(before, &after);
	facts_free(&after);
	collection_free(&later);
	return code;
}

static int count(struct run *r, struct uncore *u, struct facts *before)
{
	const double begin = seconds_now();
	int code = r->how->command ? count_before(r, before) : 0;

	if (r->counted.clocks)
		wait_until(r, begin + BEFORE);
	if (code == 0 && r->counted.clocks)
		code = clocks_stop(&r->clocks);
	return code == 0 ? count_runs(r, u) : code;
}

/* ---- judging ---- */

static void judge_spans(struct phase *phase, const struct explanation *e, const struct span *spans,
			size_t n)
{
	collection_facts(e->counted, spans, n, &phase->facts);
	diagnose(&phase->findings, &phase->facts, &e->ceilings);
}

static void judge(struct phase *phase, const struct explanation *e, size_t from, size_t to)
{
	const struct span span = {from, to};

	judge_spans(phase, e, &span, 1);
}

static void judge_whole(struct explanation *e, struct program *program)
{
	const struct span span = {0, e->counted->rows - 1};

	collection_facts(e->counted, &span, 1, &e->whole.facts);
	background_add(&e->whole.facts, &e->before);
	program_add(program, e->counted, &e->whole.facts);
	diagnose(&e->whole.findings, &e->whole.facts, &e->ceilings);
	background_found(&e->whole.findings, &e->whole.facts, &e->before);
}

/* Bytes of memory a second of all packages in an interval. */
static double traffic(const struct explanation *e, size_t row)
{
	const struct span span = {row, row + 1};
	struct facts facts;
	double sum = 0;

	collection_facts(e->counted, &span, 1, &facts);
	for (unsigned p = 0; p < facts.packages; p++) {
		const double bytes = memory_traffic(&facts.at[p]);

		sum += isnan(bytes) ? 0 : bytes;
	}
	facts_free(&facts);
	return sum;
}

static void judge_phases(struct explanation *e)
{
	const size_t last = e->counted->rows - 1, n = last;
	double *values = need_memory(n, sizeof(*values));
	size_t starts[PHASES_MOST], found;

	for (size_t i = 0; i < n; i++)
		values[i] = traffic(e, i);
	found = phases_find(values, n, starts);
	e->n_phases = found > 1 ? found : 0;
	for (size_t i = 0; i < e->n_phases; i++)
		judge(&e->phases[i], e, starts[i], i + 1 < found ? starts[i + 1] : last);
	free(values);
}

/* ---- regions ---- */

/* The part of an interval in which a thread was inside; intervals follow each other. */
static double inside(const struct marked_region *r, size_t *first, double from, double to)
{
	double sum = 0;

	while (*first < r->n && r->times[*first].end <= from)
		++*first;
	for (size_t i = *first; i < r->n && r->times[i].begin < to; i++)
		sum += fmax(fmin(r->times[i].end, to) - fmax(r->times[i].begin, from), 0);
	return sum / (to - from);
}

/* An interval belongs to a region that takes most of it. */
static struct span *spans_of(const struct explanation *e, const struct marked_region *r,
			     double began, size_t *n)
{
	const struct collection *c = e->counted;
	struct span *spans = need_memory(c->rows, sizeof(*spans));
	size_t first = 0;

	*n = 0;
	for (size_t row = 0; row + 1 < c->rows; row++) {
		if (inside(r, &first, c->host[row] + began, c->host[row + 1] + began) <= 0.5)
			continue;
		if (*n && spans[*n - 1].to == row)
			spans[*n - 1].to++;
		else
			spans[(*n)++] = (struct span){row, row + 1};
	}
	return spans;
}

static void judge_regions(struct explanation *e, double began)
{
	const struct collection *c = e->counted;

	marks_read(&e->marks, c->host[c->rows - 1] + began);
	for (size_t i = 0; i < e->marks.n; i++) {
		struct region *r = &e->regions[e->n_regions++];
		struct span *spans;
		size_t n;

		*r = (struct region){.marked = &e->marks.regions[i]};
		for (size_t k = 0; k < r->marked->n; k++)
			r->seconds += r->marked->times[k].end - r->marked->times[k].begin;
		spans = spans_of(e, r->marked, began, &n);
		if (n)
			judge_spans(&r->phase, e, spans, n);
		free(spans);
	}
}

static void explain(struct explanation *e, struct uncore *u, struct program *program)
{
	char *identity = ceilings_identity(u);

	ceilings_load(&e->ceilings, identity);
	free(identity);
	judge_whole(e, program);
	judge_phases(e);
}

static void forget(struct explanation *e)
{
	for (size_t i = 0; i < e->n_phases; i++) {
		facts_free(&e->phases[i].facts);
		findings_free(&e->phases[i].findings);
	}
	for (size_t i = 0; i < e->n_regions; i++) {
		facts_free(&e->regions[i].phase.facts);
		findings_free(&e->regions[i].phase.findings);
	}
	facts_free(&e->before);
	facts_free(&e->whole.facts);
	findings_free(&e->whole.findings);
	ceilings_free(&e->ceilings);
}

/* ---- output ---- */

static FILE *open_page(const char *name)
{
	struct caller before;
	FILE *file;

	caller_begin(&before);
	file = fopen(name, "we");
	caller_end(&before);
	if (!file)
		say_file(name, errno);
	return file;
}

static bool close_page(FILE *file, const struct explanation *e, const char *name)
{
	bool written = print_page(file, e);

	written &= fclose(file) == 0;
	if (!written)
		say("%s: %s", name, strerror(errno));
	return written;
}

static struct json_object *answer_object(const void *of)
{
	return json_of_explanation(of);
}

static void answer_text(const void *of, const struct screen *screen)
{
	print_explanation(screen, of);
}

static int show(const struct explanation *e, const struct explain_options *how, FILE *page)
{
	static const struct rows_class answers = {.object = answer_object, .text = answer_text};
	const struct screen screen = screen_of(how->command && !how->json ? stderr : stdout);
	const struct rows rows = {&answers, e};
	int status;

	emit_json_or_text(how->json, &screen, &rows);
	status = flush_screen(screen.out);
	return page && !close_page(page, e, how->page) ? TOOL_FAILED : status;
}

/* ---- the command ---- */

static int nothing_counted(const struct collection *c)
{
	say("cannot count anything to explain:\n%s", c->missing ? c->missing : "");
	return TOOL_NO_FIT;
}

static int count_and_explain(struct run *r, struct uncore *u, struct explanation *e, FILE *page)
{
	const int counted = count(r, u, &e->before), stopped = collection_stop(&r->counted);
	int code = counted < 0 ? counted : stopped, status;

	process_finish(&r->process);
	if (code == 0 && r->how->after && r->status == TOOL_OK && !is_interrupted(r))
		code = count_after(r, u, &e->before);
	if (r->status != TOOL_OK)
		return r->status;
	if (code == UNCORE_ENODEV && r->counted.rows == 0)
		return nothing_counted(&r->counted);
	if (code < 0)
		return report(u, code);
	if (r->counted.rows < 2) {
		say("the run was too short to be counted");
		return TOOL_FAILED;
	}
	explain(e, u, &r->program);
	judge_regions(e, r->began);
	status = show(e, r->how, page);
	forget(e);
	return status;
}

static int explain_run(struct run *r, struct uncore *u, char *made, FILE *page)
{
	struct explanation e = {
		.machine = {.size = sizeof(e.machine)}, .made = made, .counted = &r->counted};
	int status;

	uncore_machine(u, &e.machine);
	marks_open(&e.marks);
	status = count_and_explain(r, u, &e, page);
	marks_close(&e.marks);
	return status;
}

/* Its time passes only while something is counted. */
static bool is_replayed(struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	return m.replayed;
}

static int run_on(struct uncore *u, const struct explain_options *how, char *made, FILE *page)
{
	struct run r = {.how = how, .began = seconds_now()};
	unsigned reported = 0;
	bool with_clock;
	int status;

	process_begin(&r.process);
	with_clock = !is_replayed(u) && clocks_start(&r.clocks, u);
	collection_new(&r.counted, u, how->interval, with_clock ? &r.clocks : NULL,
		       how->command ? program_reads(&r.program, u) : NULL);
	status = explain_run(&r, u, made, page);
	report_warnings(u, &reported);
	collection_free(&r.counted);
	clocks_free(&r.clocks);
	program_close(&r.program);
	if (status == TOOL_OK)
		status = r.process.status;
	if (uncore_restore(u) < 0)
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	return process_end(&r.process, end_output(status));
}

static int take_runs(void *into, const char *text)
{
	struct explain_options *how = into;

	return whole_number(text, 1, MOST_RUNS, &how->repeat)
		       ? TOOL_OK
		       : wrong_usage(&explain_command, "invalid number of runs \"%s\": use 1 to %u",
				     text, MOST_RUNS);
}

static int take_duration(void *into, const char *text)
{
	struct explain_options *how = into;

	return duration_value(&explain_command, text, &how->duration);
}

static int take_interval(void *into, const char *text)
{
	struct explain_options *how = into;

	return interval_value(&explain_command, text, "-i 100 or -i 1s", &how->interval);
}

static int compare(bool json, char **files, int n)
{
	const struct screen screen = screen_of(stdout);
	char why[256];

	if (n != 2)
		return wrong_usage(&explain_command, "--compare requires two files of --json");
	if (compare_runs(&screen, json, files[0], files[1], why, sizeof(why)))
		return TOOL_OK;
	say("%s", why);
	return TOOL_FAILED;
}

static int take_options(struct explain_options *how, int argc, char **argv, const char **machine)
{
	const int status = read_options(&explain_command, argc, argv, how, machine);

	if (status != TOOL_OK)
		return status;
	how->command = optind < argc ? argv + optind : NULL;
	if (how->repeat > 1 && !how->command && !how->compare)
		return wrong_usage(&explain_command, "-r requires a command");
	if (how->after && !how->command)
		return wrong_usage(&explain_command, "--after requires a command");
	if (!how->compare && !how->command && !(how->duration > 0))
		return wrong_usage(&explain_command,
				   "nothing to explain: name a command, or a time with -d");
	return TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	struct explain_options how = {.interval = INTERVAL, .repeat = 1};
	char *made = made_by("explain", argv + 1);
	int status = take_options(&how, argc, argv, &machine);
	FILE *page = NULL;
	struct uncore *u;

	if (status != TOOL_OK || how.compare) {
		free(made);
		return status != TOOL_OK ? status : compare(how.json, argv + optind, argc - optind);
	}
	u = open_machine(machine, &explain_command);
	status = u ? TOOL_OK : TOOL_FAILED;
	if (status == TOOL_OK && how.page && !(page = open_page(how.page)))
		status = TOOL_FAILED;
	if (status == TOOL_OK)
		status = run_on(u, &how, made, page);
	else
		uncore_close(u);
	free(made);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-d, --duration",
	 .arg = "TIME",
	 .help = "explain what runs for TIME: 10 (seconds), 500ms",
	 .kind = UNC_OPTION_CALL,
	 .take = take_duration,
	 .before = "for",
	 .unit = "s"},
	{.names = "-i, -I, --interval",
	 .arg = "TIME",
	 .help = "read the counters every TIME; the default is 100 (ms)",
	 .kind = UNC_OPTION_CALL,
	 .take = take_interval,
	 .before = "every",
	 .unit = "ms"},
	{.names = "-r, --repeat",
	 .arg = "N",
	 .help = "run COMMAND N times, and explain all runs together",
	 .kind = UNC_OPTION_CALL,
	 .take = take_runs},
	{.names = "--after",
	 .help = "count other programs for 0.3 s after the run, too",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct explain_options, after)},
	{.names = "--json",
	 .help = "print one JSON object, also with --compare",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct explain_options, json)},
	{.names = "--compare",
	 .shown = "--compare FILE FILE",
	 .help = "compare two runs by their output with --json: rates that differ by more than 2 "
		 "% and three standard errors, and sentences of only one of them",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct explain_options, compare),
	 .usage = ""},
	{.names = "--html",
	 .arg = "FILE",
	 .help = "also write a page with the sentences, the counts and pictures",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct explain_options, page)},
	COMMON_OPTIONS("native, sim:NAME or file:FILE"),
};

const struct command explain_command = {
	.name = "explain",
	.summary = "explain the limits of a program on this machine",
	.run = run,
	.usage = "[[--] COMMAND [ARG...]] | --compare FILE FILE",
	.help = "Count while COMMAND runs, or for TIME, and say in sentences what limits it: "
		"memory bandwidth or latency, unequal channels or slices, remote memory, links, "
		"devices, frequencies, other programs. Each sentence has its confidence, the "
		"counts it is based on, and what to try; below a confidence of 50 % it is "
		"omitted. The run is cut into phases where its memory traffic changes. "
		"Bandwidths are compared with those that `uncore ceilings` has measured on this "
		"machine, or with the theoretical peak of the memory. Counting is system-wide. "
		"The exit status is that of COMMAND.",
	.options = options,
	.ordered = true,
	.example = "explain -d 1",
};
