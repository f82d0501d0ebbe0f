// SPDX-License-Identifier: BSD-3-Clause
// sim_overflow_test.cc - the simulated Xeons of Ivy Bridge-EP and later: what the overflow of a
// counter stops, when, and what has to be cleared before it does so again.
#include "sim/sim.h"
#include "support/stop_after.h"

namespace
{

using namespace support::stop_after;

constexpr uint64_t kEnable = 1u << 22, kOvEn = 1u << 20;

// hswep: CBo 0 reports its overflow, CBo 1 and the home agent only count; clock ticks.
struct Boxes : Machine {
	Boxes() : Machine("hswep", "packages=1,time=virtual")
	{
		for (uint32_t box : {0xe00u, 0xe10u}) {
			set_msr(box, 0x30102);
			set_msr(box + 1, kEnable);
		}
		set_msr(0xe01, kEnable | kOvEn);
		clock = sim_rate(sim, 0, "cbox", 0, 0, 0);
	}
	void run(uint64_t first, uint64_t second)
	{
		set_msr(0xe08, (uint64_t(1) << 48) - 1000);
		set_msr(0xe18, 0);
		begin = sim_now(sim);
		set_msr(0x700, uint64_t(1) << 31);
		set_msr(0xe00, first);
		set_msr(0xe10, second);
		set_msr(0x700, uint64_t(1) << 29);
	}
	// After the overflow, in clock ticks.
	double past(unsigned ns) const
	{
		return clock * ns * 1e-9;
	}

