/* SPDX-License-Identifier: BSD-3-Clause */
/* sim_linked.c - the simulator of a program that contains the library. */
#include "hw/regs.h"
#include "sim/sim.h"

int unc_simulator_open(struct unc_simulator *s, struct unc_err *err)
{
	(void)err;
	*s = (struct unc_simulator){.call = &sim_functions};
	return 0;
}

void unc_simulator_close(struct unc_simulator *s)
{
	(void)s;
}
