/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - the answer of `uncore explain` as an HTML page that refers to no other file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents.h"
#include "command/base/box.h"
#include "command/base/encode.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/draw/svg.h"
#include "command/explain/differences.h"
#include "command/explain/explanation.h"
#include "command/explain/pictures.h"

static const char style[] =
	":root{color-scheme:light dark}"
	"body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}"
	"h1{font-size:1.4rem}h2{font-size:1.15rem;margin-top:2rem}"
	".finding{border-left:.3rem solid #0072b2;padding:.1rem .8rem;margin:1rem 0}"
	".finding p{margin:.3rem 0}.finding .what{font-weight:600}"
	".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}"
	"th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #8886}"
	"th:first-child,td:first-child{text-align:left}"
	".bar{background:#8883;height:1rem;min-width:6rem}.bar i{display:block;height:100%;"
	"background:#0072b2}"
	"figure{margin:1rem 0;background:#fff;border-radius:.4rem;overflow-x:auto}"
	"figure svg{max-width:100%;height:auto;display:block;margin:0 auto}"
	"code{overflow-wrap:anywhere}footer{margin-top:2rem;font-size:.85rem}"
	"@media print{body{max-width:none}.finding,figure{break-inside:avoid}}";

static void text(FILE *out, const char *before, const char *is, const char *after)
{
	fputs(before, out);
	put_xml(out, is);
	fputs(after, out);
}

/* ---- findings ---- */

static void print_finding(FILE *out, const struct finding *found, bool with_advice)
{
	fputs("<section class=\"finding\">", out);
	text(out, "<p class=\"what\">", found->sentence, "</p>");
	fprintf(out, "<p>Confidence %.0f %%. ", 100 * found->confidence);
	text(out, "Evidence: <code>", found->evidence, "</code></p>");
	if (with_advice)
		text(out, "<p>Try: ", found->diagnosis->advice, ".</p>");
	text(out, "<p>Read: " UNC_DOC_COOKBOOK ": ", found->diagnosis->page, "</p></section>\n");
}

/* ---- memory against its limit ---- */

static void print_rate(FILE *out, double bytes)
{
	char rate[RATE_TEXT];

	text(out, "<td>", isnan(bytes) ? "-" : rate_text(rate, "bytes", bytes, 1), "</td>");
}

static void print_used(FILE *out, double used, bool measured)
{
	if (isnan(used)) {
		fputs("<td>-</td>", out);
		return;
	}
	fprintf(out,
		"<td><div class=\"bar\" role=\"img\" aria-label=\"%.0f percent\"><i "
		"style=\"width:%.1f%%\"></i></div>%.0f %% (%s)</td>",
		100 * used, 100 * fmin(used, 1), 100 * used, measured ? "measured" : "theoretical");
}

static void print_memory(FILE *out, const struct explanation *e)
{
	const struct facts *facts = &e->whole.facts;

	fputs("<h2>Memory</h2>\n<div class=\"scroll\"><table><thead><tr><th>socket</th>"
	      "<th>read</th><th>write</th><th>total</th><th>of at most</th><th>in use</th></tr>"
	      "</thead><tbody>\n",
	      out);
	for (unsigned p = 0; p < facts->packages; p++) {
		const struct package_facts *f = &facts->at[p];
		const struct limit limit = memory_limit(&e->ceilings, facts, p);

		fprintf(out, "<tr><td>%u</td>", p);
		print_rate(out, f->rate[Q_READ]);
		print_rate(out, f->rate[Q_WRITE]);
		print_rate(out, memory_traffic(f));
		print_rate(out, limit.bytes);
		print_used(out, memory_traffic(f) / limit.bytes, limit.measured);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n<p>Counted by <code>UNCORE_MEM_READ_BYTES</code> and "
	      "<code>UNCORE_MEM_WRITE_BYTES</code>.</p>\n",
	      out);
}

/* ---- all numbers ---- */

static void print_cell(FILE *out, double rate, double error)
{
	char number[RATE_TEXT], part[RATE_TEXT];

	if (isnan(rate)) {
		fputs("<td>-</td>", out);
		return;
	}
	fprintf(out, "<td>%s", number_text(number, rate));
	if (error > 0 && rate > 0)
		fprintf(out, " &plusmn; %s", error_text(part, error / rate));
	fputs("</td>", out);
}

