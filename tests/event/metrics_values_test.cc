// SPDX-License-Identifier: BSD-3-Clause
// metrics_values_test.cc - metrics of one platform at a time: where their terms are counted,
// what their values are when windows, packages and rounds mix, and the qualifiers of their names.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "plan/complete.h"
#include <utility>

#include "support/interposer.h"
#include "support/machines.h"
#include "support/plan.h"
#include "support/sim_machine.h"
#include "support/sized.h"

namespace
{

using support::kSecond;

class Machine : public support::Handle
{
      public:
	explicit Machine(const std::string &spec)
	    : support::Handle(support::sim_options(spec.c_str())), sim_(unc_hw_sim(unc_hw_of(u)))
	{
	}
	std::vector<int64_t> count(const std::vector<std::string> &names)
	{
		support::Set set(*this, names);

		EXPECT_EQ(0, set.start()) << message();
		sim_advance(sim_, kSecond);
		EXPECT_EQ(0, set.stop());
		return set.counts();
	}
	sim *sim_;
};

// The manual's layout (327043-001): the queue on counter 0, what enters it on counter 1, and
// a companion with threshold 1 and no edge detect; docs/hardware/snbep.md.
TEST(Recipe, QueueInsertsAndCompanionShareABoxAndAWindow)
{
	for (const char *platform : {"snbep", "ivbep", "hswep"}) {
		Machine m("sim:" + std::string(platform) + ":packages=1,cores=4,time=virtual");
		const std::vector<unsigned> ids =
			m.events({"UNCORE_TOR_DRD_LATENCY_NS", "UNCORE_TOR_DRD_OCCUPANCY_NOT_EMPTY",
				  "UNCORE_TOR_DRD_OCCUPANCY_AVG"});
		std::map<unsigned, uint64_t> control;
		struct uncore_plan *plan = nullptr;

		SCOPED_TRACE(platform);
		ASSERT_EQ(0, uncore_plan(m.u, ids.data(), ids.size(), nullptr, &plan));
		ASSERT_TRUE(plan->feasible) << plan->layout.reason;
		for (size_t i = 0; i < plan->layout.n; i++) {
			const uncore_assignment_info p = support::assignment(plan, i);

			if (p.kind != std::string("cbo") || p.box != 2)
				continue;
			EXPECT_TRUE(control[p.counter] == 0 || control[p.counter] == p.control);
			control[p.counter] = p.control;
		}
		ASSERT_EQ(4u, control.size());
		EXPECT_EQ(0x0136u, control[0]);
		const uint64_t inserts = platform == std::string("hswep") ? 0 : control[1];
		EXPECT_TRUE(inserts == 0 || inserts == 0x0135);
		EXPECT_EQ(1, std::count_if(control.begin(), control.end(), [](const auto &c) {
				  return (c.second & 0x018000ff) == 0x0100001f &&
					 !(c.second & (1u << 18));
			  }));
		uncore_plan_free(plan);
	}
}

// Thresholds on all four counters; counter 0 is the queue with a threshold of its own.
TEST(Recipe, AHistogramTakesAllFourCounters)
{
	Machine m("sim:snbep:packages=1,cores=4,time=virtual");
	const std::vector<std::string> names = {
		"UNCORE_INGRESS_GE1_RATIO", "UNCORE_INGRESS_GE7_RATIO", "UNCORE_INGRESS_GE14_RATIO",
		"UNCORE_INGRESS_GE18_RATIO"};
	const unsigned thresholds[] = {1, 7, 14, 18};

	sim_traffic(m.sim_, 0)->ingress_ns = 290;
	const std::vector<int64_t> got = m.count(names);
	for (unsigned i = 0; i < 4; i++) {
		double cycles = 0;

		for (unsigned b = 0; b < 4; b++)
			cycles += sim_rate(m.sim_, 0, "cbox", b, 0x0111 | thresholds[i] << 24, 0);
		EXPECT_LT(0, cycles);
		EXPECT_NEAR(1, uncore_real(got[i]) / (cycles / 4 / sim_traffic(m.sim_, 0)->uclk_hz),
			    0.01)
			<< names[i];
	}
}

TEST(Recipe, EventsThatNeedOneRegisterTwiceAreSplitOverTheBoxes)
{
	Machine m("sim:nhmex:packages=1,time=virtual");
	support::Set set(m);

	EXPECT_EQ(UNCORE_ECONFLICT,
		  set.assign({"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES"}));
	EXPECT_NE(std::string::npos,
		  m.message().find("BBOX_CMDS_READS and UNC_M_FVC_EV:BBOX_CMDS_WRITES"))
		<< m.message();
	const std::vector<int64_t> n =
		m.count({"UNCORE_MEM_READ_BYTES_SPLIT", "UNCORE_MEM_WRITE_BYTES_SPLIT"});
	const struct sim_traffic *t = sim_traffic(m.sim_, 0);
	EXPECT_NEAR(64 * t->reads, static_cast<double>(n[0]), 0.1 * 64 * t->reads);
	EXPECT_NEAR(64 * t->writes, static_cast<double>(n[1]), 0.1 * 64 * t->writes);
}

TEST(MetricValues, TotalsAddUpAndMeansAreWeighted)
{
	Machine m("sim:snbep:packages=2,cores=8,time=virtual");
	struct sim_traffic *t[] = {sim_traffic(m.sim_, 0), sim_traffic(m.sim_, 1)};

	t[1]->uclk_hz *= 0.61;
	t[1]->reads *= 3.7;
	t[1]->ingress_ns = 31;
	const std::vector<int64_t> n = m.count(
		{"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_READ_BYTES:pkg=0",
		 "UNCORE_MEM_READ_BYTES:cpu=15", "UNCORE_INGRESS_LATENCY_NS",
		 "UNC_C_RXR_INSERTS:IRQ:pkg=0", "UNC_C_RXR_INSERTS:IRQ:pkg=1", "UNCORE_FREQUENCY"});
	const auto a = static_cast<double>(n[4]), b = static_cast<double>(n[5]);

	EXPECT_EQ(n[0], n[1] + n[2]);
	EXPECT_NEAR((a * t[0]->ingress_ns + b * t[1]->ingress_ns) / (a + b), uncore_real(n[3]),
		    0.05);
	EXPECT_NEAR((t[0]->uclk_hz + t[1]->uclk_hz) / 2, uncore_real(n[6]), 1000);
}

// A reset while the counters of a mean are read: it is read again, from one zero point.
TEST(MetricValues, AMeanIsNotOfBothSidesOfAReset)
{
	Machine m("sim:snbep:packages=1,cores=4,time=virtual");
	support::Interposer hardware(m);
	bool resets = false; // used until the set is destroyed
	support::Set set(m, {"UNCORE_INGRESS_LATENCY_NS"});

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim_, 1000000000);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (std::exchange(resets, false)) {
			EXPECT_EQ(0, set.reset());
			sim_advance(m.sim_, 15000); // not taken for a pause of the reader
		}
		return r;
	};
	resets = true;
	const double mean = uncore_real(set.counts()[0]);
	EXPECT_FALSE(resets);
	EXPECT_NEAR(1, mean / sim_traffic(m.sim_, 0)->ingress_ns, 0.05);
	EXPECT_EQ(0, set.stop());
}

