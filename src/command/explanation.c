/* SPDX-License-Identifier: BSD-3-Clause */
/* explanation.c - the answer of `uncore explain` as text and as JSON. */
#include "command/explain/explanation.h"
#include "base/documents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/encode.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/explain/differences.h"
#include "command/tools.h"

/* ---- text ---- */

static const char *rate_or_dash(char text[RATE_TEXT], double bytes)
{
	return isnan(bytes) ? "-" : rate_text(text, "bytes", bytes, 1);
}

/* Relative errors, of 95 %; "-" without a rate. */
static void print_error(FILE *out, double rate, double error)
{
	char text[RATE_TEXT];

	if (rate > 0)
		fprintf(out, " %12s", error_text(text, error / rate));
	else
		fprintf(out, " %12s", "-");
}

static void print_errors(FILE *out, const struct package_facts *p)
{
	fprintf(out, "%-10s", "  +-");
	print_error(out, p->rate[Q_READ], p->error[Q_READ]);
	print_error(out, p->rate[Q_WRITE], p->error[Q_WRITE]);
	print_error(out, memory_traffic(p), memory_error(p));
	fputc('\n', out);
}

static void print_package(const struct screen *s, const struct explanation *e, unsigned package)
{
	const struct package_facts *p = &e->whole.facts.at[package];
	const struct limit limit = memory_limit(&e->ceilings, &e->whole.facts, package);
	const double all = memory_traffic(p);
	char read[RATE_TEXT], write[RATE_TEXT], sum[RATE_TEXT], most[RATE_TEXT];

	fprintf(s->out, "socket %-3u %12s %12s %12s", package, rate_or_dash(read, p->rate[Q_READ]),
		rate_or_dash(write, p->rate[Q_WRITE]), rate_or_dash(sum, all));
	if (limit.bytes > 0 && !isnan(all))
		fprintf(s->out, "  %s, %.0f %% (%s)", rate_or_dash(most, limit.bytes),
			100 * all / limit.bytes, limit.measured ? "measured" : "theoretical");
	fputc('\n', s->out);
	if (!isnan(p->rate[Q_READ]) || !isnan(p->rate[Q_WRITE]))
		print_errors(s->out, p);
}

static void print_memory(const struct screen *s, const struct explanation *e)
{
	fprintf(s->out, "%-10s %12s %12s %12s  of at most\n", "memory", "read", "write", "total");
	for (unsigned p = 0; p < e->whole.facts.packages; p++)
		print_package(s, e, p);
}

/* The advice follows the last package. */
static void print_finding(const struct screen *s, const struct finding *found, bool with_advice)
{
	fputc('\n', s->out);
	print_paragraph(s, 0, "%s (confidence %.0f %%)", found->sentence, 100 * found->confidence);
	print_paragraph(s, 4, "evidence: %s", found->evidence);
	if (!with_advice)
		return;
	print_paragraph(s, 4, "try: %s", found->diagnosis->advice);
	print_paragraph(s, 4, "read: " UNC_DOC_COOKBOOK ": %s", found->diagnosis->page);
}

static bool is_last(const struct findings *list, size_t i)
{
	return i + 1 == list->n || list->at[i + 1].diagnosis != list->at[i].diagnosis;
}

static void print_traffic(const struct screen *s, const struct facts *f)
{
	char rate[RATE_TEXT];
	double memory = 0;

	for (unsigned p = 0; p < f->packages; p++)
		memory += isnan(memory_traffic(&f->at[p])) ? 0 : memory_traffic(&f->at[p]);
	fprintf(s->out, ": %s of memory traffic", rate_text(rate, "bytes", memory, 1));
}

static void print_sentence(const struct screen *s, const struct finding *found)
{
	print_paragraph(s, 8, "%s (%.0f %%)", found->sentence, 100 * found->confidence);
}

static void print_part(const struct screen *s, const struct phase *phase)
{
	print_traffic(s, &phase->facts);
	fputc('\n', s->out);
	for (size_t k = 0; k < phase->findings.n; k++)
		print_sentence(s, &phase->findings.at[k]);
}

/* The findings of one of the two lists only. */
static void print_differences(const struct screen *s, const struct findings *whole,
			      const struct findings *part)
{
	char *without = text_of("%s", "");

	for (size_t k = 0; k < part->n; k++)
		if (!findings_have(whole, &part->at[k]))
			print_sentence(s, &part->at[k]);
	for (size_t k = 0; k < whole->n; k++)
		if (is_of_phases(&whole->at[k]) && !findings_have(part, &whole->at[k]))
			without = text_and(without, "%s%s of package %u", *without ? ", " : "",
					   whole->at[k].diagnosis->id, whole->at[k].package);
	if (*without)
		print_paragraph(s, 8, "without %s", without);
	free(without);
}

