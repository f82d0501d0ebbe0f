// sim_nhmex_test.cc - the simulated Xeon 7500 and E7: enables at three levels,
// sub-control registers, overflow, and the register map as literal numbers.
#include <atomic>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kModulus = UINT64_C(1) << 48;
constexpr uint64_t kEnable = 1u << 22; // C, S, U and W controls
constexpr uint64_t kPmi = 1u << 20;
constexpr uint64_t kEdge = 1u << 18;
constexpr uint64_t kInvert = 1u << 23;
constexpr uint64_t kBitPmi = 1u << 6; // B and R controls
constexpr uint64_t kMatch = UINT64_C(1) << 63;

constexpr uint32_t kGlobal = 0xc00, kStatus = 0xc01, kClear = 0xc02;
constexpr uint64_t kUbox = 1, kRun = 1u << 28, kResetAll = 1u << 29, kFreeze = 1u << 31;

constexpr uint64_t wide(unsigned code, unsigned umask = 0, unsigned threshold = 0)
{
	return kEnable | code | umask << 8 | static_cast<uint64_t>(threshold) << 24;
}

constexpr uint64_t narrow(unsigned code) // B and R
{
	return 1 | code << 1;
}

constexpr uint64_t inc_sel(unsigned code) // M
{
	return 1 | 1u << 6 | code << 9;
}

constexpr uint64_t flag_sel(unsigned code)
{
	return 1 | 1u << 7 | code << 19;
}

class Machine
{
      public:
	explicit Machine(const std::string &spec)
	{
		char err[200] = "";

		if (sim_open((spec + ",time=virtual").c_str(), &sim, err, sizeof(err)) != 0)
			throw std::runtime_error(err);
	}
	~Machine()
	{
		sim_close(sim);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	uint64_t get(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	void set(uint32_t address, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, address, value))
			<< std::hex << address << " = " << value;
	}
	int try_set(uint32_t address, uint64_t value)
	{
		return sim_msr_write(sim, 0, address, value);
	}
	int try_get(uint32_t address)
	{
		uint64_t value;

		return sim_msr_read(sim, 0, address, &value);
	}
	// Counter 0 of the box at head, for one second of a control.
	uint64_t second(uint32_t head, uint64_t control, unsigned counter = 0)
	{
		uint32_t ctl = head + 0x10 + 2 * counter;

		set(kGlobal, 0);
		set(ctl, control);
		set(ctl + 1, 0);
		set(head, UINT64_C(1) << counter);
		set(kGlobal, kRun);
		sim_advance(sim, kSecond);
		set(kGlobal, 0);
		set(ctl, 0);
		return get(ctl + 1);
	}
	struct sim_traffic &traffic(unsigned package = 0)
	{
		return *sim_traffic(sim, package);
	}
	// Lines that the package's memory delivers and takes, of two packages.
	double mem_reads()
	{
		return traffic(0).reads * (1 - traffic(0).remote_reads) +
		       traffic(1).reads * traffic(1).remote_reads;
	}
	double mem_writes()
	{
		return traffic(0).writes * (1 - traffic(0).remote_writes) +
		       traffic(1).writes * traffic(1).remote_writes;
	}

	struct sim *sim = nullptr;
};

constexpr const char *kNhm = "nhmex:packages=2";
constexpr const char *kWsm = "wsmex:packages=2,cores=10";

TEST(SimNhmex, Machines)
{
	Machine nhm(kNhm), wsm(kWsm);
	struct sim *sim;
	char err[200];
	size_t n;

	EXPECT_EQ(6u, sim_id(nhm.sim).family);
	EXPECT_EQ(46u, sim_id(nhm.sim).model);
	EXPECT_EQ(47u, sim_id(wsm.sim).model);
	sim_cpus(nhm.sim, &n);
	EXPECT_EQ(16u, n);
	sim_cpus(wsm.sim, &n);
	EXPECT_EQ(20u, n);
	EXPECT_EQ(0, sim_open("wsmex:packages=8,cores=1", &sim, err, sizeof(err)));
	sim_close(sim);
	EXPECT_EQ(-EINVAL, sim_open("nhmex:cores=9", &sim, err, sizeof(err)));
	EXPECT_EQ(-EINVAL, sim_open("wsmex:cores=11", &sim, err, sizeof(err)));
	EXPECT_EQ(-EINVAL, sim_open("nhmex:packages=9", &sim, err, sizeof(err)));
}