// The mean of the time since the reset; undefined before anything was counted.
TEST(MetricValues, AMeanCoversItsWindow)
{
	Machine m("sim:skx:packages=1,cores=4,time=virtual");
	support::Set set(m, {"UNCORE_TOR_DRD_LATENCY_NS", "UNCORE_CLOCKTICKS"});

	EXPECT_TRUE(std::isnan(uncore_real(set.count())));
	ASSERT_EQ(0, set.start());
	EXPECT_TRUE(std::isnan(uncore_real(set.count())));
	sim_advance(m.sim_, kSecond);
	const double before = uncore_real(set.count());
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(before, uncore_real(set.count()));
	sim_traffic(m.sim_, 0)->local_ns *= 4;
	ASSERT_EQ(0, set.start());
	sim_advance(m.sim_, kSecond);
	const double after = uncore_real(set.count());
	EXPECT_LT(1.5 * before, after);
	ASSERT_EQ(0, set.reset());
	EXPECT_TRUE(std::isnan(uncore_real(set.count())));
	sim_advance(m.sim_, kSecond / 100);
	EXPECT_NEAR(after, uncore_real(set.count()), 0.01 * after);
	EXPECT_NEAR(sim_traffic(m.sim_, 0)->uclk_hz / 100, static_cast<double>(set.counts()[1]),
		    100);
	EXPECT_EQ(0, set.stop());
}

