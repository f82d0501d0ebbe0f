// SPDX-License-Identifier: BSD-3-Clause
// power_test.cc - energy of packages and their memory: units, wraps, and machines without it.
#include <algorithm>
#include <cerrno>
#include <cmath>
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

// docs/hardware/power.md
constexpr uint32_t kUnit = 0x606, kPackageEnergy = 0x611, kDramEnergy = 0x619, kLimit = 0x620,
		   kStatus = 0x621;

uint64_t unit(unsigned bits)
{
	return 0xa0003 | bits << 8;
}

// A machine whose registers of energy hold what a test says.
class Energy
{
      public:
	explicit Energy(const std::string &machine, unsigned bits = 14)
	    : spec("sim:" + machine + ",time=virtual")
	{
		for (unsigned p = 0; p < 2; p++) {
			set(p, kUnit, unit(bits));
			set(p, kPackageEnergy, 1000);
			set(p, kDramEnergy, 1000);
		}
		registers.on_read = [this](const unc_op &op, uint64_t *value) {
			const auto known =
				values.find({op.package, static_cast<uint32_t>(op.address)});

			if (op.space != UNCORE_MSR || known == values.end())
				return registers.read(op, value);
			*value = known->second;
			return refused(known->first.second);
		};
	}
	void set(unsigned package, uint32_t msr, uint64_t value)
	{
		values[{package, msr}] = value;
	}
	void open()
	{
		machine = std::make_unique<support::Handle>(support::sim_options(spec.c_str()));
		ASSERT_EQ(0, machine->code) << machine->message();
	}
	sim *model() const
	{
		return unc_hw_sim(registers.behind());
	}
	bool lists(const std::string &name) const
	{
		unsigned id;

		for (unsigned i = 0; uncore_listed_event(machine->u, i, &id) == 1; i++)
			if (name == uncore_event_name(machine->u, id))
				return true;
		return false;
	}
	void expect_refused(const std::string &name, int code, const std::string &why) const
	{
		EXPECT_FALSE(lists(name));
		EXPECT_EQ(code, machine->refusal(name));
		EXPECT_NE(std::string::npos, machine->message().find(why)) << machine->message();
		EXPECT_EQ(0u, machine->message().find(name)) << machine->message();
	}

	std::string spec;
	support::Interposer registers;
	std::map<std::pair<unsigned, uint32_t>, uint64_t> values;
	std::unique_ptr<support::Handle> machine;
	std::map<uint32_t, int> errors;

      private:
	int refused(uint32_t msr) const
	{
		const auto error = errors.find(msr);

		return error == errors.end() ? 0 : error->second;
	}
};

TEST(Energy, IsCountedInTheUnitOfThePackage)
{
	for (const unsigned bits : {14u, 16u, 3u}) {
		Energy e("snbep:packages=1", bits);

		ASSERT_NO_FATAL_FAILURE(e.open());
		support::Set set(*e.machine, {kPackage, kDram});
		ASSERT_EQ(0, set.start()) << e.machine->message();
		e.set(0, kPackageEnergy, 1000 + (UINT64_C(7) << bits));
		e.set(0, kDramEnergy, 1000 + (UINT64_C(1) << bits) / 8);
		EXPECT_EQ((std::vector<int64_t>{7000000, 125000}), set.counts());
		EXPECT_EQ(0, set.stop());
	}
}

// docs/hardware/power.md, "Energy unit": 2^-16 J whatever the register says, but not on SPR.
TEST(Energy, OfMemoryHasAFixedUnitFromHaswellToIceLake)
{
	for (const char *name : support::machines_between("snbep", "srf")) {
		const unsigned bits = support::is_between(name, "hswep", "icx") ? 16 : 14;
		Energy e(std::string(name) + ":packages=1", 14);

		SCOPED_TRACE(name);
		ASSERT_NO_FATAL_FAILURE(e.open());
		support::Set set(*e.machine, {kPackage, kDram});
		ASSERT_EQ(0, set.start()) << e.machine->message();
		e.set(0, kPackageEnergy, 1000 + (1 << 14));
		e.set(0, kDramEnergy, 1000 + (1 << bits));
		EXPECT_EQ((std::vector<int64_t>{1000000, 1000000}), set.counts());
		EXPECT_EQ(0, set.stop());
	}
}

