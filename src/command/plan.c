/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - `uncore plan`: how events would be counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools.h"

/* How to show a plan. */
struct form {
	bool verbose, json, operations, perf, multiplex;
};

/* A plan, or the rounds of one that is not feasible. */
struct shown_plan {
	struct uncore *u;
	const unsigned *ids;
	size_t n;
	const struct uncore_plan *plan;
	struct uncore_plan_info info;
	bool operations; /* show them */
	const struct plan_round *rounds;
	size_t n_rounds;
};

static struct json_object *plan_object(const void *of)
{
	const struct shown_plan *p = of;

	return json_of_plan(p->u, p->ids, p->n, p->plan, &p->info);
}

static void plan_text(const void *of, const struct screen *s)
{
	const struct shown_plan *p = of;

	print_plan(s, p->u, p->ids, p->n, p->plan, &p->info);
	if (p->info.feasible)
		print_errata_of(s, p->u, p->ids, p->n);
	if (p->operations && p->info.feasible)
		print_operations(s, p->u, p->plan);
}

static const struct rows_class plan_rows = {.object = plan_object, .text = plan_text};

/* An exit status. */
static int print(struct uncore *u, const unsigned *ids, size_t n, const struct uncore_plan *plan,
		 struct form form)
{
	const struct screen screen = screen_of(stdout);
	struct shown_plan shown = {
		.u = u, .ids = ids, .n = n, .plan = plan, .operations = form.operations};
	const struct rows rows = {&plan_rows, &shown};

	shown.info.size = sizeof(shown.info);
	uncore_plan_info(plan, &shown.info);
	emit_json_or_text(form.json, &screen, &rows);
	return shown.info.feasible ? TOOL_OK : TOOL_NO_FIT;
}

/* ---- rounds ---- */

static size_t events_of(const struct uncore_plan *plan, unsigned round, const unsigned *ids,
			unsigned *list)
{
	unsigned event;
	size_t n = 0;

	while (uncore_plan_round(plan, round, (unsigned)n, &event) == 1)
		list[n++] = ids[event];
	return n;
}

static void print_round(const struct screen *s, struct uncore *u, const struct plan_round *r,
			size_t i, size_t n)
{
	struct uncore_plan_info info = {.size = sizeof(info)};

	uncore_plan_info(r->plan, &info);
	fprintf(s->out, "%sround %zu of %zu\n", i ? "\n" : "", i + 1, n);
	print_plan(s, u, r->ids, r->n, r->plan, &info);
}

static struct json_object *rounds_object(const void *of)
{
	const struct shown_plan *p = of;

	return json_of_rounds(p->u, p->rounds, p->n_rounds);
}

static void rounds_text(const void *of, const struct screen *s)
{
	const struct shown_plan *p = of;

	for (size_t i = 0; i < p->n_rounds; i++)
		print_round(s, p->u, &p->rounds[i], i, p->n_rounds);
}

static const struct rows_class rounds_rows = {.object = rounds_object, .text = rounds_text};

/* Events that do not fit at once; an exit status. */
static int print_rounds(struct uncore *u, const unsigned *ids, size_t n,
			const struct uncore_plan *plan, struct form form)
{
	const struct screen screen = screen_of(stdout);
	struct plan_round *rounds = NULL;
	size_t n_rounds = 0;
	unsigned event;
	int code = 0;

	while (code == 0 && uncore_plan_round(plan, (unsigned)n_rounds, 0, &event) == 1) {
		struct plan_round r = {.ids = need_memory(n, sizeof(*r.ids))};

		r.n = events_of(plan, (unsigned)n_rounds, ids, r.ids);
		code = uncore_plan(u, r.ids, r.n, NULL, &r.plan);
		rounds = need_more(rounds, n_rounds + 1, sizeof(*rounds));
		rounds[n_rounds++] = r;
	}
	if (code == 0) {
		const struct shown_plan shown = {.u = u, .rounds = rounds, .n_rounds = n_rounds};
		const struct rows rows = {&rounds_rows, &shown};

		emit_json_or_text(form.json, &screen, &rows);
	}
	for (size_t i = 0; i < n_rounds; i++) {
		uncore_plan_free(rounds[i].plan);
		free(rounds[i].ids);
	}
	free(rounds);
	return code < 0 ? report(u, code) : TOOL_OK;
}

static bool has_rounds(const struct uncore_plan *plan)
{
	struct uncore_plan_info info = {.size = sizeof(info)};
	unsigned event;

	return uncore_plan_info(plan, &info) == 0 && !info.feasible &&
	       uncore_plan_round(plan, 0, 0, &event) == 1;
}

/* ---- perf's notation ---- */

static char *perf_text(const struct uncore_perf_info *p)
{
	char *text = text_of("%s/config=%#" PRIx64, p->pmu, p->config);

	if (p->config1)
		text = text_and(text, ",config1=%#" PRIx64, p->config1);
	if (p->config2)
		text = text_and(text, ",config2=%#" PRIx64, p->config2);
	return text_and(text, "/");
}

static bool is_first(char *const *texts, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (strcmp(texts[i], texts[n - 1]) == 0)
			return false;
	return true;
}

/* A machine that is not this computer has no driver to ask. */
static int translate(struct uncore *u, unsigned id, unsigned i, struct uncore_perf_info *info)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	return m.simulated || m.recorded ? uncore_perf_syntax(u, id, i, info)
					 : uncore_perf_event(u, id, i, info);
}

