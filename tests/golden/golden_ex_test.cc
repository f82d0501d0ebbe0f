// SPDX-License-Identifier: BSD-3-Clause
// golden_ex_test.cc - Nehalem-EX and Westmere-EX against recordings of the Linux
// driver: which groups fit, which control and sub-control register gets which
// value.  Where we differ on purpose the table here says so, exactly.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "plan/complete.h"
#include "support/data.h"
#include "support/golden_ex.h"
#include "support/plan.h"
#include "support/simulated.h"
#include "support/stepped.h"

namespace
{

using nlohmann::json;
using namespace golden_ex;

using Address = std::pair<unsigned, uint64_t>; // package, MSR

class GoldenEx : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string spec =
		"sim:" + platform.name + ":packages=2,cores=" + std::to_string(platform.cores);
	Simulated sim{(spec + ",time=virtual").c_str()};

	std::vector<json> cases() const
	{
		return support::data_lines("golden/" + platform.name + ".jsonl.gz");
	}
	std::string raw(const json &event, bool exact) const
	{
		return raw_name(platform.name, event, exact) +
		       ":cpu=" + std::to_string(event["cpu"].get<int>());
	}
	struct Ours {
		bool fits = true;
		std::vector<std::pair<const struct unc_event *, struct unc_assignment>> placed;
		std::map<Address, uint64_t> written, started; // by writes; by changes of bits
		std::set<Address> read;
	};
	/* The events of one box, and the registers that they are given. */
	void plan_box(Ours &ours, const struct unc_box &b,
		      const std::vector<const struct unc_event *> &events)
	{
		std::vector<const struct unc_event *> here;
		std::vector<struct unc_assignment> out(UNC_SLOTS + 8);
		Ops ops;

		for (const struct unc_event *ev : events)
			if (ev->type == b.type && unc_box_is_at(&b, &ev->where))
				here.push_back(ev);
		if (here.empty() || !ours.fits)
			return;
		ours.fits = unc_assign(b.type, nullptr, here.data(), here.size(), out.data());
		if (!ours.fits)
			return;
		const unsigned n = static_cast<unsigned>(here.size());
		const struct unc_use before = {}, after = together(before, out.data(), n);
		const struct unc_job job = {&sim.machine, &b, &before, &after, out.data(), n};

		unc_program_setup(&ops, &job);
		unc_program_start(&ops, &job);
		unc_program_read(&ops, &job);
		for (const auto &op : ops) {
			const Address at = {op.package, op.address};

			if (op.kind == UNCORE_WRITE)
				ours.written[at] = op.value;
			else if (op.kind == UNCORE_RMW)
				ours.started[at] = op.value;
			else
				ours.read.insert(at);
		}
		for (unsigned i = 0; i < n; i++)
			ours.placed.push_back({here[i], out[i]});
	}
	Ours plan(const json &c)
	{
		std::vector<const struct unc_event *> events;
		Ours ours;

		for (const auto &event : c["events"]) {
			events.push_back(sim.event(raw(event, as_recorded(c["case"]))));
			ours.fits &= events.back() != nullptr;
		}
		for (size_t i = 0; ours.fits && i < sim.machine.n_boxes; i++)
			plan_box(ours, sim.machine.boxes[i], events);
		return ours;
	}
	std::map<Address, uint64_t> writes_of_driver(const json &c) const
	{
		std::map<Address, uint64_t> last;

		for (const auto &w : c["writes"])
			last[{w[0].get<unsigned>() / platform.cores, golden_number(w[1])}] =
				golden_number(w[2]);
		return last;
	}
};

TEST_P(GoldenEx, EveryCaseFitsAsInTheDriverOrIsListed)
{
	std::map<const Difference *, unsigned> seen;
	unsigned n = 0;

	for (const json &c : cases()) {
		const std::string name = c["case"];
		const Difference *d = listed(name);
		const bool accepts = c["ok"];

		n++;
		seen[d]++;
		EXPECT_EQ(d ? d->driver : accepts, accepts) << name;
		EXPECT_EQ(d ? d->ours : accepts, plan(c).fits) << name << (d ? d->why : "");
	}
	EXPECT_EQ(platform.cases, n);
	for (const auto &d : kDifferences)
		EXPECT_TRUE(seen[&d]) << "not in the recordings any more: " << d.cases;
}

/*
 * The same values in controls and sub-control registers.  The driver enables all
 * counters of a box where we enable those that count.
 */
