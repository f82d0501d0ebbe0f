// SPDX-License-Identifier: BSD-3-Clause
// sim_nhmex_events_test.cc - the simulated Xeon 7500 and E7: events and the
// sub-control registers that select them.
#include <cerrno>

#include "sim/sim.h"
#include "support/sim_nhmex.h"

namespace
{

using namespace support::nhmex;

TEST(SimNhmex, LlcEventsFollowTheTraffic)
{
	static const uint32_t heads[] = {0xd00, 0xd20, 0xd40, 0xd60, 0xd80, 0xda0, 0xdc0, 0xde0};
	Machine machine(kNhm);
	const struct sim_traffic &traffic = machine.traffic();
	double misses = 0, dirty = 0, hits = 0;

	for (uint32_t head : heads) {
		misses += static_cast<double>(machine.second(head, wide(0x14, 7)));
		dirty += static_cast<double>(machine.second(head, wide(0x17, 1)));
		hits += static_cast<double>(machine.second(head, wide(0x15, 1)));
		EXPECT_NEAR(machine.second(head, wide(0x14, 7)),
			    machine.second(head, wide(0x14, 1)) +
				    machine.second(head, wide(0x14, 2)) +
				    machine.second(head, wide(0x14, 4)),
			    3);
		EXPECT_EQ(0u, machine.second(head, wide(0x14, 0))) << "no umask, no count";
	}
	EXPECT_NEAR(traffic.reads, misses, 0.0001 * misses);
	EXPECT_NEAR(traffic.writes, dirty, 0.0001 * dirty);
	EXPECT_GT(hits, 0);
}

TEST(SimNhmex, ThresholdInvertAndEdge)
{
	Machine machine(kNhm);
	double clock = machine.traffic().uclk_hz;
	uint64_t all = machine.second(0xd00, wide(0x1e));
	uint64_t busy = machine.second(0xd00, wide(0x1e, 0, 1));

	EXPECT_GT(all, busy);
	EXPECT_GT(busy, machine.second(0xd00, wide(0x1e, 0, 2)));
	EXPECT_NEAR(clock, busy + machine.second(0xd00, wide(0x1e, 0, 1) | kInvert), 2);
	EXPECT_LE(machine.second(0xd00, wide(0x1e, 0, 1) | kEdge), clock / SIM_PERIOD + 1);
	EXPECT_EQ(0u, machine.second(0xd00, wide(0x1e, 0, 200)));
}

TEST(SimNhmex, CodesOfOneModelOnly)
{
	Machine nhm(kNhm), wsm(kWsm);

	EXPECT_EQ(0u, nhm.second(0xd00, wide(0x35)));
	EXPECT_GT(wsm.second(0xd00, wide(0x35)), 0u);
	EXPECT_EQ(0u, nhm.second(0xd00, wide(0xee)));
	// The fifth C-Box of an S-Box.
	EXPECT_EQ(0u, nhm.second(0xc40, wide(0x64, 0x10)));
	EXPECT_GT(wsm.second(0xc40, wide(0x64, 0x10)), 0u);
	// TO_RING_B2S_MSGQ_CYCLES_FULL: 0x2b became 0x2d.
	EXPECT_EQ(sim_rate(nhm.sim, 0, "sbox", 0, 0x2a, 0) > 0,
		  sim_rate(wsm.sim, 0, "sbox", 0, 0x2a, 0) > 0);
	EXPECT_LT(nhm.second(0xc40, wide(0x2b)), nhm.second(0xc40, wide(0x2d)));
	EXPECT_GT(wsm.second(0xc40, wide(0x2b)), wsm.second(0xc40, wide(0x2d)));
}

TEST(SimNhmex, EachBboxCounterHasItsOwnEvents)
{
	static const unsigned codes[4][4] = {{0x04, 0x09, 0x0b, 0x1c},
					     {0x0a, 0x0c, 0x1d, 0x1f},
					     {0x01, 0x02, 0x03, 0x07},
					     {0x02, 0x06, 0x15, 0x19}};
	Machine machine(kNhm);

	for (unsigned counter = 0; counter < 4; counter++)
		for (unsigned code : codes[counter])
			EXPECT_GT(machine.second(0xc20, narrow(code), counter), 0u) << code;
	// Inserts and occupancy have the same code on different counters.
	EXPECT_NEAR(machine.mem_reads() + machine.mem_writes(),
		    machine.second(0xc20, narrow(0x07), 1) + machine.second(0xc60, narrow(0x07), 1),
		    3);
	EXPECT_GT(machine.second(0xc20, narrow(0x07), 0), machine.second(0xc20, narrow(0x07), 1));
	EXPECT_EQ(0u, machine.second(0xc20, narrow(0x07), 3));
	EXPECT_EQ(0u, machine.second(0xc20, narrow(0x1d), 0));
	EXPECT_EQ(0u, machine.second(0xc20, narrow(0x1d), 2));
	EXPECT_EQ(-EIO, machine.try_set(0xc30, narrow(0x07) | 0x80));
}

TEST(SimNhmex, FvcLayoutsDifferByOneBit)
{
	const struct {
		const char *spec;
		uint64_t reads, writes, unit;
	} models[] = {{kNhm, 0x2800, 0x2820, 1 << 11}, {kWsm, 0x5000, 0x5040, 1 << 12}};

	for (const auto &model : models) {
		Machine machine(model.spec);
		double sum[2] = {0, 0};

		for (uint32_t box : {0u, 0x40u}) {
			machine.set(0xcab + box, model.reads);
			sum[0] += static_cast<double>(machine.second(0xca0 + box, inc_sel(0x0d)));
			machine.set(0xcab + box, model.writes);
			sum[1] += static_cast<double>(machine.second(0xca0 + box, inc_sel(0x0d)));
		}
		EXPECT_NEAR(machine.mem_reads(), sum[0], 3);
		EXPECT_NEAR(machine.mem_writes(), sum[1], 3);
		// Slot n has its field three bits further up, and its own inc_sel.
		for (unsigned slot = 0; slot < 4; slot++) {
			machine.set(0xcab, 5 * model.unit << 3 * slot);
			EXPECT_NEAR(0.5317 * machine.mem_reads(),
				    machine.second(0xca0, inc_sel(0x0d + slot)), 1);
		}
		// The same value in the other model's layout means something else.
		machine.set(0xcab, model.reads ^ 0x7800);
		EXPECT_LT(machine.second(0xca0, inc_sel(0x0d)), 0.5 * machine.mem_reads());
	}
}

TEST(SimNhmex, FvcBits)
{
	Machine nhm(kNhm), wsm(kWsm);

	EXPECT_EQ(0, nhm.try_set(0xcab, 0xffffff));
	EXPECT_EQ(-EIO, nhm.try_set(0xcab, 1 << 24));
	EXPECT_EQ(0, wsm.try_set(0xceb, 0x1ffffff));
	EXPECT_EQ(-EIO, wsm.try_set(0xceb, 1 << 25));
}

TEST(SimNhmex, MemorySubControls)
{
	Machine machine(kNhm);
	double reads, writes;

	// DRAM commands: PLD[12:8]; open and closed pages together are the traffic.
	machine.set(0xcaa, 0x03 << 8);
	reads = static_cast<double>(machine.second(0xca0, inc_sel(0x0a)));
	machine.set(0xcaa, 0x05 << 8);
	reads += static_cast<double>(machine.second(0xca0, inc_sel(0x0a)));
	machine.set(0xcaa, 0x04 << 8);
	writes = static_cast<double>(machine.second(0xca0, inc_sel(0x0a)));
	machine.set(0xcaa, 0x06 << 8);
	writes += static_cast<double>(machine.second(0xca0, inc_sel(0x0a)));
	EXPECT_NEAR(0.5317 * machine.mem_reads(), reads, 2);
	EXPECT_NEAR(0.5317 * machine.mem_writes(), writes, 2);
	machine.set(0xcaa, 0x08 << 8);
	EXPECT_EQ(0u, machine.second(0xca0, inc_sel(0x0a))) << "no such command";

	// The same selects by inc_sel and by flag are different events.
	EXPECT_NE(machine.second(0xca0, inc_sel(0x03)), machine.second(0xca0, flag_sel(0x03)));
	EXPECT_EQ(0u, machine.second(0xca0, inc_sel(0x00))) << "DSP selects no queue";
	machine.set(0xca5, 1 << 7);
	EXPECT_GT(machine.second(0xca0, inc_sel(0x00)), 0u);
	EXPECT_GT(machine.second(0xca0, flag_sel(0x00)), 0u);
	machine.set(0xca6, 0 << 4);
	reads = static_cast<double>(machine.second(0xca0, flag_sel(0x01)));
	machine.set(0xca6, 1 << 4);
	EXPECT_NE(reads, machine.second(0xca0, flag_sel(0x01)));
	EXPECT_NEAR(machine.traffic().dclk_hz, machine.second(0xce0, inc_sel(0x1b)), 1);
}

TEST(SimNhmex, AddressFilter)
{
	Machine machine(kNhm);
	uint64_t all, some;

	machine.set(0xcaa, 0x03 << 8);
	all = machine.second(0xca0, inc_sel(0x0a));
	machine.set(0xe55, 0x3);
	machine.set(0xe56, 0xf);
	EXPECT_NEAR(all, machine.second(0xca0, inc_sel(0x0a)), 1) << "not switched on";
	machine.set(0xe54, kMatch);
	some = machine.second(0xca0, inc_sel(0x0a));
	EXPECT_GT(some, 0u);
	EXPECT_LT(some, all / 2);
	machine.set(0xcea, 0x03 << 8);
	EXPECT_NEAR(all * 0.4683 / 0.5317, machine.second(0xce0, inc_sel(0x0a)), 2)
		<< "M1 has its own";
	EXPECT_EQ(-EIO, machine.try_set(0xe55, UINT64_C(1) << 34));
	EXPECT_EQ(-EIO, machine.try_set(0xe56, UINT64_C(1) << 27));
	EXPECT_EQ(-EIO, machine.try_set(0xe5c, 1));
	EXPECT_EQ(0, machine.try_set(0xe5e, 1));
}

TEST(SimNhmex, MatchAndMaskOfBAndS)
{
	Machine machine(kNhm);
	uint64_t all = machine.second(0xc20, narrow(0x01), 1), some;
	uint64_t packets;

	machine.set(0xe46, 0xff00);
	some = machine.second(0xc20, narrow(0x01), 1);
	EXPECT_LT(some, all);
	machine.set(0xe45, 0x1200);
	EXPECT_NE(some, machine.second(0xc20, narrow(0x01), 1)) << "MATCH";
	machine.set(0xe45, 0x12);
	EXPECT_NEAR(some, machine.second(0xc20, narrow(0x01), 1), 1) << "outside MASK";
	EXPECT_NEAR(all * 0.4683 / 0.5317, machine.second(0xc60, narrow(0x01), 1), 2) << "B1";
	machine.set(0xe4d, 1);
	machine.set(0xe4e, 1);
	EXPECT_LT(machine.second(0xc60, narrow(0x01), 1), all / 2);
	machine.set(0xe46, 0);
	EXPECT_NEAR(machine.mem_reads() * 0.5317, machine.second(0xc20, narrow(0x1d), 1), 1);

	EXPECT_EQ(0u, machine.second(0xc40, wide(0))) << "MM_CFG is off";
	machine.set(0xe48, kMatch);
	packets = machine.second(0xc40, wide(0));
	EXPECT_GT(packets, 0u);
	machine.set(0xe4a, 0x1f);
	EXPECT_LT(machine.second(0xc40, wide(0)), packets);
	EXPECT_EQ(0u, machine.second(0xcc0, wide(0))) << "S1";
	machine.set(0xe58, kMatch);
	EXPECT_GT(machine.second(0xcc0, wide(0)), 0u);
	EXPECT_EQ(-EIO, machine.try_set(0xe48, 1));
	EXPECT_EQ(-EIO, machine.try_get(0xe4b));
}

// Registers of port P in the router, as literals of ports 0, 3, 4 and 7.
TEST(SimNhmex, RouterRegisters)
{
	static const struct {
		unsigned port;
		uint32_t iperf0, iperf1, qlx, set1, set2;
	} ports[] = {{0, 0xe04, 0xe24, 0xe0c, 0xe60, 0xe70},
		     {3, 0xe07, 0xe27, 0xe0f, 0xe6c, 0xe7c},
		     {4, 0xe08, 0xe28, 0xe2c, 0xe80, 0xe90},
		     {7, 0xe0b, 0xe2b, 0xe2f, 0xe8c, 0xe9c}};
	Machine machine(kNhm);

	for (const auto &port : ports) {
		uint32_t head = port.port < 4 ? 0xe00 : 0xe20;
		unsigned first = 6 * (port.port % 4);
		uint64_t count;

		for (unsigned k = 0; k < 6; k += k == 1 ? 3 : 1)
			EXPECT_EQ(0u, machine.second(head, narrow(first + k))) << k;
		machine.set(port.iperf0, 0xc4); // data responses
		machine.set(port.iperf1, 0xc4);
		count = machine.second(head, narrow(first));
		EXPECT_GT(count, 0u);
		EXPECT_NEAR(count, machine.second(head, narrow(first + 1), 7), 1);
		machine.set(port.iperf1, 0x44);
		EXPECT_LT(machine.second(head, narrow(first + 1)), count) << "VN1 only";

		machine.set(port.qlx, 0x0401); // 2: LOCAL_ARB_BID, 3: LOCAL_ARB_BID_FAIL
		count = machine.second(head, narrow(first + 2));
		EXPECT_LT(machine.second(head, narrow(first + 3)), count);
		machine.set(port.qlx, 0x0104);
		EXPECT_NEAR(count, machine.second(head, narrow(first + 3)), 1);

		machine.set(port.set1, 1);
		machine.set(port.set2, 1);
		count = machine.second(head, narrow(first + 4));
		EXPECT_NEAR(count, machine.second(head, narrow(first + 5)), 1);
		machine.set(port.set1 + 1, 0x7);
		machine.set(port.set1 + 2, 0xf);
		EXPECT_LT(machine.second(head, narrow(first + 4)), count);
		EXPECT_NEAR(count, machine.second(head, narrow(first + 5)), 1);
		EXPECT_EQ(-EIO, machine.try_get(port.set1 + 3));
		EXPECT_EQ(-EIO, machine.try_set(port.qlx, 0x10000));
		EXPECT_EQ(-EIO, machine.try_set(port.iperf0, UINT64_C(1) << 32));
	}
	EXPECT_EQ(0u, machine.second(0xe00, narrow(0x18))) << "four ports of six";
}

TEST(SimNhmex, FlitsFillTheLink)
{
	Machine machine(kNhm);
	double sum;

	machine.set(0xe05, 0x80000000);
	sum = static_cast<double>(machine.second(0xe00, narrow(6)));
	EXPECT_GT(sum, 0);
	machine.set(0xe05, 0x40000000);
	sum += static_cast<double>(machine.second(0xe00, narrow(6)));
	EXPECT_NEAR(machine.traffic().qclk_hz, sum, 2);
}

} // namespace
