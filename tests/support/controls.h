/* SPDX-License-Identifier: BSD-3-Clause */
// controls.h - every writable register of a machine except the counters.
#ifndef SUPPORT_CONTROLS_H
#define SUPPORT_CONTROLS_H

#include <set>
#include <tuple>

#include "hw/pmon.h"
#include "support/handle.h"
#include "support/plan.h"

namespace support
{

// Where a register is. The two halves of a counter in config space are separate registers.
using Place = std::tuple<unsigned, unsigned, uint64_t>;

inline Place place(const unc_op &op, unsigned behind = 0)
{
	return {op.space, op.space == UNCORE_MSR ? op.package : op.unit, op.address + behind};
}

inline std::set<Place> counter_places(struct uncore *u)
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

// Operations that read each of them; for per-CPU registers, one on each CPU.
inline std::vector<unc_op> control_ops(struct uncore *u)
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

class Controls
{
      public:
	explicit Controls(const Handle &handle) : u(handle.u), ops(control_ops(u))
	{
	}
	// read: takes an operation and a value, returns 0 or -errno.
	template <typename F> std::vector<uint64_t> values(F read) const
	{
		std::vector<uint64_t> all;

		for (const unc_op &op : ops) {
			uint64_t value = 0;

			EXPECT_EQ(0, read(op, &value)) << std::hex << op.address;
			all.push_back(value);
		}
		return all;
	}
	std::vector<uint64_t> values() const
	{
		unc_hw *hw = unc_hw_of(u);

		return values([hw](const unc_op &op, uint64_t *value) {
			return hw->ops->read(hw, &op, value);
		});
	}
	// The operation that read value number i.
	const unc_op &op(size_t i) const
	{
		return ops[i];
	}
	void expect_same(const std::vector<uint64_t> &before,
			 const std::vector<uint64_t> &now) const
	{
		for (size_t i = 0; i < now.size(); i++)
			EXPECT_EQ(before[i], now[i]) << "space " << int(ops[i].space) << " unit "
						     << ops[i].unit << " package " << ops[i].package
						     << " register " << std::hex << ops[i].address;
	}

      private:
	struct uncore *u;
	std::vector<unc_op> ops;
};

} // namespace support

#endif
