/* SPDX-License-Identifier: BSD-3-Clause */
/* without_sim.c - replaces sim.c in builds without simulated machines (SIM=no). */
#include <errno.h>

#include "hw/regs.h"

const char *unc_sim_hint(void)
{
	return "";
}

struct sim *unc_hw_sim(struct unc_hw *hw)
{
	(void)hw;
	return NULL;
}

bool unc_hw_sim_link(struct unc_hw *hw, size_t i, const char **path, const char **target)
{
	(void)hw;
	(void)i;
	(void)path;
	(void)target;
	return false;
}

const char *unc_hw_sim_file(struct unc_hw *hw, const char *path)
{
	(void)hw;
	(void)path;
	return NULL;
}

int unc_hw_load(struct unc_hw *hw, const struct uncore_load *load)
{
	(void)hw;
	(void)load;
	return -ENOSYS;
}

struct unc_hw *unc_hw_simulated(const char *spec, struct unc_topology *topo, struct unc_err *err,
				int *code)
{
	(void)topo;
	*code = unc_fail(err, UNCORE_EINVAL,
			 "no machine %s: simulated machines were left out when this was built "
			 "(SIM=no); UNCORE_MACHINE takes native",
			 spec);
	return NULL;
}
