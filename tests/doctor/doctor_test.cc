// SPDX-License-Identifier: BSD-3-Clause
// doctor_test.cc - `uncore doctor` on machines that something was done to: the cause is found, with
// what to do, and nothing else is; on healthy ones there is no alarm.
#include <algorithm>
#include <functional>
#include <sstream>

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/doctor/doctor.h"
#include "support/child.h"
#include "support/machines.h"
#include "support/root_of_namespace.h"
#include "support/sim_machine.h"
#include "support/tree.h"
#include "uncore_inspect.h"

namespace
{

using support::Handle;
using support::Set;
using support::Tree;

// A line for each finding: "problem msr files: what was found -> what to do".
std::string examine(const char *machine = "native")
{
	static const char *const states[] = {"fine", "note", "problem"};
	doctor_report report;
	std::string text;

	doctor_examine(&report, machine);
	for (size_t i = 0; i < report.n; i++) {
		const doctor_finding &f = report.at[i];

		text += std::string(states[f.state]) + " " + f.check + ": " + f.found;
		text += f.advice ? std::string(" -> ") + f.advice + "\n" : "\n";
	}
	doctor_free(&report);
	return text;
}

std::vector<std::string> lines_of(const std::string &text)
{
	std::istringstream in(text);
	std::vector<std::string> lines;

	for (std::string line; std::getline(in, line);)
		lines.push_back(line);
	return lines;
}

bool begins(const std::string &line, const std::string &with)
{
	return line.compare(0, with.size(), with) == 0;
}

// Findings other than "fine", without those caused by the test itself: its tree, and this
// computer's PAPI.
std::vector<std::string> complaints(const std::string &text)
{
	std::vector<std::string> some;

	for (const std::string &line : lines_of(text))
		if (!begins(line, "fine ") && !begins(line, "note environment: UNCORE_SYSROOT") &&
		    !begins(line, "note papi") && !begins(line, "note machine"))
			some.push_back(line);
	return some;
}

// Whether this process may access registers; root of a container may not.
bool has_capabilities()
{
	__user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	__user_cap_data_struct sets[2] = {};

	return syscall(SYS_capget, &header, sets) == 0 &&
	       (sets[0].effective & 1U << CAP_SYS_RAWIO) &&
	       (sets[0].effective & 1U << CAP_SYS_ADMIN);
}

class Doctor : public testing::Test
{
      protected:
	Doctor()
	{
		tree.two_packages();
		tree.write("run/here", ""); // the directory
		setenv("UNCORE_SYSROOT", tree.root.c_str(), 1);
	}
	~Doctor() override
	{
		unsetenv("UNCORE_SYSROOT");
	}
	// In a process of its own, without root's rights; before: after these have gone.
	static std::string examine_unprivileged(const std::function<void()> &before = [] {})
	{
		int ends[2];
		std::string text;
		char some[4096];

		EXPECT_EQ(0, pipe2(ends, O_CLOEXEC));
		const pid_t pid = support::fork_clean();
		if (pid == 0) {
			if (geteuid() == 0 &&
			    (setgroups(0, nullptr) != 0 || setresgid(65534, 65534, 65534) != 0 ||
			     setresuid(65534, 65534, 65534) != 0))
				_exit(1);
			before();
			const std::string findings = examine();
			_exit(write(ends[1], findings.data(), findings.size()) ==
					      static_cast<ssize_t>(findings.size())
				      ? 0
				      : 1);
		}
		close(ends[1]);
		for (ssize_t n; (n = read(ends[0], some, sizeof(some))) > 0;)
			text.append(some, static_cast<size_t>(n));
		close(ends[0]);
		EXPECT_EQ(0, support::status_of(pid));
		return text;
	}
	// One complaint alone, which begins and has words like that.
	static void expect_only(const std::string &text, const std::string &begin,
				const std::string &words)
	{
		const std::vector<std::string> found = complaints(text);

		ASSERT_EQ(1U, found.size()) << text;
		EXPECT_TRUE(begins(found[0], begin)) << found[0];
		EXPECT_NE(std::string::npos, found[0].find(words)) << found[0];
	}
	static void expect_among(const std::string &text, const std::string &begin,
				 const std::string &words)
	{
		for (const std::string &line : complaints(text))
			if (begins(line, begin) && line.find(words) != line.npos)
				return;
		ADD_FAILURE() << "no " << begin << " with " << words << " in\n" << text;
	}
	// For all who are not root, too.
	void allow_all_users(mode_t mode) const
	{
		for (unsigned cpu = 0; cpu < 8; cpu++)
			chmod(tree.path(Tree::msr_name(cpu)).c_str(), mode);
		const std::string command = "find '" + tree.root +
					    "/sys' -name config -exec chmod " +
					    (mode & 2 ? "666"
					     : mode   ? "600"
						      : "0") +
					    " {} +";
		EXPECT_EQ(0, system(command.c_str()));
		chmod(tree.root.c_str(), 0755);
	}