TEST(Energy, OfAllPackagesIsTheSumEachInItsUnit)
{
	Energy e("snbep:packages=2", 16);

	e.set(1, kUnit, unit(14));
	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set set(*e.machine, {kPackage, std::string(kPackage) + ":pkg=1", kWatts});
	ASSERT_EQ(0, set.start()) << e.machine->message();
	e.set(0, kPackageEnergy, 1000 + (3 << 16));
	e.set(1, kPackageEnergy, 1000 + (20 << 14));
	sim_advance(e.model(), kSecond / 2);
	const std::vector<int64_t> n = set.counts();
	EXPECT_EQ(23000000, n[0]);
	EXPECT_EQ(20000000, n[1]);
	EXPECT_NEAR(46, uncore_real(n[2]), 1e-6); // of both, not their mean
	EXPECT_EQ(0, set.stop());
}

// The upper half is reserved.
TEST(Energy, IsInTheLowerHalfOfItsRegister)
{
	constexpr uint64_t kUpper = UINT64_C(5) << 32;
	Energy e("icx:packages=1");

	e.set(0, kPackageEnergy, kUpper | 1000);
	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set set(*e.machine, {kPackage});
	ASSERT_EQ(0, set.start());
	e.set(0, kPackageEnergy, 2 * kUpper | (1000 + (1 << 14)));
	EXPECT_EQ(1000000, set.count());
	EXPECT_EQ(0, set.stop());
}

TEST(Energy, InTheUpperHalfOfItsRegisterIsNone)
{
	constexpr uint64_t kUpper = UINT64_C(5) << 32;
	Energy none("skx:packages=1");

	none.set(0, kPackageEnergy, kUpper);
	none.set(0, kLimit, kUpper);
	ASSERT_NO_FATAL_FAILURE(none.open());
	none.expect_refused(kPackage, UNCORE_ENODEV,
			    "the firmware does not report it: the counter stays at 0");
	EXPECT_FALSE(none.lists("UNCORE_FREQUENCY_MAX_MHZ"));
	EXPECT_TRUE(none.lists(kDram));
}

TEST(Energy, WrapsAfter32Bits)
{
	Energy e("icx:packages=1");

	e.set(0, kPackageEnergy, 0xfffffff0);
	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set set(*e.machine, {kPackage});
	ASSERT_EQ(0, set.start());
	e.set(0, kPackageEnergy, (1 << 14) - 0x10);
	EXPECT_EQ(1000000, set.count());
	EXPECT_EQ(0, set.stop());
}

// A counter of 2^-14 J wraps after 262144 J: here twice, with a read now and then.
TEST(Energy, OfTwoHoursIsCompleteIfItIsReadInBetween)
{
	support::Handle machine(support::sim_options("sim:spr:packages=1,cores=4,time=virtual"));
	sim *model = unc_hw_sim(unc_hw_of(machine.u));
	const double watts = sim_power(model, 0, false);
	auto missed = support::sized<uncore_missed_wrap>();

	ASSERT_LT(2 * 262144, 7200 * watts);
	support::Set set(machine, {kPackage});
	ASSERT_EQ(0, set.start());
	for (unsigned i = 0; i < 720; i++) {
		sim_advance(model, 10 * kSecond);
		ASSERT_EQ(0, uncore_poll_wraps(machine.u));
	}
	EXPECT_NEAR(1, static_cast<double>(set.count()) / (7200e6 * watts), 1e-6);
	EXPECT_EQ(0, uncore_set_missed_wrap(set.set, &missed));
	sim_advance(model, 40 * kSecond); // 2^32 counts of 8 ns are 34 s
	set.count();
	EXPECT_EQ(1, uncore_set_missed_wrap(set.set, &missed));
	EXPECT_EQ(34359u, missed.wrap_ms);
	EXPECT_EQ(0, set.stop());
}

TEST(Energy, OfAProcessorWithoutTheRegisterIsNotThere)
{
	Energy e("skx:packages=2");

	e.errors[kDramEnergy] = -EIO;
	ASSERT_NO_FATAL_FAILURE(e.open());
	EXPECT_TRUE(e.lists(kPackage));
	e.expect_refused(kDram, UNCORE_ENODEV, "has no such register");
	EXPECT_EQ(nullptr, e.machine->warning(0)) << "the uncore lacks nothing";
}

TEST(Energy, ThatTheFirmwareDoesNotReportIsNotThere)
{
	Energy e("hswep:packages=1");

	e.set(0, kDramEnergy, 0);
	ASSERT_NO_FATAL_FAILURE(e.open());
	EXPECT_TRUE(e.lists(kPackage));
	e.expect_refused(kDram, UNCORE_ENODEV, "the firmware does not report it");
	e.expect_refused("UNCORE_POWER_DRAM_WATTS", UNCORE_ENODEV, "the firmware does not report");
}

