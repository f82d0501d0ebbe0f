// SPDX-License-Identifier: BSD-3-Clause
// errors_test.cc - messages about machines that cannot be used: the object, the
// cause and the remedy, in one sentence that fits this failure and no other.
#include <cerrno>
#include <set>

#include "set/inside.h"
#include "support/child.h"
#include "support/sized.h"
#include "support/tree.h"

namespace
{

using support::Handle;
using support::NativeMachine;
using support::Tree;

struct Refusal {
	int code;
	std::string message;
};

Refusal refusal(const uncore_options &options)
{
	Handle handle(options);

	return {handle.code, handle.message()};
}

Refusal refusal(const Tree &tree)
{
	return refusal(tree.options());
}

Refusal refused_machine(const char *spec)
{
	auto options = support::sized<uncore_options>();

	options.machine = spec;
	return refusal(options);
}

void expect_says(const Refusal &r, int code, const std::vector<std::string> &parts)
{
	EXPECT_EQ(code, r.code) << r.message;
	for (const std::string &part : parts)
		EXPECT_NE(std::string::npos, r.message.find(part))
			<< "lacks \"" << part << "\": " << r.message;
	EXPECT_EQ(std::string::npos, r.message.find('\n')) << r.message;
	EXPECT_LT(r.message.size(), static_cast<size_t>(UNCORE_ERRMSG_MAX) - 1);
}

// CPUs, but no register files of any kind.
void bare_cpus(Tree &tree)
{
	tree.cpuinfo();
	tree.online("0-3");
	for (unsigned i = 0; i < 4; i++)
		tree.topology(i, 0, i);
}

void msr_only(Tree &tree)
{
	bare_cpus(tree);
	for (unsigned i = 0; i < 4; i++)
		tree.msr(i, 0);
}

// ---- which CPU is it? ----

TEST(Errors, NoCpuinfo)
{
	Tree tree;

	expect_says(refusal(tree), UNCORE_ENOSUPP,
		    {tree.root + "/proc/cpuinfo", "cannot be read", "mount"});
}

TEST(Errors, EmptyCpuinfo)
{
	Tree tree;

	tree.write("proc/cpuinfo", "");
	expect_says(refusal(tree), UNCORE_ENOSUPP, {tree.root + "/proc/cpuinfo", "cannot be read"});
	tree.write("proc/cpuinfo", "nonsense without any colon");
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"unknown vendor"});
}

TEST(Errors, AnotherVendor)
{
	Tree tree;

	tree.one_package();
	tree.cpuinfo("AuthenticAMD", 25, 1);
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"AuthenticAMD family 25 model 1", "README"});
	// the numbers alone do not make a Xeon
	tree.cpuinfo("AuthenticAMD", 6, 45);
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"AuthenticAMD family 6 model 45"});
}

TEST(Errors, AnUnknownIntelModel)
{
	Tree tree;

	tree.one_package();
	tree.cpuinfo("GenuineIntel", 6, 158);
	expect_says(refusal(tree), UNCORE_ENOSUPP,
		    {"GenuineIntel family 6 model 158", "README", "Xeons"});
	tree.cpuinfo("GenuineIntel", 15, 45);
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"family 15 model 45"});
	tree.cpuinfo("GenuineIntel", 6, 0);
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"model 0"});
}

TEST(Errors, AModelNumberIsNotCutToAByte)
{
	Tree tree;

	tree.one_package();
	tree.cpuinfo("GenuineIntel", 6, 256 + 45);
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"model 301"});
}

TEST(Errors, NoSysfs)
{
	Tree tree;

	tree.cpuinfo();
	expect_says(refusal(tree), UNCORE_ENOSUPP,
		    {tree.root + "/sys/devices/system/cpu/online", "mounted"});
}

TEST(Errors, CpusWithoutTopology)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-3");
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"cpu*/topology", "package"});
}

// ---- the registers ----

TEST(Errors, NoMsrModule)
{
	Tree tree;

	bare_cpus(tree);
	expect_says(refusal(tree), UNCORE_EACCESS,
		    {tree.root + "/dev/cpu/0/msr", "No such file", "modprobe msr"});
}

