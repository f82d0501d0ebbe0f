/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.c - `uncore queue`: the distribution of a queue's length.  An occupancy event with a
 * threshold counts the cycles in which the queue has at least as many entries; the thresholds are
 * counted one after another.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/clock.h"
#include "command/base/rate.h"
#include "command/stat/process.h"
#include "tools.h"

#define LONGEST   20 /* default of --longest */
#define THRESHOLD 31 /* the largest that all platforms have */
#define WINDOW_US 2000
#define DURATION  2.0 /* s */

struct queue_options {
	const char *event;
	unsigned longest;
	double duration; /* s; 0: until the command ends */
	bool json;
	char **command; /* NULL: none */
};

/* Occupancy, cycles in which the queue is empty, then those with at least 1, 2, ... entries. */
enum { OCCUPANCY, EMPTY, AT_LEAST_1, MOST_EVENTS = AT_LEAST_1 + THRESHOLD };

struct queue {
	struct uncore *u;
	const struct queue_options *how;
	struct process process;
	struct uncore_set *set;
	size_t n; /* events */
	unsigned ids[MOST_EVENTS];
	double rate[MOST_EVENTS]; /* per second */
};

/* ---- events ---- */

static int find_event(struct queue *q, const char *qualifiers)
{
	char name[2 * UNCORE_NAME_MAX];
	const int n = snprintf(name, sizeof(name), "%s%s", q->how->event, qualifiers);

	return n < (int)sizeof(name) ? uncore_event(q->u, name, &q->ids[q->n++]) : UNCORE_ENOEVENT;
}

static int find_thresholds(struct queue *q)
{
	char threshold[16];
	int code = find_event(q, ":t=1:i=1");

	for (unsigned k = 1; code == 0 && k <= q->how->longest; k++) {
		snprintf(threshold, sizeof(threshold), ":t=%u", k);
		code = find_event(q, threshold);
	}
	return code;
}

static bool is_queue(const struct queue *q)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	return uncore_event_info(q->u, q->ids[OCCUPANCY], &info) == 0 && !info.real &&
	       strstr(info.units, "entries");
}

/* ---- counting ---- */

static int start(struct queue *q)
{
	int code = uncore_set_create(q->u, &q->set);

	if (code == 0)
		code = uncore_set_multiplex(q->set, WINDOW_US);
	if (code == 0)
		code = uncore_set_assign(q->set, q->ids, q->n);
	return code == 0 ? uncore_set_start(q->set) : code;
}

static int wait_for_end(struct queue *q)
{
	const double since = seconds_now(), duration = q->how->duration;
	int status = TOOL_OK;

	if (q->how->command)
		status = process_spawn(&q->process, q->how->command);
	while (status == TOOL_OK && !process_is_over(&q->process)) {
		const double left = duration > 0 ? since + duration - seconds_now() : -1;

		if (duration > 0 && left <= 0)
			break;
		process_wait(&q->process, left);
	}
	process_stop(&q->process);
	return status;
}

static int take_rates(struct queue *q)
{
	struct uncore_times times[MOST_EVENTS] = {{.size = sizeof(times[0])}};
	const int stopped = uncore_set_stop(q->set), code = uncore_set_times(q->set, times);

	for (size_t i = 0; code == 0 && i < q->n; i++) {
		q->rate[i] = per_second((double)times[i].count, 1e-9 * (double)times[i].running_ns);
	}
	return stopped < 0 ? stopped : code;
}

/* ---- output ---- */

static double cycles_of(const struct queue *q)
{
	return q->rate[EMPTY] + q->rate[AT_LEAST_1];
}

/* The part of the cycles with at least that many entries. */
static double at_least(const struct queue *q, unsigned entries)
{
	return entries == 0 ? 1 : q->rate[AT_LEAST_1 + entries - 1] / cycles_of(q);
}

/* Estimates of neighbours may cross. */
static double exactly(const struct queue *q, unsigned entries)
{
	const double more = entries < q->how->longest ? at_least(q, entries + 1) : 0;

	return fmax(at_least(q, entries) - more, 0);
}

static unsigned last_shown(const struct queue *q)
{
	unsigned last = q->how->longest;

	while (last > 0 && !(at_least(q, last) > 0))
		last--;
	return last;
}

static void print_queue(const void *of, const struct screen *s)
{
	const struct queue *q = of;
	const unsigned last = last_shown(q);
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(q->u, &m);
	if (m.simulated)
		print_paragraph(s, 0, "SIMULATED %s: counts do not describe a real machine\n",
				m.title);
	print_paragraph(s, 0, "Entries of the queue of %s", q->how->event);
	fprintf(s->out, "\n%10s %12s %12s\n", "entries", "cycles", "at least");
	for (unsigned k = 0; k <= last; k++)
		fprintf(s->out, "%8u%s %10.2f %% %10.2f %%\n", k,
			k == q->how->longest ? "+ " : "  ", 100 * exactly(q, k),
			100 * at_least(q, k));
	fprintf(s->out, "\nmean %.3f entries, by the occupancy\n",
		q->rate[OCCUPANCY] / cycles_of(q));
	if (at_least(q, q->how->longest) > 0)
		print_paragraph(s, 0, "Longer queues are in the last line: use --longest.");
}

