// SPDX-License-Identifier: BSD-3-Clause
// unreached_test.cc - existing boxes that cannot be accessed: a sum that lacks them is
// refused, with the reason, unless that is asked for.
#include <cerrno>
#include <set>

#include <ftw.h>
#include <sys/resource.h>

#include "support/child.h"
#include "support/fake_tables.h"
#include "support/tree.h"

namespace
{

using support::FakeMachine;
using support::FakeUnit;
using support::Handle;
using support::NativeMachine;
using support::Set;
using support::Tree;

// An event of each kind of box of an E5-2600 package with four cores, and how many there are.
struct Kind {
	const char *name, *event;
	unsigned boxes;
};
const Kind kKinds[] = {{"cbo", "UNC_C_CLOCKTICKS", 4},    {"imc", "UNC_M_CAS_COUNT:RD", 4},
		       {"ha", "UNC_H_CLOCKTICKS", 1},     {"qpi", "UNC_Q_CLOCKTICKS", 2},
		       {"r3qpi", "UNC_R3_CLOCKTICKS", 2}, {"r2pcie", "UNC_R2_CLOCKTICKS", 1},
		       {"pcu", "UNC_P_CLOCKTICKS", 1},    {"ubo", "UNC_U_CLOCKTICKS", 1}};

bool says(const std::string &text, const std::string &part)
{
	return text.find(part) != text.npos;
}

std::string imc(unsigned channel, unsigned package = 0)
{
	static const unsigned functions[] = {0, 1, 4, 5};

	return Tree::config_name(0x7f + 0x80 * package, 16, functions[channel]);
}

std::vector<std::string> warnings(const Handle &machine)
{
	std::vector<std::string> all;

	for (unsigned i = 0; const char *warning = machine.warning(i); i++)
		all.push_back(warning);
	return all;
}

class PartialMachine : public Handle
{
      public:
	explicit PartialMachine(const Tree &tree) : Handle(partial(tree.options()))
	{
	}

      private:
	static uncore_options partial(uncore_options options)
	{
		options.partial = 1;
		return options;
	}
};

// The machine is refused, or each kind is counted in all of its boxes or refused: for that
// reason.
void expect_whole_or_refused(const Tree &tree, const std::string &reason)
{
	NativeMachine machine(tree);

	if (machine.code != 0) {
		EXPECT_TRUE(says(machine.message(), reason)) << machine.message();
		return;
	}
	for (const Kind &kind : kKinds) {
		if (machine.refusal(kind.event) == 0) {
			EXPECT_LE(kind.boxes, machine.present(kind.name)) << kind.name;
		} else {
			EXPECT_TRUE(says(machine.message(), reason)) << machine.message();
		}
	}
}

// ---- whatever fails ----

TEST(Unreached, NoLimitOfOpenFilesMakesASumSmaller)
{
	Tree tree;

	tree.one_package();
	EXPECT_EQ(0, support::in_child([&] {
			  for (rlim_t limit = 4; limit < 44; limit += 3) {
				  const struct rlimit files = {limit, 1024};

				  setrlimit(RLIMIT_NOFILE, &files);
				  expect_whole_or_refused(tree, "Too many open files");
			  }
			  return testing::Test::HasFailure() ? 1 : 0;
		  }));
}

std::vector<std::string> &found_files()
{
	static std::vector<std::string> files;

	return files;
}

int collect(const char *name, const struct stat *st, int, struct FTW *)
{
	if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode))
		found_files().push_back(name);
	return 0;
}

// A symbolic link to itself in place of each file or directory: opening it fails with ELOOP.
TEST(Unreached, NoFileThatFailsMakesASumSmaller)
{
	const std::string reason = strerror(ELOOP);
	Tree tree;

	tree.one_package();
	found_files().clear();
	ASSERT_EQ(0, nftw(tree.root.c_str(), collect, 16, FTW_PHYS));
	for (const std::string &name : found_files()) {
		const std::string aside = tree.root + ".aside";

		if (name == tree.root)
			continue;
		ASSERT_EQ(0, rename(name.c_str(), aside.c_str())) << name;
		ASSERT_EQ(0, symlink(name.c_str(), name.c_str())) << name;
		SCOPED_TRACE(name);
		expect_whole_or_refused(tree, reason);
		unlink(name.c_str());
		ASSERT_EQ(0, rename(aside.c_str(), name.c_str())) << name;
	}
}

// ---- a channel whose file ends early ----

class AChannelIsLost : public testing::Test
{
      protected:
	AChannelIsLost()
	{
		tree.two_packages();
		tree.resize(imc(2), 64);
	}
	Tree tree;
};

