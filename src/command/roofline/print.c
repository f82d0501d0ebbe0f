/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - the operations, the point of the run, and its phases and regions, as text and JSON. */
#include <math.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/emit/emit.h"
#include "command/roofline/roofline.h"
#include "command/screen.h"

#define COUNT_WIDTH 22

/* ---- text ---- */

static void print_operations(const struct screen *s, const struct roofline *r,
			     enum precision precision)
{
	fputc('\n', s->out);
	print_paragraph(s, 0, "operations of the program, %s precision%s",
			precision_names[precision], r->runs > 1 ? ", of two runs" : "");
	for (unsigned w = 0; w < WIDTHS; w++)
		if (r->events->of[precision][w].name)
			fprintf(s->out, "%*.0f  %s\n", COUNT_WIDTH, r->operations[precision][w],
				width_names[w]);
	fprintf(s->out, "%*.0f  all\n", COUNT_WIDTH, r->whole.operations[precision]);
}

/* ", 12 % of the roof of 5.0 GFLOP/s", or "" if that is unknown; to be freed. */
static char *share_of_roof(const struct roofline *r, const struct roofline_part *part,
			   enum precision precision)
{
	const double most = roof_at(&r->roof, precision, part_intensity(part, precision));
	const bool whole = roof_operations(&r->roof, precision) > 0;

	if (!(most > 0))
		return text_of("%s", "");
	return text_of(", %.0f %% of the %s of %.1f GFLOP/s",
		       100 * part_rate(part, precision) / most, whole ? "roof" : "roof of memory",
		       1e-9 * most);
}

static void print_part(const struct screen *s, const struct roofline *r, const char *name,
		       const struct roofline_part *part, enum precision precision)
{
	const double intensity = part_intensity(part, precision);
	char *share;

	if (!(part->seconds > 0)) {
		print_paragraph(s, 0, "%s: too short for an interval (-i)", name);
		return;
	}
	share = share_of_roof(r, part, precision);
	if (isnan(intensity))
		print_paragraph(s, 0, "%s: %.2f GFLOP/s, %s bytes were counted", name,
				1e-9 * part_rate(part, precision),
				isnan(part->bytes) ? "not all" : "no");
	else
		print_paragraph(s, 0, "%s: %.4g operations per byte, %.2f GFLOP/s%s", name,
				intensity, 1e-9 * part_rate(part, precision), share);
	free(share);
}

static void print_parts(const struct screen *s, const struct roofline *r, enum precision precision)
{
	print_part(s, r, "run", &r->whole, precision);
	for (size_t i = 0; i < r->n_phases; i++) {
		char *name = text_of("phase %zu (%.2f s)", i + 1, r->phases[i].seconds);

		print_part(s, r, name, &r->phases[i], precision);
		free(name);
	}
	for (size_t i = 0; i < r->n_regions; i++) {
		char *name =
			text_of("region %s (%.2f s)", r->regions[i].name, r->regions[i].seconds);

		print_part(s, r, name, &r->regions[i], precision);
		free(name);
	}
}

static void print_roof(const struct screen *s, const struct roofline *r)
{
	char rate[RATE_TEXT];

	if (r->roof.memory > 0)
		print_paragraph(s, 0, "roof of memory: %s, %s",
				rate_text(rate, "bytes", r->roof.memory, 1),
				r->roof.measured ? "measured by uncore ceilings"
						 : "the theoretical peak of its channels");
	else
		print_paragraph(s, 0, "roof of memory: unknown; run uncore ceilings");
	for (enum precision p = 0; p < PRECISIONS; p++) {
		const double most = roof_operations(&r->roof, p);

		if (r->precision[p] && most > 0)
			print_paragraph(
				s, 0,
				"roof of operations in %s precision: %.1f GFLOP/s, measured "
				"by uncore ceilings on all cores",
				precision_names[p], 1e-9 * most);
		else if (r->precision[p])
			print_paragraph(s, 0,
					"roof of operations in %s precision: unknown, since no "
					"register tells the number of units; run uncore ceilings",
					precision_names[p]);
	}
}

static void print_bounds(const struct screen *s, const struct roofline *r)
{
	print_paragraph(s, 0, "%s",
			r->of_program ? "Bytes and operations are the program's."
				      : "Bytes are the machine's, operations the program's: other "
					"traffic lowers the operations per byte (--share counts "
					"the program's bytes).");
	if (r->events->note)
		print_paragraph(s, 0, "Known error: %s.", r->events->note);
	if (r->runs > 1 && r->whole.bytes > 0)
		print_paragraph(
			s, 0,
			"The events of two runs are added; bytes and time are their means. The "
			"bytes of the runs differ by %.1f %%.",
			100 * fabs(r->run_bytes[0] - r->run_bytes[1]) / r->whole.bytes);
}

void roofline_print(const struct screen *s, const struct roofline *r)
{
	if (!r->counted)
		return;
	for (enum precision p = 0; p < PRECISIONS; p++) {
		if (!r->precision[p])
			continue;
		print_operations(s, r, p);
		fputc('\n', s->out);
		print_parts(s, r, p);
	}
	fputc('\n', s->out);
	print_roof(s, r);
	print_bounds(s, r);
}

/* ---- JSON ---- */

static struct json_object *json_of_part(const struct roofline *r, const struct roofline_part *part,
					enum precision precision)
{
	struct json_object *o = json_object_new_object();
	const double intensity = part_intensity(part, precision);
	const double rate = part_rate(part, precision);

	if (part->name)
		add_json_text(o, "region", part->name);
	add_json_number(o, "seconds", part->seconds);
	add_json_number(o, "operations", part->operations[precision]);
	add_json_number(o, "bytes", part->bytes);
	add_json_number(o, "operations_per_byte", intensity);
	add_json_number(o, "operations_per_second", rate);
	add_json_number(o, "share_of_roof", rate / roof_at(&r->roof, precision, intensity));
	return o;
}

static struct json_object *json_of_parts(const struct roofline *r,
					 const struct roofline_part *parts, size_t n,
					 enum precision precision)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, json_of_part(r, &parts[i], precision));
	return list;
}

/* By width: {"scalar":1000,"128 bits":...} */
static struct json_object *json_of_widths(const struct roofline *r, const double values[WIDTHS],
					  enum precision precision)
{
	struct json_object *o = json_object_new_object();

	for (unsigned w = 0; w < WIDTHS; w++)
		if (r->events->of[precision][w].name)
			add_json_number(o, width_names[w], values[w]);
	return o;
}

static struct json_object *json_of_precision(const struct roofline *r, enum precision precision)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "operations",
			       json_of_widths(r, r->operations[precision], precision));
	json_object_object_add(o, "run", json_of_part(r, &r->whole, precision));
	json_object_object_add(o, "phases", json_of_parts(r, r->phases, r->n_phases, precision));
	json_object_object_add(o, "regions", json_of_parts(r, r->regions, r->n_regions, precision));
	json_object_object_add(o, "roof",
			       json_of_widths(r, r->roof.operations[precision], precision));
	return o;
}

struct json_object *roofline_json(const struct roofline *r)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "bytes_of", r->of_program ? "program" : "machine");
	add_json_integer(o, "runs", r->runs);
	add_json_number(o, "memory_roof", r->roof.memory);
	add_json_flag(o, "memory_roof_measured", r->roof.measured);
	if (r->events->note)
		add_json_text(o, "known_error", r->events->note);
	for (enum precision p = 0; p < PRECISIONS; p++)
		if (r->precision[p])
			json_object_object_add(o, precision_names[p], json_of_precision(r, p));
	return o;
}
