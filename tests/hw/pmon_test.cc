// SPDX-License-Identifier: BSD-3-Clause
// pmon_test.cc - the last guard before a write: the map of PMON registers has nothing else in
// it, and nothing else is written.
#include "hw/pmon.h"

#include <cerrno>
#include <vector>

#include "machine/machine.h"
#include "plan/place.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/machines.h"
#include "support/stepped.h"

namespace
{

using support::Handle;
using support::sim_options;

// ---- the map, and the registers that the simulated machine has ----

class Pmon : public testing::TestWithParam<const char *>
{
};

// Bits of registers of counters that the manual, and with it the simulated machine, calls
// reserved, and that Linux writes nevertheless: of raw events of the PCU, of QPI's packet match
// and mask; AnyThread of fixed counters, which is only cleared, on CPUs that have it no more.
uint64_t not_in_manual(const unc_pmon_register &reg)
{
	if (reg.space == UNCORE_MSR && reg.address >= 0x711 && reg.address <= 0x714)
		return 1U << 21;
	if (reg.space == UNCORE_PCI && (reg.address == 0x228 || reg.address == 0x238))
		return ~0x8003fff8U;
	if (reg.space == UNCORE_PCI && (reg.address == 0x22c || reg.address == 0x23c))
		return ~0x000f000fU;
	return reg.space == UNCORE_CPU && reg.address == 0x38d ? 0x4444 : 0;
}

// An MSR refuses bits that it does not have; one by one, since an S-Box takes them in no other
// way.
uint64_t bits_of_msr(struct sim *sim, const unc_pmon_register &reg)
{
	const auto msr = static_cast<uint32_t>(reg.address);
	uint64_t bits = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		const uint64_t one = UINT64_C(1) << bit;

		if (!(reg.bits & one))
			continue;
		if ((reg.space == UNCORE_CPU ? sim_cpu_msr_write(sim, 0, msr, one)
					     : sim_msr_write(sim, reg.unit, msr, one)) == 0)
			bits |= one;
	}
	return bits;
}

uint64_t bits_of(const Handle &h, const unc_pmon_register &reg)
{
	struct sim *sim = unc_hw_sim(unc_hw_of(h.u));
	const unc_machine *m = unc_machine_of(h.u);
	const bool wide = reg.width == 64;

	if (reg.space == UNCORE_PCI) {
		const unc_pci &p = m->topo.pci[reg.unit];
		const auto at = static_cast<uint32_t>(reg.address);

		return sim_pci_bits(sim, p.segment, p.bus, p.devfn, at) |
		       (wide ? static_cast<uint64_t>(
				       sim_pci_bits(sim, p.segment, p.bus, p.devfn, at + 4))
					<< 32
			     : 0);
	}
	if (reg.space == UNCORE_MMIO)
		return sim_mmio_bits(sim, reg.address) |
		       (wide ? static_cast<uint64_t>(sim_mmio_bits(sim, reg.address + 4)) << 32
			     : 0);
	return bits_of_msr(sim, reg);
}

TEST_P(Pmon, TheMapHasOnlyPmonRegisters)
{
	const Handle h(sim_options(("sim:" + std::string(GetParam())).c_str()));
	ASSERT_EQ(0, h.code) << h.message();
	const unc_pmon *map = unc_hw_of(h.u)->pmon;

	ASSERT_NE(nullptr, map);
	EXPECT_LT(100U, map->n);
	for (size_t i = 0; i < map->n; i++) {
		const unc_pmon_register &reg = map->reg[i];

		EXPECT_NE(0U, reg.bits);
		EXPECT_EQ(0U, reg.bits & ~bits_of(h, reg) & ~not_in_manual(reg))
			<< "space " << int(reg.space) << " unit " << reg.unit << std::hex << " at "
			<< reg.address << " bits " << reg.bits;
	}
}

