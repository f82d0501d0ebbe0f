// SPDX-License-Identifier: BSD-3-Clause
#include "support/controls.h"

#include "hw/pmon.h"
#include "machine/machine.h"

namespace support
{

Place place(const unc_op &op, unsigned behind)
{
	const uint64_t unit = op.space == UNCORE_MSR ? op.package : op.unit;

	return {static_cast<uint64_t>(op.space) << 32 | unit, op.address + behind};
}

std::set<Place> counter_places(struct uncore *u)
{
	const unc_machine *m = unc_machine_of(u);
	std::set<Place> all;
	unc_op op = {};

	for (unsigned b = 0; b < m->n_boxes; b++)
		for (unsigned i = 0; register_op(u, b, UNCORE_COUNTER, i, &op); i++) {
			all.insert(place(op));
			if (op.space == UNCORE_PCI || op.space == UNCORE_MMIO)
				all.insert(place(op, 4));
		}
	return all;
}

std::vector<unc_op> control_ops(struct uncore *u)
{
	const unc_machine *m = unc_machine_of(u);
	const unc_pmon *map = unc_hw_of(u)->pmon;
	const std::set<Place> no_controls = counter_places(u);
	std::vector<unc_op> all;

	for (size_t i = 0; i < map->n; i++) {
		const unc_pmon_register &reg = map->reg[i];
		const size_t times = reg.space == UNCORE_CPU ? m->topo.n_cpus : 1;
		unc_op op = {};

		op.space = reg.space;
		op.width = reg.width;
		op.address = reg.address;
		(reg.space == UNCORE_MSR ? op.package : op.unit) = reg.unit;
		for (unsigned b = 0; b < m->n_boxes && reg.space == UNCORE_MMIO; b++)
			if (reg.address - m->boxes[b].offset < 0x400)
				op.package = m->boxes[b].package;
		for (size_t cpu = 0; cpu < times; cpu++) {
			if (reg.space == UNCORE_CPU)
				op.unit = static_cast<uint16_t>(m->topo.cpus[cpu].id);
			if (no_controls.count(place(op)) == 0)
				all.push_back(op);
		}
	}
	return all;
}

Controls::Controls(const Handle &handle) : u(handle.u), ops(control_ops(u))
{
}

std::vector<uint64_t> Controls::values() const
{
	unc_hw *hw = unc_hw_of(u);

	return values(
		[hw](const unc_op &op, uint64_t *value) { return hw->ops->read(hw, &op, value); });
}

void Controls::expect_same(const std::vector<uint64_t> &before,
			   const std::vector<uint64_t> &now) const
{
	for (size_t i = 0; i < now.size(); i++)
		EXPECT_EQ(before[i], now[i])
			<< "space " << int(ops[i].space) << " unit " << ops[i].unit << " package "
			<< ops[i].package << " register " << std::hex << ops[i].address;
}

} // namespace support