TEST(SimNhmex, CboxesAreAtIrregularPlaces)
{
	static const uint32_t heads[] = {0xd00, 0xd80, 0xd40, 0xdc0, 0xd20,
					 0xda0, 0xd60, 0xde0, 0xf40, 0xfc0};
	Machine wsm(kWsm), nhm(kNhm);

	for (unsigned box = 0; box < 10; box++) {
		uint32_t head = heads[box];
		uint64_t expected =
			static_cast<uint64_t>(sim_rate(wsm.sim, 0, "cbox", box, wide(0x14, 7), 0));

		EXPECT_GT(expected, 0u);
		for (unsigned i = 0; i < 6; i++)
			EXPECT_NEAR(expected, wsm.second(head, wide(0x14, 7), i), 1) << box;
		EXPECT_EQ(0, wsm.try_get(head + 1));
		EXPECT_EQ(0, wsm.try_get(head + 2));
		EXPECT_EQ(-EIO, wsm.try_get(head + 3));
		EXPECT_EQ(-EIO, wsm.try_get(head + 0xf));
		EXPECT_EQ(-EIO, wsm.try_get(head + 0x1c));
		EXPECT_EQ(box < 8 ? 0 : -EIO, nhm.try_get(head));
	}
	// Boxes get different shares, which add up to the package.
	EXPECT_NE(wsm.second(0xd00, wide(0x14, 7)), wsm.second(0xd80, wide(0x14, 7)));
}

TEST(SimNhmex, OneCboxPerCore)
{
	Machine machine("nhmex:cores=3");

	EXPECT_EQ(0, machine.try_get(0xd40));    // C2
	EXPECT_EQ(-EIO, machine.try_get(0xdc0)); // C3
}

TEST(SimNhmex, BoxesOfTwo)
{
	static const uint32_t heads[][2] = {{0xc20, 4}, {0xc60, 4}, {0xc40, 4}, {0xcc0, 4},
					    {0xca0, 6}, {0xce0, 6}, {0xe00, 8}, {0xe20, 8},
					    {0xc80, 4}, {0xd00, 6}};
	Machine machine(kNhm);

	for (const auto &box : heads) {
		uint32_t head = box[0], n = box[1];

		EXPECT_EQ(0, machine.try_set(head, (1u << n) - 1)) << std::hex << head;
		EXPECT_EQ(-EIO, machine.try_set(head, 1u << n)) << std::hex << head;
		EXPECT_EQ((1u << n) - 1, machine.get(head));
		EXPECT_EQ(-EIO, machine.try_set(head + 1, 0)) << "read-only";
		EXPECT_EQ(0, machine.try_set(head + 2, (1u << n) - 1));
		EXPECT_EQ(-EIO, machine.try_set(head + 2, 1u << n));
		for (uint32_t i = 0; i < n; i++) {
			machine.set(head + 0x11 + 2 * i, 0xabc000 + i);
			EXPECT_EQ(0xabc000 + i, machine.get(head + 0x11 + 2 * i));
		}
	}
}

TEST(SimNhmex, ACounterNeedsThreeEnables)
{
	for (unsigned off = 0; off < 8; off++) {
		Machine machine(kNhm);

		machine.set(kGlobal, off & 1 ? 0 : kRun);
		machine.set(0xd00, off & 2 ? 0x3e : 1);
		machine.set(0xd10, off & 4 ? wide(0x14, 7) & ~kEnable : wide(0x14, 7));
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(off == 0, machine.get(0xd11) > 0) << off;
	}
}

TEST(SimNhmex, BMAndRControlsAreEnabledByBit0)
{
	static const uint32_t heads[] = {0xc20, 0xca0, 0xe00};
	static const uint64_t controls[] = {narrow(7), inc_sel(0x1b), narrow(0)};
	Machine machine(kNhm);

	machine.set(0xe04, 0x80000000); // IPERF_CFG0 of port 0: flits sent
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_GT(machine.second(heads[i], controls[i]), 0u);
		EXPECT_EQ(0u, machine.second(heads[i], controls[i] - 1));
		EXPECT_EQ(-EIO, machine.try_set(heads[i] + 0x10, controls[i] | kEnable));
	}
}

