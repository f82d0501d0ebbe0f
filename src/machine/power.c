/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.c - counters of energy, limits of frequency (docs/hardware/power.md): boxes behind those of
 * the uncore, one of a kind in each package.  A machine without them lacks nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/boxes.h"
#include "regs/regs.h"

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
	if (more == 0 || n + more >= UNC_MAX_TYPES - 1) /* the CPUs' own are to come */
		return 0;
	m->with_power = calloc(n + more + 1, sizeof(*m->with_power));
	if (!m->with_power)
		return UNCORE_ENOMEM;
	memcpy(m->with_power, m->types, n * sizeof(*m->with_power));
	memcpy(m->with_power + n, power, more * sizeof(*m->with_power));
	m->types = m->with_power;
	return 0;
}

/* Nothing promises the registers: what the CPU refuses, or a recording lacks, is not there. */
static void failed(struct unc_box *b, struct unc_hw *hw, const struct unc_op *op, bool opened,
		   int error)
{
	if (hw->replayed && error == -ENODATA)
		b->absent = "its registers were not recorded";
	else if (opened && error == -EIO)
		b->absent = "this processor, or virtual machine, has no such register";
	else
		unc_box_lost(b, hw, op, error);
}

static void probe(struct unc_box *b, struct unc_hw *hw)
{
	const struct unc_energy *e = b->type->energy;
	struct unc_op op = unc_msr_op(b->package, (uint32_t)unc_free_address(b, 0));
	uint64_t held = 0, unit = 0;
	int r = hw->ops->open_msr(hw, b->package);
	const bool opened = r == 0;

	if (opened)
		r = unc_read_twice(hw, &op, &held);
	if (r == 0 && e && !e->exponent) {
		op = unc_msr_op(b->package, e->unit_msr);
		r = unc_read_twice(hw, &op, &unit);
	}
	if (r < 0)
		failed(b, hw, &op, opened, r);
	else if ((uint32_t)held == 0 || (e && !e->exponent && unit == 0))
		b->absent = e ? "the firmware does not report it: the counter stays at 0"
			      : "the firmware does not report it: the register holds 0";
	if (e)
		b->joule_bits = e->exponent ? e->exponent : (uint8_t)(unit >> e->shift & e->mask);
}

void unc_power_probe(struct unc_machine *m, struct unc_hw *hw)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (m->boxes[i].type->energy || m->boxes[i].type->level)
			probe(&m->boxes[i], hw);
}
