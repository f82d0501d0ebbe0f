/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mmio.c - memory-mapped registers: boxes of memory controllers, at the addresses in
 * config space; units and tables of discovery.
 */
#include <errno.h>

#include "sim/model/model.h"

#define CHANNELS 3 /* channels for which a controller has registers */
#define PRESENT  2 /* existing channels */

/* Decode a dword at `offset` of `box`; false: not a register. */
static bool dword_of(const struct sim_box *box, unsigned channel, uint32_t offset,
		     struct sim_ref *ref)
{
	if (sim_decode(box->kind, channel, offset, ref))
		return true;
	if (offset < 4 || !sim_decode(box->kind, channel, offset - 4, ref))
		return false;
	ref->high = true;
	if (ref->reg == SIM_REG_CONTROL)
		return box->kind->control_bits >> 32 != 0;
	return ref->reg == SIM_REG_COUNTER || ref->reg == SIM_REG_FIXED_CTR ||
	       ref->reg == SIM_REG_FREE;
}

static struct sim_box *target_in(const struct sim_window *window, uint64_t address,
				 struct sim_ref *ref)
{
	if (window == NULL || window->box == NULL)
		return NULL;
	return dword_of(window->box, 0, (uint32_t)(address - window->origin), ref) ? window->box
										   : NULL;
}

/* Decode a dword of a controller's range; NULL: not a register. */
static struct sim_box *target(const struct sim *sim, unsigned package, uint64_t address,
			      struct sim_ref *ref)
{
	unsigned controller;
	uint32_t offset;

	if (sim->windows != NULL)
		return target_in(sim_window_find(sim, package, address), address, ref);
	if (!sim->platform->mapped(package, address, &controller, &offset))
		return NULL;
	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];
		unsigned channel = box->index % CHANNELS;

		if (box->kind->access != SIM_BY_MMIO || box->index / CHANNELS != controller ||
		    channel >= PRESENT)
			continue;
		if (dword_of(box, channel, offset, ref))
			return box;
	}
	return NULL;
}

static int check(const struct sim *sim, unsigned package, uint64_t address, unsigned width)
{
	unsigned controller;
	uint32_t offset;

	if (package >= sim->packages || (sim->windows == NULL && sim->platform->mapped == NULL))
		return -ENODEV;
	if ((width != 32 && width != 64) || address % (width / 8) != 0)
		return -EINVAL;
	if (sim->windows != NULL)
		return sim_window_find(sim, package, address) != NULL ? 0 : -ENXIO;
	return sim->platform->mapped(package, address, &controller, &offset) ? 0 : -ENXIO;
}

/* The global control of a table, which is the first dword of its page. */
static bool is_control(const struct sim *sim, unsigned package, uint64_t address)
{
	const struct sim_window *window =
		sim->windows != NULL ? sim_window_find(sim, package, address) : NULL;

	return window != NULL && window->control && address == window->first;
}

static uint32_t read_dword(struct sim *sim, unsigned package, uint64_t address)
{
	struct sim_ref ref;
	struct sim_box *box = target(sim, package, address, &ref);

	if (is_control(sim, package, address))
		return sim_mapped_control_read(sim, package);
	return box != NULL ? sim_read_half(sim, box, ref) : 0;
}

static void write_dword(struct sim *sim, unsigned package, uint64_t address, uint32_t value)
{
	struct sim_ref ref;
	struct sim_box *box = target(sim, package, address, &ref);

	if (is_control(sim, package, address))
		sim_mapped_control_write(sim, package, value);
	else if (box != NULL)
		sim_write_half(sim, box, ref, value, UINT32_MAX, sim_box_bits(box, ref.reg));
}

uint32_t sim_mmio_bits(const struct sim *sim, uint64_t address)
{
	for (unsigned package = 0; package < sim->packages; package++) {
		struct sim_ref ref;
		const struct sim_box *box = NULL;

		if (is_control(sim, package, address))
			return 1;
		if (check(sim, package, address, 32) == 0)
			box = target(sim, package, address, &ref);
		if (box != NULL)
			return (uint32_t)(sim_box_bits(box, ref.reg) >> (ref.high ? 32 : 0));
	}
	return 0;
}

/* A 64-bit access is a single access: both halves have the same time. */
static uint64_t read_qword(struct sim *sim, unsigned package, uint64_t address)
{
	struct sim_ref ref;
	struct sim_box *box = target(sim, package, address, &ref);
	sigset_t saved;
	uint64_t value;

	if (box == NULL || ref.high ||
	    (ref.reg != SIM_REG_COUNTER && ref.reg != SIM_REG_FIXED_CTR && ref.reg != SIM_REG_FREE))
		return read_dword(sim, package, address) |
		       (uint64_t)read_dword(sim, package, address + 4) << 32;
	sim_lock(sim, &saved);
	value = sim_box_look(box, ref, sim_now(sim));
	sim_unlock(sim, &saved);
	return value;
}

/* Discovery tables and TPMI are read-only. */
static bool table_word(struct sim *sim, unsigned package, uint64_t address, uint64_t *value)
{
	const struct sim_window *window =
		sim->windows != NULL ? sim_window_find(sim, package, address) : NULL;
	sigset_t saved;

	if (window == NULL || (window->words == NULL && !window->tpmi))
		return false;
	if (window->words != NULL) {
		*value = window->words[(address - window->first) / 8];
		return true;
	}
	sim_lock(sim, &saved);
	*value = sim_tpmi_word(sim, package, address - window->first, sim_now(sim));
	sim_unlock(sim, &saved);
	return true;
}

int sim_mmio_read(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		  uint64_t *value)
{
	int err = check(sim, package, address, width);

	if (err != 0)
		return err;
	if (table_word(sim, package, address, value)) {
		*value = width == 64 ? *value : (uint32_t)(*value >> address % 8 * 8);
		return 0;
	}
	*value =
		width == 64 ? read_qword(sim, package, address) : read_dword(sim, package, address);
	return 0;
}

int sim_mmio_write(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		   uint64_t value)
{
	int err = check(sim, package, address, width);

	atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	if (err != 0)
		return err;
	write_dword(sim, package, address, (uint32_t)value);
	if (width == 64)
		write_dword(sim, package, address + 4, (uint32_t)(value >> 32));
	return 0;
}