TEST(SimNhmex, UboxHasItsEnableInTheGlobalControl)
{
	Machine machine(kNhm);

	machine.set(0xc10, wide(0xf9)); // IPIS_SENT
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0xc11));
	machine.set(kGlobal, kRun | kUbox);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(machine.traffic().interrupts * 0.53, machine.get(0xc11), 1);
	EXPECT_EQ(-EIO, machine.try_get(0xc12));
}

TEST(SimNhmex, FixedCounter)
{
	Machine machine(kNhm);
	double clock = machine.traffic().uclk_hz;

	machine.set(kGlobal, kRun);
	machine.set(0x395, 1);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0x394));
	machine.set(0xc80, UINT64_C(1) << 31);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(clock, machine.get(0x394), 1);
	machine.set(0x395, 0);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(clock, machine.get(0x394), 1);
	EXPECT_EQ(-EIO, machine.try_set(0x395, 4));
	EXPECT_EQ(-EIO, machine.try_get(0x396));
	EXPECT_EQ(-EIO, machine.try_get(0x393));
}

TEST(SimNhmex, GlobalEnableFreezesEverything)
{
	Machine machine(kNhm);
	uint64_t c, m;

	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x15, 0xf));
	machine.set(0xca0, 1);
	machine.set(0xcb0, inc_sel(0x1b));
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond / 3);
	machine.set(kGlobal, 0);
	c = machine.get(0xd11);
	m = machine.get(0xcb1);
	EXPECT_GT(c, 0u);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(c, machine.get(0xd11));
	EXPECT_EQ(m, machine.get(0xcb1));
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(machine.traffic().dclk_hz, machine.get(0xcb1) - m, 1);
}

TEST(SimNhmex, ResetAllClearsCountersAndHasToBeTakenBack)
{
	Machine machine(kNhm);

	for (uint32_t counter : {0xc11u, 0xd11u, 0xdfbu, 0xc31u, 0xce1u + 0x10, 0xe3fu, 0x394u})
		machine.set(counter, 77);
	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x14, 7));
	machine.set(kGlobal, kResetAll);
	EXPECT_EQ(kResetAll, machine.get(kGlobal));
	for (uint32_t counter : {0xc11u, 0xd11u, 0xdfbu, 0xc31u, 0xce1u + 0x10, 0xe3fu, 0x394u})
		EXPECT_EQ(0u, machine.get(counter)) << std::hex << counter;
	EXPECT_EQ(wide(0x14, 7), machine.get(0xd10)) << "controls stay";
	machine.set(0xd11, 1000);
	machine.set(kGlobal, kRun | kResetAll);
	EXPECT_EQ(0u, machine.get(0xd11));
	machine.set(0xd11, 1000);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(1000u, machine.get(0xd11)) << "held until rst_all is 0";
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.get(0xd11), 1000u);
	machine.set(0xd11, 5, 1);
	machine.set(kGlobal, kResetAll);
	EXPECT_EQ(5u, machine.get(0xd11, 1)) << "the other package";
}

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

TEST(SimNhmex, CountersAre48BitsWide)
{
	Machine machine(kNhm);
	const struct {
		uint32_t head;
		uint64_t control;
	} boxes[] = {{0xd00, wide(0x14, 7)}, {0xc20, narrow(0x07)},  {0xc40, wide(0x62)},
		     {0xc80, wide(4, 1)},    {0xca0, inc_sel(0x1b)}, {0xe00, narrow(0)}};

	machine.set(0xe04, 0xff);
	for (const auto &box : boxes) {
		uint64_t gain = machine.second(box.head, box.control);

		machine.set(box.head + 0x11, UINT64_MAX);
		EXPECT_EQ(kModulus - 1, machine.get(box.head + 0x11));
		machine.set(box.head + 0x10, box.control);
		machine.set(kGlobal, kRun);
		sim_advance(machine.sim, kSecond);
		EXPECT_NEAR(gain - 1, machine.get(box.head + 0x11), 1) << std::hex << box.head;
		machine.set(kGlobal, 0);
	}
}

