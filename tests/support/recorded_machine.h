/* SPDX-License-Identifier: BSD-3-Clause */
// recorded_machine.h - makes recordings for "file:FILE" (docs/recordings.md) from the listings
// and CPUID dumps in tests/machines, whose README.md lists what was recorded and what is
// assumed here.
#ifndef SUPPORT_RECORDED_MACHINE_H
#define SUPPORT_RECORDED_MACHINE_H

#include <nlohmann/json.hpp>

#include "support/fake_tables.h"
#include "support/recorded.h"

namespace support
{

// The accesses that opening a fake machine makes, as the text of a recording.
std::string recording_of(FakeMachine &m);

// ---- PCI listings ----

// The meaning of devices in a platform's listing: docs/hardware, "PCI functions".
struct ListedPlatform {
	const char *name;
	const unc_platform *platform;
	unsigned model;
	unsigned ubox, node, map; // device, offsets of node id and map in its config space
	bool ubox_first; // the U-Box is on the lowest bus of its package, else on the highest
	unsigned first_slice, last_slice; // device ids; 0: slices have no devices
	unsigned fuses, fuses_at;         // device and offset of the fuse register; 0: none
	unsigned address;                 // device that reports memory addresses; 0: none
};

const ListedPlatform &listed_platform(const std::string &name);

// Possible numberings of U-Boxes, which are not recorded in a listing.
struct Order {
	const char *name;
	bool turned; // equals the first order if there is one package
	// node id of the U-Box that is nth in bus order, and of package p
	unsigned (*node_of_ubox)(unsigned nth, unsigned n);
	unsigned (*node_of_package)(unsigned p, unsigned n);
	unsigned (*package_of_ubox)(unsigned nth, unsigned n); // derived from these
};

const std::vector<Order> &orders();

class Listing
{
      public:
	explicit Listing(const nlohmann::json &recorded);
	unsigned packages() const;
	// nth: the U-Box of the device's package.
	unsigned ubox_of(const Listed &d) const;
	bool has(unsigned id, unsigned nth) const;
	bool has(unsigned id) const;
	// The functions that represent slices in a package.
	unsigned functions(unsigned nth) const;
	// From the size of the L3, which lscpu prints in whole megabytes. 0: not recorded.
	unsigned slices_by_l3() const;
	// Broadwell-DE and Ice Lake-D have a network controller in the package.
	unsigned model() const;

	const nlohmann::json recorded;
	const ListedPlatform &platform;
	std::vector<Listed> devices;  // by address
	std::vector<unsigned> uboxes; // their buses, ascending
};

// The fuses of a package, if their values follow from other data.
bool fuses_of(const Listing &l, const Listed &d, uint32_t *value);

void add_listed_cpus(FakeMachine &m, const Listing &l);

// CHAs whose number is unknown.
bool is_cha(const std::string &platform, uint64_t msr);

void fill_listing(FakeMachine &m, const Listing &l, const Order &order = orders()[0]);

// ---- CPUID ----

using Regs = std::array<uint32_t, 4>;

Regs regs_of(const std::string &text);

void add_leaves(FakeMachine &m, unsigned cpu, const nlohmann::json &leaves);

// As the kernel would derive them: package and core from the APIC id (SDM vol. 2A, CPUID).
void add_dumped_cpus(FakeMachine &m, const nlohmann::json &recorded);

// As in /proc/cpuinfo.
void identify(unc_topology &topo, const nlohmann::json &recorded);

const unc_platform &platform_of(const nlohmann::json &dump);

// The L3 sets of CPU 0 divided by the 2048 sets of a slice. 0: no L3.
unsigned slices_by_leaf_4(const nlohmann::json &dump);

// The number of the CHA to which an MSR of Skylake-X or Ice Lake-X belongs (docs/hardware,
// "Registers").
unsigned cha_of(const std::string &platform, uint64_t msr);

void fill_dump(FakeMachine &m, const nlohmann::json &recorded);

} // namespace support

#endif
