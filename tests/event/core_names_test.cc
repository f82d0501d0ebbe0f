// SPDX-License-Identifier: BSD-3-Clause
// core_names_test.cc - names of the CPUs' own events, and their encodings.
#include <set>

#include <perfmon/pfmlib.h>

#include "support/core_machine.h"
#include "support/machines.h"
#include "support/simulated.h"
#include "support/sized.h"

namespace
{

using support::core::Machine;
using support::core::mentions;

uint64_t control(Simulated &sim, const std::string &name)
{
	const unc_event *ev = sim.event(name);

	EXPECT_TRUE(ev) << name << ": " << sim.why();
	return ev ? ev->control : 0;
}

TEST(CoreNames, EncodeAsTheManualSays)
{
	Simulated sim("sim:skx");
	static const struct {
		const char *name;
		uint64_t control;
	} rows[] = {
		{"UNHALTED_CORE_CYCLES", 0x3003c},
		{"INSTRUCTION_RETIRED", 0x300c0},
		{"UNHALTED_REFERENCE_CYCLES", 0x3013c},
		{"LLC_REFERENCES", 0x34f2e},
		{"LLC_MISSES", 0x3412e},
		{"BRANCH_INSTRUCTIONS_RETIRED", 0x300c4},
		{"MISPREDICTED_BRANCH_RETIRED", 0x300c5},
		{"UNHALTED_TSC_CYCLES", 0x30300},
		{"INSTRUCTION_RETIRED:u", 0x100c0},
		{"INSTRUCTION_RETIRED:k=1", 0x200c0},
		{"INSTRUCTION_RETIRED:k:u", 0x300c0},
		{"INSTRUCTION_RETIRED:k=0:u=0", 0x300c0},
		{"INSTRUCTION_RETIRED:c=4:i", 0x048300c0},
		{"LLC_MISSES:e:c=1", 0x0107412e},
		{"UNHALTED_CORE_CYCLES:t", 0x23003c},
		{"RAW:config=0x1c2", 0x301c2},
		{"RAW:config=0x100c0", 0x100c0},
	};

	for (const auto &row : rows)
		EXPECT_EQ(row.control, control(sim, std::string("ix86arch::") + row.name))
			<< row.name;
}

// libpfm4 has a table of ix86arch for the CPU that it runs on, in a virtual machine
// often none; for all of the manual's events only if no others are enabled.
class OnlyIx86arch
{
      public:
	OnlyIx86arch()
	{
		pfm_terminate();
		setenv("LIBPFM_FORCE_PMU", "ix86arch", 1);
		EXPECT_EQ(PFM_SUCCESS, pfm_initialize());
	}
	~OnlyIx86arch()
	{
		unsetenv("LIBPFM_FORCE_PMU");
		pfm_terminate();
	}
	OnlyIx86arch(const OnlyIx86arch &) = delete;
	OnlyIx86arch &operator=(const OnlyIx86arch &) = delete;

	static uint64_t encode(const std::string &name)
	{
		pfm_pmu_encode_arg_t arg = {};
		uint64_t code = 0;

		arg.size = sizeof(arg);
		EXPECT_EQ(PFM_SUCCESS, pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3,
								 PFM_OS_NONE, &arg))
			<< name;
		if (arg.count == 1)
			code = arg.codes[0];
		free(arg.codes);
		return code & ~uint64_t{0x500000}; // it sets INT and EN always
	}
};

TEST(CoreNames, EncodeAsLibpfm4Does)
{
	Simulated sim("sim:skx");
	const OnlyIx86arch libpfm4;

	for (const char *word : {"UNHALTED_CORE_CYCLES", "INSTRUCTION_RETIRED",
				 "UNHALTED_REFERENCE_CYCLES", "LLC_REFERENCES", "LLC_MISSES",
				 "BRANCH_INSTRUCTIONS_RETIRED", "MISPREDICTED_BRANCH_RETIRED"})
		for (const char *part :
		     {"", ":u", ":k", ":u:k", ":c=3", ":c=2:i", ":e:c=1", ":t"}) {
			const std::string name = std::string("ix86arch::") + word + part;

			EXPECT_EQ(libpfm4.encode(name), control(sim, name)) << name;
		}
}

TEST(CoreNames, OneName)
{
	Machine m("skx");

	for (const char *name :
	     {"ix86arch::INSTRUCTION_RETIRED:cpu=3", "uncore:::IX86ARCH::instruction_retired:CPU=3",
	      "ix86arch::INSTRUCTION_RETIRED:box=3", "ix86arch3::INSTRUCTION_RETIRED",
	      "ix86arch::INSTRUCTION_RETIRED:cpu=3:u:k",
	      "ix86arch::INSTRUCTION_RETIRED:c=0:cpu=0x3:e=0"})
		EXPECT_EQ("ix86arch::INSTRUCTION_RETIRED:cpu=3", m.canonical(name)) << name;
	EXPECT_EQ("ix86arch::LLC_MISSES:u=1:c=2:pkg=1",
		  m.canonical("ix86arch::LLC_MISSES:pkg=1:c=2:u"));
	EXPECT_EQ("ix86arch::RAW:config=0xc0:cpu=1",
		  m.canonical("ix86arch::RAW:config=0xc0:cpu=1"));
	// For uncore events, cpu= still selects the CPU's package.
	EXPECT_EQ("UNC_M_CLOCKTICKS:pkg=1", m.canonical("UNC_M_CLOCKTICKS:cpu=5"));
}

