/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks.c - see stacks.h; docs/hardware/stacks.md. */
#include "shared/stacks.h"

#include <stddef.h>

#include "types.h"

#define MEASURE     "; measure it with `uncore show --devices --measure DEVICE -- COMMAND`"
#define PORTS       UNC_STACK_PORTS
#define CHIPSET     UNC_STACK_CHIPSET
#define ACCELERATOR UNC_STACK_ACCELERATOR

/* clang-format off */
#define STACK(id_, box_, kind_, name_)         {(id_), (box_), (kind_), name_, NULL}
#define NO_STACK(id_, kind_, name_, why_)      {(id_), 0, (kind_), name_, (why_)}
#define PORT(kinds_, first_, last_, part_)     {.kinds = (kinds_), .first = (first_), .last = (last_), .part = (part_)}
#define NO_PORT(kinds_, first_, last_, why_)   {.kinds = (kinds_), .first = (first_), .last = (last_), .any = true, .refused = (why_)}

#define NO_DMA_PART "no reliable source has the part of the DMA engine (CBDMA)" MEASURE

/* ---- Skylake-X, Cascade Lake-X ---- */

static const struct unc_stack skx_stacks[] = {
	STACK(0, 0, CHIPSET, "DMI"), STACK(1, 1, PORTS, "PCIe0"), STACK(2, 2, PORTS, "PCIe1"),
	STACK(3, 3, PORTS, "PCIe2"), STACK(4, 4, PORTS, "MCP0"), STACK(5, 5, PORTS, "MCP1"), {.id = 0},
};

static const struct unc_port skx_ports[] = {
	PORT(PORTS | CHIPSET, 0, 3, 0),
	NO_PORT(CHIPSET, 4, 4, NO_DMA_PART),
	{.kinds = 0},
};

/* UBox; CHA; M2M and memory controllers; UPI, M3UPI and M2PCIe. */
static const struct unc_stack_function skx_functions[] = {
	{0x2014, 0x2014, 0}, {0x208d, 0x208e, 1}, {0x2066, 0x2066, 2}, {0x2040, 0x204b, 2},
	{0x2058, 0x2058, 3}, {0x204c, 0x204d, 3}, {0x2088, 0x2088, 3}, {0, 0, 0},
};

/* ---- Ice Lake-X ---- */

static const struct unc_stack icx_stacks[] = {
	STACK(0, 5, CHIPSET, "DMI"), STACK(1, 0, PORTS, "PCIe0"), STACK(2, 1, PORTS, "PCIe1"),
	STACK(3, 2, PORTS, "MCP"), STACK(4, 3, PORTS, "PCIe2"), STACK(5, 4, PORTS, "PCIe3"), {.id = 0},
};

static const struct unc_port icx_ports[] = {
	PORT(PORTS, 2, 5, 0),
	PORT(CHIPSET, 0, 0, 0),
	NO_PORT(CHIPSET, 1, 1, NO_DMA_PART),
	{.kinds = 0},
};

/* ---- Sapphire Rapids ---- */

static const struct unc_stack spr_xcc_stacks[] = {
	STACK(0, 1, CHIPSET, "DMI"), STACK(1, 2, PORTS, "PCIe0"), STACK(2, 4, PORTS, "PCIe1"),
	STACK(3, 6, PORTS, "PCIe2"), STACK(4, 7, PORTS, "PCIe3"), STACK(5, 9, PORTS, "PCIe4"),
	STACK(8, 0, ACCELERATOR, "IDX0"), STACK(9, 3, ACCELERATOR, "IDX1"),
	STACK(10, 5, ACCELERATOR, "IDX2"), STACK(11, 8, ACCELERATOR, "IDX3"), {.id = 0},
};

#define MCC_ASSUMED "Intel's tool only assumes the box of this stack on the medium die" MEASURE
static const struct unc_stack spr_mcc_stacks[] = {
	NO_STACK(0, PORTS, "PCIe0", MCC_ASSUMED), STACK(1, 1, PORTS, "PCIe1"),
	STACK(2, 2, PORTS, "PCIe2"), STACK(3, 10, CHIPSET, "DMI"),
	NO_STACK(4, PORTS, "PCIe3", MCC_ASSUMED), STACK(5, 5, PORTS, "PCIe4"),
	NO_STACK(8, ACCELERATOR, "IDX0", MCC_ASSUMED), {.id = 0},
};

/* Two sources number the ports after the first one differently: 0 2 4 6 or 0 1 2 3. */
static const struct unc_port spr_ports[] = {
	PORT(PORTS, 1, 1, 0),
	{.kinds = PORTS, .first = 2, .last = 8, .part = 1, .disputed = true},
	PORT(CHIPSET, 0, 0, 7),
	{.kinds = ACCELERATOR, .first = 1, .last = 1, .any = true, .part = 0},
	{.kinds = ACCELERATOR, .first = 2, .last = 2, .any = true, .parts = 6},
	{.kinds = ACCELERATOR, .above = 1, .any = true, .part = 4},
	{.kinds = ACCELERATOR, .above = 3, .any = true, .part = 5},
	{.kinds = 0},
};

/* ---- Granite Rapids, Sierra Forest ---- */

