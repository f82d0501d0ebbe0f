// SPDX-License-Identifier: BSD-3-Clause
#include "support/node.h"

#include <cmath>

#include "hw/pmon.h"
#include "plan/plan.h"
#include "sim/sim.h"
#include "support/seeds.h"

namespace support
{

bool all_kills()
{
	return is_all("KILLS");
}

std::string Known::full() const
{
	return std::string(name) + ":box=" + std::to_string(box) +
	       ":pkg=" + std::to_string(package);
}

std::vector<std::string> names_of(const std::vector<Known> &events)
{
	std::vector<std::string> names;

	for (const Known &e : events)
		names.push_back(e.full());
	return names;
}

Node::Node(const std::string &spec, const std::string &trace, const std::vector<std::string> &more)
    : files("sim:" + spec + ",time=virtual", trace, more), handle(files.options()), controls(handle)
{
	char why[256];

	EXPECT_EQ(0, handle.code) << handle.message();
	EXPECT_EQ(0, sim_open((spec + ",time=virtual").c_str(), &sim, why, sizeof(why))) << why;
	before = controls.values();
}

Node::~Node()
{
	handle.close();
	sim_close(sim);
}

void Node::leave_traces()
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

uint64_t Node::now() const
{
	return std::stoull(files.text("sim/now"));
}

void Node::pass(uint64_t ns) const
{
	files.advance(ns);
}

double Node::rate(const Known &e) const
{
	return sim_rate(sim, e.package, e.kind, e.box, e.control, e.filter);
}

int64_t Node::gain(const Known &e, uint64_t since, uint64_t until) const
{
	const auto at = [&](uint64_t ns) { return std::floor(rate(e) * ns / 1e9L); };

	return static_cast<int64_t>(at(until) - at(since));
}

void Node::expect_counts(const std::vector<Known> &events, const std::vector<int64_t> &counts,
			 uint64_t since, uint64_t until) const
{
	ASSERT_EQ(events.size(), counts.size());
	for (size_t i = 0; i < events.size(); i++)
		EXPECT_NEAR(static_cast<double>(gain(events[i], since, until)),
			    static_cast<double>(counts[i]), 4)
			<< events[i].full();
}

void Node::expect_counting(const std::vector<Known> &events)
{
	Set set(handle, names_of(events));
	const uint64_t since = now();

	ASSERT_EQ(0, set.start()) << handle.message();
	pass();
	expect_counts(events, set.counts(), since, now());
	EXPECT_EQ(0, set.stop()) << handle.message();
	expect_counts(events, set.counts(), since, now());
}

void Node::expect_clean() const
{
	controls.expect_same(before, controls.values());
	EXPECT_EQ(std::vector<std::string>{}, files.journals());
}

void Node::leave_trace(unc_op op, uint64_t value) const
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

} // namespace support
