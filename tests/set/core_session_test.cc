// SPDX-License-Identifier: BSD-3-Clause
// core_session_test.cc - counting with the CPUs' own counters: true counts, other users,
// restoring.
#include "sim/sim.h"
#include "support/core_machine.h"
#include "support/interposer.h"
#include "support/machines.h"
#include "support/sized.h"

namespace
{

using support::Set;
using namespace support::core;

TEST(CoreSession, CountsCorrectly)
{
	for (const char *platform : support::machines_between("snbep", "icx", {"knl"})) {
		Machine m(platform);
		Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=6",
			    "ix86arch::INSTRUCTION_RETIRED:u:cpu=6", "ix86arch::LLC_MISSES:cpu=6",
			    "ix86arch::UNHALTED_CORE_CYCLES:cpu=1:k",
			    "ix86arch::BRANCH_INSTRUCTIONS_RETIRED:c=1:i:cpu=6"});

		ASSERT_EQ(0, set.start()) << m.message();
		m.advance();
		const std::vector<int64_t> counts = set.counts();

		EXPECT_NEAR(m.rate(6, 0x300c0), counts[0], 2) << platform;
		EXPECT_NEAR(m.rate(6, 0x100c0), counts[1], 2) << platform;
		EXPECT_NEAR(m.rate(6, 0x3412e), counts[2], 2) << platform;
		EXPECT_NEAR(m.rate(1, 0x2003c), counts[3], 2) << platform;
		EXPECT_NEAR(m.rate(6, 0x018300c4), counts[4], 2) << platform;
		EXPECT_EQ(0, set.stop()) << m.message();
		EXPECT_EQ(counts, set.counts());
		EXPECT_EQ(0u, sim_cpu_faults(m.sim)) << platform;
	}
}

TEST(CoreSession, WithoutCpuItIsTheSumOverAll)
{
	Machine m("skx");
	std::vector<std::string> names = {"ix86arch::LLC_REFERENCES",
					  "ix86arch::LLC_REFERENCES:pkg=1"};

	for (unsigned cpu = 0; cpu < 8; cpu++)
		names.push_back("ix86arch::LLC_REFERENCES:cpu=" + std::to_string(cpu));
	Set set(m, names);

	ASSERT_EQ(0, set.start()) << m.message();
	m.advance();
	const std::vector<int64_t> c = set.counts();

	EXPECT_GT(c[2], 0);
	EXPECT_EQ(c[0], c[2] + c[3] + c[4] + c[5] + c[6] + c[7] + c[8] + c[9]);
	EXPECT_EQ(c[1], c[6] + c[7] + c[8] + c[9]);
	EXPECT_NE(c[2], c[3]);
}

TEST(CoreSession, OneReadForEachCpuAndCounter)
{
	Machine m("skx");
	Set set(m, {"ix86arch::LLC_REFERENCES", "ix86arch::INSTRUCTION_RETIRED"});

	ASSERT_EQ(0, set.start());
	{
		support::Interposer between(m);

		set.counts();
		EXPECT_EQ(16u, between.reads);
		EXPECT_EQ(0u, between.runs + between.writes);
	}
}

// ---- other users ----

TEST(CoreBusy, AnEnabledCounterIsRefusedByName)
{
	Machine m("snbep");

	m.set(kSelect + 7, 0x5300c0, 3);
	const auto before = m.controls();
	Set set(m, {"ix86arch::LLC_MISSES"});

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_TRUE(mentions(m.message(), "CPU 3: programmable counter 7 is in use"))
		<< m.message();
	EXPECT_EQ(before, m.controls());
	// The event that does not need the counter:
	Set other(m, {"ix86arch::LLC_MISSES:cpu=2", "ix86arch::INSTRUCTION_RETIRED"});

	EXPECT_EQ(0, other.start()) << m.message();
}

// The last counter that a set uses.
TEST(CoreBusy, TheFirstCounterIsRefusedByName)
{
	Machine m("snbep");
	std::vector<std::string> all;

	for (const char *name : {"LLC_MISSES", "LLC_REFERENCES", "BRANCH_INSTRUCTIONS_RETIRED",
				 "MISPREDICTED_BRANCH_RETIRED"})
		for (const char *level : {":u:cpu=3", ":k:cpu=3"})
			all.push_back(std::string("ix86arch::") + name + level);
	m.set(kSelect, 0x5300c0, 3);
	const auto before = m.controls();
	Set set(m, all);

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_TRUE(mentions(m.message(), "CPU 3: programmable counter 0 is in use"))
		<< m.message();
	EXPECT_EQ(before, m.controls());
	m.set(kSelect, 0, 3);
	EXPECT_EQ(0, set.start()) << m.message();
}

