// SPDX-License-Identifier: BSD-3-Clause
// sim_core_test.cc - the architectural performance monitoring of the simulated
// CPUs: registers as literal numbers, the counting condition, overflow and freeze.
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sim/sim.h"
#include "support/machines.h"

namespace
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint32_t kSelect = 0x186, kCounter = 0xc1, kFull = 0x4c1, kFixed = 0x309;
constexpr uint32_t kFixedControl = 0x38d, kStatus = 0x38e, kGlobal = 0x38f, kReset = 0x390;
constexpr uint32_t kSet = 0x391, kInUse = 0x392, kDebug = 0x1d9;
constexpr uint64_t kUsr = 1 << 16, kOs = 1 << 17, kInt = 1 << 20, kEn = 1 << 22, kInv = 1 << 23;
constexpr uint64_t kBoth = kUsr | kOs;
constexpr uint64_t kCycles = 0x3c, kInstructions = 0xc0, kFrozen = uint64_t{1} << 59;

class Cpus
{
      public:
	explicit Cpus(const std::string &platform)
	{
		char err[200] = "";
		std::string spec = platform + ":time=virtual";

		if (sim_open(spec.c_str(), &sim, err, sizeof(err)) != 0)
			throw std::runtime_error(err);
	}
	~Cpus()
	{
		sim_close(sim);
	}
	Cpus(const Cpus &) = delete;
	Cpus &operator=(const Cpus &) = delete;

	uint64_t get(uint32_t msr, unsigned cpu = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_cpu_msr_read(sim, cpu, msr, &value)) << std::hex << msr;
		return value;
	}
	void set(uint32_t msr, uint64_t value, unsigned cpu = 0)
	{
		EXPECT_EQ(0, sim_cpu_msr_write(sim, cpu, msr, value)) << std::hex << msr;
	}
	int try_get(uint32_t msr, unsigned cpu = 0)
	{
		uint64_t value;

		return sim_cpu_msr_read(sim, cpu, msr, &value);
	}
	int try_set(uint32_t msr, uint64_t value, unsigned cpu = 0)
	{
		return sim_cpu_msr_write(sim, cpu, msr, value);
	}
	// The counts of a counter in a second.
	uint64_t second(uint32_t counter, unsigned cpu = 0)
	{
		uint64_t before = get(counter, cpu);

		sim_advance(sim, kSecond);
		return get(counter, cpu) - before;
	}
	std::string leaf(uint32_t number)
	{
		uint32_t regs[4];
		char text[64];

		EXPECT_EQ(0, sim_cpuid(sim, 0, number, 0, regs));
		snprintf(text, sizeof(text), "%08x %08x %08x %08x", regs[0], regs[1], regs[2],
			 regs[3]);
		return text;
	}

	struct sim *sim = nullptr;
};

TEST(SimCore, Leaf10IsThatOfTheParts)
{
	EXPECT_EQ("07300403 00000044 00000000 00000603", Cpus("nhmex").leaf(0xa));
	EXPECT_EQ("07300403 00000004 00000000 00000603", Cpus("wsmex").leaf(0xa));
	EXPECT_EQ("07300803 00000000 00000000 00000603", Cpus("snbep").leaf(0xa));
	EXPECT_EQ("07300804 00000000 00000000 00000603", Cpus("skx").leaf(0xa));
	EXPECT_EQ("07280203 00000000 00000000 00000503", Cpus("knl").leaf(0xa));
	EXPECT_EQ("08300805 00000000 0000000f 00008604", Cpus("icx").leaf(0xa));
}

TEST(SimCore, OtherLeaves)
{
	Cpus cpus("skx");
	uint32_t regs[4];

	EXPECT_EQ(0, sim_cpuid(cpus.sim, 0, 0, 0, regs));
	EXPECT_GE(regs[0], 0xau);
	EXPECT_EQ(0, memcmp(&regs[1], "Genu", 4));
	EXPECT_EQ(0, memcmp(&regs[3], "ineI", 4));
	EXPECT_EQ(0, memcmp(&regs[2], "ntel", 4));
	EXPECT_EQ(0, sim_cpuid(cpus.sim, 0, 1, 0, regs));
	EXPECT_EQ(0x50650u, regs[0] & ~0xfu);
	EXPECT_EQ(0, sim_cpuid(cpus.sim, 0, 0x80000000, 0, regs));
	EXPECT_EQ(0u, regs[0]);
	EXPECT_EQ(-ENODEV, sim_cpuid(cpus.sim, 1000, 0, 0, regs));
}

