// SPDX-License-Identifier: BSD-3-Clause
// stop_after_test.cc - a set that stops automatically after n events: by hardware if the
// platform supports it, otherwise by polling. Checks its writes, the event that stopped it,
// repeated starts, and the restored registers.

#include "sim/sim.h"
#include "support/stop_after.h"

namespace
{

using namespace support::stop_after;

struct Platform {
	const char *name;
	const char *event; // on one counter
	const char *other; // in the same package, in another box
	unsigned width;
	uncore_reported_by reported_by;
	unsigned delay_ns = SIM_STOP_OWN_NS;
	const char *counter = ""; // part of the test's name
	unsigned loads = 0;       // number of preloaded bits, if not the width
};

class StopAfter : public testing::TestWithParam<Platform>
{
};

TEST_P(StopAfter, StopsAllOfThePackageAtTheNthOccurrence)
{
	const Machine m(GetParam().name);
	const double rate = m.rate(GetParam().event);
	const double other = m.rate(GetParam().other);
	const uint64_t n = 1000000;
	StopAfterSet set(m, {GetParam().event, GetParam().other});
	std::vector<int64_t> counts;

	ASSERT_EQ(0, set.stop_after(n)) << m.message();
	EXPECT_EQ(nullptr, set.info().polled) << set.info().polled;
	EXPECT_EQ(GetParam().width, set.info().width);
	EXPECT_EQ((uint64_t(1) << (GetParam().loads ? GetParam().loads : GetParam().width)) - n,
		  set.info().preload);
	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0, set.wait());
	m.pass(static_cast<uint64_t>(n / 2 / rate * 1e9));
	EXPECT_EQ(0, set.wait()) << "must not stop after half of the events";
	EXPECT_NEAR(n / 2, set.count(), 2) << "the count includes the preload";
	m.pass(kSecond);
	ASSERT_EQ(1, set.wait()) << m.message();
	counts = set.counts();
	EXPECT_NEAR(n + rate * GetParam().delay_ns * 1e-9, counts[0], 2) << "n plus the delay";
	EXPECT_NEAR((n / rate + SIM_STOP_OTHERS_NS * 1e-9) * other, counts[1], other * 1e-6 + 2);
	m.pass(kSecond);
	EXPECT_EQ(counts, set.counts()) << "all boxes must have stopped";
	ASSERT_EQ(1u, set.sources().size());
	EXPECT_EQ(0, set.sources()[0].event);
	EXPECT_EQ(GetParam().reported_by, set.sources()[0].reported_by);
	EXPECT_EQ(set.info().counter, static_cast<unsigned>(set.sources()[0].counter));
	EXPECT_EQ(nullptr, set.info().polled) << "the hardware must have stopped the boxes";
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(counts, set.counts());
}

TEST_P(StopAfter, LeavesNothingBehind)
{
	const Machine m(GetParam().name);
	StopAfterSet set(m, {GetParam().event, GetParam().other});
	Ledger ledger(m);

	ASSERT_EQ(0, set.stop_after(1000));
	set.find_counter();
	for (const uint64_t ns : {uint64_t(0), kSecond}) {
		ASSERT_EQ(0, set.start()) << m.message();
		m.pass(ns);
		EXPECT_EQ(0, set.stop()) << m.message();
		ledger.expect_as_before(set, ns ? "stopped by itself" : "stopped before");
	}
	EXPECT_EQ(1u, set.sources().size()) << "stop must find the source, too";
	ASSERT_EQ(0, set.start());
	m.pass(kSecond);
	uncore_set_stop_after(set.set, nullptr, 0, 0);
	EXPECT_EQ(0, set.stop());
	ledger.expect_as_before(set, "after a refused change");
}

TEST_P(StopAfter, AStartThatFailsLeavesNothingBehind)
{
	const Machine m(GetParam().name);
	StopAfterSet set(m, {GetParam().event, GetParam().other});
	Ledger ledger(m);
	unsigned n;

	ASSERT_EQ(0, set.stop_after(1000));
	set.find_counter();
	ASSERT_EQ(0, set.start());
	n = ledger.writes;
	EXPECT_EQ(0, set.stop());
	for (unsigned i = 0; i < n; i++) {
		ledger.writes = 0;
		ledger.fail_at = i;
		EXPECT_EQ(UNCORE_EIO, set.start()) << i;
		ledger.expect_as_before(set, "write " + std::to_string(i) + " failed");
	}
}