TEST(CoreNames, Refusals)
{
	Machine m("skx");
	static const struct {
		const char *name;
		int code;
		const char *says;
	} rows[] = {
		// PAPI's presets use bare names: these events must never replace a thread's
		// count.
		{"INSTRUCTION_RETIRED", UNCORE_ENOEVENT, "ix86arch::INSTRUCTION_RETIRED counts"},
		{"ix86arch::INSTRUCTIONS_RETIRED", UNCORE_ENOEVENT,
		 "did you mean INSTRUCTION_RETIRED"},
		{"ix86arch::UNC_M_CAS_COUNT", UNCORE_ENOEVENT,
		 "UNC_M_CAS_COUNT is an event of imc"},
		{"ix86arch::TOPDOWN_SLOTS", UNCORE_ENOEVENT, "no event TOPDOWN_SLOTS"},
		{"ix86arch::LLC_MISSES:cpu=8", UNCORE_ENODEV, "cpu=8 in LLC_MISSES: no such CPU"},
		{"ix86arch::LLC_MISSES:cpu=1:pkg=1", UNCORE_ENODEV, "online in package 1"},
		{"ix86arch::LLC_MISSES:cpu=1:cpu=2", UNCORE_EATTR, "conflicting cpu=2"},
		{"ix86arch::LLC_MISSES:cpu", UNCORE_EATTR, "requires a number"},
		{"ix86arch::LLC_MISSES:c=256", UNCORE_EATTR, "out of range"},
		{"ix86arch::LLC_MISSES:x=1", UNCORE_EATTR, "no qualifier x"},
		{"ix86arch::UNHALTED_TSC_CYCLES:c=1", UNCORE_EATTR,
		 "only counted by a fixed counter"},
		{"ix86arch::RAW:config=0x1000300", UNCORE_EATTR, "only counted by a fixed counter"},
		{"ix86arch::RAW:config=0x4000c0", UNCORE_EATTR, "0x400000"}, // EN
		{"ix86arch::RAW:config=0x1000c0", UNCORE_EATTR, "0x100000"}, // INT
		{"ix86arch::RAW:config=0x1000000c0", UNCORE_EATTR, "0x100000000"},
	};

	for (const auto &row : rows) {
		EXPECT_EQ(row.code, m.refusal(row.name)) << row.name;
		EXPECT_TRUE(mentions(m.message(), row.says)) << row.name << ": " << m.message();
	}
}

std::set<std::string> listed(const std::string &platform)
{
	Machine m(platform);
	std::set<std::string> names;
	unsigned id = 0;

	for (unsigned i = 0; uncore_listed_event(m.u, i, &id) == 1; i++)
		if (mentions(uncore_event_name(m.u, id), "ix86arch::"))
			names.insert(uncore_event_name(m.u, id));
	return names;
}

TEST(CoreNames, AreListedWhereTheMachineHasThem)
{
	const std::set<std::string> eight = {
		"ix86arch::UNHALTED_CORE_CYCLES",
		"ix86arch::INSTRUCTION_RETIRED",
		"ix86arch::UNHALTED_REFERENCE_CYCLES",
		"ix86arch::LLC_REFERENCES",
		"ix86arch::LLC_MISSES",
		"ix86arch::BRANCH_INSTRUCTIONS_RETIRED",
		"ix86arch::MISPREDICTED_BRANCH_RETIRED",
		"ix86arch::UNHALTED_TSC_CYCLES",
	};

	for (const char *platform : support::machines_between("snbep", "skx"))
		EXPECT_EQ(eight, listed(platform)) << platform;
	std::set<std::string> nine = eight;

	nine.insert("ix86arch::TOPDOWN_SLOTS");
	EXPECT_EQ(nine, listed("icx"));
}

TEST(CoreNames, QualifiersAreDescribed)
{
	Machine m("skx");
	const unsigned id = m.event("ix86arch::LLC_MISSES");
	std::string all;
	auto info = support::sized<struct uncore_event_info>();

	for (const auto &[size, name, text] : m.qualifiers(id))
		all += std::string(name) + " ";
	EXPECT_EQ("k u e i c t cpu pkg ", all);
	ASSERT_EQ(0, uncore_event_info(m.u, id, &info));
	EXPECT_STREQ("core", info.kind);
	EXPECT_TRUE(info.exact);
	ASSERT_EQ(0, uncore_event_info(m.u, m.event("ix86arch::UNHALTED_CORE_CYCLES"), &info));
	EXPECT_STREQ("cycles", info.units);
}

} // namespace
