/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - run a known amount of traffic on a simulated machine. */
#include <errno.h>

#include "base/sized.h"
#include "set/set.h"

int uncore_simulate_load(struct uncore *u, const struct uncore_load *load)
{
	struct uncore_load is;
	int r = unc_refuse_child(u);

	if (r == 0)
		r = unc_take(&u->err, &is, load, UNC_SIZED(uncore_load));
	if (r < 0)
		return r;
	switch (unc_hw_load(u->hw, &is)) {
	case 0:
		return 0;
	case -ENODEV:
		return unc_fail(&u->err, UNCORE_ENODEV,
				"the simulated machine has no CPU %u or no CPU %u", is.cpu,
				is.memory_cpu);
	case -EINVAL:
		return unc_fail(&u->err, UNCORE_EINVAL,
				"cannot simulate traffic of zero duration, or in more than 1 GiB: "
				"set ns and bytes");
	default:
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"traffic requires a machine simulated in this process: set "
				"UNCORE_MACHINE=sim:NAME");
	}
}