	Tree tree;
};

// ---- nothing ----

TEST_F(Doctor, HasNothingToSayOfAHealthyMachine)
{
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
}

TEST_F(Doctor, HasNoFindingsForAUserWhoMayCount)
{
	allow_all_users(0666);
	tree.write("run/uncore/here", "");
	chmod(tree.path("run/uncore").c_str(), 0755);
	const std::string text = examine_unprivileged();

	EXPECT_NE(std::string::npos,
		  text.find("fine capabilities: all boxes are accessible without CAP_SYS_RAWIO"))
		<< text;
	for (const std::string &line : complaints(text))
		EXPECT_TRUE(begins(line, "note journals: ")) << line;
}

class DoctorOfAll : public testing::TestWithParam<const char *>
{
      protected:
	const std::string machine = "sim:" + std::string(GetParam());
};

TEST_P(DoctorOfAll, SimulatedMachinesAreWell)
{
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine(machine.c_str())));
}

TEST_P(DoctorOfAll, SoAreTheirRecordings)
{
	char path[] = "/tmp/uncore-recording-XXXXXX";
	const int fd = mkstemp(path);
	auto options = support::sized<uncore_options>();

	options.machine = machine.c_str();
	options.record = 1;
	{
		const Handle h(options);

		EXPECT_EQ(0, uncore_record(h.u, fd, 0)) << h.message();
	}
	EXPECT_EQ(std::vector<std::string>{},
		  complaints(examine(("file:" + std::string(path)).c_str())));
	close(fd);
	unlink(path);
}

INSTANTIATE_TEST_SUITE_P(Machines, DoctorOfAll,
			 testing::ValuesIn(support::machines_and_variants()));

// ---- causes ----

TEST_F(Doctor, OfAnotherVendorsCpu)
{
	tree.cpuinfo("AuthenticAMD", 25, 1);
	expect_only(examine(), "problem cpu: no uncore counters are known", "README");
}

// Which way node= uses: the package, a table, none, a measured map.
TEST(DoctorNodes, SaysHowTheBoxesOfNodesAreKnown)
{
	Tree cache;
	const char *before = getenv("XDG_CACHE_HOME");
	const std::string old = before ? before : "";
	const auto has = [](const char *machine, const char *line) {
		const std::string text = examine(machine);

		EXPECT_NE(std::string::npos, text.find(line)) << text;
	};

	setenv("XDG_CACHE_HOME", cache.root.c_str(), 1);
	has("sim:icx:packages=2",
	    "fine nodes: node= of node0, node1: the only node of its package\n");
	has("sim:spr:packages=1,clusters=2",
	    "note nodes: node= of node0, node1 uses a table, which is assumed: perf's table, Linux "
	    "tools/perf/arch/x86/util/pmu.c -> measure the boxes: uncore ceilings --nodes\n");
	has("sim:skx:packages=1,clusters=2",
	    "note nodes: node= of node0, node1 is refused: the imc boxes of node1 are not known: ");
	Handle skx(support::sim_options("sim:skx:packages=1,clusters=2"));
	const uncore_node_box boxes[] = {{sizeof(*boxes), 0, "imc", 0},
					 {sizeof(*boxes), 1, "imc", 3}};
	char *text = nullptr;
	ASSERT_EQ(0, uncore_nodes_text(skx.u, boxes, 2, &text)) << skx.message();
	cache.write("uncore/nodes-simulated", text);
	free(text);
	has("sim:skx:packages=1,clusters=2",
	    "fine nodes: node= of node0, node1 uses the measured map of boxes (uncore ceilings "
	    "--nodes)\n");
	if (before)
		setenv("XDG_CACHE_HOME", old.c_str(), 1);
	else
		unsetenv("XDG_CACHE_HOME");
}

TEST_F(Doctor, OfAVirtualMachine)
{
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu msr hypervisor");
	expect_only(examine(), "note hypervisor: ", "count on the host");
}

TEST_F(Doctor, AWordThatContainsHypervisorIsNotTheFlag)
{
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu msr hypervisorless");
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
}

TEST_F(Doctor, OfAVirtualMachineWithoutUncore)
{
	tree.cpuinfo("GenuineIntel", 6, 45, "fpu msr hypervisor");
	tree.remove("dev/cpu");
	expect_among(examine(), "problem hypervisor: ", "without uncore counters");
}