TEST_P(GoldenEx, RegistersGetTheDriversValues)
{
	std::map<std::string, unsigned> compared;

	for (const json &c : cases()) {
		const Ours ours = plan(c);
		std::map<Address, uint64_t> rest = c["ok"] ? writes_of_driver(c) : decltype(rest)();

		if (!ours.fits || !c["ok"])
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		ASSERT_EQ(c["events"].size(), ours.placed.size());
		const auto theirs = rest;
		std::map<Address, uint64_t> mine = ours.written;
		for (const json &event : c["events"]) {
			const Pmu pmu(event["pmu"]);
			const unsigned package = event["cpu"].get<unsigned>() / platform.cores;
			const json &counter = event["counter"];
			const bool fixed = counter.is_string();
			const Address at = {package,
					    fixed ? 0x395 : pmu.control(counter.get<int>())};
			const Address box = {package, pmu.box_ctl()};

			/* as many counters with the same controls, on whichever of them */
			ASSERT_TRUE(theirs.count(at)) << golden_hex(at.second);
			const auto found =
				std::find_if(mine.begin(), mine.end(), [&](const auto &w) {
					return w.second == theirs.at(at) &&
					       w.first.first == package &&
					       (fixed ? w.first.second == 0x395
						      : w.first.second >= pmu.control(0) &&
								w.first.second < pmu.control(8));
				});
			ASSERT_NE(mine.end(), found) << golden_hex(theirs.at(at));
			const uint64_t number = (found->first.second - pmu.control(0)) / 2;
			EXPECT_TRUE(ours.read.count(
				{package, fixed ? 0x394 : found->first.second + 1}));
			ASSERT_TRUE(ours.started.count(box));
			EXPECT_TRUE(ours.started.at(box) >>
					    (fixed ? pmu.registers().fixed_bit : number) &
				    1);
			EXPECT_EQ(ours.started.at(box), ours.started.at(box) & theirs.at(box));
			mine.erase(found);
			rest.erase(at);
			compared[pmu.kind]++;
		}
		/* what is left are the sub-control registers and the box controls */
		for (const auto &[where, value] : mine) {
			EXPECT_TRUE(rest.count(where))
				<< "only we write " << golden_hex(where.second);
			EXPECT_EQ(golden_hex(rest[where]), golden_hex(value));
			rest.erase(where);
		}
		for (const auto &[where, value] : rest)
			EXPECT_TRUE(ours.started.count(where))
				<< "only the driver writes " << golden_hex(where.second);
		if (HasFailure())
			return;
	}
	EXPECT_EQ(kRegisters.size(), compared.size());
}

TEST_P(GoldenEx, ThePublicPlanIsTheSame)
{
	const support::Handle handle(support::sim_options(spec.c_str()));
	struct uncore *u = handle.u;

	for (const json &c : cases()) {
		const Ours ours = plan(c);
		std::map<Address, uint64_t> written;
		std::set<unsigned> ids;
		struct uncore_plan *p = nullptr;

		for (const json &event : c["events"]) {
			unsigned id = 0;

			if (uncore_event(u, raw(event, as_recorded(c["case"])).c_str(), &id) == 0)
				ids.insert(id);
		}
		if (ids.size() != c["events"].size() || !ours.fits)
			continue; /* equal events share a counter there */
		SCOPED_TRACE(c["case"].get<std::string>());
		const std::vector<unsigned> list(ids.begin(), ids.end());
		ASSERT_EQ(0, uncore_plan(u, list.data(), list.size(), nullptr, &p));
		EXPECT_TRUE(p->feasible) << p->layout.reason;
		for (size_t i = 0; i < p->setup.n; i++)
			if (p->setup.op[i].kind == UNCORE_WRITE)
				written[{p->setup.op[i].package, p->setup.op[i].address}] =
					p->setup.op[i].value;
		EXPECT_EQ(ours.written, written);
		uncore_plan_free(p);
	}
}

/* "tried": where the recorder gave up adding copies, so that more may fit. */
TEST_P(GoldenEx, EveryEventCodeCountsWhereTheDriverAllows)
{
	for (const json &line :
	     support::data_lines("golden/" + platform.name + ".counters.jsonl.gz")) {
		const Pmu pmu(line["pmu"]);
		const struct unc_box_type *type = sim.type(pmu.kind);
		const std::string masks = line["masks"];

		ASSERT_EQ(512u, masks.size());
		for (unsigned code = 0; code < 256; code++) {
			const unsigned driver = std::stoul(masks.substr(2 * code, 2), nullptr, 16);
			const unsigned n = __builtin_popcount(driver);
			struct unc_event ev = {};

			ev.type = type;
			ev.control =
				(code | golden_number(line["umask"]) << 8) & pmu.registers().mask;
			unc_event_finish(&ev, 0, 0, false);
			SCOPED_TRACE(pmu.kind + " event " + golden_hex(ev.control));
			EXPECT_EQ(driver, driver & ev.counters);
			if (n < line["tried"].get<unsigned>()) {
				EXPECT_EQ(driver, ev.counters);
			}
			std::vector<const struct unc_event *> copies(n, &ev);
			std::vector<struct unc_assignment> out(n + 1);
			EXPECT_TRUE(unc_assign(type, nullptr, copies.data(), n, out.data()));
		}
	}
}

INSTANTIATE_TEST_SUITE_P(All, GoldenEx,
			 testing::Values(Platform{"nhmex", 312, 8}, Platform{"wsmex", 354, 10}),
			 testing::PrintToStringParamName());

} // namespace
