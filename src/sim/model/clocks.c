/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c - the clocks of the boxes.
 */
#include "sim/model/rows.h"

static const struct sim_traffic *traffic_of(const struct sim_box *box)
{
	return &box->sim->traffic[box->package];
}

double sim_uclk(const struct sim_box *box)
{
	return traffic_of(box)->uclk_hz;
}

double sim_dclk(const struct sim_box *box)
{
	return traffic_of(box)->dclk_hz;
}

double sim_qclk(const struct sim_box *box)
{
	return traffic_of(box)->qclk_hz;
}

double sim_pclk(const struct sim_box *box)
{
	return traffic_of(box)->pclk_hz;
}

/* The clocks of dies with cores differ from that of the I/O dies, which is the traffic's. */
static const double die_clocks[] = {1.0417, 0.9683, 1.0911};

unsigned sim_die_of(const struct sim_box *box)
{
	const struct sim_kind *kind = box->kind;
	unsigned boxes = sim_box_active(box->sim, kind);
	unsigned dies = box->sim->platform->dies;

	/* Every die has several boxes. */
	if (dies > boxes / 2)
		dies = boxes > 1 ? boxes / 2 : 1;
	return box->index * dies / boxes;
}

double sim_die_clk(const struct sim_box *box)
{
	return sim_uclk(box) * die_clocks[sim_die_of(box) % N_OF(die_clocks)];
}