static double seconds_into(const struct explanation *e, double at)
{
	return at - e->whole.facts.begin;
}

static void print_phase(const struct screen *s, const struct explanation *e, size_t i)
{
	const struct phase *phase = &e->phases[i];
	const size_t like = first_phase_like(e, i);

	fprintf(s->out, "%8.2f s to %.2f s", seconds_into(e, phase->facts.begin),
		seconds_into(e, phase->facts.end));
	print_traffic(s, &phase->facts);
	if (like < i)
		fprintf(s->out, ", as from %.2f s", seconds_into(e, e->phases[like].facts.begin));
	fputc('\n', s->out);
	if (like == i)
		print_differences(s, &e->whole.findings, &phase->findings);
}

static void print_phases(const struct screen *s, const struct explanation *e)
{
	if (e->n_phases)
		fputs("\nPhases\n", s->out);
	for (size_t i = 0; i < e->n_phases; i++)
		print_phase(s, e, i);
}

static void print_regions(const struct screen *s, const struct explanation *e)
{
	const char *problem = marks_problem(&e->marks);

	if (e->n_regions || problem)
		fputs("\nRegions\n", s->out);
	for (size_t i = 0; i < e->n_regions; i++) {
		const struct region *r = &e->regions[i];

		fputs("    ", s->out);
		put_terminal(s->out, r->marked->name);
		fprintf(s->out, ", %u call%s, %.2f s", r->marked->calls, plural(r->marked->calls),
			r->seconds);
		if (r->phase.facts.packages)
			print_part(s, &r->phase);
		else
			fputs(": too short for an interval (-i)\n", s->out);
	}
	if (e->marks.left_out)
		print_paragraph(s, 4, "Only the first %d regions are explained.", REGIONS_MOST);
	if (problem)
		print_paragraph(s, 4, "%s", problem);
}

/* Lines of text as items. */
static void print_missing(const struct screen *s, const char *missing)
{
	char *copy = text_of("%s", missing), *rest;

	fputs("\nNot counted:\n", s->out);
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		print_item(s, line);
	free(copy);
}

/* A longer run answers more, unless the computer is busy. */
static void print_unanswered(const struct screen *s, const struct explanation *e)
{
	const struct facts *f = &e->whole.facts;
	const double needs = ceil(10 * e->counted->needs) / 10;
	unsigned questions = 0, unanswered = 0;

	for (unsigned q = 0; q < QUANTITIES; q++) {
		questions += quantity_name(f, (enum quantity)q) != NULL;
		unanswered += is_unanswered(f, (enum quantity)q);
	}
	if (!unanswered)
		return;
	fputc('\n', s->out);
	if (f->end - f->begin < needs)
		print_paragraph(
			s, 0,
			"the run was too short: %u of %u questions unanswered; they need %.1f s",
			unanswered, questions, needs);
	else
		print_paragraph(
			s, 0,
			"the computer was too busy: %u of %u questions unanswered; repeat the "
			"run with fewer other processes",
			unanswered, questions);
}

void print_explanation(const struct screen *s, const struct explanation *e)
{
	if (e->machine.simulated)
		print_paragraph(s, 0, "SIMULATED %s: counts do not describe a real machine",
				e->machine.title);
	print_memory(s, e);
	print_unanswered(s, e);
	for (size_t i = 0; i < e->whole.findings.n; i++)
		print_finding(s, &e->whole.findings.at[i],
			      is_last(&e->whole.findings, i) && !e->whole.findings.of_machine);
	if (e->whole.findings.n == 0)
		print_paragraph(s, 0, "Nothing can be said: %s.",
				is_unanswered(&e->whole.facts, Q_READ)
					? "the run was too short"
					: "the memory traffic was not counted");
	print_phases(s, e);
	print_regions(s, e);
	if (e->counted->missing)
		print_missing(s, e->counted->missing);
	fprintf(s->out, "\n%14.6f seconds\n", e->whole.facts.end - e->whole.facts.begin);
}

/* ---- JSON ---- */

static struct json_object *json_of_findings(const struct findings *list)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < list->n; i++) {
		const struct finding *found = &list->at[i];
		struct json_object *o = json_object_new_object();

