/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.c - energy used by a package (RAPL) and limits of the uncore frequency, by platform:
 * docs/hardware/power.md.
 */
#include "metrics/recipe.h"
#include "shared/controls.h"
#include "shared/event_rows.h"

#define POWER_UNIT 0x606 /* bits 12:8: a count is 2^-n J */
#define FIXED      16    /* of DRAM on HSX to ICX */
#define MAX_PLACES 32    /* of a package */

static const struct unc_energy by_unit = {.unit = POWER_UNIT, .shift = 8, .mask = 0x1f};
static const struct unc_energy fixed = {.unit = POWER_UNIT, .exponent = FIXED};

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
	UNC_LAYOUT_FREE, .n_counters = 1,                                       \
	.width = (width_), .max_inc = 1, .free = (register_), .rows = (rows_)
#define BY_MSR .space = UNC_IN_MSR, .n_boxes = 1
#define BY_TPMI(kind_) .space = UNC_IN_MMIO, .n_boxes = MAX_PLACES, .tpmi = (kind_)

/* 2^-16 J in 8 ns are 1.9 kW. */
#define RAPL(rows_, counter_, unit_) \
	REGISTER(rows_, counter_, 32), .count_ns = 8, .energy = (unit_)
/* clang-format on */

static const struct unc_box_type package_energy = {
	.name = "rapl_pkg",
	.sysfs_name = "rapl_pkg",
	.title = "RAPL: energy of the package",
	BY_MSR,
	RAPL(package_rows, package_counter, &by_unit),
};

static const struct unc_box_type dram_energy = {
	.name = "rapl_dram",
	.sysfs_name = "rapl_dram",
	.title = "RAPL: energy of the memory",
	BY_MSR,
	RAPL(dram_rows, dram_counter, &by_unit),
};

static const struct unc_box_type dram_energy_fixed = {
	.name = "rapl_dram",
	.sysfs_name = "rapl_dram",
	.title = "RAPL: energy of the memory, in a fixed unit",
	BY_MSR,
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
	.sysfs_name = "ratio_limit",
	.title = "Limits of the uncore's frequency",
	BY_MSR,
	REGISTER(limit_rows, limit_register, 15),
	.level = true,
};

static const struct unc_box_type ratio_status = {
	.name = "ratio_status",
	.sysfs_name = "ratio_status",
	.title = "Frequency of the uncore",
	BY_MSR,
	REGISTER(status_rows, status_register, 7),
	.level = true,
};

/* ---- the same by TPMI: offsets from a domain, or from a cluster ---- */

static const struct unc_tpmi_kind of_package = {UNC_TPMI_RAPL, UNC_TPMI_PACKAGE};
static const struct unc_tpmi_kind of_memory = {UNC_TPMI_RAPL, UNC_TPMI_MEMORY};
static const struct unc_tpmi_kind of_cores = {UNC_TPMI_FREQUENCY, UNC_TPMI_CORES};
static const struct unc_tpmi_kind of_io = {UNC_TPMI_FREQUENCY, UNC_TPMI_IO};

static const struct unc_energy by_domain = {.unit = 0x08, .shift = 6, .mask = 0x1f};

static const struct unc_free domain_counter[] = {{.first = 0x38, .n = 1, .step = 8}, {.n = 0}};
static const struct unc_free cluster_limit[] = {{.first = 0x08, .n = 1, .step = 8}, {.n = 0}};
static const struct unc_free cluster_status[] = {{.first = 0x00, .n = 1, .step = 8}, {.n = 0}};

static const struct unc_row io_limit_rows[] = {
	XEVENT(UNC_UNCORE_RATIO_LIMIT_IO, 0x10ff, 0,
	       "Limits of the frequency of dies without cores: what the register holds, no count")
		ROWS_END,
};

static const struct unc_row io_status_rows[] = {
	XEVENT(UNC_UNCORE_PERF_STATUS_IO, 0x10ff, 0,
	       "Frequency of dies without cores: what the register holds, no count") ROWS_END,
};

static const struct unc_box_type package_domain = {
	.name = "rapl_pkg",
	.sysfs_name = "rapl_pkg",
	.title = "RAPL: energy of the package, by TPMI",
	BY_TPMI(&of_package),
	RAPL(package_rows, domain_counter, &by_domain),
};

static const struct unc_box_type memory_domain = {
	.name = "rapl_dram",
	.sysfs_name = "rapl_dram",
	.title = "RAPL: energy of the memory, by TPMI",
	BY_TPMI(&of_memory),
	RAPL(dram_rows, domain_counter, &by_domain),
};

static const struct unc_box_type core_limit = {
	.name = "ratio_limit",
	.sysfs_name = "ratio_limit",
	.title = "Limits of the uncore's frequency, of a die with cores",
	BY_TPMI(&of_cores),
	REGISTER(limit_rows, cluster_limit, 22),
	.level = true,
};

static const struct unc_box_type core_status = {
	.name = "ratio_status",
	.sysfs_name = "ratio_status",
	.title = "Frequency of the uncore, of a die with cores",
	BY_TPMI(&of_cores),
	REGISTER(status_rows, cluster_status, 7),
	.level = true,
};

static const struct unc_box_type io_limit = {
	.name = "ratio_limit_io",
	.sysfs_name = "ratio_limit_io",
	.title = "Limits of the uncore's frequency, of a die without cores",
	BY_TPMI(&of_io),
	REGISTER(io_limit_rows, cluster_limit, 22),
	.level = true,
};

static const struct unc_box_type io_status = {
	.name = "ratio_status_io",
	.sysfs_name = "ratio_status_io",
	.title = "Frequency of the uncore, of a die without cores",
	BY_TPMI(&of_io),
	REGISTER(io_status_rows, cluster_status, 7),
	.level = true,
};

/* ---- platforms ---- */

static const struct unc_box_type *const of_one_unit[] = {&package_energy, &dram_energy, NULL};
static const struct unc_box_type *const of_two_units[] = {
	&package_energy, &dram_energy_fixed, &ratio_limit, &ratio_status, NULL,
};
static const struct unc_box_type *const of_one_unit_and_limits[] = {
	&package_energy, &dram_energy, &ratio_limit, &ratio_status, NULL,
};

static const struct unc_box_type *const energy_by_msr[] = {
	&package_energy, &dram_energy, &core_limit, &core_status, &io_limit, &io_status, NULL,
};
static const struct unc_box_type *const all_by_tpmi[] = {
	&package_domain, &memory_domain, &core_limit, &core_status, &io_limit, &io_status, NULL,
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

static const struct unc_recipe energy_and_clusters[] = {
	ENERGY(POWER_PACKAGE_WATTS, "UNC_RAPL_ENERGY_PKG")
	ENERGY(POWER_DRAM_WATTS, "UNC_RAPL_ENERGY_DRAM")
	LEVEL(100, 15, FREQUENCY_MIN_MHZ, "UNC_UNCORE_RATIO_LIMIT")
	LEVEL(100, 8, FREQUENCY_MAX_MHZ, "UNC_UNCORE_RATIO_LIMIT")
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
	{&unc_gnr, energy_by_msr, energy_and_clusters},
	{&unc_srf, energy_by_msr, energy_and_clusters},
	{&unc_cwf, all_by_tpmi, energy_and_clusters},
	{&unc_dmr, all_by_tpmi, energy_and_clusters},
	{NULL, NULL, NULL},
};