// An address that is one off, or that of another device, is refused.
TEST_P(Pmon, AdjacentBytesAreNotWritten)
{
	const Handle h(sim_options(("sim:" + std::string(GetParam())).c_str()));
	unc_hw *hw = unc_hw_of(h.u);
	struct sim *sim = unc_hw_sim(hw);
	const uint64_t writes = sim_writes(sim);
	uint64_t value;

	for (size_t i = 0; i < hw->pmon->n; i++) {
		const unc_pmon_register &reg = hw->pmon->reg[i];

		for (int off : {-8, -4, -1, 1, 4, 8, 0x1000}) {
			unc_op op = {};

			op.kind = UNCORE_WRITE;
			op.space = reg.space;
			op.width = reg.width;
			op.package = op.unit = reg.unit;
			op.address = reg.address + static_cast<uint64_t>(static_cast<int64_t>(off));
			if (!unc_pmon_find(hw->pmon, &op)) {
				EXPECT_EQ(-EADDRNOTAVAIL, unc_run_op(hw, &op, &value));
			}
		}
	}
	EXPECT_EQ(writes, sim_writes(sim));
}

INSTANTIATE_TEST_SUITE_P(Platforms, Pmon, testing::ValuesIn(support::machines_and_variants()),
			 [](const auto &info) { return support::machine_label(info.param); });

// ---- single operations: SNB-EP, manual 327043-001 ----

constexpr uint32_t kControl = 0xd10, kBoxControl = 0xd04; // of C-Box 0
constexpr uint32_t kGlobal = 0x38f;                       // of a CPU
constexpr uint64_t kCycles = 0x400000;

class Guard : public testing::Test
{
      protected:
	Guard()
	    : h(sim_options("sim:snbep:packages=2,cores=4,time=virtual")), hw(unc_hw_of(h.u)),
	      sim(unc_hw_sim(hw))
	{
	}
	static unc_op op(uncore_op_kind kind, uint64_t address, uint64_t value, uint64_t mask = 0)
	{
		unc_op o = {};

		o.kind = kind;
		o.space = UNCORE_MSR;
		o.width = 64;
		o.address = address;
		o.value = value;
		o.mask = mask;
		return o;
	}
	int run(const unc_op &o)
	{
		uint64_t value = 0;

		return unc_run_op(hw, &o, &value);
	}
	void expect_refused(const unc_op &o)
	{
		const uint64_t writes = sim_writes(sim);

		EXPECT_EQ(-EADDRNOTAVAIL, run(o)) << std::hex << o.address;
		EXPECT_EQ(writes, sim_writes(sim));
	}
	// The function of the first memory channel.
	unc_op memory_op(uint32_t offset, uint64_t value)
	{
		const unc_machine *m = unc_machine_of(h.u);
		unc_op o = op(UNCORE_WRITE, offset, value);

		o.space = UNCORE_PCI;
		o.width = 32;
		for (size_t i = 0; i < m->n_boxes; i++)
			if (std::string(m->boxes[i].type->name) == "imc")
				o.unit = static_cast<uint16_t>(m->boxes[i].pci);
		return o;
	}

	const Handle h;
	unc_hw *hw;
	struct sim *sim;
};

TEST_F(Guard, RegistersOfCountersAreWritten)
{
	EXPECT_EQ(0, run(op(UNCORE_WRITE, kControl, kCycles)));
	EXPECT_EQ(0, run(op(UNCORE_WRITE, kBoxControl, 0x10100)));
	EXPECT_EQ(0, run(memory_op(0xd8, kCycles)));
}

TEST_F(Guard, OtherMsrsAreNotWritten)
{
	for (uint64_t address :
	     {0x10ULL, 0x1a0ULL, 0x199ULL, 0x38dULL, 0xd05ULL, 0xd15ULL, 0xd16ULL, 0x100000d10ULL})
		expect_refused(op(UNCORE_WRITE, address, 0));
	unc_op other = op(UNCORE_WRITE, kControl, 0);
	other.package = 2;
	expect_refused(other);
	other.package = 0;
	other.space = UNCORE_CPU;
	expect_refused(other);
}

TEST_F(Guard, ConfigSpaceOutsideTheCountersIsNotWritten)
{
	for (uint32_t offset : {0x0U, 0x4U, 0x10U, 0x40U, 0xd4U, 0xd9U, 0xecU})
		expect_refused(memory_op(offset, 0));
	unc_op wide = memory_op(0xd8, 0);
	wide.width = 64;
	expect_refused(wide);
	unc_op other = memory_op(0xd8, 0);
	for (other.unit = 0; other.unit < unc_machine_of(h.u)->topo.n_pci + 3; other.unit++)
		if (!unc_pmon_find(hw->pmon, &other))
			expect_refused(other);
}