		add_json_text(o, "id", found->diagnosis->id);
		add_json_integer(o, "package", found->package);
		add_json_number(o, "confidence", found->confidence);
		add_json_text(o, "sentence", found->sentence);
		add_json_text(o, "evidence", found->evidence);
		if (!list->of_machine)
			add_json_text(o, "try", found->diagnosis->advice);
		add_json_text(o, "page", found->diagnosis->page);
		json_object_array_add(all, o);
	}
	return all;
}

static struct json_object *json_of_package(const struct explanation *e, const struct facts *facts,
					   unsigned package)
{
	const struct package_facts *p = &facts->at[package];
	const struct limit limit = memory_limit(&e->ceilings, facts, package);
	struct json_object *o = json_object_new_object(), *rates = json_object_new_object(),
			   *errors = json_object_new_object();

	add_json_integer(o, "package", package);
	add_json_number(o, "memory_limit", limit.bytes);
	add_json_flag(o, "measured", limit.measured);
	for (size_t q = 0; q < QUANTITIES; q++)
		if (p->name[q]) {
			add_json_number(rates, p->name[q], p->rate[q]);
			add_json_number(errors, p->name[q], p->error[q]);
		}
	if (!isnan(p->before)) {
		add_json_number(o, "before", p->before);
		add_json_number(o, "before_error", p->before_error);
	}
	if (p->has_own) {
		add_json_number(o, "own", p->own);
		add_json_number(o, "own_error", p->own_error);
		add_json_text(o, "own_source", p->own_of_cores ? "cores" : "resctrl");
	}
	json_object_object_add(o, "rates", rates);
	json_object_object_add(o, "errors", errors);
	return o;
}

static struct json_object *json_of_phase(const struct explanation *e, const struct phase *phase)
{
	struct json_object *o = json_object_new_object(), *packages = json_object_new_array();

	add_json_number(o, "begin", phase->facts.begin - e->whole.facts.begin);
	add_json_number(o, "end", phase->facts.end - e->whole.facts.begin);
	for (unsigned p = 0; p < phase->facts.packages; p++)
		json_object_array_add(packages, json_of_package(e, &phase->facts, p));
	json_object_object_add(o, "packages", packages);
	json_object_object_add(o, "findings", json_of_findings(&phase->findings));
	return o;
}

static struct json_object *json_of_region(const struct explanation *e, const struct region *r)
{
	struct json_object *o =
		r->phase.facts.packages ? json_of_phase(e, &r->phase) : json_object_new_object();

	add_json_text(o, "name", r->marked->name);
	add_json_integer(o, "calls", r->marked->calls);
	add_json_number(o, "seconds", r->seconds);
	return o;
}

typedef bool chosen(const struct facts *f, enum quantity q);

static bool is_multiplexed(const struct facts *f, enum quantity q)
{
	for (unsigned p = 0; p < f->packages; p++)
		if (f->at[p].window[q])
			return true;
	return false;
}

static void add_events(struct json_object *o, const char *name, const struct facts *f, chosen *is)
{
	struct json_object *list = json_object_new_array();

	for (unsigned q = 0; q < QUANTITIES; q++) {
		const char *event = quantity_name(f, (enum quantity)q);

		if (event && is(f, (enum quantity)q))
			json_object_array_add(list, json_object_new_string(event));
	}
	json_object_object_add(o, name, list);
}

struct json_object *json_of_explanation(const struct explanation *e)
{
	struct json_object *o = json_of_phase(e, &e->whole), *phases = json_object_new_array(),
			   *regions = json_object_new_array();

	add_json_text(o, "machine", e->machine.title);
	add_json_flag(o, "simulated", e->machine.simulated);
	for (size_t i = 0; i < e->n_phases; i++)
		json_object_array_add(phases, json_of_phase(e, &e->phases[i]));
	json_object_object_add(o, "phases", phases);
	for (size_t i = 0; i < e->n_regions; i++)
		json_object_array_add(regions, json_of_region(e, &e->regions[i]));
	json_object_object_add(o, "regions", regions);
	if (marks_problem(&e->marks))
		add_json_text(o, "regions_problem", marks_problem(&e->marks));
	add_events(o, "multiplexed", &e->whole.facts, is_multiplexed);
	add_events(o, "unanswered", &e->whole.facts, is_unanswered);
	add_json_number(o, "needs", e->counted->needs);
	if (e->counted->missing)
		add_json_text(o, "missing", e->counted->missing);
	return o;
}
