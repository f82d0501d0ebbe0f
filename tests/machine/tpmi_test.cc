// SPDX-License-Identifier: BSD-3-Clause
// tpmi_test.cc - energy and the uncore's frequency where TPMI has them; docs/hardware/power.md.
#include <cerrno>
#include <functional>
#include <map>
#include <memory>

#include "support/interposer.h"
#include "support/machines.h"
#include "support/sim_machine.h"

namespace
{

using support::kSecond;

constexpr char kPackage[] = "UNCORE_ENERGY_PACKAGE_UJ", kDram[] = "UNCORE_ENERGY_DRAM_UJ";
constexpr char kWatts[] = "UNCORE_POWER_PACKAGE_WATTS";

// Where the simulated Clearwater Forest has its list of features, and what is behind it.
constexpr uint64_t kList = 0x207ffff60000, kStep = 0x20000000000;
constexpr uint64_t kInfo = 0, kRapl = 8; // entries
constexpr uint64_t kDomains = 0x800, kMemory = kDomains + 0x100, kDies = 0x1000;

// A machine whose list of package 0, or of both, holds what a test says, by offset.
class Tpmi
{
      public:
	explicit Tpmi(const std::string &machine = "cwf:packages=1")
	    : spec("sim:" + machine + ",time=virtual")
	{
		registers.on_read = [this](const unc_op &op, uint64_t *value) {
			const uint64_t at = (op.address - kList) % kStep;

			if (op.space != UNCORE_MMIO || at >= 0x2000)
				return registers.read(op, value);
			if (error)
				return error;
			reads++;
			if (everywhere)
				return everywhere(at, value), 0;
			if (!values.count(at))
				return registers.read(op, value);
			*value = values[at];
			return 0;
		};
	}
	void open()
	{
		machine = std::make_unique<support::Handle>(support::sim_options(spec.c_str()));
		ASSERT_EQ(0, machine->code) << machine->message();
	}
	void expect_refused(const std::string &name, const std::string &why) const
	{
		EXPECT_EQ(UNCORE_ENODEV, machine->refusal(name));
		EXPECT_NE(std::string::npos, machine->message().find(why)) << machine->message();
	}
	int64_t count(const std::string &name) const
	{
		support::Set set(*machine, {name});

		EXPECT_EQ(0, set.start()) << machine->message();
		const int64_t n = set.count();
		EXPECT_EQ(0, set.stop());
		return n;
	}

	std::string spec;
	support::Interposer registers;
	std::map<uint64_t, uint64_t> values;
	std::function<void(uint64_t at, uint64_t *value)> everywhere;
	int error = 0;
	unsigned reads = 0;
	std::unique_ptr<support::Handle> machine;
};

TEST(EnergyByTpmi, IsWhatTheMachineUses)
{
	const std::pair<const char *, unsigned> machines[] = {
		{"cwf:", 2}, {"dmr:", 2}, {"dmr:packages=1,dies=2,", 2}};

	for (const auto &[machine, n_dies] : machines) {
		const std::string spec = "sim:" + std::string(machine) + "time=virtual";
		support::Handle h(support::sim_options(spec.c_str()));
		sim *model = unc_hw_sim(unc_hw_of(h.u));
		double watts[2] = {};

		SCOPED_TRACE(spec);
		ASSERT_EQ(0, h.code) << h.message();
		for (unsigned p = 0; p < n_dies; p++)
			for (const bool dram : {false, true})
				watts[dram] += sim_power(model, p, dram);
		support::Set set(h, {kPackage, kDram, kWatts});
		ASSERT_EQ(0, set.start()) << h.message();
		sim_advance(model, 10 * kSecond);
		const std::vector<int64_t> n = set.counts();
		EXPECT_NEAR(1, static_cast<double>(n[0]) / (10e6 * watts[0]), 1e-5);
		EXPECT_NEAR(1, static_cast<double>(n[1]) / (10e6 * watts[1]), 1e-5);
		EXPECT_NEAR(1, uncore_real(n[2]) / watts[0], 1e-5);
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0u, sim_writes(model));
	}
}

