/* SPDX-License-Identifier: BSD-3-Clause */
// controls.h - every writable register of a machine except the counters.
#ifndef SUPPORT_CONTROLS_H
#define SUPPORT_CONTROLS_H

#include <set>

#include "support/handle.h"
#include "support/plan.h"

namespace support
{

// Where a register is. The two halves of a counter in config space are separate registers.
struct Place {
	uint64_t unit; // with the space
	uint64_t address;

	// Tests look up each access: without optimisation, comparing a tuple takes ten times as
	// long.
	bool operator<(const Place &other) const
	{
		return unit != other.unit ? unit < other.unit : address < other.address;
	}
};

Place place(const unc_op &op, unsigned behind = 0);

std::set<Place> counter_places(struct uncore *u);

// Operations that read each of them; for per-CPU registers, one on each CPU.
std::vector<unc_op> control_ops(struct uncore *u);

class Controls
{
      public:
	explicit Controls(const Handle &handle);
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
	std::vector<uint64_t> values() const;
	// The operation that read value number i.
	const unc_op &op(size_t i) const
	{
		return ops[i];
	}
	void expect_same(const std::vector<uint64_t> &before,
			 const std::vector<uint64_t> &now) const;

      private:
	struct uncore *u;
	std::vector<unc_op> ops;
};

} // namespace support

#endif