TEST_F(Guard, BitsThatNoCounterHasAreNotSet)
{
	expect_refused(op(UNCORE_WRITE, kControl, kCycles | UINT64_C(1) << 33));
	expect_refused(op(UNCORE_RMW, kControl, 0, UINT64_C(1) << 33));
	expect_refused(op(UNCORE_RMW, kControl, 0, UINT64_MAX));
	expect_refused(memory_op(0xf4, 1U << 30));
}

// SNB-EP: counters are only read.
TEST_F(Guard, CountersThatAreNotLoadedAreNotWritten)
{
	expect_refused(op(UNCORE_WRITE, 0xd16, 0));
	expect_refused(memory_op(0xa0, 0));
}

// Bit 34 enables the CPU's third fixed counter; bit 48 has no known user.
TEST_F(Guard, OthersBitsOfASharedRegisterStay)
{
	unc_op o = op(UNCORE_WRITE, kGlobal, 0);

	o.space = UNCORE_CPU;
	hw->ops->read(hw, &o, &o.value);
	EXPECT_EQ(0, run(o));
	o.value ^= UINT64_C(1) << 48;
	expect_refused(o);
	o.value ^= UINT64_C(1) << 48;
	o.value ^= UINT64_C(1) << 34;
	EXPECT_EQ(0, run(o));
}

// The bits that a write changes outside of the map, whatever else the register has there.
TEST_F(Guard, OthersBitsAreComparedWithWhatTheRegisterHolds)
{
	static constexpr uint64_t kOther = UINT64_C(1) << 48;
	unc_hw_ops ops = *hw->ops;
	unc_hw held = *hw;
	unc_op global = op(UNCORE_WRITE, kGlobal, kOther), control = global;

	held.ops = &ops;
	ops.read = [](unc_hw *, const unc_op *, uint64_t *value) {
		*value = kOther;
		return 0;
	};
	global.space = UNCORE_CPU;
	control.address = kControl;
	EXPECT_EQ(0, unc_pmon_check(&held, &global));
	EXPECT_EQ(0, unc_pmon_check(&held, &control));
	global.value = control.value = 0;
	EXPECT_EQ(-EADDRNOTAVAIL, unc_pmon_check(&held, &global)) << "it is another program's";
	EXPECT_EQ(0, unc_pmon_check(&held, &control)) << "it is reserved";
	control.value = kOther << 1;
	EXPECT_EQ(-EADDRNOTAVAIL, unc_pmon_check(&held, &control));
}

// A process that recovers the registers of a killed one.
TEST_F(Guard, ARestoredRegisterKeepsWhatIsNotTheCounters)
{
	const unc_op control = op(UNCORE_READ, kControl, 0);
	unc_op global = op(UNCORE_READ, kGlobal, 0), restore = {};
	constexpr uint64_t kOther = UINT64_C(1) << 40;
	const auto value = [&](uint64_t held, uint64_t before) {
		EXPECT_TRUE(unc_place_restoring(hw->pmon, &control, held, 0, before, &restore));
		EXPECT_EQ(UNCORE_WRITE, restore.kind);
		return restore.value;
	};

	EXPECT_EQ(kOther | 0x14, value(kOther, 0x14));
	EXPECT_EQ(0x14u, value(0, kCycles | 0x14)) << "no counter is enabled";
	EXPECT_EQ(kCycles | 0x14, value(kCycles, kCycles | 0x14)) << "it is enabled already";
	global.space = UNCORE_CPU;
	EXPECT_TRUE(unc_place_restoring(hw->pmon, &global, kOther, 0, 0, &restore));
	EXPECT_EQ(UNCORE_RMW, restore.kind) << "other programs have bits in it";
	EXPECT_EQ(0u, restore.mask & kOther);
}

TEST_F(Guard, AChangeOfBitsLeavesTheOthers)
{
	uint64_t value = 0;

	ASSERT_EQ(0, run(op(UNCORE_WRITE, kControl, 0x14)));
	ASSERT_EQ(0, run(op(UNCORE_RMW, kControl, UINT64_MAX, 0xff00)));
	EXPECT_EQ(0, sim_msr_read(sim, 0, kControl, &value));
	EXPECT_EQ(0xff14u, value);
}

