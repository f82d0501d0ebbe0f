/* SPDX-License-Identifier: BSD-3-Clause */
// machine_checks.h - properties of every machine that was accepted, from any input.
#ifndef MACHINE_CHECKS_H
#define MACHINE_CHECKS_H

#include <set>
#include <tuple>

#include "fuzz/fuzz.h"
#include "hw/regs.h"
#include "machine/discovered.h"
#include "plan/allow.h"

namespace fuzz
{

constexpr size_t kMostCpus = 32768, kMostDevices = 65536;

inline uint32_t address_of(const unc_pci &p)
{
	return static_cast<uint32_t>(p.segment) << 16 | static_cast<uint32_t>(p.bus) << 8 | p.devfn;
}

inline void check_topology(const unc_topology &t)
{
	demand(t.n_cpus > 0 && t.n_cpus <= kMostCpus, "too many CPUs");
	demand(t.n_pci <= kMostDevices, "too many devices");
	for (size_t i = 1; i < t.n_cpus; i++)
		demand(t.cpus[i - 1].id < t.cpus[i].id, "CPUs that do not ascend");
	for (size_t i = 1; i < t.n_pci; i++)
		demand(address_of(t.pci[i - 1]) < address_of(t.pci[i]),
		       "devices that do not ascend");
	demand(t.unread <= 0 && (t.unread == 0) == (*t.unread_file == '\0'), "unread");
}

inline void check_box(const unc_machine &m, const unc_box &b)
{
	demand(b.type && b.package < m.topo.n_packages, "a box of no package");
	demand(b.pci < static_cast<int>(m.topo.n_pci) && b.extra < static_cast<int>(m.topo.n_pci),
	       "a box of no device");
	demand(b.type->width <= 64 && b.type->n_counters <= UNC_MAX_COUNTERS, "counters");
	demand(b.first + b.type->n_counters < m.n_counters, "counters behind the last");
	demand(!b.absent || is_sentence(b.absent), "absent without a reason");
	demand(!b.unreached || b.absent, "unreached, but not absent");
	demand(b.absent || b.type->space != UNC_IN_PCI || b.pci >= 0, "a box without device");
	demand(b.absent || b.type->space != UNC_IN_MMIO || b.map >= 0, "a box that is not mapped");
}

// Also what a failed build left behind is whole.
inline void check_machine(const unc_machine &m, int code, const unc_err &err)
{
	unsigned types = 0;

	demand(code <= 0 && code >= UNCORE_EFORK, "unknown code");
	demand(code == 0 || is_sentence(err.text), "no sentence", err.text);
	if (code < 0)
		return;
	demand(m.topo.n_packages > 0 && m.topo.n_packages <= m.topo.n_cpus, "packages");
	demand(m.n_sockets > 0 && m.n_dies > 0 && m.n_sockets * m.n_dies >= m.topo.n_packages,
	       "sockets and dies");
	for (size_t i = 0; i < m.topo.n_cpus; i++)
		demand(unc_package_of_cpu(&m.topo, m.topo.cpus[i].id) >= 0, "a CPU of no package");
	while (m.types[types])
		types++;
	demand(types <= UNC_MAX_TYPES, "box types");
	for (size_t i = 0; i < m.n_boxes; i++)
		check_box(m, m.boxes[i]);
	for (unsigned i = 0; i < m.warnings.n; i++)
		demand(is_sentence(m.warnings.list[i].text), "no sentence",
		       m.warnings.list[i].text);
	if (m.discovered)
		for (size_t i = 0; i < m.discovered->units.n; i++)
			demand((m.discovered->units.unit[i].box < 0) ==
				       (m.discovered->units.unit[i].why != nullptr),
			       "a record is neither a box nor refused");
}

// No two boxes that can be used are one, or the one would stop what the other counts.
inline void check_registers(const unc_machine &m)
{
	std::set<std::tuple<int, int, uint64_t>> seen;

	for (size_t i = 0; i < m.n_boxes; i++) {
		const unc_box &b = m.boxes[i];
		const int space = b.type->space;

		if (b.absent || b.type->arch || b.type->units)
			continue;
		demand(seen.insert({space, space == UNC_IN_PCI ? b.pci : b.package,
				    unc_box_address(&b)})
			       .second,
		       "two boxes with one register", b.type->name);
	}
}

// Every register that a program may write belongs to an existing box or package.
inline void check_map(const unc_machine &m)
{
	unc_pmon map = {};

	check_registers(m);
	demand(unc_map_make(&map, &m) == 0, "no map of registers");
	for (size_t i = 0; i < map.n; i++) {
		const unc_pmon_register &reg = map.reg[i];

		demand(reg.bits && !(reg.starts & ~reg.bits), "bits");
		demand(reg.width == 32 || reg.width == 64, "width");
		if (reg.space == UNCORE_MSR)
			demand(reg.unit < m.topo.n_packages, "a register of no package");
		if (reg.space == UNCORE_PCI)
			demand(reg.unit < m.topo.n_pci && reg.address + reg.width / 8 <= 4096,
			       "a register of no device");
		if (reg.space == UNCORE_MMIO)
			demand(reg.address % 4 == 0 && reg.address >> 52 == 0,
			       "a register of no memory");
	}
	unc_pmon_free(&map);
}

} // namespace fuzz

#endif
