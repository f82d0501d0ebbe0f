/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - shared by SNB-EP to BDX, whose boxes are on a ring: home agent, QPI, R2PCIe,
 * R3QPI, IRP, counter rules of the C-Box.
 */
#ifndef UNC_RING_H
#define UNC_RING_H

#include "shared/ubox_pcu_imc.h"

/* clang-format off */
#define UNC_RING_QPI                                                              \
	.name = "qpi", .sysfs_name = "qpi",                                            \
	.title = "QPI: link layer of a socket interconnect port", UNC_LAYOUT_PCI, \
	.modifiers = unc_modifiers,                                               \
	.n_counters = 4, .width = 48, .max_inc = 128, UNC_RING_QPI_MATCH,         \
	.instead = "UNC_C_TOR_INSERTS:NID_MISS_ALL:nf=N counts in C-Boxes the "   \
		   "requests for the memory of the nodes that the bits of N name"

#define UNC_RING_R2PCIE                                                          \
	.name = "r2pcie", .sysfs_name = "r2pcie",                                     \
	.title = "R2PCIe: ring to PCIe interface", UNC_LAYOUT_PCI, .n_boxes = 1, \
	.n_counters = 4, .max_inc = 32, .modifiers = unc_modifiers

#define UNC_RING_R3QPI                                                            \
	.name = "r3qpi", .sysfs_name = "r3qpi",                                        \
	.title = "R3QPI: ring to QPI interface", UNC_LAYOUT_PCI, .n_counters = 3, \
	.max_inc = 32, .modifiers = unc_modifiers

/*
 * The IRP: one PCI device with two units of two counters each, box 0 and 1, and
 * one box control; docs/hardware/ivbep.md, "Registers".
 */
#define UNC_RING_IRP                                                               \
	.name = "irp", .sysfs_name = "irp", .title = "IRP: ring port of the I/O unit",  \
	UNC_LAYOUT_PCI, .units = true, .n_boxes = 2, .n_counters = 2, .width = 48, \
	.ctls = unc_ring_irp_ctls, .max_inc = 128,                                 \
	.instead = "UNCORE_PCIE_READ_BYTES and UNCORE_PCIE_WRITE_BYTES count in "  \
		   "C-Boxes what devices read and write"

/* Address and opcode match of the home agent (event 0x20). */
#define UNC_RING_HA_MATCH                                                             \
	.filters = unc_ring_ha_filters, .n_filters = 3, .fields = unc_ring_ha_fields, \
	.needs = unc_ring_ha_needs, .rows = unc_ring_ha_rows,                         \
	.qualifiers = unc_ring_ha_qualifiers

/* Packet match and mask of a QPI port (event 0x38), on another PCI function. */
#define UNC_RING_QPI_MATCH                                                              \
	.filters = unc_ring_qpi_filters, .n_filters = 4, .fields = unc_ring_qpi_fields, \
	.needs = unc_ring_qpi_needs, .qualifiers = unc_ring_qpi_qualifiers

#define UNC_RING_HA                                                             \
	.name = "ha", .sysfs_name = "ha", .title = "HA: home agent", UNC_LAYOUT_PCI, \
	.n_counters = 4, .width = 48, .max_inc = 512, .modifiers = unc_modifiers, UNC_RING_HA_MATCH

/* Common members of the description of a platform, whose tables are in its boxes.c. */
#define UNC_RING_PLATFORM(name_)                                                    \
	.pfm_prefix = #name_ "_unc_", .types = types, .nodeid_offset = 0x40,        \
	.gidnidmap_offset = 0x54, .inherit_higher = true, .defaults = defaults,     \
	.fixes = fixes, .more = unc_##name_##_more, .aliases = aliases,             \
	.metrics = unc_##name_##_metrics

/* clang-format on */

extern const struct unc_filter unc_ring_ha_filters[], unc_ring_qpi_filters[];
extern const struct unc_field unc_ring_ha_fields[], unc_ring_qpi_fields[];
extern const struct unc_need unc_ring_ha_needs[], unc_ring_qpi_needs[];
extern const struct unc_row unc_ring_ha_rows[];
extern const struct unc_row unc_snbep_more[], unc_ivbep_more[], unc_hswep_more[], unc_bdx_more[];
extern const struct unc_qualifier unc_ring_ha_qualifiers[], unc_ring_qpi_qualifiers[];
extern const uint16_t unc_ring_irp_ctls[];
extern const struct unc_rule unc_ring_cbo_rules[];
extern const struct unc_companion unc_ring_companion;

#endif
