/* SPDX-License-Identifier: BSD-3-Clause */
/* weight.c - the share of a box in the traffic of its kind. */
#include <string.h>

#include "sim/model/rows.h"

/*
 * Box n of N gets 1/N plus or minus 3 % per step (less if the sum would be too large);
 * boxes beyond N get nothing.
 */
static double weight(const struct sim_box *box)
{
	const struct sim_kind *kind = box->kind;
	unsigned boxes = sim_box_active(box->sim, kind);
	double n = boxes, step = boxes > 40 ? 1.2 / boxes : 0.03;

	if (kind->events->weights != NULL)
		return kind->events->weights[box->index];
	if (box->index >= boxes)
		return 0;
	return (1 + step * (box->index - (n - 1) / 2)) / n;
}

static double skew(const struct sim_box *box)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];

	if (box->index >= SIM_SKEWS ||
	    (!(traffic->channel_skew[box->index] != 0) && !(traffic->slice_skew[box->index] != 0)))
		return 0;
	if (strcmp(box->kind->name, "imc") == 0)
		return traffic->channel_skew[box->index];
	return sim_is_slice(box->kind) ? traffic->slice_skew[box->index] : 0;
}

double sim_weight(const struct sim_box *box)
{
	return weight(box) * (1 + skew(box));
}
