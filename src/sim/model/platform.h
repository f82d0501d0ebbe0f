/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - macros for the tables of a platform.
 */
#ifndef SIM_PLATFORM_H
#define SIM_PLATFORM_H

#include "sim/model/rows.h"

#define DEVFN(device, function) ((device) << 3 | (function))

/* PCI functions: bus (0: the last, n: the n-th of the package), id, device, function, box. */
#define BOX_ON(bus, id, device, function, kind, box)                           \
	{                                                                      \
		id, DEVFN(device, function), kind, box, true, NULL, 0, bus, 0, \
	}
#define BOX(id, device, function, kind, box) BOX_ON(0, id, device, function, kind, box)
#define BOX_WITH_ON(bus, id, device, function, kind, box, regs)                         \
	{                                                                               \
		id, DEVFN(device, function), kind, box, true, regs, N_OF(regs), bus, 0, \
	}
#define BOX_WITH(id, device, function, kind, box, regs) \
	BOX_WITH_ON(0, id, device, function, kind, box, regs)
/* Registers that a box has on another function. */
#define EXTRA(id, device, function, kind, box, regs)                                   \
	{                                                                              \
		id, DEVFN(device, function), kind, box, false, regs, N_OF(regs), 0, 0, \
	}
#define PLAIN(bus, id, device, function)                                      \
	{                                                                     \
		id, DEVFN(device, function), NULL, 0, false, NULL, 0, bus, 0, \
	}
/* Locates the package's n-th discovery table. */
#define TABLE(bus, device, function, n)                                           \
	{                                                                         \
		0x09a7, DEVFN(device, function), NULL, 0, false, NULL, 0, bus, n, \
	}

/* Box control: rst_ctrl, rst_ctrs, frz, and bits 17:16 (docs/hardware/README.md). */
#define BOX_BITS 0x30103

#define CTL_OVF   UINT64_C(0x00100000)
#define CTL_EXT   UINT64_C(0x00200000)
#define CTL_INV   UINT64_C(0x00800000)
#define CTL_PLAIN (UINT64_C(0xff04ffff) | CTL_OVF | CTL_INV) /* 8 bits of threshold */

/* Registers of a box at the usual offsets of config space. */
#define PCI_BLOCK_AT(ctl, status_, control_, step, counter_)                                     \
	.access = SIM_BY_PCI, .box_ctl = (ctl), .box_bits = BOX_BITS, .status = (status_),       \
	.control = (control_), .control_step = (step), .counter = (counter_), .counter_step = 8, \
	.threshold_mask = 0xff, .signal = sim_row_signal
#define PCI_BLOCK PCI_BLOCK_AT(0xf4, 0xf8, 0xd8, 4, 0xa0)

#define MSR_BLOCK                                                                         \
	.access = SIM_BY_MSR, .box_bits = BOX_BITS, .control_step = 1, .counter_step = 1, \
	.signal = sim_row_signal

/* CPUs of snbep and ivbep. */
/* clang-format off */
#define SNB_CORE                                                         \
	{                                                                \
		.version = 3, .counters = 8, .width = 48, .fixed = 3,    \
		.fixed_width = 48, .events = 7, .slots = 4,              \
		.capabilities = 0x11c3 | SIM_CORE_FULL_WIDTH,            \
		.bus_hz = 100 * SIM_MHZ,                                 \
	}
/* clang-format on */

/* MATCH0, MATCH1, MASK0, MASK1: sim_select_cto() relies on this order. */
extern const struct sim_dword sim_qpi_match[4];
/* ADDRMATCH0, ADDRMATCH1, OPCODEMATCH */
extern const struct sim_dword sim_ha_match[3];

/* Devices unrelated to the uncore that every machine has. */
extern const struct sim_pci sim_others[3];

#endif