TEST(Energy, WithoutAUnitIsNotThere)
{
	Energy e("spr:packages=1,cores=4");

	e.set(0, kUnit, 0);
	ASSERT_NO_FATAL_FAILURE(e.open());
	e.expect_refused(kPackage, UNCORE_ENODEV, "the firmware does not report it");
}

// As msr-safe answers for a register that is not in its list.
TEST(Energy, ThatMayNotBeReadIsRefusedWithThat)
{
	Energy e("bdx:packages=2");

	e.errors[kPackageEnergy] = -EACCES;
	ASSERT_NO_FATAL_FAILURE(e.open());
	e.expect_refused(kPackage, UNCORE_ENODEV, "may not be accessed with these rights");
	EXPECT_TRUE(e.lists(kDram));
	EXPECT_EQ(nullptr, e.machine->warning(0));
	// the rest of the machine counts
	support::Set set(*e.machine, {"UNCORE_MEM_READ_BYTES"});
	EXPECT_EQ(0, set.start()) << e.machine->message();
	EXPECT_EQ(0, set.stop());
}

TEST(Energy, IsRefusedOnPlatformsThatNeverHadTheRegisters)
{
	for (const char *machine : {"sim:nhmex", "sim:wsmex"}) {
		const support::Handle h(support::sim_options(machine));

		EXPECT_EQ(UNCORE_ENOEVENT, h.refusal(kPackage)) << machine;
		EXPECT_NE(std::string::npos, h.message().find("is not supported on this machine"))
			<< h.message();
	}
}

// By register (docs/hardware/power.md), not by the name of a box kind: RAPL by MSR and by TPMI.
TEST(Energy, IsAPropertyOfTheEventAndOfItsMetrics)
{
	const std::pair<const char *, bool> events[] = {
		{"UNC_RAPL_ENERGY_PKG", true},
		{"UNC_RAPL_ENERGY_PKG:pkg=0", true},
		{kPackage, true},
		{kWatts, true},
		{"UNC_UNCORE_RATIO_LIMIT", false},
		{"UNCORE_FREQUENCY_MAX_MHZ", false},
		{"UNCORE_MEM_READ_BYTES", false},
		{"ix86arch::INSTRUCTION_RETIRED", false},
	};

	for (const char *machine : {"sim:icx", "sim:spr", "sim:gnr", "sim:cwf"}) {
		const support::Handle h(support::sim_options(machine));

		for (const auto &[name, energy] : events) {
			auto info = support::sized<struct uncore_event_info>();

			ASSERT_EQ(0, uncore_event_info(h.u, h.event(name), &info))
				<< machine << ": " << h.message();
			EXPECT_EQ(energy, info.energy) << machine << ": " << name;
		}
	}
}

// Sets that begin and end at other times have counts of their own.
TEST(Energy, IsSharedBySets)
{
	Energy e("icx:packages=1,cores=4");

	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set early(*e.machine, {kPackage}), late(*e.machine, {kPackage});
	ASSERT_EQ(0, early.start());
	e.set(0, kPackageEnergy, 1000 + (2 << 14));
	ASSERT_EQ(0, late.start());
	e.set(0, kPackageEnergy, 1000 + (5 << 14));
	EXPECT_EQ(3000000, late.count());
	EXPECT_EQ(5000000, early.count());
	EXPECT_EQ(0, early.stop());
	EXPECT_EQ(0, late.stop());
}

TEST(Energy, IsOnlyRead)
{
	Energy e("spr:packages=1,cores=4");
	auto msr = support::sized<uncore_msr_info>();
	unsigned found = 0;

	ASSERT_NO_FATAL_FAILURE(e.open());
	for (unsigned i = 0; uncore_msr(e.machine->u, i, &msr) == 1; i++)
		if (msr.msr == kUnit || msr.msr == kPackageEnergy || msr.msr == kDramEnergy) {
			EXPECT_EQ(0u, msr.writable | msr.stop_after) << msr.what;
			found++;
		}
	EXPECT_EQ(3u, found);
	support::Set set(*e.machine, {kPackage, kDram, kWatts});
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0, set.reset());
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0u, e.registers.writes);
	EXPECT_EQ(0u, sim_writes(e.model()));
}

