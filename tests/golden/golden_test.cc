// SPDX-License-Identifier: BSD-3-Clause
// golden_test.cc - the same events as recorded from the Linux driver: does the
// group fit, and which register gets which value?  Where we differ on purpose
// the tables here say so; they have to be exact in both directions.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "plan/complete.h"
#include "support/data.h"
#include "support/facts.h"
#include "support/golden_platforms.h"
#include "support/plan.h"
#include "support/simulated.h"
#include "support/stepped.h"

namespace
{

using nlohmann::json;
using namespace golden;

/* Where a register is: package for an MSR, "bus:device.function" for PCI. */
using Address = std::pair<std::string, uint32_t>;

std::string hex(uint64_t value)
{
	return golden_hex(value);
}

/* What we make of a case, all boxes of it. */
struct Ours {
	Outcome outcome = FITS;
	std::vector<const struct unc_event *> events;
	std::vector<struct unc_assignment> settings; // of each event, in its first box
	std::vector<Address> controls, counters;
	std::map<Address, uint64_t> written;
	std::set<Address> read;
	std::vector<Address> order;              // of the writes
	std::vector<std::vector<Address>> boxes; // the same, by box
};

class Golden : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string spec =
		"sim:" + platform.name + ":packages=2,cores=" + std::to_string(platform.cores);
	Simulated sim{(spec + ",time=virtual").c_str()};

	std::vector<json> cases() const
	{
		std::vector<json> all;

		for (const char *file : platform.files)
			for (const json &c : support::data_lines(std::string("golden/") + file))
				all.push_back(c);
		return all;
	}
	std::string raw(const json &event) const
	{
		const int cpu = event["cpu"];

		return raw_name(platform.name, event) +
		       (cpu >= 0 ? ":cpu=" + std::to_string(cpu) : "");
	}

	Address address(const struct unc_op &op)
	{
		char text[32];

		if (op.space == UNCORE_MSR)
			return {"package " + std::to_string(op.package), op.address};
		if (op.space == UNCORE_MMIO)
			return {"memory of package " + std::to_string(op.package), op.address};
		const struct unc_pci &p = sim.machine.topo.pci[op.unit];
		EXPECT_EQ(p.devfn, op.devfn);
		snprintf(text, sizeof(text), "%02x:%02x.%x", p.bus, p.devfn >> 3, p.devfn & 7);
		return {text, op.address};
	}
	/* Of the counter's control or, with count, of its count. */
	Address expected(const struct unc_box &b, int counter, bool count)
	{
		const auto &r = support::facts::kind(platform.name, b.type->name);
		const uint32_t fixed = count ? r.fixed_counter : r.fixed_control;
		const uint32_t own = count ? r.counter_of(counter) : r.control_of(counter);
		const uint32_t reg = counter == kFixed ? fixed : own + r.away(b.index);
		struct unc_op op = unc_read_op(&sim.machine, &b, 0);

		op.address = reg + (op.space == UNCORE_MMIO ? b.offset : 0);
		return address(op);
	}
	void program(Ours &ours, const struct unc_box &b, const struct unc_assignment *s,
		     unsigned n)
	{
		const struct unc_use before = {}, after = together(before, s, n);
		const struct unc_job job = {&sim.machine, &b, &before, &after, s, n};
		Ops writes, read;

		unc_program_setup(&writes, &job);
		unc_program_start(&writes, &job);
		unc_program_read(&read, &job);
		note(ours.order, ours.written, writes.op, writes.n);
		ours.boxes.push_back({});
		note(ours.boxes.back(), ours.written, writes.op, writes.n);
		for (const auto &op : read)
			ours.read.insert(address(op));
	}
	void note(std::vector<Address> &order, std::map<Address, uint64_t> &written,
		  const struct unc_op *op, size_t n)
	{
		for (size_t i = 0; i < n; i++) {
			if (op[i].kind != UNCORE_WRITE)
				continue;
			order.push_back(address(op[i]));
			written[address(op[i])] = op[i].value;
		}
	}
	void plan_box(Ours &ours, const struct unc_box &b)
	{
		std::vector<const struct unc_event *> here;
		std::vector<struct unc_assignment> out(UNC_SLOTS + 8);
		std::vector<size_t> index;

		for (size_t i = 0; i < ours.events.size(); i++) {
			const struct unc_event *ev = ours.events[i];

			if (ev->type != b.type || !unc_box_is_at(&b, &ev->where))
				continue;
			here.push_back(ev);
			index.push_back(i);
		}
		if (here.empty() || ours.outcome != FITS)
			return;
		if (!unc_assign(b.type, nullptr, here.data(), here.size(), out.data())) {
			ours.outcome = NO_ROOM;
			return;
		}
		for (size_t k = 0; k < here.size(); k++) {
			const int counter =
				out[k].counter == b.type->n_counters ? kFixed : out[k].counter;

			ours.settings[index[k]] = out[k];
			ours.controls[index[k]] = expected(b, counter, false);
			ours.counters[index[k]] = expected(b, counter, true);
		}
		program(ours, b, out.data(), here.size());
	}
	Ours plan(const json &c)
	{
		const size_t n = c["events"].size();
		Ours ours;

		for (const auto &event : c["events"])
			ours.events.push_back(sim.event(raw(event)));
		if (std::count(ours.events.begin(), ours.events.end(), nullptr)) {
			ours.outcome = REFUSED;
			return ours;
		}
		ours.settings.resize(n);
		ours.controls.resize(n);
		ours.counters.resize(n);
		for (size_t i = 0; i < sim.machine.n_boxes; i++)
			plan_box(ours, sim.machine.boxes[i]);
		return ours;
	}
	std::vector<std::pair<Address, uint64_t>> writes_of_driver(const json &c)
	{
		std::vector<std::pair<Address, uint64_t>> list;

		for (const auto &w : c["writes"]) {
			const std::string where =
				w[0].is_string()
					? w[0].get<std::string>()
					: "package " + std::to_string(w[0].get<unsigned>() /
								      platform.cores);

			list.push_back({{where, static_cast<uint32_t>(golden_number(w[1]))},
					golden_number(w[2])});
		}
		return list;
	}
	/* The driver's accesses to memory left no trace: only its answers are known. */
	bool traced(const json &c) const
	{
		for (const auto &event : c["events"])
			if (sim.type(GoldenPmu(event["pmu"]).kind)->space == UNC_IN_MMIO)
				return false;
		return true;
	}
	/* The filter MSR at this address, if it is one. */
	const Filter *filter(const Address &a) const
	{
		return a.first.find("package") == 0 ? filter_at(platform, a.second) : nullptr;
	}
	bool is_filter(const Address &a) const
	{
		const bool pci = a.first.find("package") != 0;

		return pci ? a.second >= 0x228 && a.second < 0x240 : filter(a) != nullptr;
	}
	/* All filters of a case together. */
	uint64_t filters(const std::map<Address, uint64_t> &written) const
	{
		uint64_t all = 0;

		for (const auto &[where, value] : written)
			if (filter(where))
				all |= value << filter(where)->shift;
		return all;
	}
	void compare_events(const json &c, const Ours &ours);
	void compare_filters(const json &c, const Ours &ours);
};

