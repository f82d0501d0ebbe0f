// SPDX-License-Identifier: BSD-3-Clause
// sim_snbep_filter_test.cc - the simulated Xeon on its own: filters, thresholds,
// edges and the companion event.
#include "support/sim_snbep.h"

namespace
{

using namespace support::snbep;

// ---- filters ----

TEST(SimFilter, OpcodeSelectsTorEntries)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double drd = traffic.reads * 0.3514;

	ASSERT_EQ(0x182, traffic.opcodes[2].opcode);
	EXPECT_NEAR(drd, machine.all_cboxes(event(0x35, 3), opcode(0x182)), 1);
	EXPECT_NEAR(drd / traffic.opcodes[2].miss,
		    machine.all_cboxes(event(0x35, 1), opcode(0x182)), 1);
	EXPECT_EQ(0, machine.all_cboxes(event(0x35, 1), opcode(0x1ff)));
	expect_near(machine.rate("cbox", 5, event(0x35, 3), opcode(0x182)),
		    static_cast<double>(machine.count_cbox(5, event(0x35, 3), opcode(0x182))));
}

TEST(SimFilter, NodeSelectsByHome)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double all = machine.all_cboxes(event(0x35, 0x0a));
	double local = machine.all_cboxes(event(0x35, 0x4a), 1 << 10);
	double remote = machine.all_cboxes(event(0x35, 0x4a), 2 << 10);

	EXPECT_NEAR(all * (1 - traffic.remote_reads), local, 1);
	EXPECT_NEAR(all, local + remote, 1);
	EXPECT_EQ(0, machine.all_cboxes(event(0x35, 0x4a)));
	EXPECT_EQ(0, machine.all_cboxes(event(0x37, 0x41), 4 << 10));
	EXPECT_NEAR(traffic.writes, machine.all_cboxes(event(0x37, 0x41), 3 << 10), 1);
}

TEST(SimFilter, LookupNeedsAState)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_EQ(0u, machine.count_cbox(0, event(0x34, 0x03), 0));
	EXPECT_GT(machine.count_cbox(0, event(0x34, 0x03), 0x1f << 18), 0u);
	EXPECT_EQ(0u, machine.count_cbox(0, event(0x34, 0x02), 0x1f << 18));
	EXPECT_NEAR(traffic.reads, machine.all_cboxes(event(0x34, 0x03), 1 << 18), 1);
	EXPECT_NEAR(machine.all_cboxes(event(0x34, 0x1f), 0x1f << 18),
		    machine.all_cboxes(event(0x34, 0x03), 0x1f << 18) +
			    machine.all_cboxes(event(0x34, 0x05), 0x1f << 18) +
			    machine.all_cboxes(event(0x34, 0x09), 0x1f << 18),
		    1);
}

TEST(SimFilter, ThreadIdSelectsACore)
{
	Machine machine;
	double sum = 0;

	for (unsigned core = 0; core < 8; core++)
		sum += machine.rate("cbox", 2, event(0x35, 8) | kTid, core << 1);
	EXPECT_NEAR(machine.rate("cbox", 2, event(0x35, 8)), sum, 1);
	EXPECT_LT(machine.rate("cbox", 2, event(0x35, 8) | kTid, 0),
		  machine.rate("cbox", 2, event(0x35, 8) | kTid, 7 << 1));
	EXPECT_EQ(0, machine.rate("cbox", 2, event(0x35, 8) | kTid, 9 << 1));
}

TEST(SimFilter, BandsCountCyclesAtOrAboveAFrequency)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double top = traffic.pclk_hz * traffic.frequency[3].share;

	expect_near(traffic.pclk_hz, static_cast<double>(machine.count_pcu(event(0x0b), 12)));
	expect_near(top, static_cast<double>(machine.count_pcu(event(0x0d), 31 << 16)));
	expect_near(top, static_cast<double>(machine.count_pcu(event(0x0e), 28u << 24)));
	EXPECT_EQ(0u, machine.count_pcu(event(0x0c), 32 << 8));
	EXPECT_GT(machine.count_pcu(event(0x0c), 32), 0u);
}

TEST(SimFilter, MatchSelectsPackets)
{
	Machine machine;
	const uint32_t drs = 0xe << 9, mask = 0xf << 9;
	double packets = machine.rate("qpi", 0, event(0x138));

	expect_near(packets, static_cast<double>(machine.count(0x3c41, event(0x138))));
	machine.set_config(0x3c86, 0x228, drs);
	machine.set_config(0x3c86, 0x238, mask);
	double matched =
		machine.rate("qpi", 0, event(0x138), static_cast<uint64_t>(mask) << 32 | drs);
	EXPECT_LT(matched, packets);
	EXPECT_NEAR(machine.rate("qpi", 0, event(0x102, 0x10)), matched, 1);
	expect_near(matched, static_cast<double>(machine.count(0x3c41, event(0x138))));
}

