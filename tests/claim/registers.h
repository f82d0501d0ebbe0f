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

#include "support/facts.h"

namespace ledger_guard
{

using support::facts::Space;

struct Box {
	std::string kind;
	unsigned number;
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
	unsigned box;
	std::string config; // as in its name
	uint64_t control;   // without the enable bit
	unsigned counters;  // bit c: counter c can count it
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

	// Without package.
	std::string name_of(const Event &event) const
	{
		const Box &box = boxes[event.box];

		return box.kind + "::RAW:config=" + event.config +
		       ":box=" + std::to_string(box.number);
	}
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
		return box.space == Space::kMsr ? 8 : 4;
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
		return box.space == Space::kMsr   ? msr.at(package)
		       : box.space == Space::kPci ? pci.at(box.device).at(package)
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
		       (box.space == Space::kMemory ? controllers.at(package) : 0);
	}

	std::vector<int> msr;
	std::map<unsigned, std::vector<int>> pci; // by id
	int memory = -1;
	std::vector<off_t> controllers; // of memory, by package
};

inline Box box(const std::string &platform, const std::string &kind, unsigned number, uint64_t run,
	       const std::vector<uint64_t> &filters = {}, unsigned device = 0,
	       uint64_t enable = kEnable)
{
	const auto &k = support::facts::kind(platform, kind);
	const bool in_memory = k.space == Space::kMemory; // channel 0 of controller 0
	const uint64_t from = in_memory ? 0x22800 : k.away(number);

	return {kind,
		number,
		k.space,
		device,
		in_memory || k.box_control ? from + k.box_control : 0,
		run,
		from + k.control,
		k.control_step,
		k.counters,
		enable,
		filters};
}