// A UPI link that has more to carry than its lanes can, 20 or 24 of them, is used as a whole.
TEST(MetricValues, ASaturatedLinkIsUsedAsAWhole)
{
	for (const char *platform : support::machines_between("skx", "cwf", {"knl"})) {
		Machine m("sim:" + std::string(platform) + ":packages=2,cores=4,time=virtual");

		sim_traffic(m.sim_, 0)->noncoherent = 1e12;
		const std::vector<int64_t> n = m.count({"UNCORE_LINK_UTILISATION:pkg=0"});
		EXPECT_NEAR(1, uncore_real(n[0]), 1e-4) << platform;
	}
}

// On any number of dies: each power control unit reports its own cores.
TEST(MetricValues, TheCoresOfAllDiesArePartOfTheirPackage)
{
	for (const char *platform : support::machines_between("spr", "cwf")) {
		Machine m("sim:" + std::string(platform) + ":packages=2,cores=8,time=virtual");
		const std::vector<int64_t> n =
			m.count({"UNCORE_CORES_IN_C0", "UNCORE_CORES_IN_C3", "UNCORE_CORES_IN_C6"});

		EXPECT_NEAR(8, uncore_real(n[0]) + uncore_real(n[1]) + uncore_real(n[2]), 1e-4)
			<< platform;
	}
}

// Conflicting metrics are multiplexed; the terms of each stay together.
TEST(MetricValues, MultiplexedMetricsAreStillRight)
{
	Machine m("sim:snbep:packages=1,cores=8,time=virtual");
	const std::vector<std::string> names = {
		"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES", "UNCORE_INGRESS_LATENCY_NS",
		"UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNCORE_FREQUENCY"};
	auto times = support::sized<uncore_times>(names.size());
	support::Set together(m), set(m);

	EXPECT_EQ(UNCORE_ECONFLICT, together.assign(names));
	ASSERT_EQ(0, uncore_set_multiplex(set.set, 1000));
	ASSERT_EQ(0, set.assign(names)) << m.message();
	ASSERT_LT(1u, set.info().rounds);
	ASSERT_EQ(0, set.start()) << m.message();
	for (unsigned i = 0; i < 60; i++) {
		sim_advance(m.sim_, kSecond / 60);
		ASSERT_TRUE(unc_multiplex_next(set.set));
	}
	ASSERT_EQ(0, set.stop()) << m.message();
	const std::vector<int64_t> multiplexed = set.counts();
	ASSERT_EQ(0, uncore_set_times(set.set, times.data()));
	for (size_t i = 0; i < names.size(); i++) {
		const int64_t alone = m.count({names[i]}).at(0);
		const bool real = i >= 2;

		EXPECT_NEAR(1,
			    real ? uncore_real(multiplexed[i]) / uncore_real(alone)
				 : static_cast<double>(multiplexed[i]) / static_cast<double>(alone),
			    0.01)
			<< names[i];
		EXPECT_EQ(real, times[i].count == 0);
		EXPECT_LT(0, times[i].running_ns);
	}
	EXPECT_LT(times[0].running_ns, times[0].enabled_ns);
	EXPECT_EQ(UNCORE_ECONFLICT, set.assign({"UNCORE_TOR_DRD_HIT_LATENCY_CLOCKS"}));
}

// A reader's values are as far apart as its register reads, so they are not compared
// closely.
TEST(MetricValues, MayBeReadWhileAnotherThreadStartsStopsAndResets)
{
	Machine m("sim:snbep:packages=1,cores=2");
	support::Set set(
		m, {"UNCORE_FREQUENCY", "UNCORE_INGRESS_LATENCY_CLOCKS", "UNCORE_CLOCKTICKS"});
	std::atomic<bool> over(false);
	std::thread reader([&] {
		while (!over) {
			int64_t n[3];

			EXPECT_EQ(0, uncore_set_read(set.set, n));
			EXPECT_FALSE(uncore_real(n[0]) < 0 || uncore_real(n[1]) < 0);
			EXPECT_LE(0, n[2]);
		}
	});

	for (unsigned i = 0; i < 20; i++) {
		EXPECT_EQ(0, set.start());
		std::this_thread::sleep_for(std::chrono::milliseconds(2));
		EXPECT_EQ(0, set.reset());
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
		EXPECT_EQ(0, set.stop());
	}
	over = true;
	reader.join();
}

