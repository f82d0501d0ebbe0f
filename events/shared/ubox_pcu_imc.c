/* SPDX-License-Identifier: BSD-3-Clause */
/* ubox_pcu_imc.c - frequency bands of the PCU, events of the U-Box. */
#include "shared/ubox_pcu_imc.h"

#include "shared/event_rows.h"

/* ---- PCU ---- */

const struct unc_field unc_pcu_fields[] = {
	{"band0", 0, 0xff},
	{"band1", 0, 0xff00},
	{"band2", 0, 0xff0000},
	{"band3", 0, 0xff000000},
};

/* From Haswell-EP to Ice Lake-X. */
const struct unc_filter unc_pcu_filters[] = {
	{.name = "PCU_MSR_PMON_BOX_FILTER", .address = 0x715, .config = 1, .mask = 0xffffffff},
};

/* With bit 8 the codes mean other events. */
const struct unc_need unc_pcu_needs[] = {
	{0x0b, UNC_EV | UNC_EXT, 1 << 0},
	{0x0c, UNC_EV | UNC_EXT, 1 << 1},
	{0x0d, UNC_EV | UNC_EXT, 1 << 2},
	{0x0e, UNC_EV | UNC_EXT, 1 << 3},
	{0, 0, 0},
};

const struct unc_family unc_pcu_families[] = {{UNC_EV | UNC_EXT, 0x0b, 1, 4}, {0, 0, 0, 0}};

/* ---- U-Box ---- */

const struct unc_row unc_ubo_rows[] = {
	EVENT(UNC_U_CLOCKTICKS, 0xff, 0, "Uncore clock cycles, on the fixed counter of the U-Box")
		ROWS_END,
};