TEST(EnergyByTpmi, IsInTheUnitOfItsDomain)
{
	Tpmi t;

	t.values[kMemory + 0x08] = 5 << 6;
	t.values[kMemory + 0x38] = 0xfffffff0;
	ASSERT_NO_FATAL_FAILURE(t.open());
	support::Set set(*t.machine, {kDram});
	ASSERT_EQ(0, set.start());
	t.values[kMemory + 0x38] = 0xabcd00000010; // the upper half is not part of it
	EXPECT_EQ(1000000, set.count());
	EXPECT_EQ(0, set.stop());
}

// Two lists for the halves of a package: two domains, each in its unit.
TEST(EnergyByTpmi, OfSeveralDomainsIsTheirSum)
{
	Tpmi t;

	t.values[kMemory] = 0xc8300010201; // the memory's domain says to be a package
	t.values[kMemory + 0x08] = 3 << 6;
	t.values[kMemory + 0x38] = 100;
	t.values[kDomains + 0x80 + 0x38] = 1000;
	ASSERT_NO_FATAL_FAILURE(t.open());
	support::Set set(*t.machine, {kPackage});
	ASSERT_EQ(0, set.start()) << t.machine->message();
	t.values[kMemory + 0x38] = 100 + (2 << 3);
	t.values[kDomains + 0x80 + 0x38] = 1000 + (5 << 14);
	EXPECT_EQ(7000000, set.count());
	EXPECT_EQ(0, set.stop());
	t.expect_refused(kDram, "the processor's TPMI does not report");
}

TEST(FrequencyByTpmi, IsTheMeanOfTheDiesWithCores)
{
	for (const char *machine : support::machines_between("gnr", "dmr")) {
		support::Handle h(support::sim_options(
			("sim:" + std::string(machine) + ":time=virtual").c_str()));
		support::Set set(h, {"UNCORE_FREQUENCY_MIN_MHZ", "UNCORE_FREQUENCY_MAX_MHZ",
				     "UNCORE_FREQUENCY_CURRENT_MHZ",
				     "UNCORE_FREQUENCY_MAX_MHZ:pkg=1"});

		SCOPED_TRACE(machine);
		ASSERT_EQ(0, set.start()) << h.message();
		const std::vector<int64_t> n = set.counts();
		EXPECT_DOUBLE_EQ(800, uncore_real(n[0]));
		EXPECT_DOUBLE_EQ(uncore_real(n[2]) + 200, uncore_real(n[1]));
		EXPECT_DOUBLE_EQ(uncore_real(n[1]), uncore_real(n[3]));
		EXPECT_EQ(0, set.stop());
	}
}

TEST(FrequencyByTpmi, HasOtherBitsThanByMsr)
{
	Tpmi t;

	t.values[kDies + 0x18] = 10ull << 15 | 24 << 8 | 0x7f; // minimum, maximum, no matter
	t.values[kDies + 0x40 + 0x18] = 12ull << 15 | 26 << 8 | UINT64_C(0x1f) << 22;
	t.values[kDies + 0x10] = 7 << 23 | 21;
	t.values[kDies + 0x40 + 0x10] = 7 << 23 | 22;
	t.values[kDies + 0x80 + 0x18] = 4ull << 15 | 16 << 8; // I/O
	ASSERT_NO_FATAL_FAILURE(t.open());
	EXPECT_DOUBLE_EQ(1100, uncore_real(t.count("UNCORE_FREQUENCY_MIN_MHZ")));
	EXPECT_DOUBLE_EQ(2500, uncore_real(t.count("UNCORE_FREQUENCY_MAX_MHZ")));
	EXPECT_DOUBLE_EQ(2150, uncore_real(t.count("UNCORE_FREQUENCY_CURRENT_MHZ")));
	EXPECT_EQ(4 << 15 | 16 << 8, t.count("UNC_UNCORE_RATIO_LIMIT_IO"));
}

