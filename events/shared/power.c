/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.c - energy that a package has used (RAPL), and limits of the uncore's frequency, by
 * platform: docs/hardware/power.md.
 */
#include "metrics/recipe.h"
#include "shared/controls.h"
#include "shared/event_rows.h"

#define POWER_UNIT 0x606 /* bits 12:8: a count is 2^-n J */
#define FIXED      16    /* of DRAM on HSX to ICX */

static const struct unc_energy by_unit = {.unit_msr = POWER_UNIT, .shift = 8, .mask = 0x1f};
static const struct unc_energy fixed = {.unit_msr = POWER_UNIT, .exponent = FIXED};

static const struct unc_free package_counter[] = {{.first = 0x611, .n = 1, .step = 1}, {.n = 0}};
static const struct unc_free dram_counter[] = {{.first = 0x619, .n = 1, .step = 1}, {.n = 0}};

static const struct unc_row package_rows[] = {
	XEVENT(UNC_RAPL_ENERGY_PKG, 0x10ff, 0,
	       "Energy that the package has used, in the unit of its register") ROWS_END,
};

static const struct unc_row dram_rows[] = {
	XEVENT(UNC_RAPL_ENERGY_DRAM, 0x10ff, 0,
	       "Energy that the memory of the package has used, in the unit of its register")
		ROWS_END,
};

/* clang-format off */
#define REGISTER(rows_, register_, width_)                                      \
	.space = UNC_IN_MSR, UNC_LAYOUT_FREE, .n_boxes = 1, .n_counters = 1,    \
	.width = (width_), .max_inc = 1, .free = (register_), .rows = (rows_)

/* 2^-16 J in 8 ns are 1.9 kW. */
#define RAPL(rows_, counter_, unit_) \
	REGISTER(rows_, counter_, 32), .count_ns = 8, .energy = (unit_)
/* clang-format on */

static const struct unc_box_type package_energy = {
	.name = "rapl_pkg",
	.linux = "rapl_pkg",
	.title = "RAPL: energy of the package",
	RAPL(package_rows, package_counter, &by_unit),
};

static const struct unc_box_type dram_energy = {
	.name = "rapl_dram",
	.linux = "rapl_dram",
	.title = "RAPL: energy of the memory",
	RAPL(dram_rows, dram_counter, &by_unit),
};

static const struct unc_box_type dram_energy_fixed = {
	.name = "rapl_dram",
	.linux = "rapl_dram",
	.title = "RAPL: energy of the memory, in a fixed unit",
	RAPL(dram_rows, dram_counter, &fixed),
};

static const struct unc_free limit_register[] = {{.first = 0x620, .n = 1, .step = 1}, {.n = 0}};
static const struct unc_free status_register[] = {{.first = 0x621, .n = 1, .step = 1}, {.n = 0}};

static const struct unc_row limit_rows[] = {
	XEVENT(UNC_UNCORE_RATIO_LIMIT, 0x10ff, 0,
	       "Limits of the uncore's frequency: what the register holds, no count") ROWS_END,
};

static const struct unc_row status_rows[] = {
	XEVENT(UNC_UNCORE_PERF_STATUS, 0x10ff, 0,
	       "Frequency of the uncore: what the register holds, no count") ROWS_END,
};

static const struct unc_box_type ratio_limit = {
	.name = "ratio_limit",
	.linux = "ratio_limit",
	.title = "Limits of the uncore's frequency",
	REGISTER(limit_rows, limit_register, 15),
	.level = true,
};

static const struct unc_box_type ratio_status = {
	.name = "ratio_status",
	.linux = "ratio_status",
	.title = "Frequency of the uncore",
	REGISTER(status_rows, status_register, 7),
	.level = true,
};

static const struct unc_box_type *const of_one_unit[] = {&package_energy, &dram_energy, NULL};
static const struct unc_box_type *const of_two_units[] = {
	&package_energy, &dram_energy_fixed, &ratio_limit, &ratio_status, NULL,
};
static const struct unc_box_type *const of_one_unit_and_limits[] = {
	&package_energy, &dram_energy, &ratio_limit, &ratio_status, NULL,
};

/* clang-format off */
static const struct unc_recipe energy[] = {
	ENERGY(POWER_PACKAGE_WATTS, "UNC_RAPL_ENERGY_PKG")
	ENERGY(POWER_DRAM_WATTS, "UNC_RAPL_ENERGY_DRAM")
	RECIPES_END,
};

static const struct unc_recipe energy_and_limits[] = {
	ENERGY(POWER_PACKAGE_WATTS, "UNC_RAPL_ENERGY_PKG")
	ENERGY(POWER_DRAM_WATTS, "UNC_RAPL_ENERGY_DRAM")
	LEVEL(100, 8, FREQUENCY_MIN_MHZ, "UNC_UNCORE_RATIO_LIMIT")
	LEVEL(100, 0, FREQUENCY_MAX_MHZ, "UNC_UNCORE_RATIO_LIMIT")
	LEVEL(100, 0, FREQUENCY_CURRENT_MHZ, "UNC_UNCORE_PERF_STATUS")
	RECIPES_END,
};
/* clang-format on */

const struct unc_power unc_power[] = {
	{&unc_snbep, of_one_unit, energy},
	{&unc_ivbep, of_one_unit, energy},
	{&unc_hswep, of_two_units, energy_and_limits},
	{&unc_bdx, of_two_units, energy_and_limits},
	{&unc_skx, of_two_units, energy_and_limits},
	{&unc_knl, of_two_units, energy_and_limits},
	{&unc_icx, of_two_units, energy_and_limits},
	{&unc_spr, of_one_unit_and_limits, energy_and_limits},
	{&unc_emr, of_one_unit_and_limits, energy_and_limits},
	{&unc_gnr, of_one_unit, energy},
	{&unc_srf, of_one_unit, energy},
	{NULL, NULL, NULL},
};
