// SPDX-License-Identifier: BSD-3-Clause
// devices_test.cc - the devices behind PCIe stacks, by files as the kernel has them in /sys.
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/who/devices.h"

namespace
{

class Sys
{
      public:
	Sys()
	{
		char name[] = "/tmp/uncore-sys-XXXXXX";

		EXPECT_NE(nullptr, mkdtemp(name));
		root = name;
	}
	~Sys()
	{
		EXPECT_EQ(0, system(("rm -r " + root).c_str()));
	}
	Sys(const Sys &) = delete;
	Sys &operator=(const Sys &) = delete;

	void die(unsigned box, unsigned package, const std::string &bus) const
	{
		const std::string dir = root + "/sys/devices/uncore_iio_" + std::to_string(box);

		EXPECT_EQ(0, system(("mkdir -p " + dir).c_str()));
		std::ofstream(dir + "/die" + std::to_string(package)) << bus << "\n";
	}
	void device(const std::string &kind, const std::string &name, const std::string &path) const
	{
		const std::string dir = root + "/sys/class/" + kind;

		EXPECT_EQ(0, system(("mkdir -p " + dir).c_str()));
		EXPECT_EQ(0, symlink(("../../devices/" + path + "/" + kind + "/" + name).c_str(),
				     (dir + "/" + name).c_str()));
	}
	std::string names(unsigned package, unsigned box) const
	{
		char *text = devices_of_stack(root.c_str(), package, box);
		std::string found = text ? text : "none";

		free(text);
		return found;
	}
	std::string root;
};

TEST(WhoDevices, AreThoseOfTheBusOfTheStack)
{
	const Sys sys;

	sys.die(1, 0, "0000:3d");
	sys.die(1, 1, "0000:bd");
	sys.die(2, 0, "0001:3d");
	sys.device("net", "eth1", "pci0000:3d/0000:3d:00.0/0000:3e:00.1");
	sys.device("net", "eth0", "pci0000:3d/0000:3d:00.0/0000:3e:00.0");
	sys.device("nvme", "nvme0", "pci0000:bd/0000:bd:02.0/0000:be:00.0");
	sys.device("net", "lo", "virtual");
	EXPECT_EQ("eth0, eth1", sys.names(0, 1));
	EXPECT_EQ("nvme0", sys.names(1, 1));
	EXPECT_EQ("none", sys.names(0, 2)); // another domain
	EXPECT_EQ("none", sys.names(0, 3)); // the driver has no such stack
}

TEST(WhoDevices, HaveNoNamesWithoutTheDriverOrWithDamagedFiles)
{
	const Sys sys;

	EXPECT_EQ("none", sys.names(0, 0));
	sys.die(0, 0, "damaged");
	sys.device("net", "eth0", "pci0000:00/0000:00:00.0");
	EXPECT_EQ("none", sys.names(0, 0));
}

} // namespace