// The NMI watchdog counts cycles with an interrupt on fixed counter 1.
TEST(CoreBusy, TheNmiWatchdogIsSeenOnEveryVersion)
{
	for (const char *platform : {"snbep", "skx"}) {
		Machine m(platform);

		m.set(kFixedControl, 0xb0, 5);
		const auto before = m.controls();
		Set set(m, {"ix86arch::UNHALTED_CORE_CYCLES"});

		EXPECT_EQ(UNCORE_EBUSY, set.start());
		EXPECT_TRUE(mentions(m.message(), "CPU 5: fixed counter 1 is in use"))
			<< m.message();
		EXPECT_TRUE(mentions(m.message(), "nmi_watchdog")) << m.message();
		EXPECT_EQ(before, m.controls()) << platform;
	}
}

// INUSE reports an event without its enable bit. Before version 4 only enabled events are
// detected.
TEST(CoreBusy, InUseIsHonouredFromVersion4On)
{
	Machine skx("skx"), bdx("bdx");

	for (Machine *m : {&skx, &bdx})
		m->set(kSelect + 7, 0x3003c, 0);
	Set a(skx, {"ix86arch::LLC_MISSES:cpu=0"}), b(bdx, {"ix86arch::LLC_MISSES:cpu=0"});

	EXPECT_EQ(UNCORE_EBUSY, a.start());
	EXPECT_TRUE(mentions(skx.message(), "CPU 0: programmable counter 7")) << skx.message();
	EXPECT_TRUE(mentions(skx.message(), "0x392")) << skx.message();
	EXPECT_EQ(0, b.start()) << bdx.message();
	EXPECT_EQ(0, b.stop());
	EXPECT_EQ(0x3003cu, bdx.get(kSelect + 7, 0));
}

TEST(CoreBusy, ForceTakesOverAndRestores)
{
	Machine m("skx", 1);

	m.set(kFixedControl, 0xb0b, 2);
	m.set(kSelect + 7, 0x5300c4, 2);
	m.set(kGlobal, 0x5000000f0, 2);
	const auto before = m.controls();
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=2", "ix86arch::LLC_MISSES:cpu=2"});

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0xb03u, m.get(kFixedControl, 2));
	m.advance();
	EXPECT_NEAR(m.rate(2, 0x300c0), set.counts()[0], 2);
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(before, m.controls());
}

