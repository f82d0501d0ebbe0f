/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_used.c - memory traffic, relative to what `uncore ceilings` measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/rate.h"
#include "command/explain/ceilings.h"
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

/* A paragraph of its own. */
static void print_package(const struct counts *c, const struct ceilings *ceilings, unsigned package,
			  double read, double write)
{
	const double all = read + write, most = ceiling_of_mix(ceilings, package, read / all);
	char used[RATE_TEXT], limit[RATE_TEXT];

	if (most > 0 && all >= 0)
		fprintf(c->screen.out, "%smemory of package %u: %s, %.0f %% of the measured %s\n",
			package ? "" : "\n", package, rate_text(used, "bytes", all, 1),
			100 * all / most, rate_text(limit, "bytes", most, 1));
}

void print_memory_used(const struct counts *c, const struct reading *r,
		       const struct result *results)
{
	char *identity = ceilings_identity(c->u);
	struct ceilings ceilings;

	ceilings_load(&ceilings, identity);
	for (unsigned p = 0; p < ceilings.packages; p++)
		print_package(c, &ceilings, p, rate_of(c, r, results, "UNCORE_MEM_READ_BYTES", p),
			      rate_of(c, r, results, "UNCORE_MEM_WRITE_BYTES", p));
	ceilings_free(&ceilings);
	free(identity);
}
