// SPDX-License-Identifier: BSD-3-Clause
#include "support/replayed_checks.h"

#include <tuple>

namespace support
{

Boxes usable(const Handle &machine)
{
	Boxes n;

	for (const uncore_box_info &b : machine.boxes())
		if (!b.absent)
			n[{b.package, b.kind}]++;
	return n;
}

unsigned boxes_of_kind(const Boxes &boxes, const std::string &kind)
{
	unsigned n = 0;

	for (const auto &b : boxes)
		n += b.first.second == kind ? b.second : 0;
	return n;
}

Planned::Planned(const Handle &machine, const std::vector<std::string> &names)
{
	const std::vector<unsigned> ids = machine.events(names);
	struct uncore_plan *plan = nullptr;
	auto one = sized<uncore_assignment_info>();
	unsigned event;

	EXPECT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &plan));
	EXPECT_EQ(0, uncore_plan_info(plan, &info));
	for (unsigned i = 0; uncore_plan_assignment(plan, i, &one) == 1; i++)
		assignments.push_back(one);
	for (unsigned i = 0; uncore_plan_conflict(plan, i, &event) == 1; i++)
		conflict.insert(names.at(event));
	uncore_plan_free(plan);
}

void expect_placed(const Planned &plan, const StandardEvent &event, const Boxes &boxes)
{
	std::set<std::pair<unsigned, unsigned>> places;

	EXPECT_TRUE(plan.info.feasible) << plan.info.reason;
	for (const uncore_assignment_info &a : plan.assignments) {
		EXPECT_STREQ(event.kind, a.kind);
		EXPECT_NE(0u, event.counters & 1u << a.counter) << a.counter;
		EXPECT_EQ(event.control == kFixed, a.fixed);
		if (!a.fixed) {
			EXPECT_EQ(event.control, a.control);
		}
		EXPECT_TRUE(places.insert({a.package, a.box}).second);
	}
	EXPECT_EQ(boxes_of_kind(boxes, event.kind), places.size());
}

std::string reason_of(const std::string &kind, const Reasons &reasons)
{
	const std::string hidden = "its PCI device is hidden by the firmware or fused off",
			  setting = hidden +
				    "; enable \"Perfmon and DFX devices\" in the firmware setup; "
				    "otherwise ";

	if (reasons.count(kind))
		return reasons.at(kind);
	if (kind == "qpi")
		return setting + "UNC_C_TOR_INSERTS:NID_MISS_ALL:nf=N counts";
	if (kind == "irp")
		return setting + "UNCORE_PCIE_READ_BYTES and UNCORE_PCIE_WRITE_BYTES count";
	return hidden;
}

void expect_refused(const Handle &machine, const StandardEvent &event, const Reasons &reasons)
{
	const std::string name = event.name, kind = event.kind;

	EXPECT_EQ(UNCORE_ENODEV, machine.refusal(name));
	EXPECT_EQ(0u,
		  machine.message().find("no " + kind + " for " + name.substr(0, name.find(':')) +
					 ": " + reason_of(kind, reasons)))
		<< machine.message();
}

void expect_sets(const Handle &machine, const std::string &platform, const Boxes &boxes)
{
	const StandardSets sets = standard_sets(platform);
	std::set<std::tuple<unsigned, unsigned, unsigned>> counters;

	if (boxes_of_kind(boxes, sets.kind) == 0)
		return;
	const Planned together(machine, sets.fits), conflict(machine, sets.conflicts);
	EXPECT_TRUE(together.info.feasible) << together.info.reason;
	for (const uncore_assignment_info &a : together.assignments)
		counters.insert({a.package, a.box, a.counter});
	EXPECT_EQ(sets.fits.size() * boxes_of_kind(boxes, sets.kind), counters.size());
	EXPECT_FALSE(conflict.info.feasible);
	EXPECT_STRNE("", conflict.info.reason);
	EXPECT_EQ(std::set<std::string>(sets.conflicts.begin(), sets.conflicts.end()),
		  conflict.conflict);
}

void expect_placements(const Handle &machine, const std::string &platform, const Boxes &boxes,
		       const Reasons &reasons)
{
	for (const StandardEvent &e : standard_events(platform)) {
		SCOPED_TRACE(e.name);
		if (boxes_of_kind(boxes, e.kind))
			expect_placed(Planned(machine, {e.name}), e, boxes);
		else
			expect_refused(machine, e, reasons);
	}
	expect_sets(machine, platform, boxes);
}

std::set<std::string> listed_metrics(const Handle &machine)
{
	std::set<std::string> all;
	unsigned id;

	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1; i++) {
		const std::string name = uncore_event_name(machine.u, id);

		if (name.compare(0, 7, "UNCORE_") == 0)
			all.insert(name.substr(7));
	}
	return all;
}

void expect_metrics(const Handle &machine, const std::string &platform, const Boxes &boxes)
{
	std::set<std::string> expected, hidden;

	for (const MetricGroup &g : metric_groups()) {
		bool exists = g.all;

		if (!g.platforms.count(platform))
			continue;
		for (const std::string &kind : g.kinds)
			exists = g.all ? exists && boxes_of_kind(boxes, kind)
				       : exists || boxes_of_kind(boxes, kind);
		for (const char *name : g.names)
			(exists ? expected : hidden).insert(name);
	}
	EXPECT_EQ(expected, listed_metrics(machine));
	for (const std::string &name : hidden) {
		EXPECT_NE(0, machine.refusal("UNCORE_" + name)) << name;
		EXPECT_EQ(0u, machine.message().find("UNCORE_" + name + ": no "))
			<< machine.message();
	}
}

void expect_nothing_counts(const Handle &machine)
{
	Set set(machine, {"UNCORE_CLOCKTICKS"});

	EXPECT_TRUE(machine.machine().recorded);
	EXPECT_EQ(UNCORE_ENOSUPP, set.start());
	EXPECT_NE(std::string::npos, machine.message().find("recorded machine"))
		<< machine.message();
}

void expect_machine(const Handle &machine, const std::string &platform, unsigned packages,
		    const Boxes &boxes, const Reasons &reasons)
{
	EXPECT_EQ(platform, machine.machine().platform);
	EXPECT_EQ(packages, machine.machine().packages);
	EXPECT_EQ(boxes, usable(machine));
	expect_placements(machine, platform, boxes, reasons);
	expect_metrics(machine, platform, boxes);
	expect_nothing_counts(machine);
}

} // namespace support