static struct json_object *queue_object(const void *of)
{
	const struct queue *q = of;
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	add_json_text(o, "event", q->how->event);
	add_json_number(o, "mean", q->rate[OCCUPANCY] / cycles_of(q));
	for (unsigned k = 0; k <= q->how->longest; k++)
		json_object_array_add(list, json_object_new_double(at_least(q, k)));
	json_object_object_add(o, "at_least", list);
	return o;
}

static const struct rows_class queue_rows = {.object = queue_object, .text = print_queue};

static int show(const struct queue *q)
{
	const struct screen screen = screen_of(q->how->command && !q->how->json ? stderr : stdout);
	const struct rows rows = {&queue_rows, q};

	for (size_t i = 0; i < q->n; i++)
		if (isnan(q->rate[i])) {
			say("the run was too short for %zu thresholds", q->n);
			return TOOL_FAILED;
		}
	emit_json_or_text(q->how->json, &screen, &rows);
	return flush_screen(screen.out);
}

/* ---- the command ---- */

static int count(struct queue *q)
{
	int code, status;

	process_begin(&q->process);
	code = start(q);
	if (code < 0)
		return report(q->u, code);
	status = wait_for_end(q);
	code = take_rates(q);
	process_finish(&q->process);
	if (status != TOOL_OK)
		return status;
	if (code < 0)
		return report(q->u, code);
	status = show(q);
	return status == TOOL_OK ? q->process.status : status;
}

static int run_on(struct uncore *u, const struct queue_options *how)
{
	struct queue q = {.u = u, .how = how};
	int status = TOOL_OK, code = find_event(&q, "");

	if (code == 0 && !is_queue(&q))
		status = wrong_usage(&queue_command,
				     "%s does not count the entries of a queue: see `uncore list "
				     "occupancy`",
				     how->event);
	else if (code == 0)
		code = find_thresholds(&q);
	if (code < 0)
		status = report_name(u, code);
	if (status == TOOL_OK)
		status = count(&q);
	uncore_set_destroy(q.set);
	if (uncore_restore(u) < 0)
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	return process_end(&q.process, end_output(status));
}

static int take_duration(void *into, const char *text)
{
	struct queue_options *how = into;

	return duration_value(&queue_command, text, &how->duration);
}

static int take_longest(void *into, const char *text)
{
	struct queue_options *how = into;

	return whole_number(text, 1, THRESHOLD, &how->longest)
		       ? TOOL_OK
		       : wrong_usage(&queue_command, "invalid length \"%s\": use 1 to %d", text,
				     THRESHOLD);
}

static int take_options(struct queue_options *how, int argc, char **argv, const char **machine)
{
	const int status = read_options(&queue_command, argc, argv, how, machine);

	if (status != TOOL_OK)
		return status;
	if (optind == argc)
		return wrong_usage(&queue_command, "missing event: for example uncore queue "
						   "UNC_C_RXR_OCCUPANCY:IRQ");
	how->event = argv[optind];
	if (optind + 1 < argc && strcmp(argv[optind + 1], "--") == 0)
		optind++;
	how->command = optind + 1 < argc ? argv + optind + 1 : NULL;
	if (how->duration <= 0)
		how->duration = how->command ? 0 : DURATION;
	return TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	struct queue_options how = {.longest = LONGEST};
	const int status = take_options(&how, argc, argv, &machine);
	struct uncore *u;

	if (status != TOOL_OK)
		return status;
	u = open_machine(machine, &queue_command);
	return u ? run_on(u, &how) : TOOL_FAILED;
}

static const struct unc_option options[] = {
	{.names = "-d, --duration",
	 .arg = "TIME",
	 .help = "count for TIME: 10 (seconds), 500ms; the default without COMMAND is 2 s",
	 .kind = UNC_OPTION_CALL,
	 .take = take_duration,
	 .before = "for",
	 .unit = "s"},
	{.names = "--longest",
	 .arg = "N",
	 .help = "the largest number of entries, 1 to 31, counted separately; the default is 20",
	 .kind = UNC_OPTION_CALL,
	 .take = take_longest},
	{.names = "--json",
	 .help = "print one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct queue_options, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command queue_command = {
	.name = "queue",
	.summary = "count how long a queue is, as a distribution",
	.run = run,
	.usage = "EVENT [[--] COMMAND [ARG...]]",
	.help = "Count how many entries a queue has, while COMMAND runs or for TIME: for each "
		"number of entries, the part of the cycles in which the queue has as many, and "
		"at least as many. EVENT counts entries per cycle (`uncore list occupancy`); its "
		"thresholds are counted one after another, in windows of 2 ms, so the results "
		"are estimates. Without box= and pkg=, the queues of all boxes are counted "
		"together.",
	.options = options,
	.ordered = true,
	.example = NULL,
};