TEST(SimNhmex, OverflowShowsInTheBoxAndWithPmiAbove)
{
	static const struct {
		uint32_t head;
		uint64_t control, pmi;
	} boxes[] = {{0xd00, wide(0x14, 7), kPmi},   {0xda0, wide(0x14, 7), kPmi},
		     {0xc20, narrow(0x07), kBitPmi}, {0xc40, wide(0x62), kPmi},
		     {0xce0, inc_sel(0x1b), 2},      {0xe00, narrow(0), kBitPmi},
		     {0xc80, wide(4, 1), kPmi}};
	Machine machine(kNhm);

	machine.set(0xe04, 0xff);
	for (const auto &box : boxes) {
		machine.set(box.head, 1);
		for (uint64_t pmi : {UINT64_C(0), box.pmi}) {
			machine.set(box.head + 0x10, box.control | pmi);
			machine.set(box.head + 0x11, kModulus - 1000);
			machine.set(kGlobal, kRun);
			EXPECT_EQ(0u, machine.get(box.head + 1));
			sim_advance(machine.sim, kSecond);
			EXPECT_EQ(1u, machine.get(box.head + 1)) << std::hex << box.head;
			EXPECT_EQ(pmi != 0, machine.get(kStatus) != 0) << std::hex << box.head;
			EXPECT_EQ(kRun, machine.get(kGlobal)) << "only frz_all stops";
			machine.set(box.head + 2, 0x2);
			EXPECT_EQ(1u, machine.get(box.head + 1)) << "another counter's bit";
			machine.set(box.head + 2, 0x1);
			EXPECT_EQ(0u, machine.get(box.head + 1));
			EXPECT_EQ(0u, machine.get(kStatus)) << "the summary goes with the leaf";
			machine.set(kGlobal, 0);
		}
		machine.set(box.head, 0);
	}
}

TEST(SimNhmex, SummariesOfSeveralBoxes)
{
	Machine machine(kNhm);
	uint64_t both, one;

	// C0 and C3 report to the same S-Box, C4 to the other one.
	for (uint32_t head : {0xd00u, 0xdc0u, 0xd20u}) {
		machine.set(head, 2);
		machine.set(head + 0x12, wide(0x14, 7) | kPmi);
		machine.set(head + 0x13, kModulus - 1);
	}
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	both = machine.get(kStatus);
	EXPECT_NE(0u, both);
	machine.set(0xd02, 2);
	EXPECT_EQ(both, machine.get(kStatus)) << "C3 is still there";
	machine.set(0xdc2, 2);
	one = machine.get(kStatus);
	EXPECT_NE(both, one);
	EXPECT_NE(0u, one);
	machine.set(kClear, one);
	EXPECT_EQ(0u, machine.get(kStatus));
	EXPECT_EQ(2u, machine.get(0xd21)) << "the leaf has its own clear";
	EXPECT_EQ(-EIO, machine.try_set(kStatus, 0));
	EXPECT_EQ(0u, machine.get(kClear));
}

TEST(SimNhmex, UboxAndFixedCounterOverflow)
{
	Machine machine(kNhm);

	machine.set(0xc10, wide(0xf9) | kPmi);
	machine.set(0xc11, kModulus - 1);
	machine.set(0xc80, UINT64_C(1) << 31);
	machine.set(0x395, 1);
	machine.set(0x394, kModulus - 1);
	machine.set(kGlobal, kRun | kUbox | kFreeze);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(kUbox | kFreeze, machine.get(kGlobal));
	EXPECT_NE(0u, machine.get(kStatus));
	EXPECT_EQ(UINT64_C(1) << 31, machine.get(0xc81));
	machine.set(0xc82, UINT64_C(1) << 31);
	EXPECT_EQ(0u, machine.get(0xc81));
}

