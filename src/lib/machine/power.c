/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.c - energy counters and frequency limits (docs/hardware/power.md): boxes after those of
 * the uncore, one of a kind per package, or as many as TPMI lists.  A machine without them is
 * complete.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/boxes.h"

static const struct unc_box_type *const *types_of(const struct unc_platform *platform)
{
	const struct unc_power *p = unc_power;

	while (p->platform && p->platform != platform)
		p++;
	return p->types;
}

int unc_power_find(struct unc_machine *m)
{
	const struct unc_box_type *const *power = types_of(m->platform);
	size_t n = 0, more = 0;

	while (m->types[n])
		n++;
	while (power && power[more])
		more++;
	if (more == 0 || n + more >= UNC_MAX_TYPES - 1) /* leave room for the core PMU */
		return 0;
	m->with_power = calloc(n + more + 1, sizeof(*m->with_power));
	if (!m->with_power)
		return UNCORE_ENOMEM;
	memcpy(m->with_power, m->types, n * sizeof(*m->with_power));
	memcpy(m->with_power + n, power, more * sizeof(*m->with_power));
	m->types = m->with_power;
	return 0;
}

/* The registers are optional: those that the CPU rejects, or a recording lacks, do not exist. */
static void failed(struct unc_box *b, struct unc_hw *hw, const struct unc_op *op, bool opened,
		   int error)
{
	if (hw->where == UNC_RECORDED && error == -ENODATA)
		unc_box_mark(b, UNCORE_ABSENT_NOT_RECORDED);
	else if (opened && error == -EIO)
		unc_box_mark(b, UNCORE_ABSENT_NO_REGISTER);
	else
		unc_box_lost(b, hw, op, error);
}

/* Open the registers of the box; 0 or -errno. */
static int open_register(const struct unc_box *b, struct unc_hw *hw, uint64_t address,
			 struct unc_op *op)
{
	int map;

	*op = unc_msr_op(b->package, (uint32_t)address);
	if (b->type->space == UNC_IN_MSR)
		return unc_ask_msr_file(hw, b->package);
	*op = (struct unc_op){.kind = UNCORE_READ,
			      .space = UNCORE_MMIO,
			      .width = 64,
			      .package = b->package,
			      .address = address};
	map = unc_ask_mapping(hw, b->package, address, 8);
	op->unit = map < 0 ? 0 : (uint16_t)map;
	return map < 0 ? map : 0;
}

static enum uncore_absence silence(const struct unc_box *b, uint64_t held, uint64_t unit)
{
	const struct unc_energy *e = b->type->energy;

	if (b->type->space == UNC_IN_MMIO && held == UINT64_MAX)
		return UNCORE_ABSENT_DEAD;
	if (e && ((uint32_t)held == 0 || (!e->exponent && unit == 0)))
		return UNCORE_ABSENT_NO_ENERGY;
	return (uint32_t)held ? UNCORE_PRESENT : UNCORE_ABSENT_NO_LIMIT;
}

static void probe(struct unc_box *b, struct unc_hw *hw)
{
	const struct unc_energy *e = b->type->energy;
	const bool by_msr = b->type->space == UNC_IN_MSR;
	struct unc_op op;
	uint64_t held = 0, unit = 0;
	int r = open_register(b, hw, unc_free_address(b, 0), &op);
	const bool opened = r == 0;

	if (opened)
		r = unc_read_twice(hw, &op, &held);
	if (r == 0 && !by_msr)
		b->map = op.unit;
	if (r == 0 && e && !e->exponent) {
		r = open_register(b, hw, e->unit + (by_msr ? 0 : b->offset), &op);
		if (r == 0)
			r = unc_read_twice(hw, &op, &unit);
	}
	if (r < 0)
		failed(b, hw, &op, opened, r);
	else
		unc_box_mark(b, silence(b, held, unit));
	if (e)
		b->joule_bits = e->exponent ? e->exponent : (uint8_t)(unit >> e->shift & e->mask);
}

void unc_power_probe(struct unc_machine *m, struct unc_hw *hw)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent && (m->boxes[i].type->energy || m->boxes[i].type->level))
			probe(&m->boxes[i], hw);
}
