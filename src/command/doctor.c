/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.c - `uncore doctor`: find problems that prevent counting, and what to do. */
#include <json-c/json.h>

#include "command/doctor/doctor.h"
#include "tools.h"

static const char *const states[] = {
	[DOCTOR_FINE] = "fine", [DOCTOR_NOTE] = "note", [DOCTOR_PROBLEM] = "problem"};

static unsigned count(const struct doctor_report *r, enum doctor_state state)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->at[i].state == state;
	return n;
}

/* ---- text ---- */

#define STATE_COLUMN 9
#define FOUND_COLUMN 30

static void print_finding(const struct screen *s, const struct doctor_finding *f)
{
	print_name(s, 0, states[f->state], STATE_COLUMN);
	print_name(s, 0, f->check, FOUND_COLUMN - STATE_COLUMN);
	print_folded(s, FOUND_COLUMN, FOUND_COLUMN, f->found);
	if (f->advice)
		print_paragraph(s, FOUND_COLUMN, "do: %s", f->advice);
}

static void print_report(const void *of, const struct screen *s)
{
	const struct doctor_report *r = of;
	const unsigned problems = count(r, DOCTOR_PROBLEM), notes = count(r, DOCTOR_NOTE);

	for (size_t i = 0; i < r->n; i++)
		print_finding(s, &r->at[i]);
	fputc('\n', s->out);
	if (problems)
		print_paragraph(s, 0, "%u problem%s, %u note%s: start with the first problem",
				problems, plural(problems), notes, plural(notes));
	else
		print_paragraph(s, 0, "No problem, %u note%s", notes, plural(notes));
}

/* ---- JSON ---- */

static struct json_object *report_object(const void *of)
{
	const struct doctor_report *r = of;
	struct json_object *all = json_object_new_object(), *list = json_object_new_array();

	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_finding *f = &r->at[i];
		struct json_object *o = json_object_new_object();

		add_json_text(o, "check", f->check);
		add_json_text(o, "state", states[f->state]);
		add_json_text(o, "found", f->found);
		if (f->advice)
			add_json_text(o, "advice", f->advice);
		json_object_array_add(list, o);
	}
	add_json_integer(all, "problems", count(r, DOCTOR_PROBLEM));
	json_object_object_add(all, "findings", list);
	return all;
}

static const struct rows_class report_rows = {.object = report_object, .text = print_report};

/* ---- the command ---- */

struct doctor_options {
	bool json;
};

static int run(int argc, char **argv, const char *machine)
{
	const struct screen screen = screen_of(stdout);
	struct doctor_report report;
	const struct rows rows = {&report_rows, &report};
	struct doctor_options how = {.json = false};
	int status;

	status = read_only_options(&doctor_command, argc, argv, &how, &machine);
	if (status != TOOL_OK)
		return status;
	doctor_examine(&report, machine);
	emit_json_or_text(how.json, &screen, &rows);
	status = count(&report, DOCTOR_PROBLEM) ? TOOL_NO_FIT : TOOL_OK;
	doctor_free(&report);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--json",
	 .help = "one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct doctor_options, json)},
	COMMON_OPTIONS("native, sim:NAME or file:FILE"),
};

const struct command doctor_command = {
	.name = "doctor",
	.summary = "find out why counting does not work, and how to fix it",
	.run = run,
	.help = "Find out why counting does not work on this machine, or what limits it: CPU, "
		"hypervisor, kernel, modules, device files, permissions, missing boxes, other "
		"processes that count, and the PAPI library. Each line is marked fine, note or "
		"problem, with a remedy. No registers are written. The exit status is 1 if there "
		"is a problem.",
	.options = options,
	.example = "doctor",
};