TEST_F(AChannelIsLost, TheSumIsRefusedWithTheReason)
{
	NativeMachine machine(tree);

	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNC_M_CAS_COUNT:RD"));
	EXPECT_EQ("UNC_M_CAS_COUNT would miss boxes: imc2 of package 0 cannot be reached: only the "
		  "first 64 bytes of its config space are readable with these rights: " +
			  tree.path(imc(2)) +
			  ", register 0xf4: short read; the file ends early: CAP_SYS_ADMIN "
			  "is required, or run as root (set UNCORE_PARTIAL=1 to count the rest)",
		  machine.message());
	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNC_M_CAS_COUNT:RD:pkg=0"));
	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNC_M_CAS_COUNT:RD:box=2"));
	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("snbep_unc_imc::RAW:config=0x304"));
}

TEST_F(AChannelIsLost, OtherEventsAreCounted)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD:pkg=1", "UNC_M_CAS_COUNT:RD:box=1",
			  "UNC_M_CAS_COUNT:RD:box=2:pkg=1", "UNC_H_CLOCKTICKS"});

	EXPECT_EQ(0, set.start()) << machine.message();
}

TEST_F(AChannelIsLost, MetricsAreRefusedToo)
{
	NativeMachine machine(tree);

	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNCORE_MEM_READ_BYTES"));
	EXPECT_TRUE(says(machine.message(), "UNCORE_MEM_READ_BYTES: ")) << machine.message();
	EXPECT_TRUE(says(machine.message(), "imc2 of package 0 cannot be reached"));
	EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNCORE_MEM_READ_BYTES:pkg=0"));
	EXPECT_EQ(0, machine.refusal("UNCORE_MEM_READ_BYTES:pkg=1")) << machine.message();
}

// Numbers that the listing gave out are no way around.
TEST_F(AChannelIsLost, ListedEventsAreRefusedToo)
{
	NativeMachine machine(tree);
	struct uncore_set *set;
	unsigned id;

	ASSERT_EQ(0, uncore_set_create(machine.u, &set));
	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1; i++)
		if (!strcmp(uncore_event_name(machine.u, id), "UNC_M_CAS_COUNT"))
			break;
	EXPECT_STREQ("UNC_M_CAS_COUNT", uncore_event_name(machine.u, id));
	EXPECT_EQ(UNCORE_EACCESS, uncore_set_assign(set, &id, 1));
	EXPECT_TRUE(says(machine.message(), "imc2 of package 0 cannot be reached"));
}

TEST_F(AChannelIsLost, PartialCountsTheRestWithAWarning)
{
	PartialMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNCORE_MEM_READ_BYTES"});
	unsigned n = 0;

	ASSERT_EQ(0, set.start()) << machine.message();
	for (unsigned package = 0; package < 2; package++)
		for (unsigned channel = 0; channel < 4; channel++)
			if (package == 1 || channel != 2)
				tree.put(imc(channel, package), 0xb8, 1 << n++, 8);
	EXPECT_EQ((1 << 7) - 1, set.counts()[0]);
	EXPECT_EQ(64 * ((1 << 7) - 1), set.counts()[1]);
	EXPECT_TRUE(machine.machine().partial);
	EXPECT_EQ(1u, machine.machine().boxes_unreached);
	ASSERT_EQ(1u, warnings(machine).size());
	EXPECT_TRUE(says(warnings(machine)[0], "imc2 of package 0 cannot be reached, so sums over "
					       "imc do not include them: "))
		<< warnings(machine)[0];
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=2:pkg=0"));
}

TEST_F(AChannelIsLost, IsReported)
{
	NativeMachine machine(tree);
	const uncore_box_info box = machine.boxes("imc")[2];

	EXPECT_TRUE(box.unreached);
	EXPECT_NE(nullptr, strstr(box.absent, "short read")) << box.absent;
	EXPECT_FALSE(machine.boxes("imc")[1].unreached);
	EXPECT_FALSE(machine.machine().partial);
	ASSERT_EQ(1u, warnings(machine).size());
	EXPECT_TRUE(says(warnings(machine)[0], "are refused (set UNCORE_PARTIAL=1 to count the "
					       "rest)"));
}

TEST(Unreached, OneFileThatMayNotBeOpenedIsEnough)
{
	const bool is_root = geteuid() == 0;
	Tree tree;

	tree.one_package();
	chmod(tree.root.c_str(), 0755);
	for (const char *dir : {"dev/cpu", "sys/bus/pci/devices"})
		ASSERT_EQ(0, system(("chmod -R a+rwX '" + tree.path(dir) + "'").c_str()));
	chmod(tree.path(imc(1)).c_str(), is_root ? 0600 : 0);
	EXPECT_EQ(0, support::in_child([&] {
			  if (is_root && (setegid(65534) != 0 || seteuid(65534) != 0))
				  return 1;
			  NativeMachine machine(tree);
			  EXPECT_EQ(UNCORE_EACCESS, machine.refusal("UNC_M_CAS_COUNT:RD"));
			  EXPECT_TRUE(says(machine.message(), "imc1 of package 0"))
				  << machine.message();
			  EXPECT_TRUE(says(machine.message(), "Permission denied"));
			  EXPECT_EQ(0, machine.refusal("UNC_C_CLOCKTICKS")) << machine.message();
			  return testing::Test::HasFailure() ? 2 : 0;
		  }));
}