// docs/hardware/power.md, "Frequency": maximum 6:0, minimum 14:8, current 6:0, in 100 MHz.
TEST(Frequency, IsWhatTheRegistersHoldWhenTheyAreRead)
{
	Energy e("skx:packages=1");

	e.set(0, kLimit, 0x0c18);
	e.set(0, kStatus, 0x16);
	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set set(*e.machine, {"UNCORE_FREQUENCY_MIN_MHZ", "UNCORE_FREQUENCY_MAX_MHZ",
				      "UNCORE_FREQUENCY_CURRENT_MHZ", "UNCORE_CLOCKTICKS"});
	support::Set held(*e.machine, {"UNC_UNCORE_RATIO_LIMIT"});
	ASSERT_EQ(0, held.start());
	auto times = support::sized<uncore_times>();
	auto expect = [&](double low, double high, double now) {
		const std::vector<int64_t> n = set.counts();

		ASSERT_EQ(0, uncore_set_times(held.set, &times));
		EXPECT_EQ(held.count(), times.count);
		EXPECT_DOUBLE_EQ(high, 100.0 * static_cast<double>(times.count & 0x7f));

		EXPECT_DOUBLE_EQ(low, uncore_real(n[0]));
		EXPECT_DOUBLE_EQ(high, uncore_real(n[1]));
		EXPECT_DOUBLE_EQ(now, uncore_real(n[2]));
	};
	ASSERT_EQ(0, set.start()) << e.machine->message();
	expect(1200, 2400, 2200);
	e.set(0, kLimit, 0x0810); // a limit that falls
	e.set(0, kStatus, 0x10);
	sim_advance(e.model(), kSecond);
	expect(800, 1600, 1600);
	ASSERT_EQ(0, set.reset());
	expect(800, 1600, 1600);
	e.set(0, kStatus, 0x0f);
	sim_advance(e.model(), kSecond);
	EXPECT_EQ(0, set.stop());
	expect(800, 1600, 1500);
	ASSERT_EQ(0, set.start());
	expect(800, 1600, 1500);
	EXPECT_EQ(0, set.stop());
}

TEST(Frequency, OfPackagesIsTheirMeanAndZeroMeansNoLimit)
{
	Energy e("icx:packages=2");

	e.set(0, kLimit, 0x0018);
	e.set(1, kLimit, 0x0a14);
	ASSERT_NO_FATAL_FAILURE(e.open());
	support::Set set(*e.machine,
			 {"UNCORE_FREQUENCY_MIN_MHZ", "UNCORE_FREQUENCY_MAX_MHZ",
			  "UNCORE_FREQUENCY_MAX_MHZ:pkg=1", "UNCORE_FREQUENCY_MIN_MHZ:pkg=0"});
	ASSERT_EQ(0, set.start()) << e.machine->message();
	const std::vector<int64_t> n = set.counts();
	EXPECT_DOUBLE_EQ(1000, uncore_real(n[0]));
	EXPECT_DOUBLE_EQ(2200, uncore_real(n[1]));
	EXPECT_DOUBLE_EQ(2000, uncore_real(n[2]));
	EXPECT_TRUE(std::isnan(uncore_real(n[3])));
	EXPECT_EQ(0, set.stop());
}

TEST(Frequency, HasLimitsByMsrFromHaswellToEmeraldRapids)
{
	for (const char *name : support::machines_between("hswep", "emr"))
		EXPECT_EQ(0, support::Handle(
				     support::sim_options(("sim:" + std::string(name)).c_str()))
				     .refusal("UNCORE_FREQUENCY_MAX_MHZ"))
			<< name;
	for (const char *name : support::machines_between("nhmex", "ivbep"))
		EXPECT_EQ(
			UNCORE_ENOEVENT,
			support::Handle(support::sim_options(("sim:" + std::string(name)).c_str()))
				.refusal("UNCORE_FREQUENCY_MAX_MHZ"))
			<< name;
}

TEST(Frequency, ThatIsNotReported)
{
	Energy e("bdx:packages=1");

	e.set(0, kLimit, 0x0810);
	e.set(0, kStatus, 0);
	e.errors[kLimit] = -EIO;
	ASSERT_NO_FATAL_FAILURE(e.open());
	e.expect_refused("UNCORE_FREQUENCY_MAX_MHZ", UNCORE_ENODEV, "has no such register");
	e.expect_refused("UNCORE_FREQUENCY_CURRENT_MHZ", UNCORE_ENODEV, "the register holds 0");
	EXPECT_EQ(nullptr, e.machine->warning(0));
}

TEST(Frequency, IsNotInAMultiplexedList)
{
	support::Handle machine(support::sim_options("sim:hswep:packages=1,time=virtual"));
	support::Set set(machine);

	ASSERT_EQ(0, uncore_set_multiplex(set.set, 100000));
	EXPECT_EQ(UNCORE_ECONFLICT,
		  set.assign({"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
			      "UNCORE_FREQUENCY_MAX_MHZ"}));
	EXPECT_NE(std::string::npos, machine.message().find("frequency limits"))
		<< machine.message();
}

} // namespace
