/* SPDX-License-Identifier: BSD-3-Clause */
// tree.h - a directory tree of ordinary files that looks like the parts of a real machine that
// the library reads.
#ifndef SUPPORT_TREE_H
#define SUPPORT_TREE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/handle.h"

namespace support
{

constexpr size_t kMsrBytes = 0x2000, kConfigBytes = 4096;
constexpr unsigned kUbox = 0x3ce0;

class Tree
{
      public:
	Tree();
	~Tree();
	Tree(const Tree &) = delete;
	Tree &operator=(const Tree &) = delete;

	std::string path(const std::string &name) const;
	void write(const std::string &name, const std::string &text);
	void remove(const std::string &name);
	void resize(const std::string &name, size_t bytes);

	// ---- parts of a machine ----

	void cpuinfo(const std::string &vendor = "GenuineIntel", unsigned family = 6,
		     unsigned model = 45, const std::string &flags = "fpu msr");
	void online(const std::string &list);
	void topology(unsigned cpu, unsigned package, unsigned core);
	// CPUID leaf 0BH of a CPU that has a cpuid file: the number of logical CPUs at the
	// thread level (0) or core level (1), and the type of the level.
	void cpuid_level(unsigned cpu, unsigned level, uint32_t logical, uint32_t kind);
	// All CPUs of a package have the same registers, so they share one file.
	void msr(unsigned cpu, unsigned package);
	void cpu(unsigned id, unsigned package, unsigned core);
	void pci(unsigned segment, unsigned bus, unsigned device, unsigned function, unsigned id,
		 int node = -1, unsigned vendor = 0x8086);
	// U-Box registers: the node id of this U-Box, and the mapping from packages to node
	// ids.
	void ubox(unsigned segment, unsigned bus, unsigned node_id, uint32_t map, int node = -1);
	struct Function {
		unsigned device, function, id;
	};
	// The uncore devices of an E5-2600 package, starting with the U-Box.
	static const std::vector<Function> &functions_of_a_package();
	void uncore_devices(unsigned segment, unsigned bus, int node = -1);
	// Two packages of four cores. Package p is on the highest bus of its half.
	void two_packages();
	void one_package();

	// ---- names and contents of register files ----

	static std::string msr_name(unsigned cpu);
	static std::string pci_dir(unsigned segment, unsigned bus, unsigned device,
				   unsigned function);
	static std::string config_name(unsigned bus, unsigned device, unsigned function);
	uint64_t get(const std::string &name, off_t offset, size_t bytes) const;
	void put(const std::string &name, off_t offset, uint64_t value, size_t bytes);
	// Everything that a write can change.
	std::string registers() const;

	uncore_options options() const;

	std::string root;

      private:
	void make_parents(const std::string &name);
	void sparse(const std::string &name, size_t bytes);

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