TEST(Errors, NoPermission)
{
	const bool is_root = geteuid() == 0;
	Tree tree;

	msr_only(tree);
	chmod(tree.root.c_str(), 0755);
	for (unsigned i = 0; i < 4; i++)
		chmod(tree.path(Tree::msr_name(i)).c_str(), is_root ? 0600 : 0);
	// in a child: other threads and later tests keep their rights
	EXPECT_EQ(0, support::in_child([&] {
			  if (is_root && (setegid(65534) != 0 || seteuid(65534) != 0))
				  return 1;
			  expect_says(refusal(tree), UNCORE_EACCESS,
				      {tree.root + "/dev/cpu/0/msr", "Permission denied", "root"});
			  return testing::Test::HasFailure() ? 2 : 0;
		  }));
}

TEST(Errors, AVirtualMachineWithoutUncore)
{
	Tree tree;

	bare_cpus(tree);
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu hypervisor msr");
	for (unsigned i = 0; i < 4; i++)
		tree.write(Tree::msr_name(i), ""); // a read fails with EIO
	expect_says(refusal(tree), UNCORE_ENOSUPP, {"virtual machine", "count on the host"});
}

TEST(Errors, AWordThatContainsHypervisorIsNotTheFlag)
{
	Tree tree;

	bare_cpus(tree);
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu hypervisorless");
	for (unsigned i = 0; i < 4; i++)
		tree.write(Tree::msr_name(i), "");
	expect_says(refusal(tree), UNCORE_EIO,
		    {tree.root + "/dev/cpu/0/msr", "0xd04", "Input/output error"});
}

TEST(Errors, HiddenPciDevicesAreNotAnError)
{
	Tree tree;

	msr_only(tree);
	NativeMachine machine(tree);
	EXPECT_EQ(0, machine.code) << machine.message();
	for (const uncore_box_info &box : machine.boxes("imc"))
		EXPECT_NE(nullptr, strstr(box.absent, "hidden by the firmware")) << box.absent;
	for (const char *name : {"UNC_Q_CLOCKTICKS", "UNCORE_SOCKET_OUT_BYTES"}) {
		EXPECT_EQ(UNCORE_ENODEV, machine.refusal(name)) << name;
		EXPECT_NE(machine.message().npos,
			  machine.message().find("UNC_C_TOR_INSERTS:NID_MISS_ALL:nf="))
			<< machine.message();
	}
}

// Without privileges the package of a bus cannot be read.
TEST(Errors, DevicesOfAnUnknownPackageAreNotHidden)
{
	Tree tree;

	msr_only(tree);
	tree.uncore_devices(0, 0x7f);
	NativeMachine machine(tree);
	EXPECT_EQ(0, machine.code) << machine.message();
	for (const uncore_box_info &box : machine.boxes("imc"))
		EXPECT_NE(nullptr, strstr(box.absent, "the package of its")) << box.absent;
}

TEST(Errors, AnMsrModuleThatRefusesWrites)
{
	Tree tree;

	tree.one_package();
	tree.write("sys/module/msr/parameters/allow_writes", "off\n");
	{
		NativeMachine machine(tree);
		for (const uncore_box_info &box : machine.boxes("cbo"))
			EXPECT_NE(nullptr, strstr(box.absent, "msr.allow_writes")) << box.absent;
	}
	tree.remove("sys/bus/pci/devices");
	expect_says(refusal(tree), UNCORE_EACCESS, {"not writable", "msr.allow_writes=on"});
}

