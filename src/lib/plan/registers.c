/* SPDX-License-Identifier: BSD-3-Clause */
/* registers.c - the addresses of a box's registers, as operations that read them. */
#include "plan/plan.h"

#include "arch/arch.h"

unsigned unc_counter_width(const struct unc_box_type *t, unsigned counter)
{
	if (counter == t->n_counters)
		return t->fixed.width;
	return t->arch && counter >= t->arch->n_counters ? t->arch->fixed_width : t->width;
}

/* width 0: that of the space. */
static struct unc_op on_device(const struct unc_machine *m, const struct unc_box *b, int unit,
			       uint32_t address, uint8_t width)
{
	struct unc_op op = {
		.kind = UNCORE_READ,
		.space = UNCORE_MSR,
		.width = width                          ? width
			 : b->type->space == UNC_IN_MSR ? 64
							: 32,
		.package = b->package,
		.address = b->offset + address,
	};

	if (b->type->space == UNC_IN_PCI) {
		op.space = UNCORE_PCI;
		op.unit = (uint16_t)unit;
		op.devfn = unit < 0 ? 0 : m->topo.pci[unit].devfn; /* a listed box has no device */
	} else if (b->type->space == UNC_IN_MMIO) {
		op.space = UNCORE_MMIO;
		op.unit = (uint16_t)b->map;
	} else if (b->type->space == UNC_IN_CPU) {
		op.space = UNCORE_CPU;
		op.unit = b->index;
	}
	return op;
}

/* Index into a list of irregular offsets, in which the units of a device follow each other. */
static unsigned in_list(const struct unc_box *b, unsigned counter)
{
	return counter + (b->type->units ? (unsigned)b->index * b->type->n_counters : 0);
}

static uint32_t control_address(const struct unc_box *b, unsigned counter)
{
	const struct unc_box_type *t = b->type;

	if (counter == t->n_counters)
		return t->fixed.ctl;
	return t->ctls ? t->ctls[in_list(b, counter)] : t->ctl + counter * t->ctl_step;
}

static uint32_t counter_address(const struct unc_box *b, unsigned counter)
{
	const struct unc_box_type *t = b->type;

	if (counter == t->n_counters)
		return t->fixed.ctr;
	return t->ctrs ? t->ctrs[in_list(b, counter)] : t->ctr + counter * t->ctr_step;
}

struct unc_op unc_control_op(const struct unc_machine *m, const struct unc_box *b, unsigned counter)
{
	return on_device(m, b, b->pci, control_address(b, counter), b->type->ctl_width);
}

struct unc_op unc_box_op(const struct unc_machine *m, const struct unc_box *b, uint32_t address)
{
	return on_device(m, b, b->pci, address, 0);
}

struct unc_op unc_filter_op(const struct unc_machine *m, const struct unc_box *b, unsigned f)
{
	const struct unc_filter *filter = &b->type->filters[f];
	struct unc_op op =
		on_device(m, b, filter->extra_device ? b->extra : b->pci, filter->address, 0);

	if (filter->stride)
		op.address = filter->address + (uint64_t)filter->stride * b->index;
	return op;
}

struct unc_op unc_read_op(const struct unc_machine *m, const struct unc_box *b, unsigned counter)
{
	struct unc_op op = on_device(m, b, b->pci, counter_address(b, counter), 64);

	if (b->type->free)
		op.address = unc_free_address(b, counter);
	return op;
}

int unc_counter_of_control(const struct unc_box *b, const struct unc_op *op)
{
	const struct unc_box_type *t = b->type;
	const uint16_t *listed = t->ctls ? &t->ctls[in_list(b, 0)] : NULL;
	const uint64_t address = op->address - b->offset;

	if (op->space == UNCORE_PCI && op->unit != b->pci)
		return -1;
	for (unsigned c = 0; c < t->n_counters; c++)
		if (address == (listed ? listed[c] : t->ctl + c * t->ctl_step))
			return (int)c;
	return t->fixed.width && address == t->fixed.ctl ? t->n_counters : -1;
}

unsigned unc_filter_number(const struct unc_machine *m, unsigned box, const struct unc_op *op)
{
	const struct unc_box *b = &m->boxes[box];
	unsigned f = 0;

	while (f + 1u < b->type->n_filters) {
		const struct unc_op filter = unc_filter_op(m, b, f);

		if (filter.address == op->address && filter.unit == op->unit)
			break;
		f++;
	}
	return f;
}

bool unc_register_op(const struct unc_machine *m, const struct unc_box *b,
		     enum uncore_register which, unsigned n, struct unc_op *op)
{
	const struct unc_box_type *t = b->type;
	const bool counted = n < t->n_counters || (n == t->n_counters && t->fixed.width);
	bool exists = counted;

	if (which == UNCORE_UNIT_CONTROL)
		exists = !t->no_box_ctl && !t->free && n == 0;
	else if (which == UNCORE_CONTROL)
		exists = counted && !t->free;
	else if (which == UNCORE_FILTER)
		exists = n < t->n_filters && (!t->filters[n].extra_device || b->extra >= 0);
	if (!exists)
		return false;
	*op = which == UNCORE_UNIT_CONTROL ? unc_box_op(m, b, t->box_ctl)
	      : which == UNCORE_CONTROL    ? unc_control_op(m, b, n)
	      : which == UNCORE_COUNTER    ? unc_read_op(m, b, n)
					   : unc_filter_op(m, b, n);
	return true;
}

/* ---- operations on the same register ---- */

struct unc_op unc_op_reading(const struct unc_op *op)
{
	struct unc_op read = *op;

	read.kind = UNCORE_READ;
	return read;
}

struct unc_op unc_op_restoring(const struct unc_op *saved, uint64_t before, uint64_t due)
{
	struct unc_op op = *saved;

	op.kind = op.mask ? UNCORE_RMW : UNCORE_WRITE;
	op.saved = true;
	op.value = before;
	op.mask &= due;
	return op;
}

uint64_t unc_op_bits(const struct unc_op *op)
{
	return op->kind == UNCORE_RMW ? op->mask : UINT64_MAX;
}

bool unc_op_leave_out(struct unc_op *op, uint64_t bits)
{
	op->mask = unc_op_bits(op) & ~bits;
	op->kind = UNCORE_RMW;
	return op->mask != 0;
}