// Nothing that the user can change would help, so there is no other problem and no other advice.
TEST_F(Doctor, OfAVirtualMachineWithoutUncoreIsTheOnlyProblem)
{
	struct Cpu {
		const char *vendor;
		unsigned family, model;
		bool supported;
	};
	const Cpu cpus[] = {{"GenuineIntel", 6, 254, false},
			    {"AuthenticAMD", 25, 17, false},
			    {"GenuineIntel", 6, 143, true},
			    {"GenuineIntel", 6, 173, true}};

	for (bool devices : {true, false})
		for (const Cpu &cpu : cpus) {
			tree.cpuinfo(cpu.vendor, cpu.family, cpu.model, "fpu msr hypervisor");
			if (!devices)
				tree.remove("dev/cpu");
			const std::string text = examine();
			const std::vector<std::string> all = complaints(text);

			ASSERT_FALSE(all.empty()) << text;
			EXPECT_EQ("problem hypervisor: this is a virtual machine without uncore "
				  "counters -> count on the host",
				  all[0]);
			for (size_t i = 1; i < all.size(); i++) {
				EXPECT_TRUE(begins(all[i], "note ")) << all[i];
				EXPECT_EQ(std::string::npos, all[i].find(" -> ")) << all[i];
			}
			EXPECT_EQ(std::string::npos, text.find("discovery table")) << text;
			EXPECT_EQ(cpu.supported, text.find("note cpu: ") == std::string::npos)
				<< text;
		}
}

TEST_F(Doctor, OfLockdown)
{
	for (const char *mode :
	     {"none [integrity] confidentiality", "none integrity [confidentiality]"}) {
		tree.write("sys/kernel/security/lockdown", mode + std::string("\n"));
		expect_among(examine(), "problem lockdown: the kernel is locked down",
			     "Secure Boot off");
	}
	tree.write("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
}

TEST_F(Doctor, OfAMissingModule)
{
	tree.remove("dev/cpu");
	const std::string text = examine();

	expect_among(text, "problem msr files: /dev/cpu/N/msr does not exist", "modprobe msr");
	EXPECT_TRUE(begins(complaints(text).at(0), "problem msr files")) << text;
}

TEST_F(Doctor, OfFilesThatOnlyRootMayOpen)
{
	// root's files, or files of a user who has taken the permissions away
	allow_all_users(geteuid() == 0 ? 0600 : 0);
	const std::string text = examine_unprivileged();

	expect_among(text, "problem msr files: 0 of 8 can be read and written",
		     "Permission denied");
	expect_among(text, "problem pci files: ", "Direct access without root");
	expect_among(text, "problem capabilities: this process lacks CAP_SYS_RAWIO", "setcap");
	expect_among(text, "problem boxes: no box can be used", "Permission denied");
}

TEST_F(Doctor, OfAGroupThatMay)
{
	NEEDS_OTHER_USERS();
	allow_all_users(0660);
	expect_among(examine_unprivileged(), "problem msr files: 0 of 8",
		     "usermod -aG " + std::string(getgrgid(0) ? getgrgid(0)->gr_name : "GROUP"));
}

TEST_F(Doctor, OfMsrSafesFilesAlone)
{
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		tree.remove(Tree::msr_name(cpu));
		tree.write("dev/cpu/" + std::to_string(cpu) + "/msr_safe", "");
		chmod(tree.path("dev/cpu/" + std::to_string(cpu) + "/msr_safe").c_str(), 0);
	}
	chmod(tree.root.c_str(), 0755);
	expect_among(examine_unprivileged(), "problem msr files: 0 of 8 can be read and written; ",
		     "/msr_safe cannot: Permission denied");
}

TEST_F(Doctor, OfMsrsThatCannotBeWritten)
{
	tree.write("sys/module/msr/parameters/allow_writes", "off\n");
	expect_among(examine(), "problem msr writes: msr.allow_writes=off", "echo on");
	for (const char *value : {"on\n", "default\n"}) {
		tree.write("sys/module/msr/parameters/allow_writes", value);
		EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
	}
}

TEST_F(Doctor, OfConfigSpaceThatEndsEarly)
{
	tree.resize(Tree::config_name(0x7f, 16, 4), 64);
	const std::string text = examine();
	const char *box = "problem boxes: imc2 of package 0";

	if (has_capabilities()) {
		expect_only(text, box, "CAP_SYS_ADMIN");
		return;
	}
	expect_among(text, box, "CAP_SYS_ADMIN");
	expect_among(text, "problem capabilities: ", "CAP_SYS_ADMIN");
	EXPECT_EQ(2U, complaints(text).size()) << text;
}

TEST_F(Doctor, OfAHiddenDevice)
{
	tree.remove(Tree::pci_dir(0, 0x7f, 14, 1));
	expect_only(examine(), "note boxes: ha0 of package 0: its PCI device is hidden",
		    "firmware setup");
}

