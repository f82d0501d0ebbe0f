/* SPDX-License-Identifier: BSD-3-Clause */
/* pmon.c - see pmon.h. */
#include "hw/pmon.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the map ---- */

/* All CPUs have the same per-CPU registers. */
struct unc_pmon_register unc_pmon_key(const struct unc_op *op)
{
	return (struct unc_pmon_register){
		.address = op->address,
		.unit = op->space == UNCORE_MSR   ? op->package
			: op->space == UNCORE_CPU ? 0
						  : op->unit,
		.space = op->space,
		.width = op->width,
	};
}

static uint32_t hash(const struct unc_pmon_register *r)
{
	return UNC_HASH(r->address, (uint64_t)r->unit << 16 | (uint64_t)r->space << 8 | r->width);
}

#define KEY_BYTES offsetof(struct unc_pmon_register, shared)
_Static_assert(KEY_BYTES == 12, "no padding in the key");

static const struct unc_keys keys = {sizeof(struct unc_pmon_register), 0, KEY_BYTES};

void unc_pmon_add(struct unc_pmon *map, const struct unc_pmon_register *reg)
{
	const uint32_t known = unc_index_find(&map->index, &keys, map->reg, reg, hash(reg));

	if (known) {
		map->reg[known - 1].bits |= reg->bits;
		map->reg[known - 1].starts |= reg->starts;
		map->reg[known - 1].shared |= reg->shared;
		return;
	}
	if (unc_room_for_one((void **)&map->reg, map->n, &map->room, sizeof(*map->reg))) {
		map->reg[map->n] = *reg;
		if (unc_index_add(&map->index, hash(reg), map->n + 1)) {
			map->n++;
			return;
		}
	}
	map->failed = true;
}

void unc_pmon_free(struct unc_pmon *map)
{
	free(map->reg);
	unc_index_free(&map->index);
	*map = (struct unc_pmon){.n = 0};
}

const struct unc_pmon_register *unc_pmon_find(const struct unc_pmon *map, const struct unc_op *op)
{
	const struct unc_pmon_register reg = unc_pmon_key(op);
	const uint32_t i = map ? unc_index_find(&map->index, &keys, map->reg, &reg, hash(&reg)) : 0;

	return i ? &map->reg[i - 1] : NULL;
}

/* ---- the guard ---- */

enum verdict { MAY, MAY_NOT, LOOK };

/*
 * A write of the whole register may clear reserved bits, and restore what the register itself
 * held before; otherwise bits that are not in the map must stay.
 */
static enum verdict judge(const struct unc_pmon_register *reg, const struct unc_op *op)
{
	if (!reg)
		return MAY_NOT;
	if (op->kind == UNCORE_RMW)
		return op->mask & ~reg->bits ? MAY_NOT : MAY;
	if (reg->shared)
		return LOOK;
	return op->saved || !(op->value & ~reg->bits) ? MAY : LOOK;
}

bool unc_pmon_certain(const struct unc_hw *hw, const struct unc_op *op)
{
	return op->kind == UNCORE_READ || judge(unc_pmon_find(hw->pmon, op), op) == MAY;
}

int unc_pmon_check(struct unc_hw *hw, const struct unc_op *op)
{
	const struct unc_pmon_register *reg = unc_pmon_find(hw->pmon, op);
	const enum verdict verdict = judge(reg, op);
	uint64_t old;
	int r;

	if (verdict != LOOK)
		return verdict == MAY ? 0 : -UNC_NOT_PMON;
	r = unc_read_register(hw, op, &old);
	if (r < 0)
		return r;
	return (old ^ op->value) & ~reg->bits ? -UNC_NOT_PMON : 0;
}

static void name_location(const struct unc_hw *hw, const struct unc_op *op, char *text, size_t len)
{
	char name[UNC_PCI_NAME];

	if (op->space == UNCORE_PCI && op->unit < hw->topo->n_pci)
		snprintf(text, len, "PCI device %s", unc_pci_name(name, &hw->topo->pci[op->unit]));
	else if (op->space == UNCORE_CPU)
		snprintf(text, len, "CPU %u", op->unit);
	else
		snprintf(text, len, "%s of package %u", op->space == UNCORE_MSR ? "MSRs" : "memory",
			 op->package);
}

void unc_pmon_explain(const struct unc_hw *hw, const struct unc_op *op, char *text, size_t len)
{
	const struct unc_pmon_register *reg = unc_pmon_find(hw->pmon, op);
	const uint64_t bits = op->kind == UNCORE_RMW ? op->mask : op->value;
	char location[64], what[96] = "it is not a counter register";

	name_location(hw, op, location, sizeof(location));
	if (reg)
		snprintf(what, sizeof(what),
			 "writing %#" PRIx64 " would change bits that are not the counters'", bits);
	snprintf(text, len,
		 "%s, register %#" PRIx64 " (%u bits): write blocked because %s on this "
		 "machine; this is a bug in the library, please report it",
		 location, op->address, op->width, what);
}
