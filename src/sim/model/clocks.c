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