TEST(SimNhmex, FreezeOnPmiStopsAllAtTheMomentOfOverflow)
{
	Machine machine(kNhm);
	double clock = machine.traffic().dclk_hz, misses, seconds;
	const uint64_t n = 1000000;

	machine.set(0xd00, 3);
	machine.set(0xd10, wide(0x14, 7) | kPmi);
	machine.set(0xd11, kModulus - n);
	machine.set(0xd12, wide(0x15, 0xf)); // faster, but without pmi_en
	machine.set(0xca0, 1);
	machine.set(0xcb0, inc_sel(0x1b));
	machine.set(kGlobal, kRun | kFreeze);
	misses = sim_rate(machine.sim, 0, "cbox", 0, wide(0x14, 7), 0);
	seconds = static_cast<double>(n) / misses;
	// The overflow shows late; the M-Box is read first and has to know of it.
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(clock * seconds, machine.get(0xcb1), 3);
	EXPECT_EQ(kFreeze, machine.get(kGlobal));
	EXPECT_EQ(0u, machine.get(0xd11)) << "the events past N";
	EXPECT_EQ(1u, machine.get(0xd01));
	EXPECT_NE(0u, machine.get(kStatus));
	EXPECT_NEAR(seconds * sim_rate(machine.sim, 0, "cbox", 0, wide(0x15, 0xf), 0),
		    machine.get(0xd13), 2);
	// Again, in the order of the manual.
	machine.set(kGlobal, kFreeze | kResetAll);
	machine.set(0xd02, 1);
	machine.set(0xd11, kModulus - n);
	machine.set(kGlobal, kFreeze | kRun);
	sim_advance(machine.sim, kSecond / 1000);
	EXPECT_EQ(kFreeze | kRun, machine.get(kGlobal)) << "not yet";
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(kFreeze, machine.get(kGlobal));
	EXPECT_EQ(0u, machine.get(kGlobal, 1)) << "the other package has its own";
}

TEST(SimNhmex, ReservedBitsAndUnknownRegisters)
{
	Machine machine(kNhm);

	EXPECT_EQ(0, machine.try_set(kGlobal, 0xb000001f));
	EXPECT_EQ(-EIO, machine.try_set(kGlobal, 1 << 5));
	EXPECT_EQ(-EIO, machine.try_set(kGlobal, 1 << 30));
	EXPECT_EQ(0, machine.try_set(0xd10, 0xffd4ffff));
	for (unsigned bit : {16u, 17u, 19u, 21u, 32u})
		EXPECT_EQ(-EIO, machine.try_set(0xd10, UINT64_C(1) << bit)) << bit;
	for (unsigned bit : {8u, 15u, 23u, 24u})
		EXPECT_EQ(-EIO, machine.try_set(0xc10, UINT64_C(1) << bit)) << bit;
	EXPECT_EQ(0, machine.try_set(0xcb0, 0x383eff));
	for (unsigned bit : {8u, 14u, 18u, 22u})
		EXPECT_EQ(-EIO, machine.try_set(0xcb0, UINT64_C(1) << bit)) << bit;
	EXPECT_EQ(-EIO, machine.try_set(0xe10, 0x80));
	EXPECT_EQ(-EIO, machine.try_set(0xca5, UINT64_C(1) << 32));
	for (uint32_t address :
	     {0u, 0xc03u, 0xca3u, 0xcacu, 0xe03u, 0xe47u, 0xea0u, 0x700u, 0xf00u})
		EXPECT_EQ(-EIO, machine.try_get(address)) << std::hex << address;
	EXPECT_EQ(0, machine.try_set(0xca4, 1));
}

TEST(SimNhmex, CountsDoNotDependOnHowOftenOneLooks)
{
	Machine often(kNhm), once(kNhm);

	for (Machine *machine : {&often, &once}) {
		machine->set(0xd00, 0x3f);
		machine->set(0xd10, wide(0x1e));
		machine->set(0xd12, wide(0x1e));
		machine->set(kGlobal, kRun);
	}
	for (unsigned i = 0; i < 1000; i++) {
		sim_advance(often.sim, 1234567);
		often.get(i % 3 == 0 ? 0xd11 : 0xc01);
	}
	sim_advance(once.sim, UINT64_C(1000) * 1234567);
	EXPECT_EQ(once.get(0xd11), often.get(0xd11));
	EXPECT_EQ(once.get(0xd11), often.get(0xd13));
}

TEST(SimNhmex, Threads)
{
	Machine machine(kWsm);
	std::atomic<bool> stop{false};
	std::vector<std::thread> threads;

	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x14, 7));
	machine.set(kGlobal, kRun);
	for (unsigned i = 0; i < 3; i++)
		threads.emplace_back([&] {
			uint64_t last = 0;

			while (!stop) {
				uint64_t value = machine.get(0xd11);

				EXPECT_GE(value, last);
				last = value;
			}
		});
	for (unsigned i = 0; i < 1000; i++)
		sim_advance(machine.sim, 1000);
	stop = true;
	for (auto &thread : threads)
		thread.join();
}

} // namespace