// Leaf 0BH: a thread a core, and as many cores as the machine has.
TEST(SimCore, ShowsHowManyCoresAPackageHas)
{
	Cpus cpus("snbep");
	uint32_t regs[4];

	ASSERT_EQ(0, sim_cpuid(cpus.sim, 9, 0xb, 0, regs));
	EXPECT_EQ(1u, regs[1]);
	EXPECT_EQ(0x100u, regs[2]);
	ASSERT_EQ(0, sim_cpuid(cpus.sim, 9, 0xb, 1, regs));
	EXPECT_EQ(3u, regs[0]) << "bits of the core's number";
	EXPECT_EQ(8u, regs[1]);
	EXPECT_EQ(0x201u, regs[2]);
	EXPECT_EQ(9u, regs[3]) << "package 1, core 1";
	ASSERT_EQ(0, sim_cpuid(cpus.sim, 9, 0xb, 2, regs));
	EXPECT_EQ(0u, regs[1]);
	EXPECT_EQ(2u, regs[2]);
}

// EN x GLOBAL_CTRL x CTR_FRZ: only one of the eight combinations counts.
TEST(SimCore, CountingConditionOfProgrammableCounters)
{
	for (unsigned row = 0; row < 8; row++) {
		Cpus cpus("skx");
		bool enable = row & 1, global = row & 2, frozen = row & 4;

		cpus.set(kSelect + 1, kInstructions | kBoth | (enable ? kEn : 0));
		cpus.set(kGlobal, global ? 2 : 0xfd);
		cpus.set(kSet, frozen ? kFrozen : 0);
		EXPECT_EQ(row == 3, cpus.second(kCounter + 1) > 0) << row;
	}
}

TEST(SimCore, CountingConditionOfFixedCounters)
{
	for (unsigned row = 0; row < 8; row++) {
		Cpus cpus("icx");
		bool enable = row & 1, global = row & 2, frozen = row & 4;

		cpus.set(kFixedControl, enable ? 0x3000 : 0x0333);
		cpus.set(kGlobal, global ? uint64_t{8} << 32 : uint64_t{7} << 32);
		cpus.set(kSet, frozen ? kFrozen : 0);
		EXPECT_EQ(row == 3, cpus.second(kFixed + 3) > 0) << row;
	}
}

TEST(SimCore, FixedCountersSeeTheirEvents)
{
	Cpus cpus("icx");

	cpus.set(kFixedControl, 0x3123);
	cpus.set(kGlobal, uint64_t{0xf} << 32);
	sim_advance(cpus.sim, kSecond);
	EXPECT_NEAR(sim_core_rate(cpus.sim, 0, kInstructions | kBoth), cpus.get(kFixed), 1);
	EXPECT_NEAR(sim_core_rate(cpus.sim, 0, kCycles | kUsr), cpus.get(kFixed + 1), 1);
	EXPECT_GT(cpus.get(kFixed + 2), 0u);
	EXPECT_NEAR(sim_core_rate(cpus.sim, 0, 0x1a4 | kBoth), cpus.get(kFixed + 3), 1);
}

TEST(SimCore, PrivilegeLevelsAddUp)
{
	Cpus cpus("snbep");
	double both = sim_core_rate(cpus.sim, 3, kInstructions | kBoth);
	double user = sim_core_rate(cpus.sim, 3, kInstructions | kUsr);
	double system = sim_core_rate(cpus.sim, 3, kInstructions | kOs);

	EXPECT_GT(system, 0);
	EXPECT_GT(user, system);
	EXPECT_NEAR(both, user + system, both * 1e-9);
	EXPECT_EQ(0, sim_core_rate(cpus.sim, 3, kInstructions));
}

TEST(SimCore, InvertedThresholdIsTheRestOfTheCycles)
{
	Cpus cpus("skx");
	double cycles = sim_core_rate(cpus.sim, 0, kCycles | kBoth);
	uint64_t threshold = kInstructions | kBoth | 1 << 24;
	double some = sim_core_rate(cpus.sim, 0, threshold);
	double none = sim_core_rate(cpus.sim, 0, threshold | kInv);

	EXPECT_GT(none, 0);
	EXPECT_NEAR(cycles, some + none, cycles * 1e-9);
	EXPECT_LT(0, sim_core_rate(cpus.sim, 0, threshold | 1 << 18));
}

