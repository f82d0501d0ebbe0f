/* SPDX-License-Identifier: BSD-3-Clause */
/* mean.c - see mean.h. */
#include "command/base/mean.h"

#include <math.h>

/* B. P. Welford, Note on a method for calculating corrected sums of squares, Technometrics 4 (1962)
 */
void mean_add(struct mean *m, double value)
{
	const double from = value - m->mean;

	if (!isfinite(value))
		return;
	m->n++;
	m->mean += from / m->n;
	m->squares += from * (value - m->mean);
}

double mean_deviation(const struct mean *m)
{
	if (m->n < 2)
		return NAN;
	if (m->squares == 0)
		return 0;
	return 100 * sqrt(m->squares / (m->n - 1) / m->n) / fabs(m->mean);
}