// ---- what the CPU refuses ----

// In an ordinary file register n is at byte n: the last C-Box is behind its end.
void cut_behind_cbo2(Tree &tree)
{
	tree.one_package();
	for (unsigned cpu = 0; cpu < 4; cpu++)
		tree.resize(Tree::msr_name(cpu), 0xd60);
}

TEST(Unreached, ACBoxOfACoreMustBeThere)
{
	Tree tree;

	cut_behind_cbo2(tree);
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_EIO, machine.refusal("UNC_C_CLOCKTICKS"));
	EXPECT_TRUE(says(machine.message(), "cbo3 of package 0 cannot be reached: its registers do "
					    "not answer: " +
						    tree.path("dev/cpu/0/msr")))
		<< machine.message();
	EXPECT_EQ(0, machine.refusal("UNC_C_CLOCKTICKS:box=2")) << machine.message();
}

TEST(Unreached, AVirtualMachineMayLackIt)
{
	Tree tree;

	cut_behind_cbo2(tree);
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu hypervisor msr");
	NativeMachine machine(tree);
	EXPECT_EQ(0, machine.refusal("UNC_C_CLOCKTICKS")) << machine.message();
	EXPECT_FALSE(machine.boxes("cbo")[3].unreached);
}

TEST(Unreached, ADeviceThatIsHiddenIsAbsent)
{
	Tree tree;

	tree.one_package();
	tree.remove(Tree::pci_dir(0, 0x7f, 16, 5));
	NativeMachine machine(tree);
	EXPECT_EQ(0, machine.refusal("UNC_M_CAS_COUNT:RD")) << machine.message();
	EXPECT_EQ(3u, machine.present("imc"));
	EXPECT_TRUE(warnings(machine).empty());
}

// ---- which package is it? ----

TEST(Unreached, AUboxThatCannotBeReadLosesItsBoxes)
{
	Tree tree;

	tree.two_packages();
	tree.resize(Tree::config_name(0x7f, 11, 3), 64);
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD"));
	EXPECT_TRUE(says(machine.message(), "the package of its PCI device is unknown: " +
						    tree.path(Tree::config_name(0x7f, 11, 3)) +
						    ", register 0x"))
		<< machine.message();
	EXPECT_EQ(0, machine.refusal("UNC_M_CAS_COUNT:RD:pkg=1")) << machine.message();
	EXPECT_EQ(0, machine.refusal("UNC_C_CLOCKTICKS")) << machine.message();
}

// For hidden ports, the message names alternatives.
TEST(Unreached, PortsOfAnUnknownPackageAreNotHidden)
{
	Tree tree;

	tree.one_package();
	tree.resize(Tree::config_name(0x7f, 11, 3), 64);
	NativeMachine unknown(tree);
	EXPECT_EQ(UNCORE_ENODEV, unknown.refusal("UNC_Q_CLOCKTICKS"));
	EXPECT_TRUE(says(unknown.message(), "no qpi for UNC_Q_CLOCKTICKS: the package"))
		<< unknown.message();
	EXPECT_FALSE(says(unknown.message(), "Perfmon and DFX")) << unknown.message();

	Tree other;
	other.one_package();
	other.remove(Tree::pci_dir(0, 0x7f, 8, 2));
	other.remove(Tree::pci_dir(0, 0x7f, 9, 2));
	NativeMachine hidden(other);
	EXPECT_EQ(UNCORE_ENODEV, hidden.refusal("UNC_Q_CLOCKTICKS"));
	EXPECT_TRUE(says(
		hidden.message(),
		"\"Perfmon and DFX devices\" in the firmware setup; otherwise UNC_C_TOR_INSERTS"))
		<< hidden.message();
}

// ---- the filters of a port ----

TEST(Unreached, AFilterDeviceThatCannotBeOpenedIsNotHidden)
{
	const char *const match = "UNC_Q_CTO_COUNT:match=1:mask=1";
	const std::string name = Tree::config_name(0x7f, 9, 6);
	Tree tree;

	tree.one_package();
	tree.remove(name);
	ASSERT_EQ(0, symlink(tree.path(name).c_str(), tree.path(name).c_str()));
	NativeMachine machine(tree);
	PartialMachine partial(tree);
	Set refused(machine), rest(partial, {match});
	EXPECT_EQ(UNCORE_ENODEV, refused.assign({match}));
	EXPECT_TRUE(says(machine.message(), strerror(ELOOP))) << machine.message();
	EXPECT_EQ(0, rest.start()) << partial.message();
	EXPECT_EQ(0, refused.assign({"UNC_Q_CLOCKTICKS"})) << machine.message();
}

