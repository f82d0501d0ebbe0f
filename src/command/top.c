/* SPDX-License-Identifier: BSD-3-Clause */
/* top.c - `uncore top`: current rates, on a terminal or as text. */
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/base/duration.h"
#include "command/stat/process.h"
#include "command/top/model.h"
#include "command/top/object.h"
#include "command/top/terminal.h"
#include "tools.h"

#define INTERVAL        1.0 /* seconds */
#define MIN_INTERVAL_MS 50  /* enough to count each multiplexed event once */
#define MAX_INTERVAL_MS 86400000
#define PAUSE           3600.0 /* seconds between two looks at a paused terminal */

struct top_request {
	double interval;
	unsigned long screens; /* number of text screens; 0: terminal */
	bool json;
};

struct watch {
	const struct top_request *request;
	struct process process;
	struct top_model *model;
	double last; /* time of the last read, seconds of seconds_now() */
	char time[TIME_TEXT];
};

/* ---- screens ---- */

static const struct top_view *look(struct watch *w)
{
	struct top_view *view;

	w->last = seconds_now();
	view = top_model_read(w->model);
	text_of_time(w->time, (int64_t)time(NULL));
	view->time = w->time + strcspn(w->time, " ") + 1;
	return view;
}

static void print_rows(const struct top_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		const char *text = rows->text + i * rows->width;
		int len = (int)rows->width;

		while (len > 0 && text[len - 1] == ' ')
			len--;
		printf("%.*s\n", len, text);
	}
}

/* Wait for the next screen; false: a signal arrived. */
static bool wait_for_next(struct watch *w)
{
	const double next = w->last + w->request->interval;
	double left;

	while (!process_is_over(&w->process) && (left = next - seconds_now()) > 0)
		process_wait(&w->process, left);
	return !process_is_over(&w->process);
}

static void screen_text(const void *view, const struct screen *screen)
{
	struct top_rows rows = {.n = 0};

	top_layout(view, NULL, screen->width, &rows);
	print_rows(&rows);
	free(rows.text);
	free(rows.style);
}

static int print_screens(struct watch *w)
{
	static const struct rows_class views = {.object = top_object, .text = screen_text};
	const struct screen screen = screen_of(stdout);
	int status = TOOL_OK;

	for (unsigned long i = 0; status == TOOL_OK && i < w->request->screens && wait_for_next(w);
	     i++) {
		const struct rows rows = {&views, look(w)};

		if (i > 0 && !w->request->json)
			putchar('\n');
		emit_json_or_text(w->request->json, &screen, &rows);
		status = flush_output(stdout, "standard output");
	}
	return status;
}

/* Signals to wait for in addition to keys; handled by process_wait(). */
static void watch_terminal(struct watch *w, struct top_terminal *terminal, int signals)
{
	const struct top_view *view = NULL;
	enum top_event_kind kind = TOP_TIME;

	while (kind != TOP_QUIT && !process_is_over(&w->process)) {
		const bool due = !view || (!top_terminal_paused(terminal) &&
					   w->last + w->request->interval <= seconds_now());

		if (due)
			view = look(w);
		if (due || kind == TOP_REDRAW)
			top_terminal_draw(terminal, view);
		kind = top_terminal_wait(terminal, signals,
					 top_terminal_paused(terminal)
						 ? PAUSE
						 : w->last + w->request->interval - seconds_now());
		if (kind == TOP_WAKE)
			process_wait(&w->process, 0);
	}
}

static int show_screens(struct watch *w)
{
	const int signals = signalfd(-1, &w->process.waited, SFD_CLOEXEC);
	char why[200];
	struct top_terminal *terminal = top_terminal_begin(why, sizeof(why));

	if (!terminal)
		say("%s", why);
	else
		watch_terminal(w, terminal, signals);
	top_terminal_end(terminal);
	if (signals >= 0)
		close(signals);
	return terminal ? TOOL_OK : TOOL_WRONG;
}

/* ---- command ---- */

static int count(struct uncore *u, struct watch *w)
{
	int status, code;
	unsigned reported = 0;

	process_begin(&w->process);
	w->model = top_model_new(u, w->request->interval);
	code = top_model_start(w->model);
	report_warnings(u, &reported);
	if (code < 0)
		return report(u, code);
	w->last = seconds_now();
	status = w->request->screens ? print_screens(w) : show_screens(w);
	code = top_model_stop(w->model);
	if (code < 0)
		return report(u, code);
	return status;
}

/* "500", "500ms", "2s" */
static int take_interval(void *into, const char *text)
{
	struct top_request *r = into;
	double ms;

	if (!duration_of(text, 1, &ms) || ms < MIN_INTERVAL_MS || ms > MAX_INTERVAL_MS)
		return wrong_usage(&top_command,
				   "invalid interval \"%s\": use milliseconds (at least 50) or a "
				   "time, for example -i 500 or -i 2s",
				   text);
	r->interval = ms / 1e3;
	return TOOL_OK;
}

static int take_screens(void *into, const char *text)
{
	struct top_request *r = into;
	char *end;

	r->screens = *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
	return r->screens && !*end ? TOOL_OK
				   : wrong_usage(&top_command,
						 "invalid -n \"%s\": expected the number of "
						 "screens",
						 text);
}

static int take_once(void *into, const char *text)
{
	struct top_request *r = into;

	(void)text;
	r->screens = 1;
	return TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	struct top_request request = {.interval = INTERVAL};
	struct watch w = {.request = &request};
	int status = read_only_options(&top_command, argc, argv, &request, &machine);
	struct uncore *u = status == TOOL_OK ? open_machine(machine, &top_command) : NULL;

	if (status != TOOL_OK)
		return status;
	if (!u)
		return TOOL_FAILED;
	if (request.json && !request.screens)
		request.screens = 1;
	status = count(u, &w);
	top_model_free(w.model);
	if (uncore_restore(u) < 0)
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	return process_end(&w.process, end_output(status));
}

static const struct unc_option options[] = {
	{.names = "-i, -I, --interval",
	 .arg = "TIME",
	 .help = "time between two screens: 500 (ms), 2s; default 1s",
	 .kind = UNC_OPTION_CALL,
	 .take = take_interval,
	 .before = "every",
	 .unit = "ms"},
	{.names = "--once",
	 .help = "print one screen as text after one interval",
	 .kind = UNC_OPTION_CALL,
	 .take = take_once,
	 .usage = "[--once | -n N]"},
	{.names = "-n, --count",
	 .arg = "N",
	 .help = "print N screens as text",
	 .kind = UNC_OPTION_CALL,
	 .take = take_screens,
	 .usage = ""},
	{.names = "--json",
	 .help = "print a JSON object for each screen, one per line; without -n a single one",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct top_request, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command top_command = {
	.name = "top",
	.summary = "watch bandwidth, latency, cache, links and power live",
	.run = run,
	.help = "Show the current activity of the machine: memory bandwidth of packages and "
		"channels, latency, last-level cache with a map of its slices, links between "
		"packages, PCIe and power, as far as the machine supports them. Quit with q or "
		"SIGINT; the registers are restored. ? shows the other keys. Where the expected "
		"share of lines of each last-level cache slice is known, slices are scaled by "
		"it, and the screen says so.\n"
		"\n"
		"Events that do not fit at once are multiplexed, and estimates are marked with "
		"~. Events in use by another process, or without permission, are reported and "
		"not shown.",
	.options = options,
	.example = "top --once",
};
