// SPDX-License-Identifier: BSD-3-Clause
// core_native_test.cc - the CPUs' own counters through dev/cpu/N/msr and dev/cpu/N/cpuid
// of a tree of files: which registers exist by CPUID leaf 0xA, and that each CPU's file is
// the one that is used.
#include "plan/complete.h"
#include "set/inside.h"
#include "support/core_machine.h"
#include "support/plan.h"
#include "support/sized.h"
#include "support/tree.h"

namespace
{

using support::NativeMachine;
using support::Set;
using support::Tree;
using namespace support::core;

// One package of four CPUs whose registers are their own.
class CoreTree : public Tree
{
      public:
	explicit CoreTree(uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
	{
		cpuinfo();
		online("0-3");
		for (unsigned i = 0; i < 4; i++) {
			topology(i, 0, i);
			msr(i, i);
			leaf(i, {eax, ebx, ecx, edx});
		}
		ubox(0, 0x7f, 0, 0);
		uncore_devices(0, 0x7f);
	}
	void leaf(unsigned cpu, const std::vector<uint32_t> &regs)
	{
		const std::string name = "dev/cpu/" + std::to_string(cpu) + "/cpuid";

		write(name, std::string(0xa + 16, '\0'));
		for (unsigned i = 0; i < 4; i++)
			put(name, 0xa + 4 * i, regs[i], 4);
	}
	uint64_t reg(unsigned cpu, uint32_t msr) const
	{
		return get(msr_name(cpu), msr, 8);
	}
	void set_reg(unsigned cpu, uint32_t msr, uint64_t value)
	{
		put(msr_name(cpu), msr, value, 8);
	}
};

std::vector<std::string> listed(const NativeMachine &m)
{
	std::vector<std::string> names;
	unsigned id = 0;

	for (unsigned i = 0; uncore_listed_event(m.u, i, &id) == 1; i++)
		if (mentions(uncore_event_name(m.u, id), "ix86arch::"))
			names.push_back(uncore_event_name(m.u, id) + strlen("ix86arch::"));
	return names;
}

// MSR files of 8-byte registers at byte addresses overlap: neighbours would show in
// each other, so that only addresses far apart are compared here.
TEST(CoreNative, GoesToTheFileOfEachCpu)
{
	CoreTree tree(0x07300804, 0, 0, 0x603);
	NativeMachine m(tree);

	ASSERT_EQ(0, m.code) << m.message();
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=2:k"});

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(1u, tree.reg(2, kFixedControl) & 0xf);
	EXPECT_EQ(0u, tree.reg(1, kFixedControl) & 0xf);
	EXPECT_EQ(0u, tree.reg(3, kFixedControl) & 0xf);
	EXPECT_EQ(0, set.count());
	tree.set_reg(2, kFixed, 1234567);
	EXPECT_EQ(1234567, set.count());
	tree.set_reg(1, kFixed, 99);
	EXPECT_EQ(1234567, set.count());
}

// An absent CPU, a register that does not exist, and a file that ends too early.
TEST(CoreNative, AnAbsentCpuAndAnUnreadableRegisterAreToldApart)
{
	CoreTree tree(0x07300804, 0, 0, 0x603);
	tree.write(Tree::msr_name(3), std::string(0x14, '\0'));
	NativeMachine m(tree);
	unc_hw *hw = unc_hw_of(m.u);
	unc_op op = {};
	uint64_t value = 0;
	const auto read = [&](unsigned cpu, uint64_t address) {
		op.space = UNCORE_CPU;
		op.width = 64;
		op.unit = static_cast<uint16_t>(cpu);
		op.address = address;
		return hw->ops->read(hw, &op, &value);
	};

	ASSERT_EQ(0, m.code) << m.message();
	ASSERT_EQ(0, unc_ask_msr_file(hw, 0));
	EXPECT_EQ(0, read(3, 0x8));
	EXPECT_EQ(-ENODATA, read(3, 0x10));
	EXPECT_EQ(-EIO, read(3, 0x14));
	EXPECT_EQ(-ENODEV, read(4, 0x8));
}

TEST(CoreNative, NoLeafNoCounters)
{
	Tree tree;

	tree.one_package();
	NativeMachine m(tree);
	auto info = support::sized<uncore_cpu_info>();

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_TRUE(listed(m).empty());
	EXPECT_EQ(UNCORE_ENOEVENT, m.refusal("ix86arch::INSTRUCTION_RETIRED"));
	EXPECT_EQ(UNCORE_ENOSUPP, uncore_cpu(m.u, 0, &info));
	EXPECT_TRUE(mentions(m.message(), "CPUID")) << m.message();
}

TEST(CoreNative, VersionZeroAndShortFilesMeanNoCounters)
{
	CoreTree tree(0, 0, 0, 0);

	EXPECT_TRUE(listed(NativeMachine(tree)).empty());
	tree.leaf(0, {0x07300403, 0, 0, 0x603});
	EXPECT_FALSE(listed(NativeMachine(tree)).empty());
	tree.resize("dev/cpu/0/cpuid", 0xa + 15);
	EXPECT_TRUE(listed(NativeMachine(tree)).empty());
}

TEST(CoreNative, EventsThatCpuidDeniesAreNotThere)
{
	// Nehalem-EX: EBX bits 2 and 6.
	const CoreTree tree(0x07300403, 0x44, 0, 0x603);
	NativeMachine m(tree);

	EXPECT_EQ((std::vector<std::string>{"UNHALTED_CORE_CYCLES", "INSTRUCTION_RETIRED",
					    "LLC_REFERENCES", "LLC_MISSES",
					    "BRANCH_INSTRUCTIONS_RETIRED", "UNHALTED_TSC_CYCLES"}),
		  listed(m));
	// A vector of three bits says nothing of the others.
	const CoreTree few(0x03300403, 0, 0, 0x603);

	EXPECT_EQ(4u, listed(NativeMachine(few)).size());
}

// Version 1 has event selects and counters, and nothing else.
TEST(CoreNative, Version1)
{
	const CoreTree tree(0x07280201, 0, 0, 0x603);
	NativeMachine m(tree);
	const std::string before = tree.registers();
	auto info = support::sized<uncore_cpu_info>();

	ASSERT_EQ(0, m.code) << m.message();
	ASSERT_EQ(1, uncore_cpu(m.u, 3, &info)) << m.message();
	EXPECT_EQ(1u, info.version);
	EXPECT_EQ(2u, info.counters);
	EXPECT_EQ(40u, info.width);
	EXPECT_EQ(0u, info.fixed);
	EXPECT_FALSE(info.has_global || info.has_in_use);
	EXPECT_EQ(7u, listed(m).size());
	EXPECT_EQ(UNCORE_EATTR, m.refusal("ix86arch::LLC_MISSES:t"));
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=1"});

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0x4300c0u, tree.reg(1, kSelect + 1));
	EXPECT_EQ(0u, tree.reg(1, kGlobal) | tree.reg(1, kFixedControl));
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(before, tree.registers());
}

// SDM vol. 3B 18.2: fixed counters and the global registers since version 2, AnyThread since 3,
// INUSE since 4, a list of fixed counters in ECX since 5.
TEST(CoreNative, EachVersionHasWhatTheManualSays)
{
	for (uint32_t version = 1; version <= 5; version++) {
		const CoreTree tree(0x07300400 | version, 0, 0x8, 0x603);
		NativeMachine m(tree);
		auto info = support::sized<uncore_cpu_info>();
		unsigned id;

		ASSERT_EQ(1, uncore_cpu(m.u, 0, &info)) << m.message();
		EXPECT_EQ(version, info.version);
		EXPECT_EQ(version < 2 ? 0u : version < 5 ? 0x7u : 0xfu, info.fixed) << version;
		EXPECT_EQ(version >= 2, info.has_global) << version;
		EXPECT_EQ(version >= 4, info.has_in_use) << version;
		EXPECT_EQ(version < 3 ? UNCORE_EATTR : 0,
			  uncore_event(m.u, "ix86arch::LLC_MISSES:t", &id))
			<< version;
	}
}

// Version 5: a list of fixed counters with a hole, eight architectural events, no AnyThread.
TEST(CoreNative, Version5)
{
	const CoreTree tree(0x08300805, 0, 0xb, 0x8602);
	NativeMachine m(tree);
	auto info = support::sized<uncore_cpu_info>();
	struct uncore_plan *plan;

	ASSERT_EQ(1, uncore_cpu(m.u, 0, &info)) << m.message();
	EXPECT_EQ(5u, info.version);
	EXPECT_EQ(0xbu, info.fixed);
	EXPECT_TRUE(info.has_in_use);
	EXPECT_EQ(8u, listed(m).size()) << "there is no fixed counter 2";
	EXPECT_EQ(UNCORE_EATTR, m.refusal("ix86arch::LLC_MISSES:t"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("ix86arch::RAW:config=0x2000c0"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("ix86arch::RAW:config=0x300"));
	const unsigned id = m.event("ix86arch::TOPDOWN_SLOTS:cpu=0");

	ASSERT_EQ(0, uncore_plan(m.u, &id, 1, nullptr, &plan)) << m.message();
	EXPECT_EQ(11u, plan->layout.at[0].assignment.counter);
	EXPECT_EQ(0x30cu, plan->read.op[0].address);
	uncore_plan_free(plan);
}

// Widths are CPUID's: a 40-bit counter wraps into a 64-bit count.
TEST(CoreNative, CountersWrapAtTheirWidth)
{
	CoreTree tree(0x07280403, 0, 0, 0x503);
	NativeMachine m(tree);
	Set set(m, {"ix86arch::INSTRUCTION_RETIRED:cpu=0"});

	ASSERT_EQ(0, set.start()) << m.message();
	tree.set_reg(0, kFixed, (uint64_t{1} << 40) - 5);
	EXPECT_EQ((int64_t{1} << 40) - 5, set.count());
	tree.set_reg(0, kFixed, 7);
	EXPECT_EQ((int64_t{1} << 40) + 7, set.count());
}

TEST(CoreNative, ACpuWithoutAFileIsNamed)
{
	CoreTree tree(0x07300804, 0, 0, 0x603);

	tree.remove(Tree::msr_name(3));
	NativeMachine m(tree);

	ASSERT_EQ(0, m.code) << m.message();
	Set set(m, {"ix86arch::LLC_MISSES"});

	EXPECT_EQ(UNCORE_EACCESS, set.start());
	EXPECT_TRUE(mentions(m.message(), "dev/cpu/3/msr")) << m.message();
	Set other(m, {"ix86arch::LLC_MISSES:cpu=1"});

	EXPECT_EQ(0, other.start()) << m.message();
}

TEST(CoreNative, OfflineCpusHaveNoCounters)
{
	CoreTree tree(0x07300804, 0, 0, 0x603);

	tree.online("0,2-3");
	NativeMachine m(tree);

	EXPECT_EQ(UNCORE_ENODEV, m.refusal("ix86arch::LLC_MISSES:cpu=1"));
	EXPECT_TRUE(mentions(m.message(), "no such CPU is online")) << m.message();
	EXPECT_EQ("ix86arch::LLC_MISSES:cpu=3", m.canonical("ix86arch::LLC_MISSES:cpu=3"));
}

} // namespace