/* A line per PMU, which covers the boxes of one number in all packages. */
static int print_for_perf(struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_perf_info info = {.size = sizeof(info)};
	char **texts = NULL;
	size_t n_texts = 0;
	int r = 1;

	for (size_t k = 0; r >= 0 && k < n; k++)
		for (unsigned i = 0; (r = translate(u, ids[k], i, &info)) == 1; i++) {
			texts = need_more(texts, n_texts + 1, sizeof(*texts));
			texts[n_texts++] = perf_text(&info);
			if (is_first(texts, n_texts))
				puts(texts[n_texts - 1]);
		}
	while (n_texts > 0)
		free(texts[--n_texts]);
	free(texts);
	return r < 0 ? report(u, r) : TOOL_OK;
}

/* ---- the command ---- */

/* Names of perf and LIKWID, and other spellings, with the event that they mean. */
static void print_meanings(struct uncore *u, char **names, const unsigned *ids, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const char *name = uncore_event_name(u, ids[i]);

		if (strcasecmp(names[i], name) == 0)
			continue;
		printf("%s is %s\n", names[i], name);
		any = true;
	}
	if (any)
		putchar('\n');
}

static int plan(struct uncore *u, char **names, size_t n, const struct stop_after *stop_after,
		struct form form)
{
	unsigned *ids = need_memory(n, sizeof(*ids));
	const struct uncore_plan_options options = {
		.size = sizeof(options),
		.stop_after = stop_after->list,
		.n_stop_after = stop_after->n,
		.cores = stop_after->cores,
		.multiplex = form.multiplex,
	};
	struct uncore_plan *p = NULL;
	int status = find_events(u, (const char *const *)names, n, ids);

	if (status == TOOL_OK && form.perf) {
		status = print_for_perf(u, ids, n);
	} else if (status == TOOL_OK) {
		const int code = uncore_plan(u, ids, n, &options, &p);

		if (code < 0)
			status = report(u, code);
	}
	if (p && form.verbose && !form.json)
		print_meanings(u, names, ids, n);
	if (p)
		status = has_rounds(p) ? print_rounds(u, ids, n, p, form)
				       : print(u, ids, n, p, form);
	uncore_plan_free(p);
	free(ids);
	return status;
}

/* Rounds have no fixed list of registers. */
static int check_form(struct form form, bool until)
{
	if (!form.multiplex || !(form.operations || form.perf || until))
		return TOOL_OK;
	return wrong_usage(&plan_command, "--multiplex cannot be combined with %s",
			   form.perf ? "--perf"
			   : until   ? "--until"
				     : "--operations");
}

struct plan_request {
	struct form form;
	struct stop_after stop_after;
	char **names; /* the events of --until come first */
};

static int take_until(void *into, const char *text)
{
	struct plan_request *r = into;
	const size_t n = r->stop_after.n;

	r->names[n] = (char *)text;
	return add_stop_after(&r->stop_after, r->names[n], n, &plan_command);
}

static int take_core(void *into, const char *text)
{
	struct plan_request *r = into;

	return add_pmi_core(&r->stop_after, text, &plan_command);
}

static int run(int argc, char **argv, const char *machine)
{
	struct plan_request r = {.names = need_memory((size_t)argc, sizeof(*r.names))};
	int status = read_options(&plan_command, argc, argv, &r, &machine);
	struct uncore *u = NULL;
	size_t n;

	r.form.operations |= r.form.verbose;
	if (status == TOOL_OK)
		status = check_stop_after(&r.stop_after, &plan_command);
	if (status == TOOL_OK)
		status = check_form(r.form, r.stop_after.n > 0);
	n = r.stop_after.n;
	while (optind < argc)
		r.names[n++] = argv[optind++];
	if (status == TOOL_OK && n == 0)
		status = wrong_usage(&plan_command, "no events given: name at least one, for "
						    "example uncore plan UNCORE_MEM_READ_BYTES");
	if (status == TOOL_OK) {
		u = open_machine(machine, &plan_command);
		status = u ? plan(u, r.names, n, &r.stop_after, r.form) : TOOL_FAILED;
	}
	uncore_close(u);
	free(r.names);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-v, --verbose",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct plan_request, form.verbose),
	 .usage = "[-v]"},
	{.names = "--operations",
	 .shown = "-v, --operations",
	 .help = "also show every register operation: writes are made in this order, reads may "
		 "be made in another order or repeated",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct plan_request, form.operations),
	 .usage = ""},
	{.names = "--multiplex",
	 .help = "if the events do not fit at once, show the rounds in which uncore stat "
		 "--multiplex -e would count them",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct plan_request, form.multiplex)},
	{.names = "--json",
	 .help = "print the plan as one line of JSON",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct plan_request, form.json)},
	{.names = "--perf",
	 .help = "print the events in the syntax of perf stat -a -e instead, one line per PMU of "
		 "the kernel driver; for simulated and recorded machines as Linux's sources have it",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct plan_request, form.perf)},
	{.names = "--until",
	 .arg = "EVENT=N",
	 .help = "plan for counting that stops after N occurrences of EVENT",
	 .kind = UNC_OPTION_CALL,
	 .take = take_until,
	 .usage = "[--until EVENT=N]..."},
	{.names = "--pmi-core",
	 .arg = "CORE",
	 .help = "with --until: also interrupt this core of the package",
	 .kind = UNC_OPTION_CALL,
	 .take = take_core},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command plan_command = {
	.name = "plan",
	.summary = "show which counters and registers events would use",
	.run = run,
	.usage = "EVENT...",
	.help = "Show how the events would be counted on this machine if no other process "
		"counted: the counters and boxes assigned to each event, and the values written "
		"to the filters of these boxes. Writes no registers. If the events cannot be "
		"counted at the same time, show the smallest conflicting subset, the reason and "
		"a remedy, and exit with status 1.",
	.options = options,
	.example = "plan UNCORE_MEM_READ_BYTES",
};
