// SPDX-License-Identifier: BSD-3-Clause
// safe_test.cc - msr-safe: its files in place of dev/cpu/N/msr, its batches, its list.
#include <thread>

#include "hw/fake_safe.h"
#include "hw/pmon.h"
#include "set/inside.h"
#include "sim/sim.h"

namespace
{

using support::NativeMachine;
using support::SafeTree;
using support::Set;

constexpr uint32_t kBoxControl = 0xd04, kControl0 = 0xd10, kFilter = 0xd14, kCounter3 = 0xd19;

bool mentions(const std::string &text, const std::string &part)
{
	return text.find(part) != std::string::npos;
}

// One C-Box counter on each box of both packages, and one of each PCU.
const std::vector<std::string> kEvents = {"UNC_C_CLOCKTICKS", "UNC_P_CLOCKTICKS"};
constexpr unsigned kCounters = 2 * (8 + 1);

// ---- which file ----

TEST(Safe, TheKernelsOwnFilesComeFirst)
{
	SafeTree tree({"msr", "msr_safe"});
	tree.everything = 0; // nothing may be written through msr-safe
	NativeMachine m(tree);
	Set set(m, kEvents);

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_LT(0u, tree.writes);
}

// Without PCI devices there are neither memory controllers nor links.
TEST(Safe, MetricsOfMissingBoxesAreNotListed)
{
	SafeTree tree({"msr"});
	NativeMachine m(tree);
	unsigned id, metrics = 0;

	for (unsigned i = 0; uncore_listed_event(m.u, i, &id) == 1; i++) {
		const std::string name = uncore_event_name(m.u, id);

		if (name.rfind("UNCORE_", 0) != 0)
			continue;
		metrics++;
		EXPECT_NE("UNCORE_MEM_READ_BYTES", name);
		const Set set(m, {name}); // can be counted
	}
	EXPECT_LT(0u, metrics);
}

TEST(Safe, ItsFilesCountWhereTheOthersAreMissing)
{
	SafeTree tree({"msr_safe"});
	NativeMachine m(tree);
	Set set(m, kEvents);

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_NE(0u, tree.reg(1, kControl0 + 3));
	sim_advance(tree.sim, 1000000);
	for (const int64_t n : set.counts())
		EXPECT_LT(0, n);
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(0u, tree.reg(1, kControl0 + 3));
	EXPECT_EQ(0u, tree.ioctls);
}

TEST(Safe, ItsFilesCountWhereTheKernelRefusesToWrite)
{
	for (const char *file :
	     {"sys/module/msr/parameters/allow_writes", "sys/kernel/security/lockdown"}) {
		SafeTree tree({"msr", "msr_safe"});

		tree.write(file, "off [integrity]\n");
		tree.list[kControl0 + 3] = 0; // shows that the list is asked
		NativeMachine m(tree);
		Set set(m, {"UNC_C_CLOCKTICKS:box=1"});

		ASSERT_EQ(0, set.start()) << m.message();
		EXPECT_EQ(0, set.stop()) << m.message();
		Set other(m, {"UNC_C_CLOCKTICKS:box=0"});
		EXPECT_EQ(UNCORE_EACCESS, other.start());
	}
}

// The registers of a package are the same on all of its CPUs.
TEST(Safe, ARegisterThatTheCpuRefusesIsNotTriedOnOthers)
{
	SafeTree tree({"msr"});
	NativeMachine m(tree);
	unc_hw *hw = unc_hw_of(m.u);
	unc_op op = {};
	uint64_t value;

	op.space = UNCORE_MSR;
	op.width = 64;
	op.address = kControl0;
	tree.broken = {kControl0};
	ASSERT_EQ(0, unc_ask_msr_file(hw, 0));
	tree.reads = 0;
	EXPECT_EQ(-EIO, hw->ops->read(hw, &op, &value));
	EXPECT_EQ(1u, tree.reads);
}

TEST(Safe, FilesThatMayNotBeOpenedAreExplainedByTheirMode)
{
	SafeTree tree({"msr_safe"});
	const uid_t before = geteuid();

	chmod(tree.root.c_str(), 0755);
	for (unsigned i = 0; i < SafeTree::kCpus; i++)
		chmod(tree.path(SafeTree::file(i, "msr_safe")).c_str(), 0);
	ASSERT_EQ(0, before == 0 ? seteuid(65534) : 0);
	{
		NativeMachine m(tree);

		EXPECT_EQ(UNCORE_EACCESS, m.code);
		EXPECT_TRUE(mentions(m.message(), "dev/cpu/0/msr_safe")) << m.message();
		EXPECT_TRUE(mentions(m.message(), "mode forbids")) << m.message();
	}
	EXPECT_EQ(0, before == 0 ? seteuid(before) : 0);
}

// ---- batches ----

TEST(SafeBatch, OneCallReadsTheCountersOfAllPackages)
{
	for (unsigned version : {1u, 2u}) {
		SafeTree tree({"msr", "msr_batch"});
		tree.version = version;
		NativeMachine m(tree);
		Set set(m, kEvents);

		ASSERT_EQ(0, set.start()) << m.message();
		sim_advance(tree.sim, 1000000);
		tree.ioctls = tree.reads = tree.most = 0;
		const std::vector<int64_t> n = set.counts();
		EXPECT_EQ(1u, tree.ioctls);
		EXPECT_EQ(kCounters, tree.most);
		EXPECT_EQ(0u, tree.reads);
		uint64_t sum = 0;
		for (unsigned box = 0; box < 8; box++)
			for (unsigned p = 0; p < 2; p++)
				sum += tree.reg(p, kCounter3 + 0x20 * box);
		EXPECT_EQ(sum, static_cast<uint64_t>(n[0]));
		EXPECT_LT(0, n[1]);
		EXPECT_EQ(0, set.stop()) << m.message();
	}
}

TEST(SafeBatch, MoreThanOneArrayHoldsAreReadInSeveral)
{
	SafeTree tree({"msr", "msr_batch"});
	NativeMachine m(tree);
	std::vector<std::string> names = {"UNC_P_CLOCKTICKS"};
	for (const char *event : {"CLOCKTICKS", "TOR_INSERTS", "RING_AD_USED", "RING_BL_USED"})
		names.push_back(std::string("UNC_C_") + event);
	Set set(m, names);

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(tree.sim, 1000000);
	tree.ioctls = tree.reads = 0;
	const std::vector<int64_t> n = set.counts();
	EXPECT_EQ(2u, tree.ioctls); // 66 counters
	EXPECT_EQ(0u, tree.reads);
	EXPECT_EQ(unsigned{UNC_BATCH_MAX}, tree.most);
	EXPECT_LT(0, n[1]);
	tree.ioctls = 0;
	EXPECT_EQ(0, uncore_poll_wraps(m.u));
	EXPECT_EQ(2u, tree.ioctls);
	EXPECT_EQ(n, set.counts());
}

TEST(SafeBatch, WritesTheSameInTheSameOrder)
{
	const std::vector<std::string> names = {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
						"UNC_P_CLOCKTICKS", "UNC_M_CAS_COUNT:RD",
						"UNC_U_EVENT_MSG:DOORBELL_RCVD"};
	std::map<unsigned, std::vector<std::pair<uint32_t, uint64_t>>> written[2];
	unsigned calls[2];

	for (unsigned i = 0; i < 2; i++) {
		SafeTree tree(i ? std::set<std::string>{"msr", "msr_batch"}
				: std::set<std::string>{"msr"},
			      true);
		NativeMachine m(tree);
		Set set(m, names);

		tree.reads = 0;
		ASSERT_EQ(0, set.start()) << m.message();
		ASSERT_EQ(0, set.stop()) << m.message();
		written[i] = tree.written;
		calls[i] = tree.ioctls + tree.reads + tree.writes;
	}
	EXPECT_EQ(2u, written[0].size());
	EXPECT_LT(30u, written[0][1].size());
	EXPECT_EQ(written[0], written[1]);
	EXPECT_LT(calls[1] * 8, calls[0]);
}

TEST(SafeBatch, AListThatLacksARegisterLeavesItToTheFiles)
{
	SafeTree tree({"msr", "msr_batch"});
	tree.everything = 0;
	for (unsigned box = 0; box < 8; box++)
		tree.list[kCounter3 + 0x20 * box] = 0;
	NativeMachine m(tree);
	Set set(m, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(tree.sim, 1000000);
	tree.reads = 0;
	const int64_t before = set.count();
	EXPECT_LT(0, before);
	EXPECT_EQ(0u, tree.reads); // reading is allowed
	EXPECT_EQ(0, set.stop()) << m.message();

	// A list without the registers: asked for once.
	tree.list.clear();
	ASSERT_EQ(0, set.start()) << m.message();
	for (int i = 0; i < 3; i++) {
		tree.ioctls = tree.reads = 0;
		EXPECT_LE(0, set.count());
	}
	EXPECT_EQ(0u, tree.ioctls);
	EXPECT_EQ(16u, tree.reads);
	EXPECT_EQ(0, set.stop()) << m.message();
}

TEST(SafeBatch, ACpuThatGoesOfflineIsLeftToTheFiles)
{
	SafeTree tree({"msr", "msr_batch"});
	NativeMachine m(tree);
	Set set(m, kEvents);

	ASSERT_EQ(0, set.start()) << m.message();
	tree.offline = {0, 8};
	sim_advance(tree.sim, 1000000);
	EXPECT_LT(0, set.count());
	EXPECT_EQ(0, set.stop()) << m.message();
}

// The module then leaves the values as they were passed, without an error.
TEST(SafeBatch, ACpuThatGoesOfflineMeanwhileIsLeftToTheFiles)
{
	SafeTree tree({"msr", "msr_batch"});
	NativeMachine m(tree);
	Set set(m, {"UNC_P_CLOCKTICKS:pkg=0"});

	ASSERT_EQ(0, set.start()) << m.message();
	Set both(m, {"UNC_C_CLOCKTICKS:box=0"});
	ASSERT_EQ(0, both.start()) << m.message();
	sim_advance(tree.sim, 1000000);
	for (unsigned cpu = 0; cpu < SafeTree::kCpus; cpu++)
		tree.vanish.insert(cpu);
	EXPECT_EQ(tree.reg(0, kCounter3) + tree.reg(1, kCounter3),
		  static_cast<uint64_t>(both.count()));
	tree.vanish.clear();
	EXPECT_EQ(0, both.stop()) << m.message();
}

TEST(SafeBatch, ALackOfMemoryIsNotForEver)
{
	for (const int error : {ENOMEM, E2BIG}) {
		SafeTree tree({"msr", "msr_batch"});
		NativeMachine m(tree);
		Set set(m, kEvents);

		ASSERT_EQ(0, set.start()) << m.message();
		tree.on_batch = [error](support::MsrBatchArray *) { return error; };
		tree.reads = 0;
		set.counts();
		EXPECT_EQ(kCounters, tree.reads);
		tree.on_batch = nullptr;
		tree.reads = tree.ioctls = 0;
		set.counts();
		EXPECT_EQ(1u, tree.ioctls);
		EXPECT_EQ(0u, tree.reads);
		EXPECT_EQ(0, set.stop()) << m.message();
	}
}

TEST(SafeBatch, ARegisterThatTheCpuRefusesIsNamedAndTheRestPutBack)
{
	SafeTree tree({"msr", "msr_batch"});
	NativeMachine m(tree);
	Set set(m, {"UNC_C_CLOCKTICKS"});
	std::map<uint32_t, uint64_t> before;

	for (uint32_t msr = 0xd00; msr < 0xe00; msr++)
		if (sim_msr_read(tree.sim, 1, msr, &before[msr]) != 0)
			before.erase(msr);
	tree.broken = {kControl0 + 0x23};
	EXPECT_EQ(UNCORE_EIO, set.start());
	EXPECT_TRUE(mentions(m.message(), "register 0xd33")) << m.message();
	EXPECT_TRUE(mentions(m.message(), "the CPU refuses this register")) << m.message();
	for (const auto &r : before)
		EXPECT_EQ(r.second, tree.reg(1, r.first)) << std::hex << r.first;
}

TEST(SafeBatch, ThreadsReadAtTheSameTime)
{
	SafeTree tree({"msr", "msr_batch"});
	NativeMachine m(tree);
	Set set(m, {"UNC_C_CLOCKTICKS"});
	std::vector<std::thread> threads;

	ASSERT_EQ(0, set.start()) << m.message();
	for (int t = 0; t < 3; t++)
		threads.emplace_back([&] {
			int64_t last = 0;

			for (int i = 0; i < 100; i++) {
				int64_t now = -1;

				sim_advance(tree.sim, 1000);
				EXPECT_EQ(0, uncore_set_read(set.set, &now));
				EXPECT_LE(last, now);
				last = now;
			}
		});
	for (std::thread &t : threads)
		t.join();
	EXPECT_EQ(0, set.stop()) << m.message();
}

// ---- what a batch has done ----

// The batch device and its answers: results of operations, and what they have done.
class SafeRun : public testing::Test
{
      protected:
	static unc_op op(uncore_op_kind kind, uint32_t msr, uint64_t value = 0, uint64_t mask = 0)
	{
		unc_op o = {};

		o.kind = kind;
		o.space = UNCORE_MSR;
		o.width = 64;
		o.address = msr;
		o.value = value;
		o.mask = mask;
		return o;
	}
	int run(const std::vector<unc_op> &ops)
	{
		results.assign(ops.size(), unc_result{});
		EXPECT_EQ(0, unc_ask_msr_file(hw, 0));
		return hw->ops->run_many(hw, ops.data(), static_cast<unsigned>(ops.size()),
					 results.data());
	}

	SafeTree tree{{"msr", "msr_batch"}};
	NativeMachine machine{tree};
	unc_hw *hw = unc_hw_of(machine.u);
	std::vector<unc_result> results;
	const std::vector<unc_op> reads = {op(UNCORE_READ, kBoxControl), op(UNCORE_READ, kFilter)};
};

// The module checks all operations before it carries out the first one.
TEST_F(SafeRun, WhatIsRefusedAtOnceHasDoneNothing)
{
	tree.list[kFilter] = UINT64_MAX;
	tree.everything = 0;
	EXPECT_EQ(-EACCES, run(reads)) << "the first one is not in the list";
	EXPECT_EQ(-EACCES, run({reads[1], reads[0]})) << "the second one is not";
	tree.everything = UINT64_MAX;
	for (unsigned cpu = 0; cpu < SafeTree::kCpus; cpu++)
		tree.offline.insert(cpu);
	EXPECT_EQ(-ENXIO, run(reads));
	// another operation may have been refused, of which the list was changed meanwhile
	tree.offline = {};
	tree.on_batch = [](support::MsrBatchArray *array) {
		return array->ops[0].isrdmsr ? 0 : -(array->ops[0].err = -EROFS);
	};
	EXPECT_EQ(-EROFS, run({op(UNCORE_WRITE, kBoxControl, 0x10100)}));
}

// A fault of one access does not end the others, so they must not be repeated.
TEST_F(SafeRun, WhatFailsLaterHasDoneTheRest)
{
	tree.broken = {kBoxControl};
	ASSERT_EQ(0, sim_msr_write(tree.sim, 0, kFilter, 0x5));
	for (const unsigned broken : {0u, 1u}) {
		ASSERT_EQ(0, run({reads[broken], reads[1 - broken]}));
		EXPECT_EQ(-EIO, results[broken].error);
		EXPECT_EQ(0, results[1 - broken].error);
		EXPECT_EQ(0x5u, results[1 - broken].value);
	}
}

TEST_F(SafeRun, AnErrorOfTheDeviceIsThatOfTheList)
{
	tree.on_batch = [](support::MsrBatchArray *) { return ENOTTY; };
	EXPECT_EQ(-ENOTTY, run(reads));
}

// Bits outside of the mask keep the value that they have.
TEST_F(SafeRun, OnlyTheBitsOfTheMaskChange)
{
	ASSERT_EQ(0, sim_msr_write(tree.sim, 0, kFilter, 0x5));
	ASSERT_EQ(0, run({op(UNCORE_RMW, kFilter, ~UINT64_C(0), 0xff800000)}));
	EXPECT_EQ(0x5u, results[0].value);
	EXPECT_EQ(0xff800005u, tree.reg(0, kFilter));
}

// Only writes that change something need permission.
TEST_F(SafeRun, AValueThatARegisterHoldsIsNotWritten)
{
	tree.list[kFilter] = 0;
	ASSERT_EQ(0, sim_msr_write(tree.sim, 0, kFilter, 0x5));
	tree.written.clear();
	EXPECT_EQ(0, run({op(UNCORE_WRITE, kFilter, 0x5), op(UNCORE_RMW, kFilter, 1, 1)}));
	EXPECT_EQ(0u, tree.written.size());
	EXPECT_EQ(-EROFS, run({op(UNCORE_WRITE, kFilter, 0x5), op(UNCORE_WRITE, kFilter, 0x7)}));
	EXPECT_EQ(0x5u, tree.reg(0, kFilter));
}

// NID and TID: 327043 table 2-11.
TEST_F(SafeRun, ALaterWriteMayNotChangeMoreThanTheFirst)
{
	tree.list[kFilter] = 0x1f;
	ASSERT_EQ(0, sim_msr_write(tree.sim, 0, kFilter, 0xc00));
	EXPECT_EQ(0, run({op(UNCORE_WRITE, kFilter, 0xc01), op(UNCORE_WRITE, kFilter, 0xc02)}));
	EXPECT_EQ(0xc02u, tree.reg(0, kFilter));
	EXPECT_EQ(-EROFS,
		  run({op(UNCORE_WRITE, kFilter, 0xc03), op(UNCORE_WRITE, kFilter, 0x402)}));
	EXPECT_EQ(0xc02u, tree.reg(0, kFilter));
}

// ---- what the list forbids ----

std::string refused(SafeTree *tree)
{
	NativeMachine m(*tree);
	Set set(m, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:pkg=1"});
	const auto written = tree->written;

	EXPECT_EQ(UNCORE_EACCESS, set.start());
	EXPECT_EQ(0u, tree->reg(1, kControl0));
	EXPECT_EQ(0u, tree->reg(1, kFilter + 0x20 * 7));
	return m.message();
}

TEST(SafeList, BitsThatAreNotInTheMaskAreNamedWithTheLineToAdd)
{
	for (const char *other : {"msr_batch", "nothing"}) {
		SafeTree tree({"msr_safe", other});
		// the opcode is in bits 23 to 31
		tree.list[kFilter] = 0x007fffff;
		if (strcmp(other, "nothing") == 0)
			tree.write(
				"dev/cpu/msr_allowlist",
				"# MSR # Write Mask # Comment\n0x00000D14 0x00000000007FFFFF\n"
				"0x00000D04 0xFFFFFFFFFFFFFFFF\n0x00000D10 0xFFFFFFFFFFFFFFFF\n");
		const std::string why = refused(&tree);

		EXPECT_TRUE(mentions(why, "dev/cpu/8/msr_safe, register 0xd14: ")) << why;
		EXPECT_TRUE(mentions(why, "does not let its bits 0xff800000 be written")) << why;
		EXPECT_TRUE(mentions(why, " 0x00000D14 0x00000000FFFFFFFF ")) << why;
		EXPECT_TRUE(mentions(why, "uncore allowlist")) << why;
	}
}

TEST(SafeList, RegistersThatItLacksAreNamed)
{
	SafeTree tree({"msr_safe", "msr_batch"});
	tree.everything = 0;
	for (uint32_t msr = 0xc00; msr < 0xe00; msr++)
		tree.list[msr] = UINT64_MAX;
	tree.everything = 0;
	tree.list[kBoxControl] = 0;
	const std::string why = refused(&tree);

	EXPECT_TRUE(mentions(why, "register 0xd04: ")) << why;
	EXPECT_TRUE(mentions(why, "be written")) << why;
}

// ---- the order of a list ----

struct FakeHw {
	unc_hw base = {};
	std::map<uint64_t, uint64_t> regs;
	std::vector<unsigned> batches; // operations in each, 1: done by itself
	int refuse = 0;
	unc_pmon map = {};

	FakeHw()
	{
		static const unc_hw_ops ops = [] {
			unc_hw_ops o = {};
			o.read = [](unc_hw *hw, const unc_op *op, uint64_t *value) {
				*value = self(hw).regs[op->address];
				self(hw).batches.push_back(1);
				return 0;
			};
			o.write = [](unc_hw *hw, const unc_op *op, uint64_t value) {
				self(hw).regs[op->address] = value;
				self(hw).batches.push_back(1);
				return 0;
			};
			o.run_many = [](unc_hw *hw, const unc_op *op, unsigned n,
					unc_result *results) {
				if (self(hw).refuse)
					return self(hw).refuse;
				self(hw).batches.push_back(n);
				for (unsigned i = 0; i < n; i++)
					results[i] = {self(hw).regs[op[i].address], 0};
				return 0;
			};
			return o;
		}();

		base.ops = &ops;
		base.batch = 4;
	}
	~FakeHw()
	{
		unc_pmon_free(&map);
	}
	FakeHw(const FakeHw &) = delete;
	FakeHw &operator=(const FakeHw &) = delete;

	static FakeHw &self(unc_hw *hw)
	{
		return *reinterpret_cast<FakeHw *>(hw);
	}
	// All registers of these operations are ones that may be written.
	void allow(const std::vector<unc_op> &ops)
	{
		for (const unc_op &op : ops) {
			unc_pmon_register reg = unc_pmon_key(&op);

			reg.bits = UINT64_MAX;
			unc_pmon_add(&map, &reg);
		}
		base.pmon = &map;
	}
};

unc_op op(uint8_t kind, uint8_t space, uint64_t address)
{
	unc_op o = {};

	o.kind = kind;
	o.space = space;
	o.address = address;
	return o;
}

TEST(SafeOrder, OnlyNeighboursAreOneBatch)
{
	const std::vector<unc_op> ops = {
		op(UNCORE_WRITE, UNCORE_MSR, 1), op(UNCORE_RMW, UNCORE_MSR, 2),
		op(UNCORE_WRITE, UNCORE_PCI, 3), op(UNCORE_WRITE, UNCORE_MSR, 4),
		op(UNCORE_RMW, UNCORE_MSR, 5),   op(UNCORE_RMW, UNCORE_CPU, 5),
		op(UNCORE_RMW, UNCORE_MSR, 5), // needs what the third last has written
		op(UNCORE_READ, UNCORE_MSR, 6),  op(UNCORE_READ, UNCORE_MSR, 6),
		op(UNCORE_READ, UNCORE_MSR, 6),  op(UNCORE_READ, UNCORE_MSR, 6)};
	FakeHw hw;
	size_t done = 0;

	hw.allow(ops);
	ASSERT_EQ(0, unc_run_list(&hw.base, ops.data(), ops.size(), nullptr, &done, nullptr));
	EXPECT_EQ(ops.size(), done);
	EXPECT_EQ((std::vector<unsigned>{2, 1, 3, 4, 1}), hw.batches);
}

TEST(SafeOrder, OperationsThatABatchRefusesAreDoneOneByOne)
{
	const std::vector<unc_op> ops = {op(UNCORE_READ, UNCORE_MSR, 1),
					 op(UNCORE_READ, UNCORE_MSR, 2),
					 op(UNCORE_READ, UNCORE_MSR, 3)};
	FakeHw hw;
	size_t done = 0;
	uint64_t values[3];

	hw.refuse = -EACCES;
	hw.regs = {{1, 11}, {2, 22}, {3, 33}};
	ASSERT_EQ(0, unc_run_list(&hw.base, ops.data(), ops.size(), values, &done, nullptr));
	EXPECT_EQ((std::vector<unsigned>{1, 1, 1}), hw.batches);
	EXPECT_EQ(33u, values[2]);
}

} // namespace
