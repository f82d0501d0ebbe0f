/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - check that the registers of a box can be accessed, or find out why not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"

void unc_probe_failed(struct unc_probe *probe, struct unc_hw *hw, const struct unc_op *op,
		      int error)
{
	if (probe->first_error)
		return;
	probe->first_error = error;
	hw->ops->explain(hw, op, error, probe->why, sizeof(probe->why));
}

static unsigned unit_of(const struct unc_box *b)
{
	const int unit = b->type->space == UNC_IN_MMIO ? b->map : b->pci;

	return unit < 0 ? 0 : (unsigned)unit;
}

static struct unc_op probe_op(const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;

	return (struct unc_op){
		.kind = UNCORE_READ,
		.space = (uint8_t)unc_interface_space(t->space),
		.width = t->space == UNC_IN_MSR ? 64 : 32,
		.package = b->package,
		.unit = (uint16_t)unit_of(b),
		.address = unc_box_address(b),
	};
}

static size_t at_least(size_t bytes, size_t end)
{
	return bytes > end ? bytes : end;
}

/* Bytes from the address of an MMIO box: its controls and counters, including fixed ones. */
static size_t mmio_bytes(const struct unc_box_type *t)
{
	size_t bytes = t->memory ? 0x100 : at_least(t->fixed.ctl + 4u, t->fixed.ctr + 8u);

	bytes = at_least(bytes, t->ctl + (size_t)t->ctl_step * t->n_counters);
	return at_least(bytes, t->ctr + (size_t)t->ctr_step * t->n_counters);
}

static int open_box(struct unc_box *b, struct unc_hw *hw)
{
	switch (b->type->space) {
	case UNC_IN_MSR:
		return unc_ask_msr_file(hw, b->package);
	case UNC_IN_PCI:
		return unc_ask_pci_file(hw, (unsigned)b->pci);
	default:
		b->map = unc_ask_mapping(hw, b->package, b->offset, mmio_bytes(b->type));
		return b->map < 0 ? b->map : 0;
	}
}

/*
 * A box that has been idle since boot may read so, too; see unc_memory.certain. 1, 0, or -errno
 * of the register left in op.
 */
static int reads_zero(const struct unc_box *b, struct unc_hw *hw, struct unc_op *op)
{
	uint64_t value = 0;

	for (op->address = b->offset; op->address < b->offset + mmio_bytes(b->type);
	     op->address += 4) {
		const int r = unc_read_twice(hw, op, &value);

		if (r < 0 || value)
			return r;
	}
	return 1;
}

/* ---- missing and unexpected boxes ---- */

void unc_box_lost_for(struct unc_box *b, int error, char *why)
{
	char *text = NULL;

	b->unreached = error;
	if (why && asprintf(&text, "%s: %s", b->absent, why) < 0)
		text = NULL;
	free(why);
	b->why = text;
	b->absent = text ? text : b->absent;
}

void unc_box_lost(struct unc_box *b, struct unc_hw *hw, const struct unc_op *op, int error)
{
	char why[512];

	hw->ops->explain(hw, op, error, why, sizeof(why));
	unc_box_mark(b, unc_absence(error));
	unc_box_lost_for(b, error, strdup(why));
}

/* Why the list of devices is incomplete, to be freed. */
static char *unlisted(const struct unc_machine *m)
{
	char *why;

	if (!m->topo.unread)
		return strdup("the UBox is hidden, or names the package of another");
	return asprintf(&why, "%s: %s", m->topo.unread_file, strerror(-m->topo.unread)) < 0 ? NULL
											    : why;
}

void unc_box_no_device(const struct unc_machine *m, struct unc_box *b, bool unknown,
		       enum uncore_absence absence)
{
	unc_box_mark(b, absence);
	if (unknown) {
		unc_box_mark(b, UNCORE_ABSENT_PACKAGE);
		unc_box_lost_for(b, -ENODEV, m->ubox_why ? strdup(m->ubox_why) : unlisted(m));
	} else if (m->topo.unread) {
		unc_box_mark(b, UNCORE_ABSENT_UNLISTED);
		unc_box_lost_for(b, m->topo.unread, unlisted(m));
	}
}

/* A register that the hardware always rejects does not exist, unless it must. */
static bool is_absence(const struct unc_machine *m, struct unc_hw *hw, const struct unc_box *b,
		       bool opened, int error)
{
	return error == -EFAULT || (opened && error == -EIO && !unc_box_certain(m, hw, b));
}

static int ask(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	const int r = unc_read_twice(hw, op, value);

	return r == -EIO ? unc_read_twice(hw, op, value) : r;
}

/* Sums of events that need no filter work without the second function. */
static void open_extra(const struct unc_machine *m, struct unc_box *b, struct unc_hw *hw)
{
	const struct unc_op op = {.kind = UNCORE_READ,
				  .space = UNCORE_PCI,
				  .width = 32,
				  .package = b->package,
				  .unit = (uint16_t)b->extra};
	const int r = unc_ask_pci_file(hw, (unsigned)b->extra);
	char why[512];

	if (r == 0)
		return;
	hw->ops->explain(hw, &op, r, why, sizeof(why));
	b->extra = -1;
	b->extra_unreached = r;
	b->extra_why = strdup(why);
	b->without_filter = m->partial;
}

void unc_box_probe(const struct unc_machine *m, struct unc_box *b, struct unc_hw *hw,
		   struct unc_probe *probe)
{
	struct unc_op op;
	uint64_t value = 0;
	bool opened;
	int r;

	if (b->absent)
		return;
	if (b->type->space == UNC_IN_PCI && b->pci < 0) {
		unc_box_no_device(m, b, unc_box_device(m, b, -1, false) >= 0, UNCORE_ABSENT_HIDDEN);
		return;
	}
	r = open_box(b, hw);
	opened = r == 0;
	op = probe_op(b);
	if (opened)
		r = ask(hw, &op, &value);
	if (r < 0) {
		if (is_absence(m, hw, b, opened, r))
			unc_box_mark(b, unc_absence(r));
		else
			unc_box_lost(b, hw, &op, r);
		unc_probe_failed(probe, hw, &op, r);
	} else if (b->type->space != UNC_IN_MSR && (uint32_t)value == UINT32_MAX) {
		unc_box_mark(b, UNCORE_ABSENT_DEAD);
	} else if (unc_box_uncertain(b)) {
		r = reads_zero(b, hw, &op);
		if (r < 0)
			unc_box_lost(b, hw, &op, r);
		else if (r)
			unc_box_mark(b, UNCORE_ABSENT_ZERO);
	}
	if (b->extra >= 0)
		open_extra(m, b, hw);
}
