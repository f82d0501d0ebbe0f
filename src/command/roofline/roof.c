/* SPDX-License-Identifier: BSD-3-Clause */
/* roof.c - see roof.h. */
#include "command/roofline/roof.h"

#include <math.h>
#include <stdlib.h>

#include "command/explain/ceilings.h"
#include "command/explain/clocks.h"
#include "uncore_inspect.h"

_Static_assert((int)PRECISIONS == CEILING_PRECISIONS && (int)WIDTHS == CEILING_WIDTHS,
	       "ceilings measure operations by the same precisions and widths");

static double measured_bandwidth(const struct ceilings *c, double reads)
{
	double sum = 0;

	for (unsigned p = 0; p < c->packages; p++)
		sum += ceiling_of_mix(c, p, reads);
	return c->packages ? sum : (double)NAN;
}

static double theoretical_bandwidth(struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	double *peaks, sum = 0;

	if (uncore_machine(u, &m) < 0 || m.recorded || !(peaks = peaks_of_clocks(u)))
		return (double)NAN;
	for (unsigned p = 0; p < m.packages; p++)
		sum += peaks[p];
	free(peaks);
	return sum;
}

static double measured_operations(const struct ceilings *c, unsigned precision, unsigned width)
{
	double sum = 0;

	for (unsigned p = 0; p < c->packages; p++)
		sum += c->at[p].of[ceiling_of_operations(precision, width)];
	return c->packages ? sum : (double)NAN;
}

void roof_find(struct roof *roof, struct uncore *u, double reads)
{
	char *identity = ceilings_identity(u);
	struct ceilings ceilings;

	ceilings_load(&ceilings, identity);
	roof->memory = measured_bandwidth(&ceilings, reads);
	roof->measured = roof->memory > 0;
	if (!roof->measured)
		roof->memory = theoretical_bandwidth(u);
	for (unsigned p = 0; p < PRECISIONS; p++)
		for (unsigned w = 0; w < WIDTHS; w++)
			roof->operations[p][w] = measured_operations(&ceilings, p, w);
	ceilings_free(&ceilings);
	free(identity);
}

double roof_operations(const struct roof *roof, enum precision precision)
{
	double most = (double)NAN;

	for (unsigned w = 0; w < WIDTHS; w++)
		most = fmax(most, roof->operations[precision][w]);
	return most;
}

double roof_at(const struct roof *roof, enum precision precision, double intensity)
{
	if (isnan(intensity))
		return (double)NAN;
	return fmin(roof_operations(roof, precision), roof->memory * intensity);
}