// An older version does not report the contents of a die.
TEST(FrequencyByTpmi, WithoutAgentsIsThatOfAllDies)
{
	Tpmi t;

	for (const uint64_t die : {0x00, 0x40, 0x80}) {
		t.values[kDies + die + 0x10] = 18;
		t.values[kDies + die + 0x18] = die / 0x40 * 1000 << 8 & 0x7f00;
	}
	t.values[kDies + 0x80 + 0x18] = 12 << 8;
	t.values[kDies + 0x40 + 0x18] = 14 << 8;
	t.values[kDies + 0x18] = 16 << 8;
	ASSERT_NO_FATAL_FAILURE(t.open());
	EXPECT_DOUBLE_EQ(1400, uncore_real(t.count("UNCORE_FREQUENCY_MAX_MHZ")));
	t.expect_refused("UNC_UNCORE_RATIO_LIMIT_IO", "the processor's TPMI");
}

TEST(Tpmi, ThatMayNotBeReadIsRefusedWithThat)
{
	Tpmi t;

	t.error = -EACCES;
	ASSERT_NO_FATAL_FAILURE(t.open());
	t.expect_refused(kPackage, "may not be accessed with these rights");
	t.expect_refused("UNCORE_FREQUENCY_MAX_MHZ", "may not be accessed with these rights");
	EXPECT_EQ(nullptr, t.machine->warning(0)) << "the uncore lacks nothing";
}

TEST(Tpmi, ThatSaysNothingIsNotThere)
{
	const std::function<void(Tpmi *)> kinds[] = {
		[](Tpmi *t) { t->everywhere = [](uint64_t, uint64_t *value) { *value = 0; }; },
		[](Tpmi *t) { t->everywhere = [](uint64_t, uint64_t *value) { *value = ~0ull; }; },
		[](Tpmi *t) {
			t->values[kDomains + 0x80] = 0xff;          // no version
			t->values[kMemory] = UINT64_C(0x200010401); // no counter
			for (const unsigned die : {0x00, 0x40, 0x80})
				t->values[kDies + die] = 0xff | 1 << 8;
		},
	};

	for (const auto &kind : kinds) {
		Tpmi t;

		kind(&t);
		ASSERT_NO_FATAL_FAILURE(t.open());
		for (const char *name : {kPackage, kDram, "UNCORE_FREQUENCY_MAX_MHZ"})
			t.expect_refused(name, "the processor's TPMI does not report");
		EXPECT_EQ(nullptr, t.machine->warning(0));
	}
}

TEST(Tpmi, ThatPointsBehindItsEndIsLeftOut)
{
	Tpmi t;

	t.values[kDies + 0x08] = 0xff;                       // far behind the die
	t.values[kRapl] = UINT64_C(0x2001f0100);             // 31 dwords: no whole domain
	t.values[kInfo] = UINT64_C(0xffffffffffff) << 8 | 5; // as large as can be, of no interest
	ASSERT_NO_FATAL_FAILURE(t.open());
	EXPECT_DOUBLE_EQ(2400, uncore_real(t.count("UNCORE_FREQUENCY_MAX_MHZ"))); // the other one
	t.expect_refused(kPackage, "the processor's TPMI does not report");
}

// Found by fuzzing.
TEST(Tpmi, ThatNamesARegisterTwiceIsCountedOnce)
{
	Tpmi t;

	t.values[kInfo] = UINT64_C(0x200600100);   // the domains once more
	t.values[kDies + 0x08] = UINT64_C(0x0302); // clusters that share a register
	t.values[kDies] = 0x02 | 3 << 8;
	t.values[kDomains + 0x80 + 0x38] = 1000;
	ASSERT_NO_FATAL_FAILURE(t.open());
	support::Set set(*t.machine, {kPackage});
	ASSERT_EQ(0, set.start()) << t.machine->message();
	t.values[kDomains + 0x80 + 0x38] = 1000 + (5 << 14);
	EXPECT_EQ(5000000, set.count());
	EXPECT_EQ(0, set.stop());
	EXPECT_DOUBLE_EQ(2400, uncore_real(t.count("UNCORE_FREQUENCY_MAX_MHZ")));
}

TEST(Tpmi, ThatHasNoEndIsNotReadForEver)
{
	Tpmi t;

	t.everywhere = [](uint64_t at, uint64_t *value) {
		*value = at < 0x400 ? UINT64_C(0x0001ffffff00) : 0x1;
	};
	ASSERT_NO_FATAL_FAILURE(t.open());
	EXPECT_GE(2 * 10000u + 100, t.reads);
	t.expect_refused(kPackage, "no rapl_pkg");
}

} // namespace
