/* SPDX-License-Identifier: BSD-3-Clause */
/* open_kernel.c - open a machine without access to its registers, for the kernel driver. */
#include "backend/kernel/perf.h"
#include "hw/regs.h"
#include "set/set.h"

static int list_boxes(struct uncore *u, const struct unc_platform *platform)
{
	struct unc_pmus *pmus;
	struct unc_lister lister;
	int r = unc_pmus_find(&pmus, &u->machine, u->root, &u->err);

	if (r == 0) {
		lister = unc_pmus_lister(pmus);
		r = unc_machine_list(&u->machine, platform, u->hw, &lister, &u->err);
	}
	if (pmus && unc_pmus_refused(pmus))
		r = unc_perf_no_rights(u->root, unc_pmus_refused(pmus), &u->err);
	unc_pmus_free(pmus);
	return r;
}

static int open_closed(struct uncore *u)
{
	const char *root = u->root;
	const struct unc_platform *platform = NULL;
	int r = unc_topology_model(&u->machine.topo, root, &u->err);

	if (r == 0)
		r = unc_platform_find(&u->machine.topo, &platform, &u->err);
	if (r == 0 &&
	    !unc_platform_named(platform)) /* boxes are then named by the discovery tables */
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r == 0)
		r = unc_topology_devices(&u->machine.topo, root, &u->err);
	if (r < 0)
		return r;
	u->hw = unc_hw_closed(root, &u->machine.topo);
	if (!u->hw)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a machine");
	u->hw->machine = &u->machine;
	return list_boxes(u, platform);
}

int unc_kernel_open(struct uncore *u)
{
	int r = 0;

	if (u->owner_counts)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"UNCORE_SHARE=owner requires register access or uncored: the "
				"kernel's driver gives each process its own counters, so sums over "
				"processes would be too large");
	r = open_closed(u);
	if (r == 0)
		u->backend = &unc_backend_kernel;
	return r;
}