/* Every event: the driver's control value on the driver's counter is ours on ours. */
void Golden::compare_events(const json &c, const Ours &ours)
{
	std::map<Address, uint64_t> last;

	for (const auto &[where, value] : writes_of_driver(c))
		last[where] = value;
	for (size_t i = 0; i < ours.events.size(); i++) {
		const struct unc_event *ev = ours.events[i];
		const json &counter = c["events"][i]["counter"];
		const struct unc_box &b = *sim.box(ev->type->name, ev->where.boxes.range[0].low,
						   ev->where.packages.range[0].low);
		const int theirs = counter.is_string() ? kFixed : counter.get<int>();
		const Address where = expected(b, theirs, false);

		SCOPED_TRACE("event " + std::to_string(i));
		ASSERT_TRUE(last.count(where)) << where.first << " " << hex(where.second);
		ASSERT_TRUE(ours.written.count(ours.controls[i])) << hex(ours.controls[i].second);
		EXPECT_EQ(hex(last[where]), hex(ours.written.at(ours.controls[i])));
		EXPECT_TRUE(ours.read.count(ours.counters[i])) << hex(ours.counters[i].second);
		EXPECT_EQ(theirs == kFixed, ev->fixed);
		EXPECT_TRUE(ev->fixed || (ev->counters >> ours.settings[i].counter & 1));
	}
}

void Golden::compare_filters(const json &c, const Ours &ours)
{
	const FilterDifference *d = listed_filter(platform, c["case"]);
	std::map<Address, uint64_t> theirs;

	for (const auto &[where, value] : writes_of_driver(c))
		if (is_filter(where))
			theirs[where] = value & owned_bits(platform, c, where.second);
	if (d) {
		EXPECT_EQ(hex(d->driver), hex(filters(theirs))) << "not as listed any more";
		EXPECT_EQ(hex(d->ours), hex(filters(ours.written))) << d->why;
		return;
	}
	for (const auto &[where, value] : theirs) {
		const auto mine = ours.written.find(where);

		if (mine == ours.written.end())
			EXPECT_EQ(hex(0), hex(value)) << where.first << hex(where.second);
		else
			EXPECT_EQ(hex(value), hex(mine->second)) << hex(where.second);
	}
	for (const auto &[where, value] : ours.written)
		EXPECT_TRUE(!is_filter(where) || value == 0 || theirs.count(where))
			<< "only we write " << hex(where.second);
}

