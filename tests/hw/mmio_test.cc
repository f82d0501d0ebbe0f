// SPDX-License-Identifier: BSD-3-Clause
// mmio_test.cc - registers at physical addresses are mapped through the BAR that contains them
// completely, or else through dev/mem.
#include <gtest/gtest.h>

#include "support/tree.h"

extern "C" {
#include "hw/mmio.h"
}

namespace
{

using support::Tree;

constexpr size_t kPage = 4096;
constexpr uint64_t kFirst = 0xfb000000, kSecond = kFirst + 2 * kPage;

// Two devices with neighbouring BARs of two pages and one page. Each page of the files begins with
// a number of its own.
class Mmio : public testing::Test
{
      protected:
	Mmio()
	{
		device(0, "0x00000000fb000000 0x00000000fb001fff 0x40200\n"
			  "0x0000000000000000 0x0000000000000000 0x00000\n");
		device(1, "0x0000000000000000 0x0000000000000000 0x00000\n"
			  "0x00000000fb002000 0x00000000fb002fff 0x40200\n");
		pages("sys/bus/pci/devices/0000:00:00.0/resource0", {0xa0, 0xa1, 0xa2});
		pages("sys/bus/pci/devices/0000:00:01.0/resource1", {0xb0, 0xb1});
		tree.write("dev/mem", "");
		tree.resize("dev/mem", kSecond + 4 * kPage);
		for (unsigned i = 0; i < 4; i++)
			tree.put("dev/mem", static_cast<off_t>(kFirst + i * kPage), 0xc0 + i, 8);
		topology.pci = pci;
		topology.n_pci = 2;
	}
	~Mmio() override
	{
		unc_mmio_free(&mmio);
	}
	void device(unsigned number, const std::string &resource)
	{
		pci[number].devfn = static_cast<uint8_t>(number << 3);
		tree.write(Tree::pci_dir(0, 0, number, 0) + "resource", resource);
	}
	void pages(const std::string &name, const std::vector<uint64_t> &numbers)
	{
		tree.write(name, "");
		tree.resize(name, numbers.size() * kPage);
		for (size_t i = 0; i < numbers.size(); i++)
			tree.put(name, static_cast<off_t>(i * kPage), numbers[i], 8);
	}
	// The 64 bits at an address that was mapped as part of a range.
	uint64_t at(uint64_t address, uint64_t start, size_t bytes)
	{
		const int unit = unc_mmio_map(&mmio, &topology, tree.root.c_str(), start, bytes);
		unc_op op = {};
		uint64_t value = 0;

		EXPECT_LE(0, unit) << std::hex << start;
		op.space = UNCORE_MMIO;
		op.address = address;
		op.unit = static_cast<uint16_t>(unit);
		op.width = 64;
		EXPECT_EQ(0, unc_mmio_read(&mmio, &op, &value)) << std::hex << address;
		return value;
	}

	Tree tree;
	unc_pci pci[2] = {};
	unc_topology topology = {};
	unc_mmio mmio = {};
};

TEST_F(Mmio, UsesTheBarThatContainsTheRange)
{
	EXPECT_EQ(0xa0u, at(kFirst, kFirst, 8));
	EXPECT_EQ(0xa1u, at(kFirst + kPage, kFirst + kPage, kPage)) << "up to its last byte";
	EXPECT_EQ(0xb0u, at(kSecond, kSecond, kPage)) << "the number of the BAR";
}

TEST_F(Mmio, PassesOverABarThatBeginsBehindTheRange)
{
	std::swap(pci[0], pci[1]);
	EXPECT_EQ(0xa0u, at(kFirst, kFirst, 8));
}

TEST_F(Mmio, UsesMemoryBehindTheBar)
{
	EXPECT_EQ(0xc3u, at(kSecond + kPage, kSecond + kPage, 8)) << "the file is longer";
}

TEST_F(Mmio, UsesMemoryIfTheRangeEndsBehindTheBar)
{
	EXPECT_EQ(0xc1u, at(kFirst + kPage, kFirst + kPage, kPage + 1));
	EXPECT_EQ(0xc2u, at(kSecond, kSecond - 8, 16)) << "in two BARs";
}

TEST_F(Mmio, UsesMemoryIfTheRangeBeginsBeforeTheBar)
{
	tree.put("dev/mem", kFirst - 8, 0xbe, 8);
	EXPECT_EQ(0xbeu, at(kFirst - 8, kFirst - 8, 16));
}

TEST_F(Mmio, RejectsARangeThatWraps)
{
	EXPECT_EQ(-ENXIO, unc_mmio_map(&mmio, &topology, tree.root.c_str(), UINT64_MAX - 7, 4096));
}

} // namespace
