/* SPDX-License-Identifier: BSD-3-Clause */
/* comparison.c - compare two runs of `uncore explain`. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/encode.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/emit/emit.h"
#include "command/explain/explanation.h"

#define LEAST_CHANGE 0.02
#define ERRORS       3 /* standard errors of the difference; those of the files are twice as large */

static struct json_object *member(struct json_object *o, const char *name, enum json_type type)
{
	struct json_object *value;

	return json_object_is_type(o, json_type_object) &&
			       json_object_object_get_ex(o, name, &value) &&
			       json_object_is_type(value, type)
		       ? value
		       : NULL;
}

static double number(struct json_object *o, const char *name)
{
	struct json_object *value = member(o, name, json_type_double);

	return value ? json_object_get_double(value) : (double)NAN;
}

/* ---- rates ---- */

static bool is_significant(double before, double after, double errors)
{
	const double apart = fabs(after - before);

	return apart > LEAST_CHANGE * fmax(fabs(before), fabs(after)) &&
	       apart > ERRORS * errors / 2;
}

/* The difference of one rate. */
static struct json_object *difference_of(const char *event, size_t package, double before,
					 double after)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "event", event);
	add_json_integer(o, "package", (int64_t)package);
	json_object_object_add(o, "before", json_number(before));
	json_object_object_add(o, "after", json_number(after));
	json_object_object_add(o, "change", json_number((after - before) / fabs(before)));
	return o;
}

static bool has_rate(struct json_object *rates, const char *name)
{
	return isfinite(number(rates, name));
}

/* Rates of a package in both runs. */
static void compare_package(struct json_object *list, size_t package, struct json_object *before,
			    struct json_object *after)
{
	struct json_object *rates = member(before, "rates", json_type_object),
			   *others = member(after, "rates", json_type_object);
	struct json_object *errors[] = {member(before, "errors", json_type_object),
					member(after, "errors", json_type_object)};

	if (!rates || !others)
		return;
	json_object_object_foreach(rates, name, value)
	{
		const double a = json_object_get_double(value), b = number(others, name);
		const double error = hypot(number(errors[0], name), number(errors[1], name));

		if (has_rate(rates, name) && is_significant(a, b, error))
			json_object_array_add(list, difference_of(name, package, a, b));
	}
}

static struct json_object *compare_rates(struct json_object *before, struct json_object *after)
{
	const size_t n = json_object_array_length(before);
	struct json_object *list = json_object_new_array();

	for (size_t p = 0; p < n && p < json_object_array_length(after); p++)
		compare_package(list, p, json_object_array_get_idx(before, p),
				json_object_array_get_idx(after, p));
	return list;
}

/* Without a rate nothing is known of a difference. */
static void add_missing(struct json_object *list, size_t package, struct json_object *rates,
			struct json_object *others)
{
	struct json_object *missing;

	if (!rates || !others)
		return;
	json_object_object_foreach(rates, name, value)
	{
		(void)value;
		if (!has_rate(rates, name) || has_rate(others, name))
			continue;
		missing = json_object_new_object();
		add_json_text(missing, "event", name);
		add_json_integer(missing, "package", (int64_t)package);
		json_object_array_add(list, missing);
	}
}

/* The rates of one run, in packages of both, that the other run did not count. */
static struct json_object *not_in(struct json_object *other, struct json_object *packages)
{
	const size_t n = json_object_array_length(packages);
	struct json_object *list = json_object_new_array();

	for (size_t p = 0; p < n && p < json_object_array_length(other); p++)
		add_missing(
			list, p,
			member(json_object_array_get_idx(packages, p), "rates", json_type_object),
			member(json_object_array_get_idx(other, p), "rates", json_type_object));
	return list;
}

/* ---- findings ---- */

static const char *text(struct json_object *o, const char *name)
{
	struct json_object *value = member(o, name, json_type_string);

	return value ? json_object_get_string(value) : "";
}

static bool has_finding(struct json_object *list, struct json_object *finding)
{
	struct json_object *package = member(finding, "package", json_type_int);

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (strcmp(text(o, "id"), text(finding, "id")) == 0 &&
		    json_object_get_int64(member(o, "package", json_type_int)) ==
			    json_object_get_int64(package))
			return true;
	}
	return false;
}

static struct json_object *only_in(struct json_object *list, struct json_object *other)
{
	struct json_object *only = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (!has_finding(other, o))
			json_object_array_add(only, json_object_get(o));
	}
	return only;
}

/* ---- the files ---- */

struct run {
	struct json_object *root, *packages, *findings;
};

/* json-c reports every failure in the same way. */
static bool can_read(const char *file, char *why, size_t len)
{
	FILE *in = fopen(file, "re");
	const bool read = in && (fgetc(in) != EOF || !ferror(in));

	if (!read)
		snprintf(why, len, "%s: %s", file, strerror(errno));
	if (in)
		fclose(in);
	return read;
}

static bool read_run(struct run *r, const char *file, char *why, size_t len)
{
	struct json_object *first;

	if (!can_read(file, why, len))
		return false;
	r->root = json_object_from_file(file);
	r->packages = member(r->root, "packages", json_type_array);
	r->findings = member(r->root, "findings", json_type_array);
	first = r->packages ? json_object_array_get_idx(r->packages, 0) : NULL;
	if (r->findings && member(first, "rates", json_type_object) &&
	    member(first, "errors", json_type_object))
		return true;
	snprintf(why, len, "%s is not the output of uncore explain --json", file);
	return false;
}