// The package is as busy as its traffic says; its CPUs are not equally so.
TEST(SimCore, CpusDifferAndAddUp)
{
	Cpus cpus("skx");
	const struct sim_traffic *traffic = sim_traffic(cpus.sim, 1);
	double mhz = 0, sum = 0, misses = 0;

	for (const auto &step : traffic->frequency)
		mhz += step.mhz * step.share;
	for (unsigned cpu = 20; cpu < 40; cpu++) {
		sum += sim_core_rate(cpus.sim, cpu, kCycles | kBoth);
		misses += sim_core_rate(cpus.sim, cpu, 0x412e | kBoth);
	}
	EXPECT_NEAR(20 * traffic->core_c0 * mhz * 1e6, sum, sum * 1e-9);
	EXPECT_NEAR(traffic->reads, misses, misses * 1e-9);
	EXPECT_NE(sim_core_rate(cpus.sim, 20, kCycles | kBoth),
		  sim_core_rate(cpus.sim, 21, kCycles | kBoth));
}

TEST(SimCore, RegistersAreTheCpusOwn)
{
	Cpus cpus("snbep");

	cpus.set(kSelect, kCycles | kBoth | kEn, 1);
	EXPECT_EQ(kCycles | kBoth | kEn, cpus.get(kSelect, 1));
	EXPECT_EQ(0u, cpus.get(kSelect, 0));
	EXPECT_EQ(-ENODEV, cpus.try_get(kSelect, 16));
	// Registers that do not belong to a CPU belong to its package.
	cpus.set(0xd10, 0x400035, 9);
	EXPECT_EQ(0x400035u, cpus.get(0xd10, 15));
	EXPECT_EQ(0u, cpus.get(0xd10, 0));
}

TEST(SimCore, LegacyWritesAreSignExtended)
{
	Cpus cpus("icx"), old("nhmex");

	cpus.set(kCounter, 0x80000000);
	EXPECT_EQ(0xffff80000000u, cpus.get(kCounter));
	EXPECT_EQ(0xffff80000000u, cpus.get(kFull));
	cpus.set(kCounter, 0x123456789abc);
	EXPECT_EQ(0x56789abcu, cpus.get(kCounter));
	cpus.set(kFull, 0x123456789abc);
	EXPECT_EQ(0x123456789abcu, cpus.get(kCounter));
	EXPECT_EQ(-EIO, cpus.try_set(kFull, uint64_t{1} << 48));
	EXPECT_NE(0u, cpus.get(0x345) & 1 << 13);
	EXPECT_EQ(-EIO, old.try_get(kFull));
	EXPECT_EQ(0u, old.get(0x345) & 1 << 13);
}

TEST(SimCore, OverflowSetsStatusUntilItIsReset)
{
	for (const char *platform : {"snbep", "skx"}) {
		Cpus cpus(platform);

		cpus.set(kFull + 2, 0xffffffffff00);
		cpus.set(kFixed + 1, 0xffffffffff00);
		cpus.set(kSelect + 2, kCycles | kBoth | kEn);
		cpus.set(kFixedControl, 0x30);
		cpus.set(kGlobal, 4 | uint64_t{2} << 32);
		EXPECT_EQ(0u, cpus.get(kStatus));
		sim_advance(cpus.sim, 1000000);
		EXPECT_EQ(4 | uint64_t{2} << 32, cpus.get(kStatus));
		cpus.set(kReset, 4);
		EXPECT_EQ(uint64_t{2} << 32, cpus.get(kStatus));
		EXPECT_EQ(0u, cpus.get(kReset));
		EXPECT_EQ(-EIO, cpus.try_set(kStatus, 0));
	}
}