inline std::vector<Platform> platforms()
{
	const Platform snbep = {
		"snbep",
		false,
		0,
		0,
		{box("snbep", "cbo", 0, 0x10000, {0xd14}), box("snbep", "cbo", 1, 0x10000, {0xd34}),
		 box("snbep", "pcu", 0, 0x10000, {0xc34}),
		 box("snbep", "imc", 0, 0x10000, {}, 0x3cb0),
		 box("snbep", "ha", 0, 0x10000, {0x40, 0x44, 0x48}, 0x3c46),
		 box("snbep", "ubo", 0, 0)},
		{{0, "0x135:config1=0xc1000000", 0x135, 3, {{0xd14, 0xff800000, kDrd}}},
		 {0, "0x135:config1=0xc0000000", 0x135, 3, {{0xd14, 0xff800000, kRfo}}},
		 {0, "0x334:config1=0x7c0000", 0x334, 3, {{0xd14, 0x7c0000, 0x7c0000}}},
		 {0, "0xa36", 0xa36, 1, {}},
		 {0, "0x111", 0x111, 1, {}},
		 {0, "0xf1b", 0xf1b, 0xc, {}},
		 {1, "0x135:config1=0xc1000000", 0x135, 3, {{0xd34, 0xff800000, kDrd}}},
		 {1, "0", 0, 0xf, {}},
		 {2, "0xb:config1=0xc", 0xb, 0xf, {{0xc34, 0xff, 0x0c}}},
		 {2, "0xc:config1=0x1400", 0xc, 0xf, {{0xc34, 0xff00, 0x1400}}},
		 {3, "0x304", 0x304, 0xf, {}},
		 {3, "0xc04", 0xc04, 0xf, {}},
		 {4,
		  "0x320:config1=0x12345678940:config2=0x25",
		  0x320,
		  0xf,
		  {{0x40, 0xffffffc0, 0x45678940}, {0x44, 0x3fff, 0x123}, {0x48, 0x3f, 0x25}}},
		 {4, "0x301", 0x301, 0xf, {}},
		 {5, "0x842", 0x842, 3, {}}},
		0xc08,
		0xc09};
	const Platform ivbep = {
		"ivbep",
		false,
		0,
		0,
		{box("ivbep", "cbo", 0, 0x30000, {0xd14, 0xd1a}),
		 box("ivbep", "cbo", 1, 0x30000, {0xd34, 0xd3a}), box("ivbep", "pcu", 0, 0x30000),
		 box("ivbep", "imc", 0, 0x30000, {}, 0x0eb4), box("ivbep", "ubo", 0, 0)},
		{{0,
		  "0x135:config1=0x1820000000000000",
		  0x135,
		  3,
		  {{0xd1a, 0xfff00000, 0x18200000}}},
		 {0,
		  "0x135:config1=0x1800000000000000",
		  0x135,
		  3,
		  {{0xd1a, 0xfff00000, 0x18000000}}},
		 {0, "0x334:config1=0x7e0000", 0x334, 3, {{0xd14, 0x7e0000, 0x7e0000}}},
		 {0,
		  "0x4135:config1=0x1820000300000000",
		  0x4135,
		  3,
		  {{0xd1a, 0xfff0ffff, 0x18200003}}},
		 {0, "0xa36", 0xa36, 1, {}},
		 {1, "0xa36", 0xa36, 1, {}},
		 {1, "0", 0, 0xf, {}},
		 {2, "0", 0, 0xf, {}},
		 {3, "0x304", 0x304, 0xf, {}},
		 {3, "0xc04", 0xc04, 0xf, {}},
		 {4, "0x842", 0x842, 3, {}}},
		0xc08,
		0xc09};
	// Each B-Box event has one counter.
	const Platform nhmex = {
		"nhmex",
		true,
		0xc00,
		1U << 28,
		{box("nhmex", "cbox", 0, 0), box("nhmex", "bbox", 0, 0, {0xe45, 0xe46}, 0, 1),
		 box("nhmex", "bbox", 1, 0, {0xe4d, 0xe4e}, 0, 1),
		 box("nhmex", "sbox", 0, 0, {0xe48, 0xe49, 0xe4a}), box("nhmex", "wbox", 0, 0)},
		{{0, "0x714", 0x714, 0x3f, {}},
		 {0, "0x114", 0x114, 0x3f, {}},
		 {1, "0x1e", 0x1e, 1, {}},
		 {1, "0x5e", 0x1e, 2, {}},
		 {1,
		  "0x88:config1=0x40:config2=0xc0",
		  0x08,
		  4,
		  {{0xe45, kAll, 0x40}, {0xe46, kAll, 0xc0}}},
		 {1,
		  "0x88:config1=0x80:config2=0x80",
		  0x08,
		  4,
		  {{0xe45, kAll, 0x80}, {0xe46, kAll, 0x80}}},
		 {1, "0xc4", 0x04, 8, {}},
		 {2, "0x1e", 0x1e, 1, {}},
		 {2,
		  "0x88:config1=0x40:config2=0xc0",
		  0x08,
		  4,
		  {{0xe4d, kAll, 0x40}, {0xe4e, kAll, 0xc0}}},
		 {3,
		  "0x0:config1=0x12:config2=0x800000000000001f",
		  0,
		  0xf,
		  {{0xe48, kTop, kTop},
		   {0xe49, kAll, 0x12},
		   {0xe4a, kAll, UINT64_C(0x800000000000001f)}}},
		 {4, "0x0", 0, 0xf, {}}}};
	const Platform icx = {"icx",
			      false,
			      0,
			      0,
			      {box("icx", "cha", 0, 0x30000, {0xe05}),
			       box("icx", "pcu", 0, 0x30000, {0x715}),
			       box("icx", "imc", 0, 0x30000)},
			      {{0, "0x80135:config1=0x9", 0x80135, 0xf, {{0xe05, 0x1ff, 0x9}}},
			       {0, "0x80135:config1=0xa", 0x80135, 0xf, {{0xe05, 0x1ff, 0xa}}},
			       {0, "0x136", 0x136, 1, {}},
			       {0, "0", 0, 0xf, {}},
			       {1, "0xb:config1=0xc", 0xb, 0xf, {{0x715, 0xff, 0x0c}}},
			       {1, "0xc:config1=0x1400", 0xc, 0xf, {{0x715, 0xff00, 0x1400}}},
			       {2, "0x304", 0x304, 0xf, {}},
			       {2, "0x3004", 0x3004, 0xf, {}}}};

	return {snbep, ivbep, nhmex, icx};
}

} // namespace ledger_guard

#endif