static void print_rates(FILE *out, const struct explanation *e)
{
	const struct facts *facts = &e->whole.facts;

	fputs("<h2>Counts</h2>\n<details><summary>Each event, per second or its current value"
	      "</summary><div class=\"scroll\"><table><thead><tr><th>event</th>",
	      out);
	for (unsigned p = 0; p < facts->packages; p++)
		fprintf(out, "<th>socket %u</th>", p);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t q = 0; q < QUANTITIES; q++) {
		const char *name = quantity_name(facts, (enum quantity)q);

		if (!name)
			continue;
		text(out, "<tr><td><code>", name, "</code></td>");
		for (unsigned p = 0; p < facts->packages; p++)
			print_cell(out, facts->at[p].rate[q], facts->at[p].error[q]);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div></details>\n", out);
}

/* ---- phases ---- */

/* The end of an item. */
static void print_sentences(FILE *out, const struct findings *list)
{
	for (size_t k = 0; k < list->n; k++)
		text(out, "<li>", list->at[k].sentence, "</li>");
	fputs("</ul></li>\n", out);
}

static void print_new_sentences(FILE *out, const struct explanation *e, const struct findings *list)
{
	fputs("<ul>", out);
	for (size_t k = 0; k < list->n; k++)
		if (!findings_have(&e->whole.findings, &list->at[k]))
			text(out, "<li>", list->at[k].sentence, "</li>");
	fputs("</ul></li>\n", out);
}

static void print_phases(FILE *out, const struct explanation *e)
{
	if (e->n_phases)
		fputs("<h2>Phases</h2>\n<ol>\n", out);
	for (size_t i = 0; i < e->n_phases; i++) {
		const struct phase *phase = &e->phases[i];

		const size_t like = first_phase_like(e, i);

		fprintf(out, "<li>%.2f s to %.2f s", phase->facts.begin - e->whole.facts.begin,
			phase->facts.end - e->whole.facts.begin);
		if (like < i)
			fprintf(out, ", as from %.2f s</li>\n",
				e->phases[like].facts.begin - e->whole.facts.begin);
		else
			print_new_sentences(out, e, &phase->findings);
	}
	if (e->n_phases)
		fputs("</ol>\n", out);
}

static void print_regions(FILE *out, const struct explanation *e)
{
	const char *problem = marks_problem(&e->marks);

	if (problem)
		text(out, "<h2>Missing regions</h2>\n<p>", problem, "</p>\n");
	if (e->n_regions)
		fputs("<h2>Regions</h2>\n<ul>\n", out);
	for (size_t i = 0; i < e->n_regions; i++) {
		const struct region *r = &e->regions[i];

		text(out, "<li><code>", r->marked->name, "</code>");
		fprintf(out, ", %u call%s, %.2f s%s<ul>", r->marked->calls,
			plural(r->marked->calls), r->seconds,
			r->phase.facts.packages ? "" : ": too short for an interval");
		print_sentences(out, &r->phase.findings);
	}
	if (e->n_regions)
		fputs("</ul>\n", out);
}

bool print_page(FILE *out, const struct explanation *e)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
	      "<link rel=\"icon\" href=\"data:,\">"
	      "<title>uncore explain</title><style>",
	      out);
	fputs(style, out);
	fputs("</style></head><body><main>\n<h1>What limits this run</h1>\n", out);
	if (e->machine.simulated)
		fputs("<p><strong>SIMULATED: counts do not describe a real machine.</strong></p>\n",
		      out);
	text(out, "<p>", e->machine.title, "</p>\n");
	for (size_t i = 0; i < e->whole.findings.n; i++)
		print_finding(out, &e->whole.findings.at[i], !e->whole.findings.of_machine);
	print_memory(out, e);
	print_phases(out, e);
	print_regions(out, e);
	print_pictures(out, e);
	print_rates(out, e);
	if (e->counted->missing)
		text(out, "<h2>Not counted</h2>\n<pre class=\"scroll\">", e->counted->missing,
		     "</pre>\n");
	text(out, "</main><footer><code>", e->made, "</code></footer></body></html>\n");
	return !ferror(out);
}
