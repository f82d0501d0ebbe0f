/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - see place.h. */
#include "plan/place.h"

int unc_place_compare(const struct unc_place *a, const struct unc_place *b)
{
	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

/* ---- address from place ---- */

struct unc_place unc_place_of(const struct unc_topology *t, const struct unc_op *op)
{
	struct unc_place place = {
		.space = op->space,
		.width = op->width,
		.package = op->package,
		.address = op->address,
	};

	if (op->space == UNCORE_PCI && op->unit < t->n_pci)
		place.where = unc_pci_address(&t->pci[op->unit]);
	else if (op->space == UNCORE_CPU)
		place.where = op->unit;
	else if (op->space == UNCORE_MSR && op->package < t->n_packages)
		place.where = t->package_ids[op->package];
	return place;
}

/* ---- place from address ---- */

static bool find_device(const struct unc_topology *t, uint32_t where, struct unc_op *op)
{
	const int unit = unc_pci_find(t, where);

	if (unit < 0)
		return false;
	op->unit = (uint16_t)unit;
	op->devfn = t->pci[unit].devfn;
	if (t->pci[unit].package >= 0)
		op->package = (uint16_t)t->pci[unit].package;
	return true;
}

static bool find_mapping(const struct unc_pmon *pmon, struct unc_op *op)
{
	for (size_t i = 0; i < pmon->n; i++)
		if (pmon->reg[i].space == UNCORE_MMIO && pmon->reg[i].address == op->address) {
			op->unit = pmon->reg[i].unit;
			return true;
		}
	return false;
}

static bool find_package(const struct unc_topology *t, int package, struct unc_op *op)
{
	if (package < 0 || (unsigned)package >= t->n_packages)
		return false;
	op->package = (uint16_t)package;
	return true;
}

static bool find(const struct unc_topology *t, const struct unc_pmon *pmon, uint32_t where,
		 struct unc_op *op)
{
	switch (op->space) {
	case UNCORE_PCI:
		return find_device(t, where, op);
	case UNCORE_MMIO:
		return find_mapping(pmon, op);
	case UNCORE_CPU:
		op->unit = (uint16_t)where;
		return where <= UINT16_MAX && find_package(t, unc_package_of_cpu(t, where), op);
	default:
		return op->space == UNCORE_MSR &&
		       find_package(t, unc_logical_package(t, where), op);
	}
}

bool unc_place_op(const struct unc_topology *t, const struct unc_pmon *pmon,
		  const struct unc_place *place, struct unc_op *op)
{
	*op = (struct unc_op){
		.kind = UNCORE_READ,
		.space = place->space,
		.width = place->width,
		.package = place->package,
		.address = place->address,
	};
	return find(t, pmon, place->where, op) && op->package < t->n_packages &&
	       unc_pmon_find(pmon, op);
}

/* ---- values ---- */

bool unc_place_restoring(const struct unc_pmon *pmon, const struct unc_op *read, uint64_t held,
			 uint64_t bits, uint64_t before, struct unc_op *op)
{
	const struct unc_pmon_register *reg = unc_pmon_find(pmon, read);
	const uint64_t ours = (bits ? bits : UINT64_MAX) & reg->bits;

	*op = *read;
	op->value = (held & ~ours) | (before & ours & ~(reg->starts & ~held));
	op->kind = UNCORE_WRITE;
	if (bits || reg->shared) {
		op->kind = UNCORE_RMW;
		op->mask = ours;
		op->value &= ours;
	}
	return ours != 0;
}

struct unc_op unc_place_clearing(const struct unc_pmon *pmon, const struct unc_op *read,
				 uint64_t value)
{
	const struct unc_pmon_register *reg = unc_pmon_find(pmon, read);
	struct unc_op op = *read;

	op.kind = UNCORE_WRITE;
	op.value = value & reg->bits & ~reg->starts;
	return op;
}
