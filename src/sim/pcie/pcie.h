/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcie.h - root buses, ports and the devices behind them (key devices): skx, icx, spr, gnr and srf.
 * Internal to src/sim.
 */
#ifndef SIM_PCIE_H
#define SIM_PCIE_H

#include "sim/model/model.h"

#define SIM_STACKS 24 /* of a package, at most */

/* A stack of a platform, or of one of its dies. */
struct sim_stack {
	uint8_t id; /* in the registers that list root buses */
	uint8_t box;
	uint8_t slot, step; /* device number of its first port, and distance; 0: no ports */
	uint8_t ports;
	uint8_t part; /* of the first port; the next ones follow at the same distance */
};

struct sim_pcie_platform {
	const char *name; /* of the platform */
	const struct sim_stack *stacks;
	unsigned n_stacks;
	uint8_t vmd_slot;                /* of the VMD function, F5 */
	uint16_t port_device, port_step; /* device ids of the ports */
	uint16_t vmd_device;
	const char *speed; /* of its links, as Linux prints it */
	struct {
		uint16_t device;
		uint8_t slot, part; /* no source is certain of the part */
	} dma;                      /* CBDMA, on the root bus of stack 0 of each package; 0: none */
};

/* NULL: the platform has no PCIe devices here. */
const struct sim_pcie_platform *sim_pcie_platform(const struct sim *sim);

struct sim_pcie_root {
	unsigned package;
	const struct sim_stack *stack;
	uint8_t bus;
	uint16_t parts; /* that have devices */
};

struct sim_pcie {
	const struct sim_pcie_platform *platform;
	unsigned n_roots;
	unsigned room; /* buses behind a root bus */
	struct sim_pcie_root roots[SIM_PACKAGES * SIM_STACKS];
	size_t n_functions, n_links, n_files, n_endpoints; /* of these lists */
	struct sim_pci *functions;
	struct sim_link *links;
	struct sim_file *files;
	struct sim_endpoint *endpoints;
	bool failed; /* out of memory */
};

/* The root buses, the functions on them and the devices; 0 or -ENOMEM. */
int sim_pcie_build(struct sim *sim);
void sim_pcie_free(struct sim *sim);

/* The bus of a function that the platform's table places on the n-th bus of a package. */
uint8_t sim_pcie_bus(const struct sim *sim, unsigned package, unsigned n);

/* The package of function i of the list. */
unsigned sim_pcie_package(const struct sim *sim, size_t i);

/* A dword of config space that lists or names root buses, or the die; false: another one. */
bool sim_pcie_config(const struct sim *sim, const struct sim_pci *pci, unsigned package,
		     uint32_t offset, uint32_t *value);
/* The MSR with the root buses of a package; false: another one. */
bool sim_pcie_msr(const struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);

/* Of sim_device_load(). */
int sim_pcie_set_share(struct sim *sim, size_t endpoint, double share);

/* devices.c: what is behind the ports of a stack. */
void sim_pcie_add_devices(struct sim *sim, struct sim_pcie_root *root, uint64_t *random);
/* The functions of a DMA engine on a root bus: they have no name, and move nothing by themselves.
 */
void sim_pcie_add_dma(struct sim *sim, struct sim_pcie_root *root);

#endif
