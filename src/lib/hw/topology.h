/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - CPU model, CPUs and their packages, and PCI devices.  Read from text files of
 * the kernel; accesses no register.
 */
#ifndef UNC_TOPOLOGY_H
#define UNC_TOPOLOGY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_NOT_ASKED INT_MIN /* not read before it is needed; see struct unc_hw_ops */

struct unc_cpu {
	unsigned id;      /* logical CPU number */
	unsigned package; /* physical id from the kernel, with the die from bit 16 on */
	int core;         /* or -errno, or UNC_NOT_ASKED */
};

struct unc_pci {
	uint16_t segment;
	uint8_t bus, devfn;
	uint16_t device; /* device id; the vendor is Intel */
	/*
	 * Physical package of all online CPUs of its NUMA node.  -1: unknown, or UNC_OFFLINE: the
	 * node has no online CPU, or UNC_NOT_ASKED.
	 */
	int near;
	int package; /* logical package; -1: unknown, or UNC_OFFLINE, or UNC_UNPLACED */
};

#define UNC_OFFLINE  (-3) /* without an online CPU */
#define UNC_UNPLACED (-5) /* a device whose package was asked for and stays unknown */

/* The description of a machine, from any access method. */
struct unc_topology {
	char vendor[16];
	unsigned family, model, stepping;
	bool hypervisor;
	size_t n_cpus, n_pci;
	struct unc_cpu *cpus; /* online ones, ascending by id */
	unsigned n_offline;   /* CPUs that are present, but offline */
	struct unc_pci *pci;  /* Intel's, ascending by address */
	/*
	 * In this struct, a package is a unit with an uncore of its own: its CPUs access its
	 * MSRs, its buses are its own, its freeze stops its boxes.  If packages have several
	 * dies (Cascade Lake-AP), it is a die.  Names and output use pkg= and die=.
	 */
	unsigned n_packages;
	unsigned *package_ids; /* logical package -> physical id */
	int unread;            /* -errno if not all devices could be listed, or 0 */
	char unread_file[64];  /* ... and the file that failed, below root */
};

/*
 * Read the entry of the first CPU in /proc/cpuinfo below root, and nothing more: this is the
 * whole cost on a machine without Intel's uncore.  UNCORE_ENOSUPP without the file.
 */
int unc_topology_model(struct unc_topology *topo, const char *root, struct unc_err *err);

/* Read CPUs and PCI devices below root.  UNCORE_ENOSUPP, UNCORE_ENOMEM. */
int unc_topology_devices(struct unc_topology *topo, const char *root, struct unc_err *err);

/*
 * The list of CPUs that came online after a topology was read; returns how many. package: also
 * those whose package is missing.
 */
unsigned unc_topology_later(const struct unc_topology *topo, const char *root, char *list,
			    size_t len, bool *package);
void unc_topology_free(struct unc_topology *topo);

/* Intel's PCI devices; 0 or UNCORE_ENOMEM.  devices.c */
int unc_topology_pci(struct unc_topology *topo, const char *root);

/* The core id of a CPU, 0 if the kernel has none; or -errno. */
int unc_topology_core(const char *root, unsigned cpu);

#define UNC_MAX_NODES 1024

/* Physical packages of NUMA nodes, as far as they were read. */
struct unc_numa {
	bool asked[UNC_MAX_NODES];
	int package[UNC_MAX_NODES];
};

/* For unc_pci.near. */
int unc_near(const struct unc_topology *topo, const char *root, size_t unit, struct unc_numa *numa);

#define UNC_PCI_NAME 16

/* The address of a device as the kernel writes it, "0000:7f:08.2"; returns name. */
const char *unc_pci_name(char name[UNC_PCI_NAME], const struct unc_pci *pci);
/* The reverse; other members are not set. false: not an address. */
bool unc_pci_parse(const char *name, struct unc_pci *pci);

/* The same as a number, which sorts like the list. */
static inline uint32_t unc_pci_address(const struct unc_pci *pci)
{
	return (uint32_t)pci->segment << 16 | (uint32_t)pci->bus << 8 | pci->devfn;
}
/* Its index in the list, or -1. */
int unc_pci_find(const struct unc_topology *topo, uint32_t address);

/* ---- packages and their dies ---- */

/* Logical package of a physical one; -1: not in this machine. */
int unc_logical_package(const struct unc_topology *topo, unsigned physical);
/* Add a physical package unless it exists; 0 or UNCORE_ENOMEM. */
int unc_package_add(struct unc_topology *topo, unsigned physical);
/* Logical package of a CPU; -1: no such CPU online. */
int unc_package_of_cpu(const struct unc_topology *topo, unsigned cpu);

#ifdef __cplusplus
}
#endif
#endif