TEST(Errors, ALockedDownKernel)
{
	Tree tree;

	tree.one_package();
	tree.write("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	expect_says(refusal(tree), UNCORE_EACCESS, {"locked down", "or lockdown"});
	tree.write("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect_says(refusal(tree), UNCORE_EACCESS, {"locked down"});
	tree.write("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	EXPECT_EQ(0, refusal(tree).code);
}

// Errors that ordinary files cannot cause: each error number has its own remedy.
TEST(Errors, EveryErrorNumberHasItsRemedy)
{
	Tree tree;
	std::set<std::string> sentences;

	tree.one_package();
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code);
	struct unc_hw *hw = unc_hw_of(machine.u);
	const struct {
		int error;
		std::vector<std::string> parts;
	} known[] = {
		{ENOENT, {"modprobe msr"}}, {EPERM, {"CAP_SYS_RAWIO"}}, {EACCES, {"mode", "root"}},
		{EIO, {"virtual machine"}}, {EMFILE, {"ulimit -n"}},    {ENXIO, {"online"}},
	};
	unc_op op = {};

	op.address = 0xd10;
	op.width = 64;
	for (const auto &k : known) {
		char text[512];

		hw->ops->explain(hw, &op, -k.error, text, sizeof(text));
		expect_says({0, text}, 0,
			    {tree.root + "/dev/cpu/0/msr", "0xd10", strerror(k.error)});
		expect_says({0, text}, 0, k.parts);
		sentences.insert(text);
	}
	EXPECT_EQ(std::size(known), sentences.size());
	op.space = UNCORE_PCI;
	for (int error : {EPERM, ENODATA, ERANGE, EACCES, ENODEV}) {
		char text[512];

		hw->ops->explain(hw, &op, -error, text, sizeof(text));
		expect_says({0, text}, 0, {tree.root + "/sys/bus/pci/devices/", "/config"});
		EXPECT_EQ(std::string::npos, std::string(text).find("msr")) << text;
	}
}

TEST(Errors, ErrorNumbersBecomeCodes)
{
	EXPECT_EQ(UNCORE_EACCESS, unc_code_of_errno(-EPERM));
	EXPECT_EQ(UNCORE_EACCESS, unc_code_of_errno(-EACCES));
	EXPECT_EQ(UNCORE_EACCESS, unc_code_of_errno(-ENOENT));
	EXPECT_EQ(UNCORE_ENODEV, unc_code_of_errno(-ENODEV));
	EXPECT_EQ(UNCORE_ENODEV, unc_code_of_errno(-ENXIO));
	EXPECT_EQ(UNCORE_ENOMEM, unc_code_of_errno(-EMFILE));
	EXPECT_EQ(UNCORE_EIO, unc_code_of_errno(-EIO));
}

// ---- what the user asked for ----

TEST(Errors, AnUnknownMachineName)
{
	expect_says(refused_machine("simulated"), UNCORE_EINVAL,
		    {"no machine simulated", "native", "sim:"});
	expect_says(refused_machine("sim"), UNCORE_EINVAL, {"no machine sim;"});
}

TEST(Errors, ABadSimulatedMachine)
{
	expect_says(refused_machine("sim:z80"), UNCORE_EINVAL, {"sim:z80", "z80"});
	expect_says(refused_machine("sim:"), UNCORE_EINVAL, {"sim:"});
	expect_says(refused_machine("sim:snbep:packages=9"), UNCORE_EINVAL, {"packages", "9"});
	expect_says(refused_machine("sim:snbep:colour=red"), UNCORE_EINVAL, {"colour"});
}

TEST(Errors, AnEmptyRootDirectory)
{
	auto options = support::sized<uncore_options>();

	options.machine = "native";
	options.sysroot = "/nonexistent/root";
	expect_says(refusal(options), UNCORE_ENOSUPP, {"/nonexistent/root/proc/cpuinfo"});
}

TEST(Errors, AHandleThatFailedToOpenCanBeClosedAndAsked)
{
	Tree tree;
	struct uncore *u = nullptr;
	const uncore_options options = tree.options();
	char small[8] = "xxxxxxx";

	EXPECT_EQ(UNCORE_ENOSUPP, uncore_open(&u, &options));
	ASSERT_NE(nullptr, u);
	EXPECT_EQ(7u, strlen(uncore_errmsg(u, small, sizeof(small))));
	EXPECT_EQ(small, uncore_errmsg(u, small, 0));
	uncore_close(u);
	uncore_close(nullptr);
}

TEST(Errors, TheEnvironmentNamesMachineAndRoot)
{
	Tree tree;
	auto none = support::sized<uncore_options>();

	tree.one_package();
	setenv("UNCORE_SYSROOT", tree.root.c_str(), 1);
	EXPECT_EQ(0, refusal(none).code);
	setenv("UNCORE_MACHINE", "sim:nothing", 1);
	EXPECT_EQ(UNCORE_EINVAL, refusal(none).code);
	setenv("UNCORE_MACHINE", "", 1);
	EXPECT_EQ(0, refusal(none).code);
	unsetenv("UNCORE_MACHINE");
	unsetenv("UNCORE_SYSROOT");
}

TEST(Errors, EveryCodeHasAMeaning)
{
	std::set<std::string> meanings;

	for (int code = UNCORE_EFORK; code <= UNCORE_OK; code++)
		meanings.insert(uncore_strerror(code));
	EXPECT_EQ(15u, meanings.size());
	EXPECT_EQ(0u, meanings.count("unknown error"));
	EXPECT_STREQ("unknown error", uncore_strerror(1));
	EXPECT_STREQ("unknown error", uncore_strerror(-15));
	EXPECT_STREQ("unknown error", uncore_strerror(INT32_MIN));
}

} // namespace