TEST(DoctorOfHiddenDevices, SuggestsAlternatives)
{
	for (const auto &[hidden, instead] : std::vector<std::pair<const char *, const char *>>{
		     {"sim:ivbep:hide=e32,hide=e33", "UNC_C_TOR_INSERTS:NID_MISS_ALL"},
		     {"sim:ivbep:hide=e39", "UNCORE_PCIE_READ_BYTES"}}) {
		const std::vector<std::string> found = complaints(examine(hidden));

		ASSERT_EQ(1U, found.size());
		EXPECT_TRUE(begins(found[0], "note boxes: ")) << found[0];
		EXPECT_NE(std::string::npos, found[0].find(instead)) << found[0];
	}
}

TEST_F(Doctor, OfAWatchdog)
{
	tree.write("proc/sys/kernel/nmi_watchdog", "1\n");
	expect_only(examine(), "note nmi watchdog: ", "sysctl kernel.nmi_watchdog=0");
}

TEST_F(Doctor, OfTheKernelsDriverInUse)
{
	tree.write("sys/module/intel_uncore/refcnt", "0\n");
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
	tree.write("sys/module/intel_uncore/refcnt", "2\n");
	expect_only(examine(), "note kernel driver: intel_uncore is in use", "perf");
}

TEST_F(Doctor, OfCpusThatAreOffline)
{
	tree.write("sys/devices/system/cpu/offline", "8-15\n");
	expect_only(examine(), "note cpus: offline: 8-15", "online");
}

TEST_F(Doctor, OfFewOpenFiles)
{
	allow_all_users(0666);
	for (const rlim_t files : {40, 20}) {
		const std::string text = examine_unprivileged([&] {
			const rlimit few = {files, files};

			EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &few));
		});
		const std::string kind = files == 40 ? "note" : "problem";

		expect_among(text, kind + " open files: limit " + std::to_string(files),
			     "ulimit -n");
		if (files == 20)
			expect_among(text, "problem boxes: ", "Too many open files");
	}
}

TEST_F(Doctor, OfMsrSafesList)
{
	tree.write("dev/cpu/msr_allowlist", "# nothing\n0x00000D04 0x00000000FFFFFFFF\n");
	expect_only(examine(), "note msr-safe: of ", "uncore allowlist");
}

TEST_F(Doctor, OfAProcessThatCounts)
{
	const Handle h(tree.options());
	Set set(h, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	ASSERT_EQ(0, set.start()) << h.message();
	expect_only(examine(), "note others: ", "(pid " + std::to_string(getpid()));
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
}

TEST_F(Doctor, OfAProcessThatWasKilled)
{
	EXPECT_EQ(1000 + SIGKILL, support::in_child([&] {
			  const Handle h(tree.options());
			  Set set(h, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

			  set.start();
			  return kill(getpid(), SIGKILL);
		  }));
	expect_only(examine(), "note journals: 1 process has ended", "uncore restore");
}

TEST_F(Doctor, OfADirectoryThatCannotBeMade)
{
	allow_all_users(0666);
	// of root, or of a user who has taken the permission away
	ASSERT_EQ(0, chmod(tree.path("run").c_str(), 0555));
	expect_only(examine_unprivileged(), "note journals: no journal can be kept", "tmpfiles.d");
	EXPECT_EQ(0, chmod(tree.path("run").c_str(), 0755)) << "so that it can be removed";
}

TEST_F(Doctor, ReportsAWorldWritableDirectory)
{
	tree.write("run/uncore/here", "");
	chmod(tree.path("run/uncore").c_str(), 0777);
	expect_only(examine(), "note journals: no journal is kept", "world-writable");
}

TEST_F(Doctor, OfVariables)
{
	for (const char *name : {"UNCORE_FORCE", "UNCORE_PARTIAL"}) {
		setenv(name, "1", 1);
		expect_only(examine(), "note environment: " + std::string(name) + "=1", "unset");
		setenv(name, "0", 1);
		EXPECT_EQ(std::vector<std::string>{}, complaints(examine()));
		unsetenv(name);
	}
	setenv("UNCORE_MACHINE", "sim:skx", 1);
	const std::string text = examine(nullptr);
	unsetenv("UNCORE_MACHINE");
	EXPECT_TRUE(begins(text, "note machine: sim:skx: all counts are simulated")) << text;
}

TEST_F(Doctor, OfADamagedList)
{
	setenv("UNCORE_EVENT_FILES", "/nonexistent/list.json", 1);
	const std::string text = examine();
	unsetenv("UNCORE_EVENT_FILES");
	expect_among(text, "problem ", "/nonexistent/list.json");
}

} // namespace