// ---- threshold, invert, edge, companion ----

TEST(SimThreshold, SharesAddUpToTheMean)
{
	for (double mean : {0.0, 0.01, 0.3, 0.5, 0.77, 1.0, 2.3, 7.9, 11.1, 19.6, 20.0}) {
		double sum = 0, last = 1;

		for (unsigned t = 1; t <= 20; t++) {
			double share = sim_share_at_least(mean, 20, t);

			EXPECT_LE(share, last + 1e-12);
			sum += share;
			last = share;
		}
		EXPECT_NEAR(mean, sum, 1e-9);
		EXPECT_EQ(0, sim_share_at_least(mean, 20, 21));
	}
}

TEST(SimThreshold, CountsCyclesAtOrAbove)
{
	Machine machine;
	double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	double mean = machine.rate("cbox", 1, event(0x36, 8)) / clock;

	for (unsigned t : {1u, 2u, 3u, 19u, 21u}) {
		uint64_t above = machine.count_cbox(1, event(0x36, 8, t));
		uint64_t below = machine.count_cbox(1, event(0x36, 8, t) | kInvert);

		expect_near(clock * sim_share_at_least(mean, 20, t), static_cast<double>(above));
		EXPECT_NEAR(clock, static_cast<double>(above + below), 2);
	}
}

TEST(SimThreshold, InvertDoesNothingWithoutThreshold)
{
	Machine machine;

	EXPECT_EQ(machine.rate("cbox", 0, event(0x36, 8)),
		  machine.rate("cbox", 0, event(0x36, 8) | kInvert));
}

TEST(SimThreshold, EdgeCountsTransitions)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	expect_near(traffic.uclk_hz / SIM_PERIOD,
		    static_cast<double>(machine.count_cbox(0, event(0x36, 8, 1) | kEdge)));
	EXPECT_EQ(0u, machine.count_cbox(0, event(0x00) | kEdge));
	// Inserts are spread out: each one is an edge.
	EXPECT_EQ(machine.rate("imc", 0, event(0x04, 3)),
		  machine.rate("imc", 0, event(0x04, 3) | kEdge));
}

TEST(SimThreshold, PcuLevelsHaveTheirOwnInvertAndEdge)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	uint64_t c0 = event(0x80, 0x40);
	double cores = 8 * traffic.core_c0;

	expect_near(traffic.pclk_hz * cores, static_cast<double>(machine.count_pcu(c0)));
	double above = traffic.pclk_hz * sim_share_at_least(cores, 8, 5);
	expect_near(above, static_cast<double>(machine.count_pcu(c0 | 5u << 24)));
	expect_near(traffic.pclk_hz - above,
		    static_cast<double>(machine.count_pcu(c0 | 5u << 24 | 1u << 30)));
	expect_near(traffic.pclk_hz / SIM_PERIOD,
		    static_cast<double>(machine.count_pcu(c0 | 5u << 24 | 1u << 31)));
	EXPECT_EQ(0u, machine.count_pcu(event(0x80)));
}

TEST(SimCompanion, SeesTheQueueOfCounterZero)
{
	Machine machine;
	double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	uint64_t filter = opcode(0x182);
	double mean = machine.rate("cbox", 0, event(0x36, 3), filter) / clock;

	machine.set(0xd04, kInit);
	machine.set(0xd14, filter);
	machine.set(0xd10, event(0x36, 3) | kEnable);
	machine.set(0xd11, event(0x35, 3) | kEnable);
	machine.set(0xd12, event(0x1f, 0, 1) | kEnable);
	machine.set(0xd13, event(0x1f) | kEnable);
	machine.set(0xd04, kRun);
	sim_advance(machine.sim, kSecond);
	machine.set(0xd04, kFreeze);
	expect_near(clock * mean, static_cast<double>(machine.get(0xd16)));
	expect_near(clock * sim_share_at_least(mean, 20, 1),
		    static_cast<double>(machine.get(0xd18)));
	// Without a threshold the upper counters still add one per cycle at most.
	EXPECT_EQ(machine.get(0xd18), machine.get(0xd19));
	double latency = static_cast<double>(machine.get(0xd16)) /
			 static_cast<double>(machine.get(0xd17)) / clock * 1e9;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	EXPECT_NEAR(traffic.local_ns * (1 - traffic.remote_reads) +
			    traffic.remote_ns * traffic.remote_reads,
		    latency, 1e-4);
}

TEST(SimCompanion, SeesNothingWithoutAQueueOnCounterZero)
{
	Machine machine;

	machine.set(0xd12, event(0x1f, 0, 1) | kEnable);
	machine.set(0xd10, event(0x36, 8));
	sim_advance(machine.sim, kSecond);
	machine.set(0xd10, event(0x35, 8) | kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0xd18));
	machine.set(0xd10, event(0x36, 8) | kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.get(0xd18), 0u);
}

} // namespace
