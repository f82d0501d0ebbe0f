/* SPDX-License-Identifier: BSD-3-Clause */
/* pmon.c - see pmon.h. */
#include "regs/pmon.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the map ---- */

/* All CPUs have the same registers of their own. */
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

void unc_pmon_add(struct unc_pmon *map, const struct unc_pmon_register *reg)
{
	if (map->n == map->room) {
		const size_t room = map->room ? 2 * map->room : 256;
		struct unc_pmon_register *more = realloc(map->reg, room * sizeof(*more));

		map->failed |= !more;
		if (!more)
			return;
		map->reg = more;
		map->room = room;
	}
	map->reg[map->n++] = *reg;
}

static int by_address(const void *a, const void *b)
{
	const struct unc_pmon_register *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->width != y->width)
		return x->width < y->width ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

void unc_pmon_finish(struct unc_pmon *map)
{
	size_t n = 0;

	if (map->n)
		qsort(map->reg, map->n, sizeof(*map->reg), by_address);
	for (size_t i = 0; i < map->n; i++) {
		if (n == 0 || by_address(&map->reg[n - 1], &map->reg[i]) != 0) {
			map->reg[n++] = map->reg[i];
			continue;
		}
		map->reg[n - 1].bits |= map->reg[i].bits;
		map->reg[n - 1].starts |= map->reg[i].starts;
		map->reg[n - 1].shared |= map->reg[i].shared;
	}
	map->n = n;
}

void unc_pmon_free(struct unc_pmon *map)
{
	free(map->reg);
	*map = (struct unc_pmon){.n = 0};
}

const struct unc_pmon_register *unc_pmon_find(const struct unc_pmon *map, const struct unc_op *op)
{
	const struct unc_pmon_register key = unc_pmon_key(op);

	if (!map || map->n == 0)
		return NULL;
	return bsearch(&key, map->reg, map->n, sizeof(key), by_address);
}

/* ---- the guard ---- */

enum verdict { MAY, MAY_NOT, LOOK };

/*
 * A write of the whole register may clear reserved bits, and put back what the register
 * itself has shown before; otherwise bits that are not in the map have to stay.
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
	char location[64], what[96] = "that is no register of a counter";

	name_location(hw, op, location, sizeof(location));
	if (reg)
		snprintf(what, sizeof(what),
			 "%#" PRIx64 " would change bits of it that are not the "
			 "counters'",
			 bits);
	snprintf(text, len,
		 "%s, register %#" PRIx64
		 " (%u bits): nothing was written, since %s on this machine; "
		 "this is an error of the library, please report it",
		 location, op->address, op->width, what);
}