	double clock;
	uint64_t begin;
};

TEST(SimOverflow, OwnBoxFirstThenTheOthers)
{
	Boxes m;

	m.run(0x30000, 0x30000);
	m.pass(kSecond);
	EXPECT_NEAR(1000 + m.past(SIM_STOP_OTHERS_NS), m.msr(0xe18), 2) << "asked first";
	EXPECT_NEAR(m.past(SIM_STOP_OWN_NS), m.msr(0xe08), 2);
	EXPECT_EQ(1u, m.msr(0xe07));
	EXPECT_EQ(1u << 3, m.msr(0x701));
	m.pass(kSecond);
	EXPECT_NEAR(1000 + m.past(SIM_STOP_OTHERS_NS), m.msr(0xe18), 2);
}

TEST(SimOverflow, DoesNotDependOnHowOftenOneLooks)
{
	Boxes often, once;

	often.run(0x30000, 0x30000);
	once.run(0x30000, 0x30000);
	for (int i = 0; i < 1000; i++) {
		often.pass(7);
		often.msr(i % 2 ? 0x701 : 0xe18);
	}
	once.pass(7000);
	EXPECT_EQ(once.msr(0xe18), often.msr(0xe18));
	EXPECT_EQ(once.msr(0xe08), often.msr(0xe08));
}

// Bit 17 lets a box tell, bit 16 lets it be stopped.
TEST(SimOverflow, BoxesHaveToBeAllowedTo)
{
	for (const uint64_t bits : {0x00000u, 0x10000u, 0x20000u}) {
		Boxes m;

		m.run(bits, 0x30000);
		m.pass(kSecond);
		EXPECT_EQ(bits != 0x20000, m.msr(0xe18) > 1000000) << std::hex << bits;
		EXPECT_LT(1000000u, m.msr(0xe08)) << "it did not stop itself, or did not report it";
		EXPECT_EQ(1u, m.msr(0xe07)) << "the status has it anyway";
		m.set_msr(0x700, uint64_t(1) << 31);
	}
	Boxes m;

	m.run(0x30000, 0x20000);
	m.pass(kSecond);
	EXPECT_NEAR(m.past(SIM_STOP_OWN_NS), m.msr(0xe08), 2);
	EXPECT_LT(1000000u, m.msr(0xe18)) << "deaf";
}

// 329468-002 2.2.2.1: the bits of an overflow have to be cleared before the next one stops.
TEST(SimOverflow, NoSecondStopBeforeTheBitsAreCleared)
{
	for (const unsigned cleared : {0u, 1u, 2u, 3u}) {
		Boxes m;

		m.run(0x30000, 0x30000);
		m.pass(kSecond);
		EXPECT_EQ(1u << 3, m.msr(0x701));
		if (cleared & 1)
			m.set_msr(0xe07, 1);
		if (cleared & 2)
			m.set_msr(0x701, 1u << 3);
		m.run(0x30000, 0x30000);
		m.pass(kSecond);
		EXPECT_EQ(cleared == 3, m.msr(0xe18) < 1000000) << cleared;
	}
}

TEST(SimOverflow, AFreezeOrAStartByHandEndsIt)
{
	Boxes m;

	m.run(0x30000, 0x30000);
	m.pass(kSecond);
	const uint64_t stood = m.msr(0xe18);
	m.set_msr(0xe07, 1);
	m.set_msr(0x701, 1u << 3);
	m.set_msr(0x700, uint64_t(1) << 31);
	m.pass(kSecond);
	EXPECT_EQ(stood, m.msr(0xe18));
	m.set_msr(0x700, uint64_t(1) << 29);
	m.pass(kSecond);
	EXPECT_NEAR(static_cast<double>(stood) + m.clock, m.msr(0xe18), 2);
}

// 329468-002 2.2: the fixed counter of the U-Box has ov_en at bit 20 of its control, and bit 0 of
// the global status; the box's own status has to be cleared, too.
TEST(SimOverflow, TheUBoxClockStopsThePackage)
{
	const struct {
		const char *platform;
		uint32_t control, counter, box_status, global, status;
		unsigned freeze, unfreeze;
		uint32_t cbo, cbo_control, cbo_counter;
	} rows[] = {
		{"ivbep", 0xc08, 0xc09, 0xc15, 0xc00, 0xc01, 31, 29, 0xd04, 0xd10, 0xd16},
		{"hswep", 0x703, 0x704, 0x708, 0x700, 0x701, 31, 29, 0xe00, 0xe01, 0xe08},
		{"bdx", 0x703, 0x704, 0x708, 0x700, 0x701, 31, 29, 0xe00, 0xe01, 0xe08},
		{"skx", 0x703, 0x704, 0x708, 0x700, 0x701, 63, 61, 0xe00, 0xe01, 0xe08},
		{"icx", 0x703, 0x704, 0x708, 0x700, 0x70e, 63, 61, 0xe00, 0xe01, 0xe08},
	};

	for (const auto &row : rows) {
		const Machine m(row.platform, "packages=1,time=virtual");
		const double clock = sim_rate(m.sim, 0, "ubox", 0, 0, 0);
		uint64_t stood = 0;

		m.set_msr(row.cbo, 0x30102);
		m.set_msr(row.cbo_control, kEnable);
		for (const bool cleared : {true, false, true}) {
			const uint64_t before = m.msr(row.cbo_counter);

			if (cleared) {
				m.set_msr(row.box_status, 7);
				m.set_msr(row.status, 1);
			}
			m.set_msr(row.counter, (uint64_t(1) << 48) - 1000);
			m.set_msr(row.global, uint64_t(1) << row.freeze);
			m.set_msr(row.control, kEnable | kOvEn);
			m.set_msr(row.cbo, 0x30000);
			m.set_msr(row.global, uint64_t(1) << row.unfreeze);
			m.pass(kSecond);
			stood = m.msr(row.cbo_counter) - before;
			EXPECT_EQ(1u, m.msr(row.status)) << row.platform;
			EXPECT_EQ(1u, m.msr(row.box_status)) << row.platform;
			EXPECT_EQ(!cleared, m.msr(row.counter) > 1000000) << row.platform;
			EXPECT_EQ(!cleared, stood > 1000000) << row.platform << " " << stood;
			if (cleared) {
				EXPECT_NEAR(clock * SIM_STOP_OWN_NS * 1e-9, m.msr(row.counter), 2);
			}
			m.set_msr(row.control, 0);
			m.set_msr(row.cbo, 0x30100);
		}
	}
}

// 327043-001 table 2-4: bits 21:20 are reserved; of Knights Landing nothing is known.
TEST(SimOverflow, OtherUBoxClocksReportNoOverflow)
{
	const struct {
		const char *platform;
		uint32_t control;
	} rows[] = {{"snbep", 0xc08}, {"knl", 0x703}};

	for (const auto &row : rows) {
		const Machine m(row.platform, "time=virtual");

		EXPECT_EQ(-EIO, sim_msr_write(m.sim, 0, row.control, kEnable | kOvEn))
			<< row.platform;
	}
}

} // namespace