TEST(MetricValues, OnlyAnEventCanStopASet)
{
	Machine m("sim:ivbep:packages=1,cores=8,time=virtual");
	support::Set set(m, {"UNCORE_MEM_READ_BYTES"});
	auto stop_after = support::sized<uncore_stop_after>();

	stop_after.count = 1000;
	EXPECT_EQ(UNCORE_EINVAL, uncore_set_stop_after(set.set, &stop_after, 1, 0));
	EXPECT_NE(std::string::npos, m.message().find("is computed from several events"))
		<< m.message();
}

TEST(MetricNames, SayWhatIsWrong)
{
	Machine m("sim:snbep:packages=2,cores=8,time=virtual");
	const struct {
		const char *name;
		int code;
		const char *message;
	} cases[] = {
		{"UNCORE_TOR_DRD_LATENCY_NS:box=1", UNCORE_EATTR,
		 "UNCORE_TOR_DRD_LATENCY_NS uses several kinds of boxes, "
		 "UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD and UNC_U_CLOCKTICKS: use pkg=, die= or cpu= "
		 "instead of box="},
		{"UNCORE_PCIE_READ_BYTES_SPLIT:box=*", UNCORE_EATTR, "requires all second boxes"},
		{"UNCORE_ENERGY_PACKAGE_UJ:box=0", UNCORE_EATTR,
		 "is measured per package, not per box"},
		{"UNCORE_MEM_READ_BYTES:box=1,9", UNCORE_ENODEV,
		 "invalid box=9 in UNC_M_CAS_COUNT: this machine has imc 0 to 3"},
		{"UNCORE_MEM_READ_BYTES:pkg=2", UNCORE_ENODEV,
		 "invalid pkg=2 in UNCORE_MEM_READ_BYTES: this machine has packages 0 to 1"},
		{"UNCORE_MEM_READ_BYTES:RD", UNCORE_EATTR, "no umask RD in UNCORE_MEM_READ_BYTES"},
		{"UNCORE_MEM_READ_BYTE", UNCORE_ENOEVENT, "did you mean UNCORE_MEM_READ_BYTES?"},
		{"UNCORE_MCDRAM_READ_BYTES", UNCORE_ENOEVENT,
		 "UNCORE_MCDRAM_READ_BYTES counts memory on the package (MCDRAM), which is not present "
		 "on this machine (Intel Xeon E5-2600 (Sandy Bridge-EP))"},
	};

	for (const auto &c : cases) {
		EXPECT_EQ(c.code, m.refusal(c.name)) << c.name;
		EXPECT_NE(std::string::npos, m.message().find(c.message)) << m.message();
	}
	EXPECT_EQ("UNCORE_MEM_READ_BYTES:pkg=1",
		  m.canonical("uncore:::uncore_mem_read_bytes:cpu=15"));
	EXPECT_EQ(m.event("UNCORE_FREQUENCY"), m.event("uncore_frequency"));
}

TEST(MetricNames, BoxesThatAreHiddenTakeTheirMetricsAlong)
{
	Machine m("sim:icx:packages=1,time=virtual,hide=3451");

	EXPECT_EQ(UNCORE_ENODEV, m.refusal("UNCORE_MEM_READ_BYTES"));
	EXPECT_EQ(0u, m.message().find("UNCORE_MEM_READ_BYTES: no imc for UNC_M_CAS_COUNT:"))
		<< m.message();
	EXPECT_EQ(0, m.refusal("UNCORE_FREQUENCY"));
}

TEST(MetricNames, ShowUnitTypeAndDirection)
{
	Machine m("sim:snbep:packages=1,time=virtual");
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(m.u, m.event("UNCORE_PCIE_READ_BYTES"), &info));
	EXPECT_STREQ("bytes", info.units);
	EXPECT_STREQ("metric", info.kind);
	EXPECT_STREQ("64 * UNC_C_TOR_INSERTS:OPCODE:OPC_PCIRDCUR", info.formula);
	EXPECT_FALSE(info.real);
	EXPECT_NE(nullptr, strstr(info.text, "(memory to device)"));
	ASSERT_EQ(0, uncore_event_info(m.u, m.event("UNCORE_LINK_UTILISATION"), &info));
	EXPECT_TRUE(info.real);
	EXPECT_STREQ("(UNC_Q_TXL_FLITS_G0:DATA + UNC_Q_TXL_FLITS_G0:NON_DATA) / "
		     "(2 * UNC_Q_CLOCKTICKS)",
		     info.formula);
	ASSERT_EQ(0, uncore_event_info(m.u, m.event("UNC_C_CLOCKTICKS"), &info));
	EXPECT_STREQ("", info.formula);
}

} // namespace