TEST(SimCore, FreezeOnPmi)
{
	Cpus old("bdx"), streamlined("skx");

	for (Cpus *cpus : {&old, &streamlined}) {
		cpus->set(kDebug, 1 << 12);
		cpus->set(kFull, 0xffffffffff00);
		cpus->set(kSelect, kCycles | kBoth | kInt | kEn);
		cpus->set(kSelect + 1, kInstructions | kBoth | kEn);
		cpus->set(kGlobal, 3);
		sim_advance(cpus->sim, kSecond);
		EXPECT_EQ(1u, cpus->get(kStatus) & 0xff);
		EXPECT_LT(cpus->get(kCounter), 20u) << "stopped at the overflow";
		EXPECT_LT(cpus->get(kCounter + 1), 2000u);
		EXPECT_EQ(0u, cpus->second(kCounter + 1));
	}
	// Before version 4 the global enables went; since then a status bit says so.
	EXPECT_EQ(0u, old.get(kGlobal));
	EXPECT_EQ(0u, old.get(kStatus) & kFrozen);
	EXPECT_EQ(3u, streamlined.get(kGlobal));
	EXPECT_EQ(kFrozen, streamlined.get(kStatus) & kFrozen);
	streamlined.set(kReset, kFrozen);
	EXPECT_GT(streamlined.second(kCounter + 1), 0u);
}

TEST(SimCore, InUseFollowsTheControls)
{
	Cpus cpus("skx");

	EXPECT_EQ(0u, cpus.get(kInUse));
	cpus.set(kSelect + 3, kCycles);
	EXPECT_EQ(8u, cpus.get(kInUse)) << "an event without enable bit is use enough";
	cpus.set(kFixedControl, 0x200);
	EXPECT_EQ(8u | uint64_t{4} << 32, cpus.get(kInUse));
	cpus.set(kFixedControl, 0x800);
	EXPECT_EQ(8u | uint64_t{1} << 63, cpus.get(kInUse));
	EXPECT_EQ(-EIO, cpus.try_set(kInUse, 0));
}

TEST(SimCore, NewRegistersAreNotOnOldParts)
{
	Cpus cpus("bdx"), nhm("nhmex");

	EXPECT_EQ(0u, sim_cpu_faults(cpus.sim));
	EXPECT_EQ(-EIO, cpus.try_get(kSet));
	EXPECT_EQ(-EIO, cpus.try_set(kInUse, 0));
	EXPECT_EQ(2u, sim_cpu_faults(cpus.sim));
	EXPECT_EQ(-EIO, nhm.try_get(kInUse));
	// The W-Box has its fixed counter right behind.
	nhm.set(0x395, 1);
	EXPECT_EQ(1u, nhm.get(0x395, 7));
}

TEST(SimCore, ReservedBitsAreRefused)
{
	Cpus old("snbep"), icx("icx");

	EXPECT_EQ(0, old.try_set(kSelect, 0xffffffff));
	EXPECT_EQ(-EIO, old.try_set(kSelect, uint64_t{1} << 32));
	EXPECT_EQ(0, icx.try_set(kSelect, uint64_t{7} << 32));
	EXPECT_EQ(-EIO, icx.try_set(kSelect, 1 << 21)) << "AnyThread is gone";
	EXPECT_EQ(-EIO, old.try_set(kFixedControl, 0x1000));
	EXPECT_EQ(0, old.try_set(kFixedControl, 0x444));
	EXPECT_EQ(-EIO, icx.try_set(kFixedControl, 0x444));
	EXPECT_EQ(-EIO, old.try_set(kGlobal, 0x100));
	EXPECT_EQ(-EIO, old.try_set(kReset, kFrozen));
	EXPECT_EQ(0, icx.try_set(kReset, uint64_t{0xff} << 55 & ~(uint64_t{3} << 56)));
	EXPECT_EQ(-EIO, icx.try_set(kSet, uint64_t{1} << 63));
	EXPECT_EQ(-EIO, old.try_set(kDebug, 4));
	EXPECT_EQ(-EIO, old.try_set(kSelect + 8, 0));
	EXPECT_EQ(-EIO, old.try_set(kFixed + 3, 0));
}

TEST(SimCore, EveryPlatformHasIt)
{
	for (const char *platform : support::kMachines) {
		Cpus cpus(platform);
		uint32_t regs[4];

		ASSERT_EQ(0, sim_cpuid(cpus.sim, 0, 0xa, 0, regs));
		EXPECT_GE(regs[0] & 0xff, 3u) << platform;
		EXPECT_EQ((1u << (regs[0] >> 8 & 0xff)) - 1, cpus.get(kGlobal)) << platform;
		cpus.set(kSelect, kInstructions | kBoth | kEn);
		EXPECT_NEAR(sim_core_rate(cpus.sim, 0, kInstructions | kBoth),
			    cpus.second(kCounter), 1)
			<< platform;
		EXPECT_EQ(0u, sim_cpu_faults(cpus.sim)) << platform;
	}
}

} // namespace
