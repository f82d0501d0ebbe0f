/* SPDX-License-Identifier: BSD-3-Clause */
// tree.h - a directory tree of ordinary files that looks like the parts of a real machine that
// the library reads.
#ifndef SUPPORT_TREE_H
#define SUPPORT_TREE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/handle.h"

namespace support
{

constexpr size_t kMsrBytes = 0x2000, kConfigBytes = 4096;
constexpr unsigned kUbox = 0x3ce0;

class Tree
{
      public:
	Tree()
	{
		// a few hundred files, created many times: use memory if possible
		const char *base = getenv("TMPDIR");
		const char *usual = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
		std::string name = std::string(base ? base : usual) + "/uncore-tree-XXXXXX";

		if (!mkdtemp(&name[0]))
			throw std::runtime_error("mkdtemp " + name);
		root = name;
	}
	~Tree()
	{
		nftw(root.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	Tree(const Tree &) = delete;
	Tree &operator=(const Tree &) = delete;

	std::string path(const std::string &name) const
	{
		return root + "/" + name;
	}
	void write(const std::string &name, const std::string &text)
	{
		make_parents(name);
		std::ofstream(path(name), std::ios::binary) << text;
	}
	void remove(const std::string &name)
	{
		nftw(path(name).c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	void resize(const std::string &name, size_t bytes)
	{
		if (truncate(path(name).c_str(), static_cast<off_t>(bytes)) != 0)
			throw std::runtime_error("truncate " + name);
	}

	// ---- parts of a machine ----

	void cpuinfo(const std::string &vendor = "GenuineIntel", unsigned family = 6,
		     unsigned model = 45, const std::string &flags = "fpu msr")
	{
		write("proc/cpuinfo",
		      "processor\t: 0\nvendor_id\t: " + vendor + "\ncpu family\t: " +
			      std::to_string(family) + "\nmodel\t\t: " + std::to_string(model) +
			      "\nmodel name\t: some CPU\nstepping\t: 7\nflags\t\t: " + flags +
			      "\n\nprocessor\t: 1\n");
	}
	void online(const std::string &list)
	{
		write("sys/devices/system/cpu/online", list + "\n");
	}
	void topology(unsigned cpu, unsigned package, unsigned core)
	{
		const std::string dir =
			"sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";

		write(dir + "physical_package_id", std::to_string(package) + "\n");
		write(dir + "core_id", std::to_string(core) + "\n");
	}
	// CPUID leaf 0BH of a CPU that has a cpuid file: the number of logical CPUs at the
	// thread level (0) or core level (1), and the type of the level.
	void cpuid_level(unsigned cpu, unsigned level, uint32_t logical, uint32_t kind)
	{
		const std::string name = "dev/cpu/" + std::to_string(cpu) + "/cpuid";
		const size_t at = 0xb + (size_t{level} << 32);

		put(name, at + 4, logical, 4);
		put(name, at + 8, kind, 8);
	}
	// All CPUs of a package have the same registers, so they share one file.
	void msr(unsigned cpu, unsigned package)
	{
		const std::string name = msr_name(cpu);

		make_parents(name);
		if (first_msr.emplace(package, name).second)
			sparse(name, kMsrBytes);
		else if (link(path(first_msr[package]).c_str(), path(name).c_str()) != 0)
			throw std::runtime_error("link " + name);
	}
	void cpu(unsigned id, unsigned package, unsigned core)
	{
		topology(id, package, core);
		msr(id, package);
	}
	void pci(unsigned segment, unsigned bus, unsigned device, unsigned function, unsigned id,
		 int node = -1, unsigned vendor = 0x8086)
	{
		const std::string dir = pci_dir(segment, bus, device, function);
		char text[64];

		snprintf(text, sizeof(text), "pci:v%08Xd%08Xsv00000000sd00000000bc08sc80i00\n",
			 vendor, id);
		write(dir + "modalias", text);
		snprintf(text, sizeof(text), "0x%04x\n", vendor);
		write(dir + "vendor", text);
		snprintf(text, sizeof(text), "0x%04x\n", id);
		write(dir + "device", text);
		write(dir + "numa_node", std::to_string(node) + "\n");
		sparse(dir + "config", kConfigBytes);
	}
	// U-Box registers: the node id of this U-Box, and the mapping from packages to node
	// ids.
	void ubox(unsigned segment, unsigned bus, unsigned node_id, uint32_t map, int node = -1)
	{
		const std::string config = pci_dir(segment, bus, 11, 3) + "config";

		pci(segment, bus, 11, 3, kUbox, node);
		put(config, 0x40, node_id, 4);
		put(config, 0x54, map, 4);
	}
	struct Function {
		unsigned device, function, id;
	};
	// The uncore devices of an E5-2600 package, starting with the U-Box.
	static const std::vector<Function> &functions_of_a_package()
	{
		static const std::vector<Function> functions = {
			{11, 3, 0x3ce0}, {8, 2, 0x3c41},  {8, 6, 0x3c86},  {9, 2, 0x3c42},
			{9, 6, 0x3c96},  {14, 1, 0x3c46}, {16, 0, 0x3cb0}, {16, 1, 0x3cb1},
			{16, 4, 0x3cb4}, {16, 5, 0x3cb5}, {19, 1, 0x3c43}, {19, 5, 0x3c44},
			{19, 6, 0x3c45}};

		return functions;
	}
	void uncore_devices(unsigned segment, unsigned bus, int node = -1)
	{
		for (const auto &f : functions_of_a_package())
			if (f.id != kUbox)
				pci(segment, bus, f.device, f.function, f.id, node);
	}
	// Two packages of four cores. Package p is on the highest bus of its half.
	void two_packages()
	{
		cpuinfo();
		online("0-7");
		for (unsigned i = 0; i < 8; i++)
			cpu(i, i / 4, i % 4);
		for (unsigned p = 0; p < 2; p++) {
			ubox(0, 0x7f + 0x80 * p, p, 1 << 3);
			uncore_devices(0, 0x7f + 0x80 * p);
		}
	}
	void one_package()
	{
		cpuinfo();
		online("0-3");
		for (unsigned i = 0; i < 4; i++)
			cpu(i, 0, i);
		ubox(0, 0x7f, 0, 0);
		uncore_devices(0, 0x7f);
	}

	// ---- names and contents of register files ----

	static std::string msr_name(unsigned cpu)
	{
		return "dev/cpu/" + std::to_string(cpu) + "/msr";
	}
	static std::string pci_dir(unsigned segment, unsigned bus, unsigned device,
				   unsigned function)
	{
		char text[64];

		snprintf(text, sizeof(text), "sys/bus/pci/devices/%04x:%02x:%02x.%x/", segment, bus,
			 device, function);
		return text;
	}
	static std::string config_name(unsigned bus, unsigned device, unsigned function)
	{
		return pci_dir(0, bus, device, function) + "config";
	}
	uint64_t get(const std::string &name, off_t offset, size_t bytes) const
	{
		const int fd = open(path(name).c_str(), O_RDONLY | O_CLOEXEC);
		uint64_t value = 0;

		EXPECT_EQ(static_cast<ssize_t>(bytes), pread(fd, &value, bytes, offset)) << name;
		close(fd);
		return value;
	}
	void put(const std::string &name, off_t offset, uint64_t value, size_t bytes)
	{
		const int fd = open(path(name).c_str(), O_WRONLY | O_CLOEXEC);

		EXPECT_EQ(static_cast<ssize_t>(bytes), pwrite(fd, &value, bytes, offset)) << name;
		close(fd);
	}
	// Everything that a write can change.
	std::string registers() const
	{
		std::string all;

		for (const std::string &name : register_files) {
			std::ifstream file(path(name), std::ios::binary);
			std::ostringstream text;

			text << file.rdbuf();
			all += name + "\n" + text.str();
		}
		return all;
	}

	uncore_options options() const
	{
		auto o = support::sized<uncore_options>();

		o.machine = "native";
		o.sysroot = root.c_str();
		return o;
	}

	std::string root;

      private:
	static int remove_one(const char *name, const struct stat *, int, struct FTW *)
	{
		return ::remove(name);
	}
	void make_parents(const std::string &name)
	{
		for (size_t slash = name.find('/'); slash != std::string::npos;
		     slash = name.find('/', slash + 1))
			mkdir(path(name.substr(0, slash)).c_str(), 0755);
	}
	void sparse(const std::string &name, size_t bytes)
	{
		write(name, "");
		resize(name, bytes);
		register_files.push_back(name);
	}

	std::map<unsigned, std::string> first_msr;
	std::vector<std::string> register_files;
};

// The library running on a tree.
class NativeMachine : public Handle
{
      public:
	explicit NativeMachine(const Tree &tree) : Handle(tree.options())
	{
	}
};

} // namespace support

#endif
