/* SPDX-License-Identifier: BSD-3-Clause */
/* native.h - the access paths of the native backend; src/lib/hw only. */
#ifndef UNC_NATIVE_H
#define UNC_NATIVE_H

#include <stdatomic.h>

#include "hw/regs.h"

/* A register of msr-safe's allow-list. */
struct unc_allowed {
	uint32_t msr;
	uint64_t mask; /* bits that may be written */
};

/* msr-safe; msr_safe.h. */
struct unc_safe {
	int batch;           /* its batch device, -1: not open */
	atomic_bool refused; /* it refused a read: the files are asked from then on */
	size_t n_allowed;
	struct unc_allowed *allowed; /* the list, by number; NULL: it cannot be read */
};

/* MSR device files, dev/cpu/N/msr or msr_safe. */
struct unc_msr {
	const char *name; /* of the files: "msr" or "msr_safe" */
	bool opened;      /* one of them, so that the name is settled */
	int refused;      /* why nothing is written through dev/cpu/N/msr, 0: it may be */
	int *fd;          /* by position in topology.cpus, -1: not open */
	int16_t *slot;    /* by CPU number: position in topology.cpus, -1: none */
	unsigned n_slots;
	int16_t *package; /* by position: logical package */
	int16_t *home;    /* by package: position of its first open file, negative: none */
	int *own;         /* by position: opened for registers of this very CPU, -1: not */
	unsigned n_homes;
};

int unc_msr_init(struct unc_msr *msr, const struct unc_topology *topo);
void unc_msr_free(struct unc_msr *msr, const struct unc_topology *topo);
/* Open the first CPU of a package; all of them. */
int unc_msr_open(struct unc_msr *msr, const struct unc_topology *topo, const char *root,
		 unsigned package);
void unc_msr_open_all(struct unc_msr *msr, const struct unc_topology *topo, const char *root);
int unc_msr_read(struct unc_msr *msr, const struct unc_topology *topo, unsigned package,
		 uint32_t address, uint64_t *value);
int unc_msr_write(struct unc_msr *msr, const struct unc_topology *topo, unsigned package,
		  uint32_t address, uint64_t value);

/* The CPU that an operation goes through, -1: none; here: the calling one. */
int unc_msr_cpu(const struct unc_msr *msr, const struct unc_topology *topo, int here,
		const struct unc_op *op);
static inline bool unc_msr_is_safe(const struct unc_msr *msr)
{
	return msr->name[3] != 0;
}

/*
 * Registers that a CPU has of its own.  Opens the CPU's file if it is not open:
 * that first access must be under the session's lock.
 */
int unc_msr_cpu_open(struct unc_msr *msr, const struct unc_topology *topo, const char *root,
		     unsigned cpu);
int unc_msr_cpu_read(struct unc_msr *msr, const struct unc_topology *topo, const char *root,
		     unsigned cpu, uint32_t address, uint64_t *value);
int unc_msr_cpu_write(struct unc_msr *msr, const struct unc_topology *topo, const char *root,
		      unsigned cpu, uint32_t address, uint64_t value);

/* cpuid.c: 0 or -errno */
int unc_cpuid(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* PCI config space files, sys/bus/pci/devices/.../config. */
int unc_pci_open(int *fd, const struct unc_pci *pci, const char *root);
int unc_pci_read(int fd, uint32_t offset, void *value, size_t bytes);
int unc_pci_write(int fd, uint32_t offset, const void *value, size_t bytes);

/* Mapped registers; unc_op.unit is the number of a mapping. */
struct unc_mmio {
	unsigned n;
	struct unc_mapping *map;
	struct unc_range *bars; /* of all PCI devices, NULL: not read yet */
	int file;               /* dev/mem, plus 1, where it cannot be mapped; 0: not open */
};

/* The number of a mapping that holds the range, which stays until the end, or -errno. */
int unc_mmio_map(struct unc_mmio *mmio, const struct unc_topology *topo, const char *root,
		 uint64_t address, size_t bytes);
/* How many bytes the kernel says are behind a BAR that begins at base, 0: it does not say. */
uint64_t unc_mmio_bar(const struct unc_pci *pci, const char *root, unsigned bar, uint64_t base);
void unc_mmio_free(struct unc_mmio *mmio);
int unc_mmio_read(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t *value);
int unc_mmio_write(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t value);

/*
 * What failed with -errno, also where errno stands for something that has none of its own,
 * and what to do about it; locked_down: the kernel forbids all access.  remedy.c
 */
const char *unc_what_failed(int error);
const char *unc_remedy(const struct unc_op *op, int error, bool locked_down);

#endif
