/* SPDX-License-Identifier: BSD-3-Clause */
// node.h - a machine on which several processes count, its previous register values, and its
// truth.
#ifndef SUPPORT_NODE_H
#define SUPPORT_NODE_H

#include <cmath>
#include <memory>

#include "sim/sim.h"
#include "support/controls.h"
#include "support/mounted.h"
#include "support/seeds.h"

namespace support
{

// KILLS=all in the environment: tests every point (tests/slow/kills_test.sh).
inline bool all_kills()
{
	return is_all("KILLS");
}

// An event of one box, and its truth as sim_rate() takes it.
struct Known {
	const char *name, *kind;
	uint64_t control, filter;
	unsigned box, package;

	std::string full() const
	{
		return std::string(name) + ":box=" + std::to_string(box) +
		       ":pkg=" + std::to_string(package);
	}
};

inline std::vector<std::string> names_of(const std::vector<Known> &events)
{
	std::vector<std::string> names;

	for (const Known &e : events)
		names.push_back(e.full());
	return names;
}

class Node
{
      public:
	// spec: the part after "sim:". The machine's time is stepped.
	explicit Node(const std::string &spec, const std::string &trace = "",
		      const std::vector<std::string> &more = {})
	    : files("sim:" + spec + ",time=virtual", trace, more), handle(files.options()),
	      controls(handle)
	{
		char why[256];

		EXPECT_EQ(0, handle.code) << handle.message();
		EXPECT_EQ(0, sim_open((spec + ",time=virtual").c_str(), &sim, why, sizeof(why)))
			<< why;
		before = controls.values();
	}
	~Node()
	{
		handle.close();
		sim_close(sim);
	}
	Node(const Node &) = delete;
	Node &operator=(const Node &) = delete;

	// Values that an earlier user left behind: all counters are disabled, but no register
	// is 0.
	void leave_traces()
	{
		const unc_machine *m = unc_machine_of(handle.u);
		unc_op op = {};

		for (unsigned b = 0; b < m->n_boxes; b++) {
			const unc_box_type *type = m->boxes[b].type;

			for (unsigned i = 0; register_op(handle.u, b, UNCORE_CONTROL, i, &op); i++)
				leave_trace(op, 0x0137 & ~unc_busy_bits(m, type, i));
			for (unsigned i = 0; register_op(handle.u, b, UNCORE_FILTER, i, &op); i++)
				leave_trace(op, 0x0e0a);
		}
		before = controls.values();
	}
	uint64_t now() const
	{
		return std::stoull(files.text("sim/now"));
	}
	void pass(uint64_t ns = 1000000) const
	{
		files.advance(ns);
	}
	double rate(const Known &e) const
	{
		return sim_rate(sim, e.package, e.kind, e.box, e.control, e.filter);
	}
	// The count of an event between two times of the machine.
	int64_t gain(const Known &e, uint64_t since, uint64_t until) const
	{
		const auto at = [&](uint64_t ns) { return std::floor(rate(e) * ns / 1e9L); };

		return static_cast<int64_t>(at(until) - at(since));
	}
	void expect_counts(const std::vector<Known> &events, const std::vector<int64_t> &counts,
			   uint64_t since, uint64_t until) const
	{
		ASSERT_EQ(events.size(), counts.size());
		for (size_t i = 0; i < events.size(); i++)
			EXPECT_NEAR(static_cast<double>(gain(events[i], since, until)),
				    static_cast<double>(counts[i]), 4)
				<< events[i].full();
	}
	// A new set of this process counts correctly.
	void expect_counting(const std::vector<Known> &events)
	{
		Set set(handle, names_of(events));
		const uint64_t since = now();

		ASSERT_EQ(0, set.start()) << handle.message();
		pass();
		expect_counts(events, set.counts(), since, now());
		EXPECT_EQ(0, set.stop()) << handle.message();
		expect_counts(events, set.counts(), since, now());
	}
	// Registers have their previous values, and no journal is left.
	void expect_clean() const
	{
		controls.expect_same(before, controls.values());
		EXPECT_EQ(std::vector<std::string>{}, files.journals());
	}

	Mounted files;
	Handle handle; // of this process
	Controls controls;
	std::vector<uint64_t> before;
	struct sim *sim = nullptr;

      private:
	void leave_trace(unc_op op, uint64_t value) const
	{
		unc_hw *hw = unc_hw_of(handle.u);
		const unc_pmon_register *reg = unc_pmon_find(hw->pmon, &op);
		uint64_t old;

		if (!reg || reg->space == UNCORE_CPU)
			return;
		op.kind = UNCORE_WRITE;
		op.value = value & reg->bits & ~reg->starts;
		EXPECT_EQ(0, unc_run_op(hw, &op, &old)) << std::hex << op.address;
	}
};

} // namespace support

#endif
