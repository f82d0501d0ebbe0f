/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closed.c - a machine whose registers are not accessed: reports what is known without
 * privileges, and refuses all else.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw/native.h"

struct closed {
	struct unc_hw hw;
	char root[PATH_MAX];
	struct unc_numa numa;
};

static struct closed *closed_of(struct unc_hw *hw)
{
	return (struct closed *)hw;
}

static int closed_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	(void)hw;
	(void)op;
	*value = 0;
	return -EPERM;
}

static int closed_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	(void)hw;
	(void)op;
	(void)value;
	return -EPERM;
}

/* Of a package or a PCI device. */
static int closed_open(struct unc_hw *hw, unsigned which)
{
	(void)hw;
	(void)which;
	return -EPERM;
}

static int closed_map(struct unc_hw *hw, unsigned package, uint64_t address, size_t bytes)
{
	(void)hw;
	(void)package;
	(void)address;
	(void)bytes;
	return -EPERM;
}

static uint64_t closed_bar_bytes(struct unc_hw *hw, unsigned unit, unsigned bar, uint64_t base)
{
	(void)hw;
	(void)unit;
	(void)bar;
	(void)base;
	return 0;
}

static int closed_cpuid(struct unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4])
{
	return unc_cpuid(closed_of(hw)->root, cpu, leaf, subleaf, regs);
}

static int closed_core(struct unc_hw *hw, unsigned cpu)
{
	return unc_topology_core(closed_of(hw)->root, cpu);
}

static int closed_near(struct unc_hw *hw, unsigned unit)
{
	return unc_near(hw->topo, closed_of(hw)->root, unit, &closed_of(hw)->numa);
}

static void closed_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	(void)hw;
	(void)op;
	(void)error;
	snprintf(text, len,
		 "cannot access registers while counting through the kernel's driver: use "
		 "UNCORE_ACCESS=direct");
}

static void closed_close(struct unc_hw *hw)
{
	free(hw);
}

static const struct unc_hw_ops closed_ops = {
	.read = closed_read,
	.write = closed_write,
	.read_many = unc_read_each,
	.open_msr = closed_open,
	.open_pci = closed_open,
	.map = closed_map,
	.bar_bytes = closed_bar_bytes,
	.cpuid = closed_cpuid,
	.core = closed_core,
	.near = closed_near,
	.explain = closed_explain,
	.close = closed_close,
};

struct unc_hw *unc_hw_closed(const char *root, const struct unc_topology *topo)
{
	struct closed *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->hw.ops = &closed_ops;
	c->hw.topo = topo;
	c->hw.where = UNC_CLOSED;
	snprintf(c->root, sizeof(c->root), "%s", root);
	return &c->hw;
}
