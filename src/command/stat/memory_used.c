/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_used.c - memory traffic, relative to what `uncore ceilings` measured, or else to the
 * theoretical peak.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/explain/ceilings.h"
#include "command/explain/clocks.h"
#include "counts.h"

/* Bytes a second of a package; NAN: not counted. */
static double rate_of(const struct counts *c, const struct reading *r, const struct result *results,
		      const char *metric, unsigned package)
{
	char *name = text_of("%s:pkg=%u", metric, package);
	double rate = (double)NAN;

	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const char *row = c->wanted->rows[i].name;
		const bool is = strcmp(row, name) == 0 ||
				(c->machine.packages == 1 && strcmp(row, metric) == 0);

		if (is && !has_no_window(&results[i].times))
			rate = per_second((double)results[i].count, r->seconds);
	}
	free(name);
	return rate;
}

/* ---- output ---- */

struct traffic {
	double read, write; /* bytes a second; NAN: not counted */
};

/* A paragraph of its own. */
static void print_package(const struct counts *c, unsigned package, double all, double most,
			  const char *of)
{
	char used[RATE_TEXT], limit[RATE_TEXT];

	if (package == 0)
		fputc('\n', c->screen.out);
	print_paragraph(&c->screen, 0, "memory of socket %u: %s, %.0f %% of the %s %s", package,
			rate_text(used, "bytes", all, 1), 100 * all / most, of,
			rate_text(limit, "bytes", most, 1));
}

static void print_measured(const struct counts *c, const struct ceilings *ceilings,
			   const struct traffic *traffic)
{
	for (unsigned p = 0; p < ceilings->packages; p++) {
		const double all = traffic[p].read + traffic[p].write;
		const double most = ceiling_of_mix(ceilings, p, traffic[p].read / all);

		if (most > 0 && all >= 0)
			print_package(c, p, all, most, "measured");
	}
}

/* A recording has only the clocks that were recorded. */
static void print_theoretical(const struct counts *c, const struct traffic *traffic)
{
	double *peaks = NULL;
	bool counted = !c->machine.recorded;

	for (unsigned p = 0; p < c->machine.packages; p++)
		counted &= traffic[p].read + traffic[p].write >= 0;
	if (counted)
		peaks = peaks_of_clocks(c->u);
	for (unsigned p = 0; peaks && p < c->machine.packages; p++)
		print_package(c, p, traffic[p].read + traffic[p].write, peaks[p],
			      "theoretical peak");
	free(peaks);
}

void print_memory_used(const struct counts *c, const struct reading *r,
		       const struct result *results)
{
	struct traffic *traffic = need_memory(c->machine.packages, sizeof(*traffic));
	char *identity = ceilings_identity(c->u);
	struct ceilings ceilings;

	for (unsigned p = 0; p < c->machine.packages; p++)
		traffic[p] = (struct traffic){rate_of(c, r, results, "UNCORE_MEM_READ_BYTES", p),
					      rate_of(c, r, results, "UNCORE_MEM_WRITE_BYTES", p)};
	ceilings_load(&ceilings, identity);
	if (ceilings.packages)
		print_measured(c, &ceilings, traffic);
	else
		print_theoretical(c, traffic);
	ceilings_free(&ceilings);
	free(identity);
	free(traffic);
}