/* ---- the comparison ---- */

static void print_rate(const struct screen *s, struct json_object *o)
{
	const double change = number(o, "change");
	char texts[2][RATE_TEXT];

	fprintf(s->out, "%12s %12s %+9.1f %%  ", number_text(texts[0], number(o, "before")),
		number_text(texts[1], number(o, "after")),
		isfinite(change) ? 100 * change : (double)INFINITY);
	put_terminal(s->out, text(o, "event"));
	fprintf(s->out, ":pkg=%" PRId64 "\n",
		json_object_get_int64(member(o, "package", json_type_int)));
}

static void print_rates(const struct screen *s, struct json_object *rates)
{
	const size_t n = json_object_array_length(rates);

	fprintf(s->out, "%12s %12s %11s  event, per second\n", "before", "after", "change");
	for (size_t i = 0; i < n; i++)
		print_rate(s, json_object_array_get_idx(rates, i));
	if (!n)
		print_paragraph(s, 0, "no rate differs by more than %.0f %% and %d standard errors",
				100 * LEAST_CHANGE, ERRORS);
}

static void print_only(const struct screen *s, const char *when, struct json_object *findings)
{
	for (size_t i = 0; i < json_object_array_length(findings); i++)
		print_paragraph(s, 0, "%s: %s", when,
				text(json_object_array_get_idx(findings, i), "sentence"));
}

static void print_missing(const struct screen *s, const char *when, struct json_object *rates)
{
	char *list = NULL;

	for (size_t i = 0; i < json_object_array_length(rates); i++) {
		struct json_object *o = json_object_array_get_idx(rates, i);

		list = list ? text_and(list, ", ") : text_of("not counted %s: ", when);
		list = text_and(list, "%s:pkg=%" PRId64, text(o, "event"),
				json_object_get_int64(member(o, "package", json_type_int)));
	}
	if (list)
		print_paragraph(s, 0, "%s", list);
	free(list);
}

static void print_machines(const struct screen *s, struct json_object *o)
{
	struct json_object *machines = member(o, "machines", json_type_array),
			   *packages = member(o, "packages", json_type_array);

	if (machines)
		print_paragraph(s, 0, "different machines: %s before, %s after",
				json_object_get_string(json_object_array_get_idx(machines, 0)),
				json_object_get_string(json_object_array_get_idx(machines, 1)));
	if (packages)
		print_paragraph(s, 0,
				"packages: %" PRId64 " before, %" PRId64 " after; only those of "
				"both are compared",
				json_object_get_int64(json_object_array_get_idx(packages, 0)),
				json_object_get_int64(json_object_array_get_idx(packages, 1)));
}

static void print_comparison(const void *of, const struct screen *s)
{
	struct json_object *o = (struct json_object *)of;

	print_machines(s, o);
	print_rates(s, member(o, "rates", json_type_array));
	print_missing(s, "before", member(o, "not_counted_before", json_type_array));
	print_missing(s, "after", member(o, "not_counted_after", json_type_array));
	print_only(s, "only before", member(o, "only_before", json_type_array));
	print_only(s, "only after", member(o, "only_after", json_type_array));
}

static struct json_object *pair_of(struct json_object *before, struct json_object *after)
{
	struct json_object *pair = json_object_new_array();

	json_object_array_add(pair, before);
	json_object_array_add(pair, after);
	return pair;
}

/* Only what differs. */
static void add_machines(struct json_object *o, const struct run *before, const struct run *after)
{
	const char *machines[] = {text(before->root, "machine"), text(after->root, "machine")};
	const size_t packages[] = {json_object_array_length(before->packages),
				   json_object_array_length(after->packages)};

	if (strcmp(machines[0], machines[1]) != 0)
		json_object_object_add(o, "machines",
				       pair_of(json_object_new_string(machines[0]),
					       json_object_new_string(machines[1])));
	if (packages[0] != packages[1])
		json_object_object_add(o, "packages",
				       pair_of(json_object_new_int64((int64_t)packages[0]),
					       json_object_new_int64((int64_t)packages[1])));
}

static struct json_object *comparison_of(const struct run *before, const struct run *after)
{
	struct json_object *o = json_object_new_object();

	add_machines(o, before, after);
	json_object_object_add(o, "rates", compare_rates(before->packages, after->packages));
	json_object_object_add(o, "not_counted_before", not_in(before->packages, after->packages));
	json_object_object_add(o, "not_counted_after", not_in(after->packages, before->packages));
	json_object_object_add(o, "only_before", only_in(before->findings, after->findings));
	json_object_object_add(o, "only_after", only_in(after->findings, before->findings));
	return o;
}

static struct json_object *own_reference(const void *of)
{
	return json_object_get((struct json_object *)of);
}

static const struct rows_class comparison_rows = {.object = own_reference,
						  .text = print_comparison};

bool compare_runs(const struct screen *s, bool json, const char *before, const char *after,
		  char *why, size_t len)
{
	struct run a = {NULL, NULL, NULL}, b = {NULL, NULL, NULL};
	const bool read = read_run(&a, before, why, len) && read_run(&b, after, why, len);
	struct json_object *o = read ? comparison_of(&a, &b) : NULL;

	if (read)
		emit_json_or_text(json, s, &(const struct rows){&comparison_rows, o});
	json_object_put(o);
	json_object_put(a.root);
	json_object_put(b.root);
	return read;
}
