// SPDX-License-Identifier: BSD-3-Clause
// irp_test.cc - the IRP of Ivy Bridge-EP to Broadwell-EP: one PCI device, two units,
// one box control.
#include <ostream>
#include <set>

#include "plan/complete.h"
#include "support/plan.h"
#include "support/sim_machine.h"

namespace
{

using support::kEnable;
using support::kSecond;
using support::Set;

constexpr double kFirst = 9 / 16.0; // the first unit's part of the truth, sim.h

struct Platform {
	const char *name;
	uint64_t writes; // control value of UNC_I_TRANSACTIONS:WRITES
	uint16_t device;
	std::vector<uint32_t> counters; // docs/hardware/: 0, 1 of unit 0, then of unit 1
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

class Irp : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string spec = std::string("sim:") + platform.name + ":packages=2,time=virtual";
	support::Handle machine{support::sim_options(spec.c_str())};
	struct sim *sim = unc_hw_sim(unc_hw_of(machine.u));

	double writes(unsigned package)
	{
		return sim_rate(sim, package, "irp", 0, platform.writes, 0);
	}
	const sim_pci &device(unsigned package)
	{
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);
		unsigned seen = 0;

		for (size_t i = 0; i < n; i++)
			if (pci[i].device == platform.device && seen++ == package)
				return pci[i];
		throw std::runtime_error("no IRP");
	}
	uint64_t config(uint32_t offset)
	{
		const sim_pci &p = device(0);
		uint64_t value = 0;

		EXPECT_EQ(0, sim_pci_read(sim, p.segment, p.bus, p.devfn, offset, 32, &value));
		return value;
	}
	void set_config(uint32_t offset, uint64_t value)
	{
		const sim_pci &p = device(0);

		EXPECT_EQ(0, sim_pci_write(sim, p.segment, p.bus, p.devfn, offset, 32, value));
	}
	std::vector<uint64_t> controls()
	{
		std::vector<uint64_t> all;

		for (uint32_t offset : {0xf4, 0xd8, 0xdc, 0xe0, 0xe4})
			all.push_back(config(offset));
		return all;
	}
	int64_t count(const std::string &event)
	{
		Set set(machine, {event});

		EXPECT_EQ(0, set.start()) << machine.message();
		sim_advance(sim, kSecond);
		EXPECT_EQ(0, set.stop()) << machine.message();
		return set.count();
	}
	static void expect_close(double expected, int64_t actual)
	{
		EXPECT_NEAR(expected, static_cast<double>(actual), 20);
	}
};

TEST_P(Irp, UnitsAreBoxesAndAnEventIsTheirSum)
{
	EXPECT_EQ(4u, machine.present("irp"));
	EXPECT_LT(1e5, writes(0));
	for (unsigned p : {0u, 1u}) {
		const std::string where = "UNC_I_TRANSACTIONS:WRITES:pkg=" + std::to_string(p);

		expect_close(writes(p) * kFirst, count(where + ":box=0"));
		expect_close(writes(p) * (1 - kFirst), count(where + ":box=1"));
		expect_close(writes(p), count(where));
	}
	expect_close(writes(0) + writes(1), count("UNC_I_TRANSACTIONS:WRITES"));
	expect_close(sim_traffic(sim, 0)->uclk_hz, count("UNC_I_CLOCKTICKS:box=1:pkg=0"));
}

TEST_P(Irp, CountersAreWhereTheManualHasThem)
{
	const std::vector<unsigned> ids = machine.events(
		{"UNC_I_TRANSACTIONS:WRITES:pkg=0", "UNC_I_TRANSACTIONS:READS:pkg=0"});
	std::set<uint64_t> read;
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &plan));
	for (size_t i = 0; i < plan->read.n; i++)
		read.insert(plan->read.op[i].address);
	EXPECT_EQ(std::set<uint64_t>(platform.counters.begin(), platform.counters.end()), read);
	EXPECT_EQ(4u, plan->read.n);
	uncore_plan_free(plan);
}

TEST_P(Irp, TheBoxControlIsWrittenOnceForBoth)
{
	const unsigned id = machine.event("UNC_I_TRANSACTIONS:WRITES:pkg=0");
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	for (const auto &part :
	     {std::pair(plan->setup.op, plan->setup.n), std::pair(plan->start.op, plan->start.n),
	      std::pair(plan->stop.op, plan->stop.n),
	      std::pair(plan->restore.op, plan->restore.n)}) {
		unsigned writes = 0;

		for (size_t i = 0; i < part.second; i++)
			writes +=
				part.first[i].kind == UNCORE_WRITE && part.first[i].address == 0xf4;
		EXPECT_EQ(1u, writes);
	}
	EXPECT_EQ(0xf4u, plan->restore.op[plan->restore.n - 1].address);
	uncore_plan_free(plan);
}