TEST_P(Golden, EveryCaseFitsAsInTheDriverOrIsListed)
{
	std::map<const Difference *, unsigned> seen;
	unsigned n = 0;

	for (const json &c : cases()) {
		const std::string name = c["case"];
		const Difference *d = listed(platform, name);
		const bool accepts = c["ok"];
		const Ours ours = plan(c);

		n++;
		seen[d]++;
		EXPECT_EQ(d ? d->driver_accepts : accepts, accepts) << name;
		if (d)
			EXPECT_EQ(d->ours, ours.outcome) << name << ": " << d->why;
		else
			EXPECT_EQ(accepts, ours.outcome == FITS) << name << " " << sim.why();
	}
	EXPECT_EQ(platform.cases, n);
	for (const Differences *list : {&kCommon, &kGroups, &platform.own})
		for (const auto &d : *list)
			EXPECT_TRUE(seen[&d] || (list == &kGroups && !platform.groups))
				<< "not in the recordings any more: " << d.cases;
}

TEST_P(Golden, RegistersGetTheDriversValues)
{
	std::set<std::string> unseen;

	for (const auto &d : platform.filter_differences)
		unseen.insert(d.name);
	for (const json &c : cases()) {
		const Ours ours = plan(c);

		if (ours.outcome != FITS || !c["ok"] || !traced(c))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		compare_events(c, ours);
		compare_filters(c, ours);
		unseen.erase(c["case"].get<std::string>());
		if (HasFailure())
			return;
	}
	for (const auto &name : unseen)
		ADD_FAILURE() << "not in the recordings any more: " << name;
}

/* In every list of writes of one box, ours and the driver's. */
TEST_P(Golden, FiltersComeBeforeControlsAsInTheDriver)
{
	unsigned with_filter = 0;

	for (const json &c : cases()) {
		const Ours ours = plan(c);
		const auto is_control = [&ours](const Address &a) {
			return std::count(ours.controls.begin(), ours.controls.end(), a);
		};
		const auto a_filter = [this](const Address &a) { return is_filter(a); };
		std::vector<Address> theirs;

		if (ours.outcome != FITS || !c["ok"] || !traced(c))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &list : ours.boxes) {
			const auto control = std::find_if(list.begin(), list.end(), is_control);

			EXPECT_EQ(list.end(), std::find_if(control, list.end(), a_filter));
		}
		for (const auto &w : writes_of_driver(c))
			theirs.push_back(w.first);
		for (size_t i = 0; i < theirs.size(); i++)
			if (is_filter(theirs[i])) {
				EXPECT_LT(i + 1, theirs.size());
				with_filter++;
			}
	}
	EXPECT_GT(with_filter, 40u);
}

/* The box control aside (frozen and reset at once, where the driver reads and modifies). */
TEST_P(Golden, NoRegisterIsWrittenThatTheDriverLeavesAlone)
{
	for (const json &c : cases()) {
		const Ours ours = plan(c);
		std::set<Address> theirs;
		size_t controls = 0, others = 0;

		if (ours.outcome != FITS || !c["ok"] || !traced(c) ||
		    c["case"] == "leaders_no_group_4" || listed_filter(platform, c["case"]))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &w : writes_of_driver(c))
			theirs.insert(w.first);
		for (const auto &w : ours.written) {
			const bool control =
				std::count(ours.controls.begin(), ours.controls.end(), w.first);

			controls += control;
			others += !control && !(is_filter(w.first) && w.second == 0);
			EXPECT_TRUE(control || (is_filter(w.first) && w.second == 0) ||
				    theirs.count(w.first))
				<< w.first.first << " " << hex(w.first.second);
		}
		EXPECT_EQ(ours.events.size(), controls);
		EXPECT_GE(theirs.size(), controls + others);
	}
}

/* The same answer through uncore.h, where equal events share a counter. */
TEST_P(Golden, ThePublicPlanIsTheSame)
{
	const support::Handle handle(support::sim_options(spec.c_str()));
	struct uncore *u = handle.u;

	for (const json &c : cases()) {
		std::set<std::string> names;
		std::vector<unsigned> ids;
		struct uncore_plan *p = nullptr;
		const Ours ours = plan(c);

		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &event : c["events"]) {
			unsigned id = 0;

			EXPECT_EQ(ours.outcome != REFUSED,
				  uncore_event(u, raw(event).c_str(), &id) == 0);
			names.insert(raw(event));
			ids.push_back(id);
		}
		if (ours.outcome == REFUSED || names.size() != ids.size())
			continue;
		ASSERT_EQ(0, uncore_plan(u, ids.data(), ids.size(), nullptr, &p));
		EXPECT_EQ(ours.outcome == FITS, p->feasible) << p->layout.reason;
		EXPECT_EQ(p->feasible, p->layout.reason[0] == '\0');
		std::map<Address, uint64_t> written;
		std::vector<Address> order;
		note(order, written, p->setup.op, p->setup.n);
		note(order, written, p->start.op, p->start.n);
		if (p->feasible) {
			EXPECT_EQ(ours.written, written);
			EXPECT_EQ(ours.order.size(), order.size());
		}
		uncore_plan_free(p);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::Values(kSnbep, kIvbep, kHswep, kBdx, kSkx, kIcx),
			 testing::PrintToStringParamName());

} // namespace