TEST_F(Guard, TheMessageNamesTheRegister)
{
	const unc_op o = op(UNCORE_WRITE, 0x1a0, 1);
	struct unc_err err;
	size_t done = 7;

	unc_err_init(&err);
	EXPECT_EQ(UNCORE_EINVAL, unc_run_list(hw, &o, 1, nullptr, &done, &err));
	EXPECT_EQ(0U, done);
	EXPECT_STREQ("MSRs of package 0, register 0x1a0 (64 bits): write blocked because it is not "
		     "a counter register on this machine; this is a bug in the library, please "
		     "report it",
		     err.text);
	unc_err_destroy(&err);
}

TEST_F(Guard, NothingIsWrittenWithoutAMap)
{
	const unc_pmon *map = hw->pmon;

	hw->pmon = nullptr;
	expect_refused(op(UNCORE_WRITE, kControl, kCycles));
	hw->pmon = map;
}

TEST_F(Guard, ReadsAreNotLookedAt)
{
	uint64_t value;

	hw->pmon = nullptr;
	EXPECT_EQ(0, run(op(UNCORE_READ, kControl, 0)));
	const unc_op o = op(UNCORE_READ, 0x10, 0);
	EXPECT_EQ(sim_msr_read(sim, 0, 0x10, &value), run(o));
}

// ---- batches ----

struct Batches {
	unc_hw hw;
	unsigned batches, largest, writes;
};

int do_read(unc_hw *, const unc_op *, uint64_t *value)
{
	*value = 0;
	return 0;
}

int do_write(unc_hw *hw, const unc_op *, uint64_t)
{
	reinterpret_cast<Batches *>(hw)->writes++;
	return 0;
}

int do_run_many(unc_hw *hw, const unc_op *, unsigned n, unc_result *results)
{
	Batches *b = reinterpret_cast<Batches *>(hw);

	b->batches++;
	b->largest = n > b->largest ? n : b->largest;
	for (unsigned i = 0; i < n; i++)
		results[i] = {0, 0};
	return 0;
}

class BatchGuard : public Guard
{
      protected:
	BatchGuard()
	{
		ops.read = do_read;
		ops.write = do_write;
		ops.run_many = do_run_many;
		batches.hw.ops = &ops;
		batches.hw.topo = hw->topo;
		batches.hw.pmon = hw->pmon;
		batches.hw.batch = UNC_BATCH_MAX;
	}
	int run_list(std::vector<unc_op> list, size_t *done)
	{
		return unc_run_list(&batches.hw, list.data(), list.size(), nullptr, done, nullptr);
	}

	unc_hw_ops ops = {};
	Batches batches = {};
};

TEST_F(BatchGuard, RegistersAreRestored)
{
	unc_op o = op(UNCORE_WRITE, kControl, UINT64_C(1) << 33); // set by another tool
	size_t done;

	EXPECT_EQ(UNCORE_EINVAL, run_list({o}, &done));
	o.saved = true;
	EXPECT_EQ(0, run_list({o}, &done));
	o.address = 0x1a0;
	EXPECT_EQ(UNCORE_EINVAL, run_list({o}, &done));
	EXPECT_EQ(1U, batches.writes);
}

TEST_F(BatchGuard, ABatchOfCountersIsOneAccess)
{
	const unc_op good = op(UNCORE_WRITE, kControl, kCycles);
	size_t done;

	EXPECT_EQ(0, run_list({good, good, good}, &done));
	EXPECT_EQ(1U, batches.batches);
	EXPECT_EQ(3U, batches.largest);
}

TEST_F(BatchGuard, ABatchEndsBeforeWhatIsRefused)
{
	const unc_op good = op(UNCORE_WRITE, kControl, kCycles);
	const unc_op bad = op(UNCORE_WRITE, 0x1a0, 0);
	size_t done;

	EXPECT_EQ(UNCORE_EINVAL, run_list({good, good, bad, good, good}, &done));
	EXPECT_EQ(2U, done);
	EXPECT_EQ(1U, batches.batches);
	EXPECT_EQ(2U, batches.largest);
	EXPECT_EQ(0U, batches.writes);
	EXPECT_EQ(UNCORE_EINVAL, run_list({bad, good}, &done));
	EXPECT_EQ(0U, done);
	EXPECT_EQ(0U, batches.writes);
}

} // namespace
