/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * free.c - rates of the free-running counters (docs/hardware/skx.md, docs/hardware/icx.md,
 * docs/hardware/spr.md).
 */
#include "sim/mesh/mesh.h"

#define HALF_LINES 2
#define DWORDS     16

double sim_free_clock(const struct sim_box *box, unsigned number)
{
	(void)number;
	return box->kind->clock_hz(box);
}

/* Lines per second through a port of this stack; partial lines count by their bytes. */
static double port_lines(const struct sim_box *box, unsigned port, unsigned ports, bool in)
{
	double flows[N_FLOWS];

	sim_flows(box->sim, box->package, flows);
	return flows[in ? IO_WRITE_DATA : IO_READ] * sim_weight(box) * sim_port_share(box, port, ports);
}

/* Four ports in, then the same out. */
double sim_free_in_dwords(const struct sim_box *box, unsigned number)
{
	return DWORDS * port_lines(box, number % 4, 4, number < 4);
}

double sim_free_in_half_lines(const struct sim_box *box, unsigned number)
{
	return HALF_LINES * port_lines(box, number, 8, true);
}

double sim_free_out_half_lines(const struct sim_box *box, unsigned number)
{
	return HALF_LINES * port_lines(box, number, 8, false);
}

/* In and out alternate; a line takes four cycles. */
double sim_free_utilization(const struct sim_box *box, unsigned number)
{
	return 4 * port_lines(box, number / 2, 4, number % 2 == 0);
}
