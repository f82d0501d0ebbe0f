// SPDX-License-Identifier: BSD-3-Clause
// decode_test.cc - from the registers that a plan writes back to the names of its events, for every
// event and umask of every platform.
#include <algorithm>

#include "support/every_event.h"
#include "support/machines.h"
#include "support/seeds.h"
#include "support/sized.h"

namespace
{

using Names = std::vector<std::string>;

struct Registers {
	unsigned box = 0;
	int counter = -1;
	uint64_t control = 0;
	std::vector<uint64_t> filters;
};

class Machine : public support::Handle
{
      public:
	explicit Machine(const std::string &name)
	    : Handle(support::sim_options(("sim:" + name + ":packages=1,time=virtual").c_str()))
	{
	}
	Names decoded(const Registers &r, bool with_filters = true) const
	{
		std::vector<char[UNCORE_NAME_MAX + 1]> names(64);
		const int n = uncore_decode(u, r.box, r.counter, r.control,
					    with_filters ? r.filters.data() : nullptr,
					    r.filters.size(), names.data(), names.size(), nullptr);

		EXPECT_LE(n, 64);
		return Names(names.begin(), names.begin() + std::max(n, 0));
	}
};

bool is_same(const uncore_op_info &a, const uncore_op_info &b)
{
	return a.space == b.space && a.package == b.package && a.bus == b.bus &&
	       a.device == b.device && a.function == b.function && a.address == b.address;
}

// The registers of the event's first box and counter while it counts: as `uncore plan`
// says, not as the encoder does.  False for fixed and free-running counters.
bool find_registers(const Machine &m, unsigned id, Registers &r)
{
	auto a = support::sized<uncore_assignment_info>();
	auto op = support::sized<uncore_op_info>(), at = support::sized<uncore_op_info>();
	auto box = support::sized<uncore_box_info>();
	struct uncore_plan *plan = nullptr;
	bool found = false;

	if (uncore_plan(m.u, &id, 1, nullptr, &plan) != 0)
		return false;
	if (uncore_plan_assignment(plan, 0, &a) == 1 && !a.fixed && a.counted == id) {
		while (uncore_box(m.u, r.box, &box) == 1 &&
		       (std::string(box.kind) != a.kind || box.index != a.box ||
			box.package != a.package))
			r.box++;
		const auto written = [&](enum uncore_register which, unsigned n, uint64_t *value) {
			if (uncore_register(m.u, r.box, which, n, &at) != 1)
				return false;
			*value = 0;
			for (enum uncore_phase phase : {UNCORE_PHASE_SETUP, UNCORE_PHASE_START})
				for (unsigned i = 0; uncore_plan_op(plan, phase, i, &op) == 1; i++)
					if (op.kind != UNCORE_READ && is_same(op, at)) {
						if (op.kind == UNCORE_RMW)
							*value = (*value & ~op.mask) | op.value;
						else
							*value = op.value;
					}
			return true;
		};
		r.counter = (int)a.counter;
		found = written(UNCORE_CONTROL, a.counter, &r.control);

		for (uint64_t value; written(UNCORE_FILTER, (unsigned)r.filters.size(), &value);)
			r.filters.push_back(value);
	}
	uncore_plan_free(plan);
	return found;
}

// All events and umasks that are counted by programmable counters.
std::vector<unsigned> events_of(const Machine &m)
{
	std::vector<unsigned> ids;
	unsigned umask;

	for (unsigned event : support::listed(m)) {
		ids.push_back(event);
		for (unsigned i = 0; uncore_event_umask(m.u, event, i, &umask) == 1; i++)
			if (!strchr(strchr(uncore_event_name(m.u, umask), ':'), '='))
				ids.push_back(umask);
	}
	return ids;
}

uint64_t code_of(const Machine &m, unsigned id)
{
	auto encoding = support::sized<uncore_encoding>();

	return uncore_event_encoding(m.u, id, &encoding) == 0 ? encoding.code : 0;
}

// Whether one of the names is the event, by its name or by its encoding.
bool has(const Machine &m, const Names &names, unsigned id)
{
	return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
		unsigned other;

		return name == uncore_event_name(m.u, id) ||
		       (uncore_event(m.u, name.c_str(), &other) == 0 &&
			code_of(m, other) == code_of(m, id));
	});
}

class Decode : public testing::TestWithParam<const char *>
{
};

TEST_P(Decode, EveryEventIsNamedByItsRegisters)
{
	const Machine m(GetParam());
	unsigned all = 0, unambiguous = 0, wrong = 0;

	for (unsigned id : support::part_of(events_of(m))) {
		Registers r;

		if (!find_registers(m, id, r))
			continue;
		const Names names = m.decoded(r);
		all++;
		unambiguous += names.size() == 1;
		if (!has(m, names, id) && wrong++ < 10) {
			ADD_FAILURE() << uncore_event_name(m.u, id) << " " << std::hex << r.control
				      << ": " << (names.empty() ? "nothing" : names[0]);
		}
	}
	// Diamond Rapids has no programmable counter yet (docs/hardware/dmr.md).
	if (std::string(GetParam()) == "dmr")
		EXPECT_EQ(0u, all);
	else
		EXPECT_GT(all, support::part_of(100));
	EXPECT_EQ(0u, wrong) << "of " << all;
	RecordProperty("unambiguous", std::to_string(unambiguous) + " of " + std::to_string(all));
}

INSTANTIATE_TEST_SUITE_P(All, Decode, testing::ValuesIn(support::kMachines),
			 [](const auto &info) { return support::machine_label(info.param); });

} // namespace