#define FLEX "the firmware decides which of two boxes it is (Flex UPI)" MEASURE
#define HC(id_, box_, name_)                                                    \
	STACK(id_, box_, ACCELERATOR, name_),                                   \
	STACK((id_) + 1, box_, UNC_STACK_QAT, name_ " (QAT)"),                  \
	STACK((id_) + 2, box_, UNC_STACK_HQM, name_ " (DLB)")
static const struct unc_stack xeon6_stacks[] = {
	STACK(2, 3, PORTS, "PE0"), STACK(3, 4, PORTS, "PE1"), STACK(1, 2, PORTS, "PE2"),
	STACK(4, 5, PORTS, "PE3"), NO_STACK(29, PORTS, "PE4", FLEX), NO_STACK(26, PORTS, "PE5", FLEX),
	STACK(0, 0, PORTS, "PE6"), STACK(5, 7, PORTS, "PE7"), STACK(28, 8, PORTS, "PE8"),
	HC(8, 1, "HC0"), HC(12, 6, "HC1"), HC(20, 9, "HC2"), HC(16, 14, "HC3"), {.id = 0},
};

static const struct unc_port xeon6_ports[] = {
	PORT(PORTS, 2, 9, 0),
	{.kinds = ACCELERATOR, .first = 1, .last = 1, .any = true, .part = 0},
	{.kinds = ACCELERATOR, .first = 2, .last = 2, .any = true, .part = 0},
	{.kinds = UNC_STACK_QAT, .any = true, .part = 4},
	{.kinds = UNC_STACK_HQM, .any = true, .part = 5},
	{.kinds = 0},
};

/* ---- all ---- */

#define NO_IIO "the processor has no IIO box: R2PCIe counts all devices of a package together"
#define XEON6  .source = UNC_STACKS_IN_CPU_BUS, .stacks = xeon6_stacks, .ports = xeon6_ports
#define NONE(platform_, why_) {.platform = &(platform_), .refused = (why_)}
#define SPR(value_, stacks_)                                                    \
	{.platform = &unc_spr, .die = {0x325b, 0x94, 6, (value_)},                \
	 .source = UNC_STACKS_IN_CPU_BUS, .stacks = (stacks_), .ports = spr_ports}

const struct unc_stack_map unc_stack_maps[] = {
	{.platform = &unc_skx, .source = UNC_STACKS_IN_MSR, .stacks = skx_stacks, .ports = skx_ports,
	 .functions = skx_functions, .has_files = true, .zero_box = 0},
	{.platform = &unc_icx, .model = 108,
	 .refused = "sources contradict each other for Ice Lake-D" MEASURE},
	{.platform = &unc_icx, .source = UNC_STACKS_IN_SAD, .stacks = icx_stacks, .ports = icx_ports,
	 .has_files = true, .zero_box = 5, .by_order = true, .order = {0, 1, 2, 4, 5}},
	SPR(3, spr_xcc_stacks),
	SPR(1, spr_mcc_stacks),
	NONE(unc_emr, "the only table of the stacks of Emerald Rapids is untested" MEASURE),
	{.platform = &unc_gnr, .model = 174,
	 .refused = "no source has the stacks of Granite Rapids-D" MEASURE},
	{.platform = &unc_gnr, XEON6},
	{.platform = &unc_srf, XEON6},
	NONE(unc_cwf, "no source has the stacks of Clearwater Forest" MEASURE),
	NONE(unc_dmr, "no source has the units of devices on Diamond Rapids"),
	NONE(unc_knl, "no source has the stacks of Knights Landing"),
	NONE(unc_snbep, NO_IIO), NONE(unc_ivbep, NO_IIO), NONE(unc_hswep, NO_IIO), NONE(unc_bdx, NO_IIO),
	{.platform = NULL},
};

/* ---- metrics ---- */

#define READ_BYTES  "UNCORE_IIO_READ_BYTES"
#define WRITE_BYTES "UNCORE_IIO_WRITE_BYTES"
#define READS       "UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART%u"
#define WRITES      "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART%u"

/* Free-running counters are used if they count by port in a unit that is certain. */
const struct unc_port_metric unc_port_metrics[] = {
	{&unc_skx, READ_BYTES, "UNC_IIO_BANDWIDTH_OUT:PART%u_FREERUN", 4},
	{&unc_skx, WRITE_BYTES, "UNC_IIO_BANDWIDTH_IN:PART%u_FREERUN", 4},
	{&unc_icx, READ_BYTES, READS, 4},
	{&unc_icx, WRITE_BYTES, "UNC_IIO_BANDWIDTH_IN:PART%u_FREERUN", 32},
	{&unc_spr, READ_BYTES, READS, 4}, {&unc_spr, WRITE_BYTES, WRITES, 4},
	{&unc_gnr, READ_BYTES, READS, 4}, {&unc_gnr, WRITE_BYTES, WRITES, 4},
	{&unc_srf, READ_BYTES, READS, 4}, {&unc_srf, WRITE_BYTES, WRITES, 4},
	{NULL, "", "", 0},
};
/* clang-format on */

const struct unc_stack_metric unc_stack_metrics[] = {
	{"UNCORE_PCIE_READ_BYTES", READ_BYTES},
	{"UNCORE_PCIE_WRITE_BYTES", WRITE_BYTES},
	{"", ""},
};
