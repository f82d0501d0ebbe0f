/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - what a machine tells about itself: CPU model, CPUs and their packages, PCI
 * devices.  Read from the kernel's text files; no register is touched.
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

#define UNC_NOT_ASKED INT_MIN /* until somebody wants to know; see struct unc_hw_ops */

struct unc_cpu {
	unsigned id;      /* logical CPU number */
	unsigned package; /* physical id as the kernel tells it, that of the die from bit 16 on */
	int core;         /* or -errno, or UNC_NOT_ASKED */
};

struct unc_pci {
	uint16_t segment;
	uint8_t bus, devfn;
	uint16_t device; /* device id; the vendor is Intel */
	/* physical package of its NUMA node, -1: unknown, or UNC_OFFLINE, or UNC_NOT_ASKED */
	int near;
	int package; /* logical package, -1: unknown, or UNC_OFFLINE */
};

#define UNC_OFFLINE (-3) /* it is known, but no CPU of it is online */

/* What a machine tells about itself, however it was asked. */
struct unc_topology {
	char vendor[16];
	unsigned family, model, stepping;
	bool hypervisor;
	size_t n_cpus, n_pci;
	struct unc_cpu *cpus; /* online ones, ascending by id */
	struct unc_pci *pci;  /* Intel's, ascending by address */
	/*
	 * What has an uncore of its own is a package in here: its CPUs reach its MSRs, its buses
	 * are its own, its freeze holds its boxes.  Where packages have several dies
	 * (Cascade Lake-AP) it is a die.  Names and whatever is shown say pkg= and die=.
	 */
	unsigned n_packages;
	unsigned *package_ids; /* logical package -> physical id */
	int unread;            /* -errno: why not all devices could be listed, 0: they were */
	char unread_file[64];  /* ... and whose failure that was, below root */
};

/*
 * Read what /proc/cpuinfo below root says about the first CPU.  Reads no more
 * than that: this is all that a machine without Intel's uncore ever pays for.
 * UNCORE_ENOSUPP without the file.
 */
int unc_topology_model(struct unc_topology *topo, const char *root, struct unc_err *err);

/* Read CPUs and PCI devices below root.  UNCORE_ENOSUPP, UNCORE_ENOMEM. */
int unc_topology_devices(struct unc_topology *topo, const char *root, struct unc_err *err);

/*
 * CPUs that are online by now, as a list, and are not in a topology that was read before; how many.
 * package: it lacks the package of one of them.
 */
unsigned unc_topology_later(const struct unc_topology *topo, const char *root, char *list,
			    size_t len, bool *package);
void unc_topology_free(struct unc_topology *topo);

/* Intel's PCI devices; 0 or UNCORE_ENOMEM.  devices.c */
int unc_topology_pci(struct unc_topology *topo, const char *root);

/* The core id of a CPU, 0 where the kernel tells none; -errno. */
int unc_topology_core(const char *root, unsigned cpu);

#define UNC_MAX_NODES 1024

/* Physical packages of NUMA nodes, as far as they were asked for. */
struct unc_numa {
	bool asked[UNC_MAX_NODES];
	int package[UNC_MAX_NODES];
};

/* Physical package of the NUMA node of a PCI device, -1: unknown. */
int unc_near(const struct unc_topology *topo, const char *root, size_t unit, struct unc_numa *numa);

#define UNC_PCI_NAME 16

/* A device's address as the kernel writes it, "0000:7f:08.2"; returns name. */
const char *unc_pci_name(char name[UNC_PCI_NAME], const struct unc_pci *pci);
/* And back: nothing else is known of the device.  false: it is no such address. */
bool unc_pci_parse(const char *name, struct unc_pci *pci);

/* The same as a number, in the order of the list. */
static inline uint32_t unc_pci_address(const struct unc_pci *pci)
{
	return (uint32_t)pci->segment << 16 | (uint32_t)pci->bus << 8 | pci->devfn;
}
/* Its place in the list, -1: there is no such device. */
int unc_pci_find(const struct unc_topology *topo, uint32_t address);

/* ---- packages.c ---- */

/* Logical package of a physical one, -1: none of this machine. */
int unc_logical_package(const struct unc_topology *topo, unsigned physical);
/* Room for a physical package, if it has none yet; 0 or UNCORE_ENOMEM. */
int unc_package_add(struct unc_topology *topo, unsigned physical);
/* Logical package of a CPU, -1: no such CPU online. */
int unc_package_of_cpu(const struct unc_topology *topo, unsigned cpu);

#ifdef __cplusplus
}
#endif
#endif