TEST(CoreBusy, OtherCoresContinueUndisturbed)
{
	Machine m("skx");

	// Another user counts on PMC0 and fixed counter 2 of CPU 4.
	m.set(kSelect, 0x4300c0, 4);
	m.set(kFixedControl, 0x300, 4);
	m.set(kGlobal, fixed_bit(2) | 0xff, 4);
	const double rate = m.rate(4, 0x300c0);
	const uint64_t since = sim_now(m.sim);
	Set set(m, {"ix86arch::LLC_MISSES", "ix86arch::INSTRUCTION_RETIRED"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.advance();
	EXPECT_EQ(0, set.stop()) << m.message();
	m.advance();
	EXPECT_NEAR(rate * static_cast<double>(sim_now(m.sim) - since) / 1e9, m.get(kPmc, 4), 4);
	EXPECT_GT(m.get(kFixed + 2, 4), 0u);
}

// ---- the enabling expression: EN and GLOBAL_CTRL and not CTR_FRZ ----

TEST(CoreEnabled, AFreezeThatIsLeftOverIsLifted)
{
	Machine m("skx");

	m.set(kSet, kFrozen | uint64_t{1} << 58 | 0x81, 1);
	Set set(m, {"ix86arch::LLC_MISSES:cpu=1"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.advance();
	EXPECT_NEAR(m.rate(1, 0x3412e), set.count(), 2);
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(uint64_t{1} << 58 | 1, m.get(kStatus, 1)) << "LBR_FRZ and others' overflows stay";
}

TEST(CoreEnabled, EachFactorThatFailsIsReported)
{
	static const struct {
		const char *what;
		uint32_t msr;
		uint64_t value;
		const char *says;
	} rows[] = {
		{"EN", kSelect + 7, 0x3412e, "0x18d"},
		{"GLOBAL_CTRL", kGlobal, 0x7f, "0x38f"},
		{"CTR_FRZ", kSet, kFrozen, "0x38e"},
		{"event", kSelect + 7, 0x4300c0, "0x18d"},
	};

	for (const auto &row : rows) {
		Machine m("skx");
		Set set(m, {"ix86arch::LLC_MISSES:cpu=3"});

		ASSERT_EQ(0, set.start()) << m.message();
		m.set(row.msr, row.value, 3);
		EXPECT_EQ(UNCORE_ESTOLEN, set.stop()) << row.what;
		EXPECT_TRUE(mentions(m.message(), "CPU 3")) << m.message();
		EXPECT_TRUE(mentions(m.message(), row.says)) << m.message();
	}
}

// ---- ASCI: SGX's protection of an enclave affects counts ----

constexpr uint64_t kAsci = uint64_t{1} << 60;

TEST(CoreEnclave, OneThatRunsMeanwhileIsReported)
{
	Machine m("skx");
	Set set(m, {"ix86arch::LLC_MISSES:cpu=3"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.set(kSet, kAsci, 3);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(mentions(m.message(), "CPU 3, register 0x38e: bit 60 (ASCI)")) << m.message();
	EXPECT_TRUE(mentions(m.message(), "SGX enclave")) << m.message();
	EXPECT_EQ(0u, m.get(kSelect + 7, 3)) << "the counter is restored";
}

TEST(CoreEnclave, AnEnclaveBeforeTheStartDoesNotCount)
{
	Machine m("skx");
	Set set(m, {"ix86arch::LLC_MISSES:cpu=3"});

	m.set(kSet, kAsci, 3);
	ASSERT_EQ(0, set.start()) << m.message();
	m.advance();
	EXPECT_EQ(0, set.stop()) << m.message();
}

TEST(CoreEnclave, ASetThatStartsLaterDoesNotHideItFromAnother)
{
	Machine m("skx");
	Set first(m, {"ix86arch::LLC_MISSES:cpu=3"}), later(m, {"ix86arch::LLC_REFERENCES:cpu=3"});

	ASSERT_EQ(0, first.start()) << m.message();
	m.set(kSet, kAsci, 3);
	ASSERT_EQ(0, later.start()) << m.message();
	EXPECT_EQ(UNCORE_ESTOLEN, first.stop());
	EXPECT_EQ(UNCORE_ESTOLEN, later.stop()) << "the time at which it was set is unknown";
}

TEST(CoreEnclave, AnotherCpusDoesNotMatter)
{
	Machine m("skx");
	Set set(m, {"ix86arch::LLC_MISSES:cpu=3"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.set(kSet, kAsci, 2);
	EXPECT_EQ(0, set.stop()) << m.message();
}

TEST(CoreEnabled, AFixedCounterThatIsSwitchedOffIsReported)
{
	Machine m("bdx");
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=3"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.set(kFixedControl, 0, 3);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(mentions(m.message(), "0x38d")) << m.message();
}

// ---- restoring ----

TEST(CoreRestore, StopLeavesNoTrace)
{
	for (const char *platform : {"snbep", "skx"}) {
		Machine m(platform);

		for (unsigned cpu = 0; cpu < 8; cpu++) {
			m.set(kGlobal, cpu % 2 ? 0x7000000ff : 0x0f, cpu);
			if (mentions(platform, "snbep"))
				m.set(kSelect + 6, 0x1003c, cpu); // not in use
			m.set(kFixedControl, 0x800, cpu);
		}
		const auto before = m.controls();
		Set set(m, {"ix86arch::INSTRUCTION_RETIRED", "ix86arch::LLC_MISSES",
			    "ix86arch::LLC_REFERENCES:pkg=1", "ix86arch::UNHALTED_CORE_CYCLES"});

		for (int i = 0; i < 2; i++) {
			ASSERT_EQ(0, set.start()) << m.message();
			EXPECT_NE(before, m.controls());
			m.advance();
			EXPECT_EQ(0, set.stop()) << m.message();
			EXPECT_EQ(before, m.controls()) << platform;
		}
	}
}

// Two sets share the global registers of a CPU: each stop clears only its own bits.
TEST(CoreRestore, SetsThatShareACpu)
{
	Machine m("skx");

	m.set(kGlobal, fixed_bit(1) | 0x8f, 0);
	const auto before = m.controls();
	Set a(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=0", "ix86arch::LLC_MISSES:cpu=0"});
	Set b(m, {"ix86arch::UNHALTED_CORE_CYCLES:cpu=0", "ix86arch::LLC_REFERENCES:cpu=0",
		  "ix86arch::LLC_MISSES:cpu=0"});

	for (bool a_first : {true, false}) {
		Set &first = a_first ? a : b, &last = a_first ? b : a;

		ASSERT_EQ(0, a.start()) << m.message();
		m.advance();
		ASSERT_EQ(0, b.start()) << m.message();
		EXPECT_EQ(0x33u, m.get(kFixedControl, 0));
		m.advance();
		EXPECT_NEAR(2 * m.rate(0, 0x300c0), a.counts()[0], 3);
		EXPECT_NEAR(m.rate(0, 0x3412e), b.counts()[2], 3);
		EXPECT_EQ(0, first.stop()) << m.message();
		EXPECT_EQ(a_first ? 0x30u : 0x03u, m.get(kFixedControl, 0));
		m.advance();
		EXPECT_NEAR((a_first ? 2 : 3) * m.rate(0, 0x3412e), last.counts()[a_first ? 2 : 1],
			    4);
		EXPECT_EQ(0, last.stop()) << m.message();
		EXPECT_EQ(before, m.controls());
	}
}

TEST(CoreRestore, AFailedStartLeavesNoTrace)
{
	Machine m("skx");
	const auto before = m.controls();
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED", "ix86arch::LLC_MISSES"});
	unsigned writes = 0;

	for (unsigned fail = 1; fail < 60; fail += 7) {
		{
			support::Interposer between(m);

			writes = 0;
			between.on_write = [&](const unc_op &, uint64_t) {
				return ++writes == fail ? -EIO : 0;
			};
			EXPECT_EQ(UNCORE_EIO, set.start()) << fail;
		}
		EXPECT_EQ(before, m.controls()) << fail;
	}
}

// ---- together with the uncore ----

TEST(CoreSession, CountsTogetherWithTheUncore)
{
	Machine m("skx");
	Set set(m, {"UNC_M_CLOCKTICKS:pkg=0", "ix86arch::LLC_MISSES"});

	ASSERT_EQ(0, set.start()) << m.message();
	m.advance();
	const std::vector<int64_t> c = set.counts();

	EXPECT_GT(c[0], 0);
	EXPECT_GT(c[1], 0);
	EXPECT_EQ(0, set.stop()) << m.message();
}

// ---- display ----

TEST(CoreShow, ShowsTheRegisters)
{
	Machine skx("skx"), bdx("bdx");
	auto info = support::sized<uncore_cpu_info>();

	skx.set(kFixedControl, 0x0b0, 5);
	skx.set(kSet, kFrozen | 1, 5);
	skx.set(kDebug, 0x1000, 5);
	ASSERT_EQ(1, uncore_cpu(skx.u, 5, &info)) << skx.message();
	EXPECT_EQ(5u, info.cpu);
	EXPECT_EQ(1u, info.package);
	EXPECT_EQ(4u, info.version);
	EXPECT_EQ(8u, info.counters);
	EXPECT_EQ(48u, info.width);
	EXPECT_EQ(7u, info.fixed);
	EXPECT_EQ(48u, info.fixed_width);
	EXPECT_EQ(0xffu, info.global_ctrl);
	EXPECT_EQ(kFrozen | 1, info.global_status);
	EXPECT_EQ(0xb0u, info.fixed_ctrl);
	EXPECT_EQ(0x1000u, info.debugctl);
	EXPECT_TRUE(info.has_in_use);
	EXPECT_EQ(fixed_bit(1) | uint64_t{1} << 63, info.in_use);
	EXPECT_EQ(0, uncore_cpu(skx.u, 8, &info));
	for (unsigned i = 0; i < 8; i++) {
		ASSERT_EQ(1, uncore_cpu(bdx.u, i, &info)) << bdx.message();
		EXPECT_EQ(i, info.cpu);
		EXPECT_EQ(3u, info.version);
		EXPECT_FALSE(info.has_in_use);
	}
	EXPECT_EQ(0u, sim_cpu_faults(bdx.sim) + sim_cpu_faults(skx.sim));
}

} // namespace
