/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.c - the table of functions for a program that opens the simulator at run time. */
#include "config.h"
#include "sim/sim.h"

const struct sim_functions sim_functions = {
	.version = UNCORE_VERSION,
	.open = sim_open,
	.close = sim_close,
	.id = sim_id,
	.cpus = sim_cpus,
	.pci_devices = sim_pci_devices,
	.links = sim_links,
	.files = sim_files,
	.nodes = sim_nodes,
	.node_files = sim_node_files,
	.msr_read = sim_msr_read,
	.msr_write = sim_msr_write,
	.pci_read = sim_pci_read,
	.pci_write = sim_pci_write,
	.mmio_read = sim_mmio_read,
	.mmio_write = sim_mmio_write,
	.cpu_msr_read = sim_cpu_msr_read,
	.cpu_msr_write = sim_cpu_msr_write,
	.cpuid = sim_cpuid,
	.signals_blocked = sim_signals_blocked,
	.now = sim_now,
	.is_virtual = sim_is_virtual,
	.load = sim_load,
};
