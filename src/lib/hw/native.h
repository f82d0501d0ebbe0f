/* SPDX-License-Identifier: BSD-3-Clause */
/* native.h - access paths of the native machine; for src/lib/hw only. */
#ifndef UNC_NATIVE_H
#define UNC_NATIVE_H

#include <stdatomic.h>

#include "hw/mmio.h"
#include "hw/regs.h"

/* A register in the allow-list of msr-safe. */
struct unc_allowed {
	uint32_t msr;
	uint64_t mask; /* bits that may be written */
};

/* msr-safe; msr_safe.h. */
struct unc_safe {
	int batch;           /* its batch device, or -1 */
	atomic_bool refused; /* it refused a read: use the files from then on */
	size_t n_allowed;
	struct unc_allowed *allowed; /* the list, sorted by register; NULL: it cannot be read */
};

/* MSR device files, dev/cpu/N/msr or msr_safe. */
struct unc_msr {
	const struct unc_topology *topo;
	const char *root;
	const char *name; /* of the files: "msr" or "msr_safe" */
	bool opened;      /* one file is open, so the name is known */
	int refused;      /* -errno of writes through dev/cpu/N/msr, or 0 */
	/* by index into topology.cpus; negative: not open, see msr.c */
	atomic_int *fd;
	atomic_int room; /* files that may still be opened just to make accesses faster */
	int16_t *slot;   /* by CPU number: index into topology.cpus, or -1 */
	unsigned n_slots;
	int16_t *package; /* by index: logical package */
	int16_t *home;    /* by package: index of its first open file; negative: none */
	unsigned n_homes;
};

int unc_msr_init(struct unc_msr *msr, const struct unc_topology *topo, const char *root);
void unc_msr_free(struct unc_msr *msr);
/* Open the file of one CPU of a package. */
int unc_msr_open(struct unc_msr *msr, unsigned package);
int unc_msr_read(struct unc_msr *msr, unsigned package, uint32_t address, uint64_t *value);
int unc_msr_write(struct unc_msr *msr, unsigned package, uint32_t address, uint64_t value);

/* A CPU that can carry out an operation, or -1; here: the calling CPU. */
int unc_msr_cpu(const struct unc_msr *msr, int here, const struct unc_op *op);
static inline bool unc_msr_is_safe(const struct unc_msr *msr)
{
	return msr->name[3] != 0;
}

/* Registers of one CPU. */
int unc_msr_cpu_open(struct unc_msr *msr, unsigned cpu);
int unc_msr_cpu_read(struct unc_msr *msr, unsigned cpu, uint32_t address, uint64_t *value);
int unc_msr_cpu_write(struct unc_msr *msr, unsigned cpu, uint32_t address, uint64_t value);

/* native.c: 0 or -errno */
int unc_cpuid(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* PCI config space files, sys/bus/pci/devices/.../config. */
int unc_pci_open(int *fd, const struct unc_pci *pci, const char *root);
int unc_pci_read(int fd, uint32_t offset, void *value, size_t bytes);
int unc_pci_write(int fd, uint32_t offset, const void *value, size_t bytes);

/*
 * Explain -errno of an access, and what to do about it, including values of errno with a
 * special meaning here; locked_down: the kernel forbids all access. remedy.c
 */
const char *unc_what_failed(int error);
const char *unc_remedy(const struct unc_op *op, int error, bool locked_down);

#endif
