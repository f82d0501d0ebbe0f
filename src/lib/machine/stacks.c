/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks.c - the registers that list root buses; stacks.h. */
#include "machine/stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/table_packages.h"

#define BUS_NUMBERS 0x300 /* MSR: a byte per stack, bit 63: valid */
#define IN_MSR      6
#define NAMES_STACK 0x09a2
#define SAD_CONTROL 0x3f4 /* bits 3:0 package, 6:4 stack */

const struct unc_stack *unc_stack_of_id(const struct unc_stack_map *map, unsigned id)
{
	for (const struct unc_stack *s = map->stacks; *s->name; s++)
		if (s->id == id)
			return s;
	return NULL;
}

const struct unc_stack *unc_stack_of_box(const struct unc_stack_map *map, unsigned box)
{
	for (const struct unc_stack *s = map->stacks; *s->name; s++)
		if (!s->refused && s->box == box)
			return s;
	return NULL;
}

/* ---- which map ---- */

static int first_device(const struct unc_machine *m, uint16_t device)
{
	for (size_t i = 0; i < m->topo.n_pci; i++)
		if (m->topo.pci[i].device == device)
			return (int)i;
	return -1;
}

/* 1: it is this die; 0: another one; UNCORE_EACCESS. */
static int is_die(const struct unc_machine *m, struct unc_hw *hw, const struct unc_stack_map *map,
		  struct unc_err *err)
{
	const int unit = map->die.device ? first_device(m, map->die.device) : -1;
	char *why = NULL;
	uint64_t value;
	int r;

	if (!map->die.device)
		return 1;
	if (unit < 0)
		return unc_fail(err, UNCORE_EACCESS,
				"the kind of die is in the PCI device 8086:%04x, which is not "
				"visible, so the boxes of PCIe stacks are unknown",
				map->die.device);
	r = unc_config_ask(hw, (unsigned)unit, map->die.offset, &value, &why);
	if (r < 0)
		unc_fail(err, UNCORE_EACCESS,
			 "the kind of die cannot be read, so the boxes of "
			 "PCIe stacks are unknown: %s",
			 why ? why : "out of memory");
	free(why);
	return r < 0 ? UNCORE_EACCESS : (value >> map->die.shift & 3) == map->die.value;
}

static bool is_for(const struct unc_machine *m, const struct unc_stack_map *map)
{
	return map->platform == m->platform && (!map->model || map->model == m->topo.model);
}

int unc_stack_map_find(const struct unc_machine *m, struct unc_hw *hw,
		       const struct unc_stack_map **map, struct unc_err *err)
{
	int r = 0;

	for (*map = unc_stack_maps; (*map)->platform; (*map)++) {
		if (!is_for(m, *map))
			continue;
		r = (*map)->refused ? 1 : is_die(m, hw, *map, err);
		if (r != 0)
			break;
	}
	if (r < 0 || (r > 0 && !(*map)->refused))
		return r < 0 ? r : 0;
	return unc_fail(err, UNCORE_ENOSUPP, "the boxes of PCIe devices are not known on %s: %s",
			m->platform->title,
			(*map)->platform ? (*map)->refused : "no source describes its PCIe stacks");
}

/* ---- the answers of registers ---- */

struct search {
	const struct unc_machine *m;
	struct unc_hw *hw;
	const struct unc_stack_map *map;
	const struct unc_root_bus_name *root;
	struct unc_stack_found *out;
	struct unc_err *err;
	unsigned n, unread; /* answers; sources that cannot be read */
};

static int unreadable(const struct search *s, const char *why)
{
	unc_fail(s->err, UNCORE_EACCESS,
		 "the registers that list PCIe root buses cannot be read: %s", why);
	return 0;
}

static void add(struct search *s, unsigned id, unsigned package, unsigned above, const char *basis)
{
	const struct unc_stack *stack = unc_stack_of_id(s->map, id);

	if (!stack)
		return;
	*s->out = (struct unc_stack_found){stack, package, above, basis};
	s->n++;
}

static int conclude(const struct search *s, unsigned sources)
{
	if (s->n == 1)
		return 1;
	if (s->n == 0 && (s->unread || sources == 0))
		return sources ? 0 : unreadable(s, "no device of this machine has them");
	return unc_fail(s->err, UNCORE_ENODEV,
			"root bus %04x:%02x is listed %s, so its PCIe stack is unknown; measure "
			"it with `uncore show --devices --measure DEVICE -- COMMAND`",
			s->root->segment, s->root->bus,
			s->n ? "for several stacks" : "for none of the known stacks");
}

/* ---- MSR ---- */

/* The segment of a package's devices; -1: unknown. */
static long segment_of(const struct unc_machine *m, unsigned package)
{
	long segment = m->topo.n_pci ? m->topo.pci[0].segment : 0;
	bool same = true;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		if (m->topo.pci[i].package == (int)package)
			return m->topo.pci[i].segment;
		same &= m->topo.pci[i].segment == segment;
	}
	return same ? segment : -1;
}

