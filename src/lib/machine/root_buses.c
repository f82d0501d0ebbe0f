/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_buses.c - the package of a PCI bus according to the processor itself: a function of each
 * package lists its root buses, and the first of them names the package
 * (docs/hardware/discovery.md, "Package of a table").
 */
#include "machine/boxes.h"
#include "machine/table_packages.h"

#define NAMES        0x3f4 /* bits 3:0 are the package */
#define VALID        0x1a0
#define CPU_BUSES    32
#define PER_REGISTER 4
#define UNNAMED      (-1)

static uint32_t bus_register(unsigned cpu_bus)
{
	return (cpu_bus < 16 ? 0x190u : 0x1c0u) + cpu_bus % 16 / PER_REGISTER * PER_REGISTER;
}

/* Config space that cannot be read names nothing. */
static bool read_dword(struct unc_hw *hw, unsigned unit, uint32_t offset, uint32_t *value)
{
	uint64_t wide;

	if (!unc_config_read(hw, unit, offset, &wide) || (uint32_t)wide == UINT32_MAX)
		return false;
	*value = (uint32_t)wide;
	return true;
}

/* The physical package that the first root bus names. */
static int package_of(const struct unc_machine *m, struct unc_hw *hw, const struct unc_pci *lister,
		      uint8_t root)
{
	const struct unc_pci first = {.segment = lister->segment, .bus = root};
	const int unit = unc_pci_find(&m->topo, unc_pci_address(&first));
	uint32_t value;

	if (unit < 0 || !read_dword(hw, (unsigned)unit, NAMES, &value))
		return UNNAMED;
	return value & 0xf;
}

static void add_bus(struct unc_root_buses *to, const struct unc_root_bus *bus)
{
	if (bus->package != UNNAMED && to->n < UNC_MAX_ROOT_BUSES)
		to->bus[to->n++] = *bus;
}

/* Add the function's own bus and those that it lists; a function that lists none is skipped. */
static void read_list(const struct unc_machine *m, struct unc_hw *hw, unsigned unit,
		      struct unc_root_buses *to)
{
	const struct unc_pci *p = &m->topo.pci[unit];
	uint32_t valid, buses;
	int package = UNNAMED;
	bool first = true;

	if (!read_dword(hw, unit, VALID, &valid))
		return;
	for (unsigned i = 0; i < CPU_BUSES; i++) {
		if (!(valid >> i & 1) || !read_dword(hw, unit, bus_register(i), &buses))
			continue;
		const uint8_t root = (uint8_t)(buses >> i % PER_REGISTER * 8);

		if (first)
			package = package_of(m, hw, p, root);
		first = false;
		add_bus(to, &(struct unc_root_bus){p->segment, root, (uint8_t)i, package});
	}
	add_bus(to, &(struct unc_root_bus){p->segment, p->bus, UNC_NO_CPU_BUS, package});
}

void unc_root_buses_read(const struct unc_machine *m, struct unc_hw *hw, struct unc_root_buses *to)
{
	to->n = 0;
	for (unsigned i = 0; i < m->topo.n_pci; i++)
		if (m->topo.pci[i].device == UNC_LISTS_BUSES)
			read_list(m, hw, i, to);
}

int unc_root_buses_package(const struct unc_root_buses *of, const struct unc_pci *pci)
{
	int package = UNNAMED;

	for (unsigned i = 0; i < of->n; i++) {
		const struct unc_root_bus *b = &of->bus[i];

		if (b->segment != pci->segment || b->bus != pci->bus)
			continue;
		if (package != UNNAMED && package != b->package)
			return UNNAMED;
		package = b->package;
	}
	return package;
}