TEST_P(StopAfter, ResumesForAsManyAgain)
{
	const Machine m(GetParam().name);
	const double rate = m.rate(GetParam().event);
	const double other = m.rate(GetParam().other);
	const uint64_t n = 300000;
	StopAfterSet set(m, {GetParam().event, GetParam().other});
	int64_t past = 0, before = 0;

	ASSERT_EQ(0, set.stop_after(n));
	ASSERT_EQ(0, set.start());
	for (int i = 1; i <= 4; i++) {
		m.pass(kSecond);
		ASSERT_EQ(1, set.wait());
		past = set.counts()[0] - before - static_cast<int64_t>(n);
		EXPECT_NEAR(rate * GetParam().delay_ns * 1e-9, past, 2) << i;
		before = set.counts()[0];
		EXPECT_NEAR(i * (n / rate + SIM_STOP_OTHERS_NS * 1e-9) * other, set.counts()[1],
			    i * (other * 1e-6 + 2))
			<< "counts must not be reset by restart " << i;
		ASSERT_EQ(0, set.again()) << m.message();
		EXPECT_EQ(before, set.counts()[0]);
		EXPECT_EQ(0, set.wait());
		EXPECT_TRUE(set.sources().empty());
	}
	EXPECT_EQ(0, set.stop());
	// Without the option the set behaves normally.
	EXPECT_EQ(0, uncore_set_stop_after(set.set, nullptr, 0, 0));
	ASSERT_EQ(0, set.start());
	m.pass(kSecond);
	EXPECT_NEAR(rate, set.count(), 2);
	EXPECT_EQ(UNCORE_ESTATE, set.wait());
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, StopAfter,
	testing::Values(Platform{"ivbep", "UNC_C_CLOCKTICKS:box=3:pkg=0",
				 "UNC_M_CLOCKTICKS:box=1:pkg=0", 44, UNCORE_BY_COUNTER},
			Platform{"hswep", "UNC_C_CLOCKTICKS:box=3:pkg=1",
				 "UNC_H_CLOCKTICKS:box=1:pkg=1", 48, UNCORE_BY_BOX},
			Platform{"bdx", "UNC_H_CLOCKTICKS:box=0:pkg=0",
				 "UNC_C_CLOCKTICKS:box=1:pkg=0", 48, UNCORE_BY_BOX},
			Platform{"skx", "UNC_C_CLOCKTICKS:box=3:pkg=1", "UNC_P_CLOCKTICKS:pkg=1",
				 48, UNCORE_BY_BOX},
			Platform{"icx", "icx_unc_cha::RAW:config=0:box=3:pkg=1",
				 "icx_unc_m2m::RAW:config=0:box=1:pkg=1", 48, UNCORE_BY_BOX},
			Platform{"spr", "spr_unc_cha::RAW:config=1:box=3:pkg=1",
				 "spr_unc_m2m::RAW:config=1:box=1:pkg=1", 48, UNCORE_BY_BOX},
			Platform{"nhmex", "nhmex_unc_cbox::RAW:config=0x714:box=3:pkg=1",
				 "nhmex_unc_sbox::RAW:config=0x62:box=1:pkg=1", 48, UNCORE_BY_BOX,
				 SIM_STOP_OTHERS_NS},
			Platform{"wsmex", "wsmex_unc_sbox::RAW:config=0x62:box=0:pkg=0",
				 "wsmex_unc_cbox::RAW:config=0x714:box=3:pkg=0", 48,
				 UNCORE_BY_BOX}),
	[](const auto &info) { return std::string(info.param.name); });

// The first example of manual 329468-002: a sample every n U-Box clocks. On Ice Lake-X the bit
// of the global status is not verified, so only the counter identifies the source.
Platform fixed(const char *name, const char *other, unsigned width,
	       uncore_reported_by reported_by = UNCORE_BY_PACKAGE)
{
	return {name,        "UNC_U_CLOCKTICKS:pkg=1", other,   width,
		reported_by, SIM_STOP_OWN_NS,          "fixed", 48};
}

Platform programmable(const char *name, const char *other, unsigned width)
{
	return {name,          "UNC_U_RACU_REQUESTS:pkg=1", other,
		width,         UNCORE_BY_COUNTER,           SIM_STOP_OWN_NS,
		"programmable"};
}

INSTANTIATE_TEST_SUITE_P(
	UBox, StopAfter,
	testing::Values(fixed("ivbep", "UNC_C_CLOCKTICKS:box=3:pkg=1", 44),
			fixed("hswep", "UNC_M_CLOCKTICKS:box=1:pkg=1", 48),
			fixed("bdx", "UNC_C_CLOCKTICKS:box=3:pkg=1", 48),
			fixed("skx", "UNC_C_CLOCKTICKS:box=3:pkg=1", 48),
			fixed("icx", "icx_unc_cha::RAW:config=0:box=3:pkg=1", 48,
			      UNCORE_BY_COUNTER),
			programmable("ivbep", "UNC_C_CLOCKTICKS:box=3:pkg=1", 44),
			programmable("hswep", "UNC_M_CLOCKTICKS:box=1:pkg=1", 44),
			programmable("bdx", "UNC_C_CLOCKTICKS:box=3:pkg=1", 48),
			programmable("skx", "UNC_C_CLOCKTICKS:box=3:pkg=1", 48),
			programmable("icx", "icx_unc_cha::RAW:config=0:box=3:pkg=1", 48)),
	[](const auto &info) { return std::string(info.param.name) + "_" + info.param.counter; });

} // namespace
