/* SPDX-License-Identifier: BSD-3-Clause */
// registers.h - for the tests of the ledger: boxes, events and registers of four platforms as
// in docs/hardware, and access to the registers without the library.
#ifndef TEST_CLAIM_REGISTERS_H
#define TEST_CLAIM_REGISTERS_H

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ledger_guard
{

enum Space { kMsr, kPci, kMemory };

struct Box {
	Space space;
	unsigned device;      // PCI device id
	uint64_t unit;        // address of the unit control; 0: the box has none
	uint64_t run;         // its value while the box counts
	uint64_t first, step; // control addresses
	unsigned n;
	uint64_t enable; // enable bit of a control
	std::vector<uint64_t> filters;
};

// Bits of a filter register that an event requires.
struct Filter {
	uint64_t address, bits, value;
};

struct Event {
	std::string name; // without package
	unsigned box;
	uint64_t control;  // without the enable bit
	unsigned counters; // bit c: counter c can count it
	std::vector<Filter> filters;
};

struct Platform {
	std::string name;
	bool per_counter;    // unit controls have a bit for each counter
	uint64_t global;     // MSR of the package; 0: none, or not readable
	uint64_t global_run; // its bits that enable the package
	std::vector<Box> boxes;
	std::vector<Event> events;
	// Of another tool, in each package: MSRs of a fixed control and its counter, which stands
	// while the package is frozen; 0: not used.
	uint64_t clock_control = 0, clock = 0;
};

inline std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

constexpr uint64_t kEnable = 1U << 22, kAll = ~UINT64_C(0), kTop = UINT64_C(1) << 63;
constexpr uint64_t kDrd = UINT64_C(0x182) << 23, kRfo = UINT64_C(0x180) << 23;

// The registers of a mounted machine, accessed through the kernel's files.
class Registers
{
      public:
	Registers(const std::string &root, unsigned packages, unsigned cpus_each)
	{
		for (unsigned p = 0; p < packages; p++)
			msr.push_back(open_file(root + "/dev/cpu/" + std::to_string(p * cpus_each) +
						"/msr"));
		find_devices(root + "/sys/bus/pci/devices");
		memory = open((root + "/dev/mem").c_str(), O_RDWR | O_CLOEXEC);
		for (unsigned p = 0; pci.count(0x3451) && p < packages; p++)
			controllers.push_back(memory_of(p));
	}
	~Registers()
	{
		for (int fd : msr)
			close(fd);
		for (const auto &[id, fds] : pci)
			for (int fd : fds)
				close(fd);
		if (memory >= 0)
			close(memory);
	}
	Registers(const Registers &) = delete;
	Registers &operator=(const Registers &) = delete;

	uint64_t read(const Box &box, unsigned package, uint64_t address) const
	{
		uint64_t value = 0;

		EXPECT_EQ(
			static_cast<ssize_t>(width(box)),
			pread(file(box, package), &value, width(box), place(box, package, address)))
			<< std::hex << address;
		return value;
	}
	void write(const Box &box, unsigned package, uint64_t address, uint64_t value) const
	{
		EXPECT_EQ(static_cast<ssize_t>(width(box)),
			  pwrite(file(box, package), &value, width(box),
				 place(box, package, address)))
			<< std::hex << address;
	}

      private:
	static size_t width(const Box &box)
	{
		return box.space == kMsr ? 8 : 4;
	}
	static int open_file(const std::string &name)
	{
		const int fd = open(name.c_str(), O_RDWR | O_CLOEXEC);

		EXPECT_LE(0, fd) << name;
		return fd;
	}
	// Names are domain:bus:device.function, so lower packages come first.
	void find_devices(const std::string &folder)
	{
		std::map<std::string, unsigned> ids;
		DIR *dir = opendir(folder.c_str());

		while (const dirent *e = dir ? readdir(dir) : nullptr) {
			unsigned id = 0;

			std::ifstream(folder + "/" + e->d_name + "/device") >> std::hex >> id;
			if (id)
				ids[e->d_name] = id;
		}
		if (dir)
			closedir(dir);
		for (const auto &[name, id] : ids)
			pci[id].push_back(open_file(folder + "/" + name + "/config"));
	}
	int file(const Box &box, unsigned package) const
	{
		return box.space == kMsr   ? msr.at(package)
		       : box.space == kPci ? pci.at(box.device).at(package)
					   : memory;
	}
	// docs/hardware/icx.md, "Registers": the base address m of controller 0.
	off_t memory_of(unsigned package) const
	{
		uint32_t base = 0, offset = 0;

		EXPECT_EQ(4, pread(pci.at(0x3451).at(package), &base, 4, 0xd0));
		EXPECT_EQ(4, pread(pci.at(0x3451).at(package), &offset, 4, 0xd8));
		return (static_cast<off_t>(base & 0x1fffffff) << 23) +
		       (static_cast<off_t>(offset & 0x7ff) << 12);
	}
	off_t place(const Box &box, unsigned package, uint64_t address) const
	{
		return static_cast<off_t>(address) +
		       (box.space == kMemory ? controllers.at(package) : 0);
	}

	std::vector<int> msr;
	std::map<unsigned, std::vector<int>> pci; // by id
	int memory = -1;
	std::vector<off_t> controllers; // of memory, by package
};

inline std::vector<Platform> platforms()
{
	const Platform snbep = {
		"snbep",
		false,
		0,
		0,
		{{kMsr, 0, 0xd04, 0x10000, 0xd10, 1, 4, kEnable, {0xd14}},
		 {kMsr, 0, 0xd24, 0x10000, 0xd30, 1, 4, kEnable, {0xd34}},
		 {kMsr, 0, 0xc24, 0x10000, 0xc30, 1, 4, kEnable, {0xc34}},
		 {kPci, 0x3cb0, 0xf4, 0x10000, 0xd8, 4, 4, kEnable, {}},
		 {kPci, 0x3c46, 0xf4, 0x10000, 0xd8, 4, 4, kEnable, {0x40, 0x44, 0x48}},
		 {kMsr, 0, 0, 0, 0xc10, 1, 2, kEnable, {}}},
		{{"cbo::RAW:config=0x135:config1=0xc1000000:box=0",
		  0,
		  0x135,
		  3,
		  {{0xd14, 0xff800000, kDrd}}},
		 {"cbo::RAW:config=0x135:config1=0xc0000000:box=0",
		  0,
		  0x135,
		  3,
		  {{0xd14, 0xff800000, kRfo}}},
		 {"cbo::RAW:config=0x334:config1=0x7c0000:box=0",
		  0,
		  0x334,
		  3,
		  {{0xd14, 0x7c0000, 0x7c0000}}},
		 {"cbo::RAW:config=0xa36:box=0", 0, 0xa36, 1, {}},
		 {"cbo::RAW:config=0x111:box=0", 0, 0x111, 1, {}},
		 {"cbo::RAW:config=0xf1b:box=0", 0, 0xf1b, 0xc, {}},
		 {"cbo::RAW:config=0x135:config1=0xc1000000:box=1",
		  1,
		  0x135,
		  3,
		  {{0xd34, 0xff800000, kDrd}}},
		 {"cbo::RAW:config=0:box=1", 1, 0, 0xf, {}},
		 {"pcu::RAW:config=0xb:config1=0xc:box=0", 2, 0xb, 0xf, {{0xc34, 0xff, 0x0c}}},
		 {"pcu::RAW:config=0xc:config1=0x1400:box=0",
		  2,
		  0xc,
		  0xf,
		  {{0xc34, 0xff00, 0x1400}}},
		 {"imc::RAW:config=0x304:box=0", 3, 0x304, 0xf, {}},
		 {"imc::RAW:config=0xc04:box=0", 3, 0xc04, 0xf, {}},
		 {"ha::RAW:config=0x320:config1=0x12345678940:config2=0x25:box=0",
		  4,
		  0x320,
		  0xf,
		  {{0x40, 0xffffffc0, 0x45678940}, {0x44, 0x3fff, 0x123}, {0x48, 0x3f, 0x25}}},
		 {"ha::RAW:config=0x301:box=0", 4, 0x301, 0xf, {}},
		 {"ubo::RAW:config=0x842:box=0", 5, 0x842, 3, {}}},
		0xc08,
		0xc09};
	const Platform ivbep = {"ivbep",
				false,
				0,
				0,
				{{kMsr, 0, 0xd04, 0x30000, 0xd10, 1, 4, kEnable, {0xd14, 0xd1a}},
				 {kMsr, 0, 0xd24, 0x30000, 0xd30, 1, 4, kEnable, {0xd34, 0xd3a}},
				 {kMsr, 0, 0xc24, 0x30000, 0xc30, 1, 4, kEnable, {}},
				 {kPci, 0x0eb4, 0xf4, 0x30000, 0xd8, 4, 4, kEnable, {}},
				 {kMsr, 0, 0, 0, 0xc10, 1, 2, kEnable, {}}},
				{{"cbo::RAW:config=0x135:config1=0x1820000000000000:box=0",
				  0,
				  0x135,
				  3,
				  {{0xd1a, 0xfff00000, 0x18200000}}},
				 {"cbo::RAW:config=0x135:config1=0x1800000000000000:box=0",
				  0,
				  0x135,
				  3,
				  {{0xd1a, 0xfff00000, 0x18000000}}},
				 {"cbo::RAW:config=0x334:config1=0x7e0000:box=0",
				  0,
				  0x334,
				  3,
				  {{0xd14, 0x7e0000, 0x7e0000}}},
				 {"cbo::RAW:config=0x4135:config1=0x1820000300000000:box=0",
				  0,
				  0x4135,
				  3,
				  {{0xd1a, 0xfff0ffff, 0x18200003}}},
				 {"cbo::RAW:config=0xa36:box=0", 0, 0xa36, 1, {}},
				 {"cbo::RAW:config=0xa36:box=1", 1, 0xa36, 1, {}},
				 {"cbo::RAW:config=0:box=1", 1, 0, 0xf, {}},
				 {"pcu::RAW:config=0:box=0", 2, 0, 0xf, {}},
				 {"imc::RAW:config=0x304:box=0", 3, 0x304, 0xf, {}},
				 {"imc::RAW:config=0xc04:box=0", 3, 0xc04, 0xf, {}},
				 {"ubo::RAW:config=0x842:box=0", 4, 0x842, 3, {}}},
				0xc08,
				0xc09};
	// Each B-Box event has one counter.
	const Platform nhmex = {
		"nhmex",
		true,
		0xc00,
		1U << 28,
		{{kMsr, 0, 0xd00, 0, 0xd10, 2, 6, kEnable, {}},
		 {kMsr, 0, 0xc20, 0, 0xc30, 2, 4, 1, {0xe45, 0xe46}},
		 {kMsr, 0, 0xc60, 0, 0xc70, 2, 4, 1, {0xe4d, 0xe4e}},
		 {kMsr, 0, 0xc40, 0, 0xc50, 2, 4, kEnable, {0xe48, 0xe49, 0xe4a}},
		 {kMsr, 0, 0xc80, 0, 0xc90, 2, 4, kEnable, {}}},
		{{"cbox::RAW:config=0x714:box=0", 0, 0x714, 0x3f, {}},
		 {"cbox::RAW:config=0x114:box=0", 0, 0x114, 0x3f, {}},
		 {"bbox::RAW:config=0x1e:box=0", 1, 0x1e, 1, {}},
		 {"bbox::RAW:config=0x5e:box=0", 1, 0x1e, 2, {}},
		 {"bbox::RAW:config=0x88:config1=0x40:config2=0xc0:box=0",
		  1,
		  0x08,
		  4,
		  {{0xe45, kAll, 0x40}, {0xe46, kAll, 0xc0}}},
		 {"bbox::RAW:config=0x88:config1=0x80:config2=0x80:box=0",
		  1,
		  0x08,
		  4,
		  {{0xe45, kAll, 0x80}, {0xe46, kAll, 0x80}}},
		 {"bbox::RAW:config=0xc4:box=0", 1, 0x04, 8, {}},
		 {"bbox::RAW:config=0x1e:box=1", 2, 0x1e, 1, {}},
		 {"bbox::RAW:config=0x88:config1=0x40:config2=0xc0:box=1",
		  2,
		  0x08,
		  4,
		  {{0xe4d, kAll, 0x40}, {0xe4e, kAll, 0xc0}}},
		 {"sbox::RAW:config=0x0:config1=0x12:config2=0x800000000000001f:box=0",
		  3,
		  0,
		  0xf,
		  {{0xe48, kTop, kTop},
		   {0xe49, kAll, 0x12},
		   {0xe4a, kAll, UINT64_C(0x800000000000001f)}}},
		 {"wbox::RAW:config=0x0:box=0", 4, 0, 0xf, {}}}};
	const Platform icx = {
		"icx",
		false,
		0,
		0,
		{{kMsr, 0, 0xe00, 0x30000, 0xe01, 1, 4, kEnable, {0xe05}},
		 {kMsr, 0, 0x710, 0x30000, 0x711, 1, 4, kEnable, {0x715}},
		 {kMemory, 0, 0x22800, 0x30000, 0x22840, 4, 4, kEnable, {}}},
		{{"cha::RAW:config=0x80135:config1=0x9:box=0",
		  0,
		  0x80135,
		  0xf,
		  {{0xe05, 0x1ff, 0x9}}},
		 {"cha::RAW:config=0x80135:config1=0xa:box=0",
		  0,
		  0x80135,
		  0xf,
		  {{0xe05, 0x1ff, 0xa}}},
		 {"cha::RAW:config=0x136:box=0", 0, 0x136, 1, {}},
		 {"cha::RAW:config=0:box=0", 0, 0, 0xf, {}},
		 {"pcu::RAW:config=0xb:config1=0xc:box=0", 1, 0xb, 0xf, {{0x715, 0xff, 0x0c}}},
		 {"pcu::RAW:config=0xc:config1=0x1400:box=0",
		  1,
		  0xc,
		  0xf,
		  {{0x715, 0xff00, 0x1400}}},
		 {"imc::RAW:config=0x304:box=0", 2, 0x304, 0xf, {}},
		 {"imc::RAW:config=0x3004:box=0", 2, 0x3004, 0xf, {}}}};

	return {snbep, ivbep, nhmex, icx};
}

} // namespace ledger_guard

#endif