static bool read_msr(struct search *s, unsigned package, uint64_t *value)
{
	struct unc_op op = unc_msr_op(package, BUS_NUMBERS);
	int r = unc_ask_msr_file(s->hw, package);
	char why[512] = "it is not valid";

	if (r == 0)
		r = unc_read_register(s->hw, &op, value);
	if (r < 0)
		s->hw->ops->explain(s->hw, &op, r, why, sizeof(why));
	if (r == 0 && *value >> 63)
		return true;
	s->unread++;
	unreadable(s, why);
	return false;
}

/* 0 is the bus of the first stack of one package, and else no bus. */
static int by_msr(struct search *s)
{
	const unsigned packages = s->m->topo.n_packages;
	uint64_t value;

	for (unsigned p = 0; p < packages; p++) {
		if (segment_of(s->m, p) != (long)s->root->segment || !read_msr(s, p, &value))
			continue;
		for (unsigned i = 0; i < IN_MSR; i++) {
			const unsigned bus = value >> 8 * i & 0xff;

			if (bus == s->root->bus && (i == 0 || bus != 0))
				add(s, i, p, 0, "MSR 0x300");
		}
	}
	return conclude(s, packages);
}

/* ---- SAD_CONTROL_CFG ---- */

bool unc_names_stack(const struct unc_pci *device)
{
	return device->device == NAMES_STACK && device->devfn == 0;
}

int unc_stack_device(const struct unc_machine *m, const struct unc_root_bus_name *root)
{
	const struct unc_pci pci = {.segment = (uint16_t)root->segment, .bus = (uint8_t)root->bus};
	const int unit =
		root->segment > UINT16_MAX ? -1 : unc_pci_find(&m->topo, unc_pci_address(&pci));

	return unit >= 0 && unc_names_stack(&m->topo.pci[unit]) ? unit : -1;
}

static int by_sad(struct search *s)
{
	const int unit = unc_stack_device(s->m, s->root);
	char *why = NULL;
	uint64_t value = 0;
	int r, package;

	if (unit < 0)
		return conclude(s, 1);
	r = unc_config_ask(s->hw, (unsigned)unit, SAD_CONTROL, &value, &why);
	if (r < 0) {
		unreadable(s, why ? why : "out of memory");
		free(why);
		return 0;
	}
	package = unc_logical_package(&s->m->topo, value & 0xf);
	if (package >= 0 && (uint32_t)value != UINT32_MAX)
		add(s, value >> 4 & 7, (unsigned)package, 0, "SAD_CONTROL_CFG");
	return conclude(s, 1);
}

/* ---- CPU buses ---- */

#define MOST_ABOVE 3 /* buses of accelerators that follow the root bus of their stack */

static bool is_accelerator(const struct search *s, unsigned id)
{
	const struct unc_stack *stack = unc_stack_of_id(s->map, id);

	return stack && stack->kind == UNC_STACK_ACCELERATOR;
}

static void add_bus(struct search *s, const struct unc_root_bus *b, unsigned above)
{
	const int package = unc_logical_package(&s->m->topo, (unsigned)b->package);

	if (package >= 0)
		add(s, b->cpu_bus, (unsigned)package, above, "CPUBUSNO");
}

/* The bus itself, else the nearest one below it that is the root bus of accelerators. */
static int by_cpu_bus(struct search *s)
{
	const struct unc_root_bus *below = NULL;
	struct unc_root_buses buses;

	unc_root_buses_read(s->m, s->hw, &buses);
	for (unsigned i = 0; i < buses.n; i++) {
		const struct unc_root_bus *b = &buses.bus[i];

		if (b->cpu_bus == UNC_NO_CPU_BUS || b->segment != s->root->segment ||
		    b->bus > s->root->bus)
			continue;
		if (b->bus == s->root->bus)
			add_bus(s, b, 0);
		if (!below || b->bus > below->bus)
			below = b;
	}
	if (below && below->bus != s->root->bus && is_accelerator(s, below->cpu_bus) &&
	    s->root->bus - below->bus <= MOST_ABOVE)
		add_bus(s, below, s->root->bus - below->bus);
	if (buses.n == 0 && first_device(s->m, UNC_LISTS_BUSES) >= 0)
		return unreadable(s, "this requires root");
	return conclude(s, buses.n);
}

int unc_stack_by_registers(const struct unc_machine *m, struct unc_hw *hw,
			   const struct unc_stack_map *map, const struct unc_root_bus_name *root,
			   struct unc_stack_found *out, struct unc_err *err)
{
	struct search s = {m, hw, map, root, out, err, 0, 0};

	if (map->source == UNC_STACKS_IN_MSR)
		return by_msr(&s);
	return map->source == UNC_STACKS_IN_SAD ? by_sad(&s) : by_cpu_bus(&s);
}

void unc_stacks_ask(const struct unc_machine *m, struct unc_hw *hw)
{
	const struct unc_stack_map *map;
	struct unc_stack_found found;
	struct unc_err none;

	unc_err_init(&none);
	if (unc_stack_map_find(m, hw, &map, &none) == 0)
		for (size_t i = 0; i < m->topo.n_pci; i++) {
			const struct unc_root_bus_name root = {m->topo.pci[i].segment,
							       m->topo.pci[i].bus};

			if (map->source == UNC_STACKS_IN_SAD ? unc_stack_device(m, &root) == (int)i
							     : i == 0)
				unc_stack_by_registers(m, hw, map, &root, &found, &none);
		}
	unc_err_destroy(&none);
}
