/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu_info.c - public functions that show the registers of core counters. */
#include <string.h>

#include "arch/arch.h"
#include "base/sized.h"
#include "set/set.h"

/* The boxes of cores are sorted by package, then CPU number. */
static const struct unc_box *box_of_cpu(const struct uncore *u, unsigned cpu)
{
	for (size_t i = u->machine.n_boxes; i-- > 0 && u->machine.boxes[i].type->arch;)
		if (u->machine.boxes[i].index == cpu)
			return &u->machine.boxes[i];
	return NULL;
}

static int get(struct uncore *u, const struct unc_box *b, uint32_t address, uint64_t *value)
{
	const struct unc_op op = unc_box_op(&u->machine, b, address);
	const int r = unc_run_op(u->hw, &op, value);

	return r < 0 ? unc_op_failed(u->hw, &op, r, &u->err) : 0;
}

/*
 * Registers of later versions are other registers in earlier ones: do not read those that do
 * not exist.
 */
static int read_registers(struct uncore *u, const struct unc_box *b, struct uncore_cpu_info *info)
{
	const struct {
		uint32_t address;
		uint64_t *value;
		bool exists;
	} registers[] = {
		{UNC_ARCH_GLOBAL_CTRL, &info->global_ctrl, info->has_global},
		{UNC_ARCH_STATUS, &info->global_status, info->has_global},
		{UNC_ARCH_FIXED_CTRL, &info->fixed_ctrl, info->has_global},
		{UNC_ARCH_DEBUGCTL, &info->debugctl, info->has_global},
		{UNC_ARCH_IN_USE, &info->in_use, info->has_in_use},
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(registers) / sizeof(*registers); i++)
		if (registers[i].exists)
			r = get(u, b, registers[i].address, registers[i].value);
	return r;
}

static void describe(const struct unc_box *b, struct uncore_cpu_info *info)
{
	const struct unc_arch *arch = b->type->arch;

	memset(info, 0, sizeof(*info));
	info->cpu = b->index;
	info->package = b->socket;
	info->version = arch->version;
	info->counters = arch->n_counters;
	info->width = b->type->width;
	info->fixed = arch->fixed;
	info->fixed_width = arch->fixed_width;
	info->has_global = arch->version >= UNC_ARCH_VERSION_GLOBAL;
	info->has_in_use = arch->version >= UNC_ARCH_VERSION_RESET;
}

static int look(struct uncore *u, const struct unc_box *b, struct uncore_cpu_info *is)
{
	sigset_t before;
	int r;

	describe(b, is);
	if (unc_is_served(u->hw) ||
	    u->hw->where == UNC_CLOSED) { /* the registers are in another process */
		is->has_global = is->has_in_use = false;
		return 0;
	}
	unc_lock(u, &before);
	r = read_registers(u, b, is);
	unc_unlock(u, &before);
	return r;
}

int uncore_cpu(struct uncore *u, unsigned i, struct uncore_cpu_info *info)
{
	const struct unc_topology *t;
	struct uncore_cpu_info is;
	const struct unc_box *b;
	int r = unc_unopened(u);

	if (r < 0)
		return r;
	t = &u->machine.topo;
	if (i >= t->n_cpus)
		return 0;
	r = unc_refuse_child(u);
	if (r < 0)
		return r;
	b = box_of_cpu(u, t->cpus[i].id);
	if (!b)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"CPUID reports no core performance counters (leaf 0xA)");
	if (b->absent)
		return unc_fail(&u->err, UNCORE_EACCESS, "CPU %u: %s", b->index, b->absent);
	r = look(u, b, &is);
	return r < 0 ? r : unc_give(&u->err, info, &is, UNC_SIZED(uncore_cpu_info), 1);
}