TEST_P(Irp, AUnitHasTwoCounters)
{
	const std::vector<std::string> three = {"UNC_I_CLOCKTICKS", "UNC_I_TRANSACTIONS:WRITES",
						"UNC_I_TRANSACTIONS:READS"};
	Set set(machine), apart(machine, {three[0] + ":box=0", three[1], three[2] + ":box=1"});

	EXPECT_EQ(UNCORE_ECONFLICT, set.assign(three));
	EXPECT_NE(std::string::npos, machine.message().find("irp has 2 counters"))
		<< machine.message();
	EXPECT_EQ(0, apart.start()) << machine.message();
	EXPECT_EQ(0, apart.stop());
}

// Neither the start nor the stop of one unit may hold or clear the other one's counts.
TEST_P(Irp, UnitsStartAndStopByThemselves)
{
	for (int early : {0, 1})
		for (int first_to_stop : {0, 1}) {
			const std::vector<uint64_t> before = controls();
			Set set[2] = {Set(machine, {"UNC_I_TRANSACTIONS:WRITES:pkg=0:box=" +
						    std::to_string(early)}),
				      Set(machine, {"UNC_I_TRANSACTIONS:WRITES:pkg=0:box=" +
						    std::to_string(1 - early)})};
			const double rate[2] = {writes(0) * (early ? 1 - kFirst : kFirst),
						writes(0) * (early ? kFirst : 1 - kFirst)};

			SCOPED_TRACE(early * 2 + first_to_stop);
			ASSERT_EQ(0, set[0].start()) << machine.message();
			sim_advance(sim, kSecond);
			ASSERT_EQ(0, set[1].start()) << machine.message();
			expect_close(rate[0], set[0].count());
			sim_advance(sim, kSecond);
			ASSERT_EQ(0, set[first_to_stop].stop()) << machine.message();
			sim_advance(sim, kSecond);
			EXPECT_NE(before, controls());
			ASSERT_EQ(0, set[1 - first_to_stop].stop()) << machine.message();
			expect_close(rate[0] * (first_to_stop == 0 ? 2 : 3), set[0].count());
			expect_close(rate[1] * (first_to_stop == 1 ? 1 : 2), set[1].count());
			EXPECT_EQ(before, controls());
		}
}

// The reset of one unit's start would clear the other one's counters.
TEST_P(Irp, AnotherUserOfTheOtherUnitIsDetected)
{
	Set set(machine, {"UNC_I_CLOCKTICKS:box=0:pkg=0"});

	set_config(0xe4, kEnable | 0x15);
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_NE(std::string::npos, machine.message().find("irp1 of package 0: counter 1"))
		<< machine.message();
	EXPECT_EQ(kEnable | 0x15, config(0xe4));
	EXPECT_EQ(0u, config(0xf4));
	set_config(0xe4, 0);
	EXPECT_EQ(0, set.start());
	EXPECT_EQ(0, set.stop());
}

// The box control is restored by the last set to stop.
TEST_P(Irp, TheBoxControlIsRestoredByTheLast)
{
	Set first(machine, {"UNC_I_CLOCKTICKS:box=0:pkg=0"}),
		second(machine, {"UNC_I_CLOCKTICKS:box=1:pkg=0"});

	set_config(0xf4, 0x10100);
	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start());
	EXPECT_EQ(0, first.stop());
	EXPECT_NE(0x10100u, config(0xf4)) << "the second one counts";
	EXPECT_EQ(0, second.stop());
	EXPECT_EQ(0x10100u, config(0xf4));
}

INSTANTIATE_TEST_SUITE_P(
	All, Irp,
	testing::Values(Platform{"ivbep", 0x0215, 0x0e39, {0xa0, 0xb0, 0xb8, 0xc0}},
			Platform{"hswep", 0x0216, 0x2f39, {0xa0, 0xa8, 0xb0, 0xb8}},
			Platform{"bdx", 0x0216, 0x6f39, {0xa0, 0xa8, 0xb0, 0xb8}}),
	testing::PrintToStringParamName());

} // namespace
