/* SPDX-License-Identifier: BSD-3-Clause */
/* mmio.h - registers at physical addresses, of the native machine. */
#ifndef UNC_MMIO_H
#define UNC_MMIO_H

#include <stddef.h>
#include <stdint.h>

#include "hw/regs.h"
#include "hw/topology.h"

/* Mapped registers; unc_op.unit is the number of a mapping. */
struct unc_mmio {
	unsigned n;
	struct unc_mapping *map;
	struct unc_range *bars; /* of all PCI devices; NULL: not read yet */
	int file;               /* dev/mem + 1 if it cannot be mapped; 0: not open */
};

/* The number of a mapping that contains the range, and lives until the end; or -errno. */
int unc_mmio_map(struct unc_mmio *mmio, const struct unc_topology *topo, const char *root,
		 uint64_t address, size_t bytes);
/* The size, according to the kernel, of the BAR that begins at base; 0: unknown. */
uint64_t unc_mmio_bar(const struct unc_pci *pci, const char *root, unsigned bar, uint64_t base);
void unc_mmio_free(struct unc_mmio *mmio);
int unc_mmio_read(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t *value);
int unc_mmio_write(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t value);

#endif