// ---- discovery tables, CPUs ----

class FakeTables : public FakeMachine
{
      public:
	FakeTables() : FakeMachine(unc_spr, 2)
	{
		for (unsigned package = 0; package < 2; package++)
			device_of[package] =
				table({FakeUnit::msr(0, 0, 0x2000), FakeUnit::msr(0, 1, 0x2010)},
				      static_cast<int>(package), 0x09a7, 0);
	}
	unsigned device_of[2];
};

TEST(Unreached, AnInterruptedReadIsNotAnAbsence)
{
	FakeTables machine;

	machine.fails = [](const unc_op &op) {
		return op.package == 1 && op.address == 0x2010 ? -EINTR : 0;
	};
	ASSERT_EQ(0, machine.build()) << machine.err.text;
	EXPECT_EQ(UNCORE_EIO, machine.find("UNC_CHA_CLOCKTICKS"));
	EXPECT_TRUE(says(machine.err.text, "cha1 of package 1")) << machine.err.text;
	EXPECT_TRUE(says(machine.err.text, strerror(EINTR))) << machine.err.text;
	EXPECT_EQ(0, machine.find("UNC_CHA_CLOCKTICKS:pkg=0")) << machine.err.text;
}

TEST(Unreached, BoxesOfATableThatCannotBeReadAreMissing)
{
	for (bool partial : {false, true}) {
		FakeTables machine;

		machine.machine.partial = partial;
		machine.fails = [&](const unc_op &op) {
			return op.space == UNCORE_PCI && op.unit == machine.device_of[1] ? -EIO : 0;
		};
		ASSERT_EQ(0, machine.build()) << machine.err.text;
		EXPECT_EQ(partial ? 0 : UNCORE_EIO, machine.find("UNC_CHA_CLOCKTICKS"));
		EXPECT_EQ(0, machine.find("UNC_CHA_CLOCKTICKS:pkg=0")) << machine.err.text;
		ASSERT_EQ(1u, machine.machine.warnings.n);
		EXPECT_TRUE(says(machine.machine.warnings.list[0].text,
				 "a discovery table cannot be read"));
		if (!partial) {
			EXPECT_TRUE(says(machine.err.text, "a discovery table cannot be read"));
		}
	}
}

TEST(Unreached, CpusOfAPackageWithFailingFilesAreNotLeftOut)
{
	Tree tree;

	tree.two_packages();
	tree.write("dev/cpu/0/cpuid", "");
	tree.put("dev/cpu/0/cpuid", 0xa, 0x07300404, 4); // version 4, four counters of 48 bits
	tree.put("dev/cpu/0/cpuid", 0x16, 0x603, 4);
	for (unsigned cpu = 4; cpu < 8; cpu++) {
		tree.remove(Tree::msr_name(cpu));
		ASSERT_EQ(0, symlink(tree.path(Tree::msr_name(cpu)).c_str(),
				     tree.path(Tree::msr_name(cpu)).c_str()));
	}
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_NE(0, machine.refusal("ix86arch::INSTRUCTION_RETIRED"));
	EXPECT_TRUE(says(machine.message(), strerror(ELOOP))) << machine.message();
	EXPECT_EQ(0, machine.refusal("ix86arch::INSTRUCTION_RETIRED:pkg=0")) << machine.message();
	EXPECT_NE(0, machine.refusal("UNC_C_CLOCKTICKS"));
	EXPECT_TRUE(says(machine.message(), strerror(ELOOP))) << machine.message();
}

// A metric that counts once for each slice needs slices, not only the clock that it counts.
TEST(Unreached, MetricsOfSlicesAreNotListedWithoutSlices)
{
	FakeMachine machine(unc_skx);
	std::set<std::string> listed;

	machine.fails = [](const unc_op &op) {
		return op.space == UNCORE_MSR && op.address >= 0xe00 && op.address < 0xfc0 ? -EACCES
											   : 0;
	};
	ASSERT_EQ(0, machine.build()) << machine.err.text;
	for (unsigned id = 0; id < unc_names_count(machine.names); id++)
		listed.insert(unc_names_name(machine.names, id));
	EXPECT_EQ(1u, listed.count("UNCORE_CLOCKTICKS"));
	for (const char *name : {"UNCORE_INGRESS_CYCLES", "UNCORE_INGRESS_GE1_RATIO"}) {
		EXPECT_EQ(0u, listed.count(name)) << name;
		EXPECT_EQ(UNCORE_ENODEV, machine.find(name));
	}
}

} // namespace
