// SPDX-License-Identifier: BSD-3-Clause
// special_files_test.cc - files that are not what they should be: FIFOs in their places, reads that
// fail or are interrupted.
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <ftw.h>

#include "base/files.h"
#include "support/child.h"
#include "support/tree.h"

namespace
{

using support::Handle;
using support::NativeMachine;
using support::Set;
using support::Tree;

// All files below a directory, by name.
std::vector<std::string> &found_files()
{
	static std::vector<std::string> files;

	return files;
}

int collect(const char *name, const struct stat *st, int, struct FTW *)
{
	if (S_ISREG(st->st_mode))
		found_files().push_back(name);
	return 0;
}

std::vector<std::string> files_below(const Tree &tree)
{
	found_files().clear();
	EXPECT_EQ(0, nftw(tree.root.c_str(), collect, 16, FTW_PHYS));
	return found_files();
}

// Opens the machine, counts on it if it can, and comes back: whatever the result is.
void use(const Tree &tree)
{
	NativeMachine machine(tree);
	struct uncore_set *set;
	unsigned id;

	if (machine.code != 0 || uncore_event(machine.u, "UNC_C_CLOCKTICKS", &id) != 0)
		return;
	EXPECT_EQ(0, uncore_set_create(machine.u, &set));
	if (uncore_set_assign(set, &id, 1) == 0)
		uncore_set_start(set);
	uncore_set_destroy(set);
}

// Each file of the tree becomes a FIFO for once.
int use_with_fifos(Tree &tree)
{
	alarm(60); // in case a FIFO blocks
	for (const std::string &name : files_below(tree)) {
		const std::string aside = tree.path("aside");

		if (rename(name.c_str(), aside.c_str()) != 0 || mkfifo(name.c_str(), 0600) != 0)
			return 1;
		use(tree);
		if (rename(aside.c_str(), name.c_str()) != 0)
			return 1;
	}
	return testing::Test::HasFailure() ? 2 : 0;
}

// Files that a real machine may have and the other tests' trees do not.
void add_the_rest(Tree &tree)
{
	tree.write("dev/cpu/0/cpuid", std::string(256, '\0'));
	for (const char *name :
	     {"dev/cpu/msr_batch", "dev/cpu/msr_allowlist", "dev/cpu/msr_whitelist", "dev/mem",
	      "dev/cpu/0/msr_safe", "proc/bus/pci/devices", "proc/iomem", "sim/machine", "sim/now",
	      "sys/kernel/security/lockdown", "sys/module/msr/parameters/allow_writes",
	      "sys/devices/system/node/node0/cpulist"})
		tree.write(name, "0\n");
}

TEST(OtherFiles, AFifoInTheirPlaceDoesNotHang)
{
	Tree tree;

	tree.one_package();
	add_the_rest(tree);
	EXPECT_EQ(0, support::in_child([&] { return use_with_fifos(tree); }));
}

TEST(OtherFiles, AFifoInPlaceOfATableOrOfMemoryDoesNotHang)
{
	const std::string device = Tree::pci_dir(0, 0, 3, 1);
	Tree tree;

	tree.cpuinfo("GenuineIntel", 6, 143);
	tree.online("0");
	tree.cpu(0, 0, 0);
	add_the_rest(tree);
	tree.pci(0, 0, 3, 1, 0x09a7, 0);
	// a capability with a table in BAR 0
	tree.put(device + "config", 0x04, 0x00100006, 4);
	tree.put(device + "config", 0x10, 0xfb000000, 4);
	tree.put(device + "config", 0x100, 0x23, 4);
	tree.put(device + "config", 0x108, 1, 4);
	tree.write(device + "resource", "0x00000000fb000000 0x00000000fb001fff 0x40200\n");
	tree.write(device + "resource0", std::string(0x2000, '\0'));
	EXPECT_EQ(0, support::in_child([&] { return use_with_fifos(tree); }));
}

TEST(OtherFiles, AFifoIsNotAListOfEvents)
{
	Tree tree;

	tree.one_package();
	ASSERT_EQ(0, mkfifo(tree.path("events.json").c_str(), 0600));
	EXPECT_EQ(0, support::in_child([&] {
			  const std::string list = tree.path("events.json");
			  uncore_options options = tree.options();

			  alarm(60);
			  options.event_files = list.c_str();
			  Handle handle(options);
			  EXPECT_EQ(UNCORE_EINVAL, handle.code);
			  EXPECT_EQ(list + ": not a regular file", handle.message());
			  return testing::Test::HasFailure() ? 2 : 0;
		  }));
}

TEST(OtherFiles, AFifoAsRegisterFileIsReportedAsSuch)
{
	const std::string name = Tree::config_name(0x7f, 16, 1);
	Tree tree;
	char c;

	tree.one_package();
	tree.remove(name);
	ASSERT_EQ(0, mkfifo(tree.path(name).c_str(), 0600));
	const int fd = unc_open(tree.path(name).c_str(), O_RDWR);
	EXPECT_EQ(-1, unc_pread(fd, &c, 1, 0));
	EXPECT_EQ(ESPIPE, errno);
	close(fd);
}

// ---- what cannot be read is not absent ----

// A symbolic link to itself: opening it fails with ELOOP.
void make_unreadable(Tree &tree, const std::string &name)
{
	tree.remove(name);
	ASSERT_EQ(0, symlink(tree.path(name).c_str(), tree.path(name).c_str()));
}

TEST(OtherFiles, ACpuWithAnUnreadablePackageIsNotLeftOut)
{
	const std::string name = "sys/devices/system/cpu/cpu2/topology/physical_package_id";
	Tree tree;

	tree.two_packages();
	make_unreadable(tree, name);
	NativeMachine machine(tree);
	EXPECT_NE(0, machine.code);
	EXPECT_EQ(tree.path(name) + " cannot be read: " + strerror(ELOOP), machine.message());
}

// Four cores are known of eight; whether there are more, the registers tell.
TEST(OtherFiles, WithACoreThatCannotBeReadEachCBoxIsLookedFor)
{
	Tree tree;

	tree.two_packages();
	EXPECT_EQ(2U * 4, NativeMachine(tree).present("cbo"));
	make_unreadable(tree, "sys/devices/system/cpu/cpu2/topology/core_id");
	EXPECT_EQ(2U * 8, NativeMachine(tree).present("cbo"));
}

TEST(OtherFiles, TheErrorOfCpuinfoIsReported)
{
	Tree tree;

	tree.one_package();
	make_unreadable(tree, "proc/cpuinfo");
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, machine.code);
	EXPECT_NE(std::string::npos, machine.message().find(strerror(ELOOP))) << machine.message();
}

} // namespace
