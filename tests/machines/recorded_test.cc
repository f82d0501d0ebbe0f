// SPDX-License-Identifier: BSD-3-Clause
// recorded_test.cc - detection run over what real machines told (tests/machines).
//
// Expected values are written by hand: which devices are boxes from the manuals and
// docs/hardware/, cores and caches of parts as Intel publishes them.
#include <algorithm>
#include <set>

#include "machine/boxes.h"
#include "support/fake_tables.h"
#include "support/recorded.h"
#include "support/tree.h"

namespace
{

using nlohmann::json;
using support::FakeMachine;
using support::Listed;
using support::NativeMachine;
using support::Tree;

// ---- which devices are boxes ----

struct Box {
	unsigned id;
	const char *place; // device and function, hexadecimal; "": anywhere
	const char *kind;
	unsigned index;
};

struct Platform {
	const char *name;
	const unc_platform *platform;
	unsigned ubox, node, map; // device, offsets of node id and map in its config space
	bool ubox_first; // of the buses of a package the U-Box's is the lowest, else the highest
	unsigned first_slice, last_slice; // device ids
	unsigned most;                    // C-Boxes
	std::vector<Box> boxes;
};

const std::vector<Platform> kPlatforms = {
	{"snbep",
	 &unc_snbep,
	 0x3ce0,
	 0x40,
	 0x54,
	 false,
	 0x3ce8,
	 0x3ce8,
	 8,
	 {{0x3c46, "0e.1", "ha", 0},
	  {0x3cb0, "10.0", "imc", 0},
	  {0x3cb1, "10.1", "imc", 1},
	  {0x3cb4, "10.4", "imc", 2},
	  {0x3cb5, "10.5", "imc", 3},
	  {0x3c41, "08.2", "qpi", 0},
	  {0x3c42, "09.2", "qpi", 1},
	  {0x3c43, "13.1", "r2pcie", 0},
	  {0x3c44, "13.5", "r3qpi", 0},
	  {0x3c45, "13.6", "r3qpi", 1}}},
	{"ivbep",
	 &unc_ivbep,
	 0x0e1e,
	 0x40,
	 0x54,
	 false,
	 0x0ee0,
	 0x0eef,
	 15,
	 {{0x0e30, "0e.1", "ha", 0},
	  {0x0e38, "1c.1", "ha", 1},
	  {0x0eb4, "10.4", "imc", 0},
	  {0x0eb5, "10.5", "imc", 1},
	  {0x0eb0, "10.0", "imc", 2},
	  {0x0eb1, "10.1", "imc", 3},
	  {0x0ef4, "1e.4", "imc", 4},
	  {0x0ef5, "1e.5", "imc", 5},
	  {0x0ef0, "1e.0", "imc", 6},
	  {0x0ef1, "1e.1", "imc", 7},
	  {0x0e39, "05.6", "irp", 0},
	  {0x0e39, "05.6", "irp", 1},
	  {0x0e32, "08.2", "qpi", 0},
	  {0x0e33, "09.2", "qpi", 1},
	  {0x0e3a, "18.2", "qpi", 2},
	  {0x0e34, "13.1", "r2pcie", 0},
	  {0x0e36, "13.5", "r3qpi", 0},
	  {0x0e37, "13.6", "r3qpi", 1},
	  {0x0e3e, "12.5", "r3qpi", 2}}},
	{"hswep",
	 &unc_hswep,
	 0x2f1e,
	 0x40,
	 0x54,
	 false,
	 0x2fe0,
	 0x2ff7,
	 18,
	 {{0x2f30, "12.1", "ha", 0},
	  {0x2f38, "12.5", "ha", 1},
	  {0x2fb0, "14.0", "imc", 0},
	  {0x2fb1, "14.1", "imc", 1},
	  {0x2fb4, "15.0", "imc", 2},
	  {0x2fb5, "15.1", "imc", 3},
	  {0x2fd0, "17.0", "imc", 4},
	  {0x2fd1, "17.1", "imc", 5},
	  {0x2fd4, "18.0", "imc", 6},
	  {0x2fd5, "18.1", "imc", 7},
	  {0x2f39, "05.6", "irp", 0},
	  {0x2f39, "05.6", "irp", 1},
	  {0x2f32, "08.2", "qpi", 0},
	  {0x2f33, "09.2", "qpi", 1},
	  {0x2f3a, "0a.2", "qpi", 2},
	  {0x2f34, "10.1", "r2pcie", 0},
	  {0x2f36, "0b.1", "r3qpi", 0},
	  {0x2f37, "0b.2", "r3qpi", 1},
	  {0x2f3e, "0b.5", "r3qpi", 2}}},
	{"bdx",
	 &unc_bdx,
	 0x6f1e,
	 0x40,
	 0x54,
	 false,
	 0x6fe0,
	 0x6ff7,
	 24,
	 {{0x6f30, "12.1", "ha", 0},
	  {0x6f38, "12.5", "ha", 1},
	  {0x6fb0, "14.0", "imc", 0},
	  {0x6fb1, "14.1", "imc", 1},
	  {0x6fb4, "15.0", "imc", 2},
	  {0x6fb5, "15.1", "imc", 3},
	  {0x6fd0, "17.0", "imc", 4},
	  {0x6fd1, "17.1", "imc", 5},
	  {0x6fd4, "18.0", "imc", 6},
	  {0x6fd5, "18.1", "imc", 7},
	  {0x6f39, "05.6", "irp", 0},
	  {0x6f39, "05.6", "irp", 1},
	  {0x6f32, "08.2", "qpi", 0},
	  {0x6f33, "09.2", "qpi", 1},
	  {0x6f3a, "0a.2", "qpi", 2},
	  {0x6f34, "10.1", "r2pcie", 0},
	  {0x6f36, "0b.1", "r3qpi", 0},
	  {0x6f37, "0b.2", "r3qpi", 1},
	  {0x6f3e, "0b.5", "r3qpi", 2}}},
	{"skx",
	 &unc_skx,
	 0x2014,
	 0xc0,
	 0xd4,
	 true,
	 0,
	 0,
	 0,
	 {{0x2042, "0a.2", "imc", 0},
	  {0x2046, "0a.6", "imc", 1},
	  {0x204a, "0b.2", "imc", 2},
	  {0x2042, "0c.2", "imc", 3},
	  {0x2046, "0c.6", "imc", 4},
	  {0x204a, "0d.2", "imc", 5},
	  {0x2066, "08.0", "m2m", 0},
	  {0x2066, "09.0", "m2m", 1},
	  {0x2058, "0e.0", "upi", 0},
	  {0x2058, "0f.0", "upi", 1},
	  {0x2058, "10.0", "upi", 2},
	  {0x2088, "15.1", "m2pcie", 0},
	  {0x2088, "16.1", "m2pcie", 1},
	  {0x2088, "17.1", "m2pcie", 2},
	  {0x2088, "16.5", "m2pcie", 3},
	  {0x204d, "12.1", "m3upi", 0},
	  {0x204e, "12.2", "m3upi", 1},
	  {0x204d, "12.5", "m3upi", 2}}},
	{"icx",
	 &unc_icx,
	 0x3450,
	 0xc0,
	 0xd4,
	 false,
	 0,
	 0,
	 0,
	 {{0x344a, "0c.0", "m2m", 0},
	  {0x344a, "0d.0", "m2m", 1},
	  {0x344a, "0e.0", "m2m", 2},
	  {0x344a, "0f.0", "m2m", 3},
	  {0x3441, "02.1", "upi", 0},
	  {0x3441, "03.1", "upi", 1},
	  {0x3441, "04.1", "upi", 2},
	  {0x3446, "05.1", "m3upi", 0},
	  {0x3446, "06.1", "m3upi", 1},
	  {0x3446, "07.1", "m3upi", 2}}},
};

const Platform &platform_of(const std::string &name)
{
	for (const Platform &p : kPlatforms)
		if (name == p.name)
			return p;
	throw std::runtime_error("no platform " + name);
}

// ---- parts as they are published ----

struct Sku {
	const char *name;
	unsigned cores, slices; // slices: the size of the L3 by that of a slice
};

// 2.5 MB a slice, where no other size is told.
const std::vector<Sku> kSkus = {
	{"Core i7-3820", 4, 4},
	{"Core i7-3930K", 6, 6}, // 12 MB, 2 MB a slice; likewise E5-1650, i7-4930K and E5-1650 v2
	{"E5-1607 0", 4, 4},
	{"E5-1620 0", 4, 4},
	{"E5-1650 0", 6, 6},
	{"E5-2407 0", 4, 4},
	{"E5-2420 0", 6, 6},
	{"E5-2430 0", 6, 6},
	{"E5-2450L 0", 8, 8},
	{"E5-2609 0", 4, 4},
	{"E5-2620 0", 6, 6},
	{"E5-2630L 0", 6, 6},
	{"E5-2640 0", 6, 6},
	{"E5-2650L 0", 8, 8},
	{"E5-2660 0", 8, 8},
	{"E5-2670 0", 8, 8},
	{"E5-2689 0", 8, 8},
	{"E5-2690 0", 8, 8},
	{"Core i7-4930K", 6, 6},
	{"E5-1650 v2", 6, 6},
	{"E5-2407 v2", 4, 4},
	{"E5-2420 v2", 6, 6},
	{"E5-2430 v2", 6, 6},
	{"E5-2430L v2", 6, 6},
	{"E5-2450 v2", 8, 8},
	{"E5-2620 v2", 6, 6},
	{"E5-2637 v2", 4, 6}, // 15 MB
	{"E5-2640 v2", 8, 8},
	{"E5-2650 v2", 8, 8},
	{"E5-2660 v2", 10, 10},
	{"E5-2680 v2", 10, 10},
	{"E5-2695 v2", 12, 12},
	{"Core i7-5820K", 6, 6},
	{"E5-1620 v3", 4, 4},
	{"E5-1650 v3", 6, 6},
	{"E5-2620 v3", 6, 6},
	{"E5-2623 v3", 4, 4},
	{"E5-2630 v3", 8, 8},
	{"E5-2630L v3", 8, 8},
	{"E5-2637 v3", 4, 6}, // 15 MB
	{"E5-2643 v3", 6, 8}, // 20 MB
	{"E5-2650 v3", 10, 10},
	{"E5-2650L v3", 12, 12},
	{"E5-2678 v3", 12, 12},
	{"E5-2697 v3", 14, 14},
	{"Core i7-6800K", 6, 6},
	{"Pentium D1508", 2, 2}, // 3 MB, 1.5 MB a slice; likewise Xeon D
	{"D-1518", 4, 4},
	{"D-1520", 4, 4},
	{"D-1521", 4, 4},
	{"D-1528", 6, 6},
	{"D-1537", 8, 8},
	{"D-1540", 8, 8},
	{"D-1541", 8, 8},
	{"E5-1620 v4", 4, 4},
	{"E5-1650 v4", 6, 6},
	{"E5-2620 v4", 8, 8},
	{"E5-2623 v4", 4, 4},
	{"E5-2630 v4", 10, 10},
	{"E5-2630L v4", 10, 10},
	{"E5-2640 v4", 10, 10},
	{"E5-2650 v4", 12, 12},
	{"E5-2660 v4", 14, 14},
	{"E5-2667 v4", 8, 10}, // 25 MB
	{"E5-2680 v4", 14, 14},
	{"E5-2683 v4", 16, 16},
	{"E5-2690 v4", 14, 14},
	// an engineering sample: nothing is published; 20 MB
	{"Genuine Intel 0000", 8, 8},
};

// "Intel Xeon E5-2620 v2 @ 2.10GHz"
const Sku &sku_of(const std::string &cpu)
{
	for (const Sku &s : kSkus)
		if (cpu.find(std::string(s.name) + " @") != std::string::npos)
			return s;
	throw std::runtime_error("no published data of " + cpu);
}

// ---- PCI listings ----

struct Order {
	const char *name;
	// node id of the U-Box that is the nth in the order of buses; and of package p
	unsigned (*node_of_ubox)(unsigned nth, unsigned n);
	unsigned (*node_of_package)(unsigned p, unsigned n);
	unsigned (*package_of_ubox)(unsigned nth, unsigned n); // what follows from these
};

const Order kOrders[] = {
	{"as the buses", [](unsigned i, unsigned) { return i; },
	 [](unsigned p, unsigned) { return p; }, [](unsigned i, unsigned) { return i; }},
	{"node ids turned round", [](unsigned i, unsigned n) { return n - 1 - i; },
	 [](unsigned p, unsigned) { return p; }, [](unsigned i, unsigned n) { return n - 1 - i; }},
	{"packages turned round", [](unsigned i, unsigned) { return i; },
	 [](unsigned p, unsigned n) { return n - 1 - p; },
	 [](unsigned i, unsigned n) { return n - 1 - i; }},
	{"ids with gaps", [](unsigned i, unsigned) { return 2 + 3 * i; },
	 [](unsigned p, unsigned) { return 2 + 3 * p; }, [](unsigned i, unsigned) { return i; }},
};

class Listing
{
      public:
	explicit Listing(const json &recorded)
	    : recorded(recorded), platform(platform_of(recorded["platform"])),
	      devices(support::devices_of(recorded))
	{
		for (const Listed &d : devices)
			if (d.id == platform.ubox)
				uboxes.push_back(d.bus);
		std::sort(uboxes.begin(), uboxes.end());
	}
	unsigned packages() const
	{
		return recorded["packages"];
	}
	// The nth U-Box is that of the device's package.
	unsigned ubox_of(const Listed &d) const
	{
		unsigned nth = 0;

		if (platform.ubox_first)
			while (nth + 1 < uboxes.size() && uboxes[nth + 1] <= d.bus)
				nth++;
		else
			while (nth + 1 < uboxes.size() && uboxes[nth] < d.bus)
				nth++;
		return nth;
	}
	bool has(unsigned id, unsigned nth) const
	{
		for (const Listed &d : devices)
			if (d.id == id && ubox_of(d) == nth)
				return true;
		return false;
	}
	// D23:F0 of HSX and BDX may be there without a second controller.
	bool is_box(const Listed &d) const
	{
		const unsigned nth = ubox_of(d), more = d.id & 0xf000;

		if (d.id != 0x2fd0 && d.id != 0x6fd0)
			return true;
		return has(more | 0xfd1, nth) || has(more | 0xf38, nth);
	}
	// "imc0 of package 1 at 0000:ff:10.4"
	std::set<std::string> expected(const Order &order) const
	{
		std::set<std::string> all;

		for (const Listed &d : devices)
			for (const Box &b : platform.boxes)
				if (b.id == d.id && d.place() == b.place && is_box(d))
					all.insert(b.kind + std::to_string(b.index) +
						   " of package " +
						   std::to_string(order.package_of_ubox(
							   ubox_of(d), packages())) +
						   " at " + d.address());
		return all;
	}
	unsigned slices(unsigned nth) const
	{
		unsigned n = 0;

		for (const Listed &d : devices)
			n += d.id >= platform.first_slice && d.id <= platform.last_slice &&
			     ubox_of(d) == nth;
		return n;
	}

	const json &recorded;
	const Platform &platform;
	std::vector<Listed> devices;
	std::vector<unsigned> uboxes; // their buses, ascending
};

void fill(FakeMachine &m, const Listing &l, const Order &order)
{
	const unsigned n = l.packages();
	uint32_t map = 0;

	for (unsigned p = 0; p < n; p++)
		map |= order.node_of_package(p, n) << 3 * p;
	for (unsigned p = n; p < 8; p++)
		map |= 7u << 3 * p;
	for (const Listed &d : l.devices) {
		const unsigned unit =
			m.device(static_cast<uint16_t>(d.id), d.bus, d.slot, d.function, -1);

		m.pci[unit].segment = static_cast<uint16_t>(d.domain);
		if (d.id != l.platform.ubox)
			continue;
		m.config(unit, l.platform.node, order.node_of_ubox(l.ubox_of(d), n));
		m.config(unit, l.platform.map, map);
	}
}

std::set<std::string> found(const FakeMachine &m)
{
	std::set<std::string> all;
	char name[UNC_PCI_NAME];

	for (size_t i = 0; i < m.machine.n_boxes; i++) {
		const unc_box &b = m.machine.boxes[i];

		if (!b.absent && b.type->space == UNC_IN_PCI)
			all.insert(b.type->name + std::to_string(b.index) + " of package " +
				   std::to_string(b.package) + " at " +
				   unc_pci_name(name, &m.machine.topo.pci[b.pci]));
	}
	return all;
}

unsigned count(const FakeMachine &m, const std::string &kind, unsigned package)
{
	unsigned n = 0;

	for (size_t i = 0; i < m.machine.n_boxes; i++)
		n += !m.machine.boxes[i].absent && m.machine.boxes[i].type->name == kind &&
		     m.machine.boxes[i].package == package;
	return n;
}

TEST(RecordedPci, EachDeviceIsItsBoxAndNothingElseIs)
{
	const std::vector<json> all = support::recordings("pci.jsonl.gz");

	ASSERT_EQ(160u, all.size());
	for (const json &recorded : all) {
		const Listing listing(recorded);

		ASSERT_EQ(listing.packages(), listing.uboxes.size());
		for (const Order &order : kOrders) {
			FakeMachine m(*listing.platform.platform, listing.packages());

			SCOPED_TRACE(std::string(order.name) + ", " +
				     recorded["source"].get<std::string>());
			fill(m, listing, order);
			ASSERT_EQ(0, m.build_machine()) << m.err.text;
			EXPECT_EQ(listing.packages(), m.machine.topo.n_packages);
			EXPECT_EQ(listing.expected(order), found(m));
		}
	}
}

TEST(RecordedPci, CBoxesAreTheSlicesOfTheFunctionsAndOfThePublishedPart)
{
	unsigned known = 0;

	for (const json &recorded : support::recordings("pci.jsonl.gz")) {
		const Listing listing(recorded);
		const unsigned n = listing.packages();

		if (!listing.platform.most)
			continue;
		for (const Order &order : kOrders) {
			FakeMachine m(*listing.platform.platform, n);

			SCOPED_TRACE(std::string(order.name) + ", " +
				     recorded["source"].get<std::string>());
			fill(m, listing, order);
			ASSERT_EQ(0, m.build_machine()) << m.err.text;
			for (unsigned i = 0; i < n; i++)
				EXPECT_EQ(listing.slices(i),
					  count(m, "cbo", order.package_of_ubox(i, n)));
			if (!recorded.contains("cpu"))
				continue;
			known++;
			for (unsigned p = 0; p < n; p++)
				EXPECT_EQ(sku_of(recorded["cpu"]).slices, count(m, "cbo", p))
					<< recorded["cpu"];
		}
	}
	EXPECT_LT(4 * 60u, known);
}

// ---- slices.csv: cores and functions of further machines ----

std::vector<std::vector<std::string>> rows(const std::string &name)
{
	std::ifstream file(support::machines_path(name));
	std::vector<std::vector<std::string>> all;

	for (std::string line; std::getline(file, line);) {
		std::istringstream fields(line);
		std::vector<std::string> row;

		for (std::string field; std::getline(fields, field, ',');)
			row.push_back(field);
		all.push_back(row);
	}
	return all;
}

// The nth function of slices, as the listings show them.
void add_slice(FakeMachine &m, const Platform &p, unsigned bus, unsigned n)
{
	const unsigned row = p.name == std::string("snbep") ? 4 : 8;
	const bool turns = p.name == std::string("ivbep");
	const unsigned id = p.first_slice + (p.first_slice == p.last_slice ? 0 : n);

	m.device(static_cast<uint16_t>(id), bus, 12 + (turns ? n % 2 : n / row),
		 turns ? n / 2 : n % row, -1);
}

TEST(RecordedSlices, AreThoseOfThePublishedParts)
{
	auto all = rows("slices.csv");

	ASSERT_EQ(83u, all.size());
	all.erase(all.begin()); // its title
	for (const auto &row : all) {
		const Platform &p = platform_of(row.at(0));
		const Sku &sku = sku_of(row.at(1));
		std::istringstream functions(row.at(4));
		std::vector<unsigned> slices{std::istream_iterator<unsigned>(functions), {}};
		FakeMachine m(*p.platform, 0);

		SCOPED_TRACE(row.at(1));
		EXPECT_EQ(sku.cores, std::stoul(row.at(2)));
		for (unsigned i = 0; i < slices.size(); i++) {
			const unsigned bus = 0x7f + 0x80 * i;
			const unsigned ubox =
				m.device(static_cast<uint16_t>(p.ubox), bus, 11, 0, -1);

			for (unsigned core = 0; core < sku.cores; core++)
				m.cpus.push_back({100 * i + core, i, static_cast<int>(core)});
			m.config(ubox, p.node, i);
			m.config(ubox, p.map, 1 << 3);
			for (unsigned n = 0; n < slices[i]; n++)
				add_slice(m, p, bus, n);
		}
		ASSERT_EQ(0, m.build_machine()) << m.err.text;
		for (unsigned i = 0; i < slices.size(); i++)
			EXPECT_EQ(sku.slices, count(m, "cbo", i));
	}
}

// ---- CPUID ----

struct Dump {
	const char *file;     // end of its source
	const char *platform; // "": none of ours
	unsigned packages, cores, cpus;
	unsigned slices; // L3 as published, by the size of a slice; 0: no L3
};

const std::vector<Dump> kDumps = {
	// engineering sample of an E5-2600: 20 MB of 2.5
	{"GenuineIntel00206D5_SandyBridgeEP_CPUID.txt", "snbep", 2, 8, 32, 8},
	// X7560: 24 MB of 3
	{"GenuineIntel00206E6_Beckton_CPUID2.txt", "nhmex", 2, 8, 32, 8},
	// E7-4870: 30 MB of 3
	{"GenuineIntel00206F2_Eagleton_CPUID.txt", "wsmex", 4, 10, 80, 10},
	// i7-4930K: 12 MB of 2
	{"GenuineIntel00306E4_IvyBridgeE_CPUID.txt", "ivbep", 1, 6, 12, 6},
	// E5-2630 v3: 20 MB of 2.5
	{"GenuineIntel00306F2_HaswellEP_00_CPUID.txt", "hswep", 1, 8, 16, 8},
	// engineering sample, 14 cores: 35 MB of 2.5
	{"GenuineIntel00306F2_HaswellEP_01_CPUID.txt", "hswep", 1, 14, 28, 14},
	// i7-6900K: 20 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_01_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2620 v4: 20 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_02_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2697 v4: 45 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_CPUID4.txt", "bdx", 2, 18, 72, 18},
	// i7-6950X: 25 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_CPUID5.txt", "bdx", 1, 10, 20, 10},
	// D-1540: 12 MB of 1.5
	{"GenuineIntel0050662_BroadwellDE_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2650L v4: 35 MB of 2.5
	{"Intel-Broadwell-2xXeon-E5-2650Lv4.tar.bz2", "bdx", 2, 14, 56, 14},
	// E5-2680 v3: 30 MB of 2.5, Cluster-on-Die, a thread a core
	{"Intel-Haswell-2xXeon-E5-2680v3.tar.bz2", "hswep", 2, 12, 24, 12},
	// i7-7800X: 8.25 MB of 1.375
	{"GenuineIntel0050654_SkylakeX_CPUID2.txt", "skx", 1, 6, 12, 6},
	// Platinum 8160: 33 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_20_CPUID.txt", "skx", 2, 24, 96, 24},
	// Gold 6154: 24.75 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_CPUID.txt", "skx", 1, 18, 36, 18},
	// Silver 4108: 11 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_CPUID8.txt", "skx", 2, 8, 32, 8},
	// Jintide C2460, a Platinum 8160: 33 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_Jintide_CPUID1.txt", "skx", 2, 24, 96, 24},
	// Gold 6140: 24.75 MB of 1.375
	{"Intel-Skylake-2xXeon6140.tar.bz2", "skx", 2, 18, 72, 18},
	// i9-10980XE: 24.75 MB of 1.375
	{"GenuineIntel0050657_CascadeLakeX_CPUID1.txt", "skx", 1, 18, 36, 18},
	// Platinum 8280: 38.5 MB of 1.375
	{"GenuineIntel0050657_CascadeLakeXeon_CPUID.txt", "skx", 1, 28, 56, 28},
	// Xeon Phi: no L3
	{"GenuineIntel0050671_KnightsLanding_CPUID.txt", "knl", 1, 64, 256, 0},
	{"GenuineIntel0050671_KnightsLanding_CPUID2.txt", "knl", 1, 72, 288, 0},
	{"Intel-KnightsLanding-XeonPhi-7210.tar.bz2", "knl", 1, 64, 256, 0},
	// Gold 6330: 42 MB of 1.5
	{"GenuineIntel00606A6_ICX_CPUID2.txt", "icx", 2, 28, 112, 28},
	// Platinum 8351N: 54 MB of 1.5
	{"GenuineIntel00606A6_ICX_CPUID3.txt", "icx", 1, 36, 72, 36},
	// w7-2475X: 37.5 MB of 1.875
	{"GenuineIntel00806F8_SapphireRapids_05_CPUID.txt", "spr", 1, 20, 40, 20},
	// w9-3475X: 82.5 MB of 1.875
	{"GenuineIntel00806F8_SapphireRapids_06_CPUID.txt", "spr", 1, 36, 72, 44},
	// Max 9460: 97.5 MB of 1.875
	{"Intel-SapphireRapids-2xXeonMax9460.tar.bz2", "spr", 2, 40, 160, 52},
	// Gold 5520+: 52.5 MB of 1.875
	{"GenuineIntel00C06F2_EmeraldRapids_01_CPUID.txt", "emr", 2, 28, 112, 28},
	// Xeon 658X: 144 MB of 2
	{"GenuineIntel00A06D1_GraniteRapids_03_CPUID.txt", "gnr", 1, 24, 48, 72},
	// no uncore that we know: QEMU, Clovertown, Knights Corner, Nehalem-EP, Dunnington,
	// Raptor Lake, Westmere-EP
	{"Intel-CPUID.1F-Qemu-2p3d3c2t.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Core-2xXeon-E5345.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-KnightsCorner-XeonPhi-SE10P.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Nehalem-2xXeon-X5550.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Penryn-4xXeon-X7460.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-RaptorLake-Corei7-1370P.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Westmere-2xXeon-X5650.tar.bz2", "", 0, 0, 0, 0},
};

const Dump &dump_of(const std::string &source)
{
	for (const Dump &d : kDumps)
		if (source.size() > strlen(d.file) &&
		    source.compare(source.size() - strlen(d.file), std::string::npos, d.file) == 0)
			return d;
	throw std::runtime_error("no published data of " + source);
}

using Regs = std::array<uint32_t, 4>;

Regs regs_of(const std::string &text)
{
	Regs r;

	if (sscanf(text.c_str(), "%x %x %x %x", &r[0], &r[1], &r[2], &r[3]) != 4)
		throw std::runtime_error(text);
	return r;
}

void add_leaves(FakeMachine &m, unsigned cpu, const json &leaves)
{
	for (const auto &leaf : leaves.items()) {
		unsigned number, subleaf;

		if (sscanf(leaf.key().c_str(), "%x.%x", &number, &subleaf) != 2)
			throw std::runtime_error(leaf.key());
		m.cpuid[{cpu, number, subleaf}] = regs_of(leaf.value());
	}
}

// What the kernel makes of it: package and core by the APIC id (SDM vol. 2A, CPUID).
void add_cpus(FakeMachine &m, const json &recorded)
{
	const unsigned n = recorded["cpus"];

	for (unsigned cpu = 0; cpu < n; cpu++) {
		add_leaves(m, cpu, recorded["cpu0"]);
		if (cpu > 0)
			add_leaves(m, cpu, recorded["others"].at(cpu - 1));
		const Regs thread = m.cpuid[{cpu, 0xb, 0}], core = m.cpuid[{cpu, 0xb, 1}];

		m.cpus.push_back(
			{cpu, thread[3] >> core[0], static_cast<int>(thread[3] >> thread[0])});
	}
}

const unc_platform *identified(const json &recorded)
{
	const Regs names = regs_of(recorded["cpu0"]["0.0"]), id = regs_of(recorded["cpu0"]["1.0"]);
	const uint32_t vendor[] = {names[1], names[3], names[2]};
	const unc_platform *platform = nullptr;
	unc_topology topo = {};
	unc_err err = {};

	memcpy(topo.vendor, vendor, sizeof(vendor));
	topo.family = id[0] >> 8 & 0xf;
	topo.model = (id[0] >> 4 & 0xf) | (id[0] >> 12 & 0xf0);
	if (topo.family == 0xf)
		topo.family += id[0] >> 20 & 0xff;
	unc_err_init(&err);
	unc_platform_find(&topo, &platform, &err);
	unc_err_destroy(&err);
	return platform;
}

bool has_cboxes(const std::string &platform)
{
	return platform == "snbep" || platform == "ivbep" || platform == "hswep" ||
	       platform == "bdx";
}

TEST(RecordedCpuid, TellsPlatformPackagesAndSlicesOfThePublishedPart)
{
	const std::vector<json> all = support::recordings("cpuid.jsonl.gz");

	ASSERT_EQ(38u, all.size());
	for (const json &recorded : all) {
		const std::string source = recorded["source"];
		const Dump &expected = dump_of(source);
		const unc_platform *platform = identified(recorded);

		SCOPED_TRACE(source);
		ASSERT_NE(nullptr, platform);
		EXPECT_EQ(*expected.platform != 0, unc_platform_named(platform));
		if (!*expected.platform)
			continue;
		EXPECT_STREQ(expected.platform, platform->name);
		FakeMachine m(*platform, 0);
		add_cpus(m, recorded);
		m.build_machine(); // without PCI devices some platforms have no box
		EXPECT_EQ(expected.packages, m.machine.topo.n_packages);
		EXPECT_EQ(expected.cpus, m.machine.topo.n_cpus);
		for (unsigned p = 0; p < m.machine.topo.n_packages; p++) {
			EXPECT_EQ(expected.slices, unc_slices_by_cache(&m.machine, &m.hw_of(), p));
			if (has_cboxes(expected.platform)) {
				EXPECT_EQ(expected.slices, count(m, "cbo", p));
			}
		}
	}
}

// Without functions and without leaf 4; NHM-EX and WSM-EX go by the cores at all times.
TEST(RecordedCpuid, TellsTheCoresOfThePublishedPart)
{
	unsigned n = 0;

	for (const json &recorded : support::recordings("cpuid.jsonl.gz")) {
		const std::string source = recorded["source"];
		const Dump &expected = dump_of(source);
		const std::string name = expected.platform;
		const bool ex = name == "nhmex" || name == "wsmex";

		if (!ex && !has_cboxes(name))
			continue;
		SCOPED_TRACE(source);
		FakeMachine m(*identified(recorded), 0);
		add_cpus(m, recorded);
		for (auto leaf = m.cpuid.begin(); leaf != m.cpuid.end();)
			leaf = std::get<1>(leaf->first) == 4 ? m.cpuid.erase(leaf)
							     : std::next(leaf);
		// of each package one CPU is online: the others' cores have their slices, too
		std::set<unsigned> seen;
		m.cpus.erase(std::remove_if(m.cpus.begin(), m.cpus.end(),
					    [&seen](const unc_cpu &c) {
						    return !seen.insert(c.package).second;
					    }),
			     m.cpus.end());
		ASSERT_EQ(0, m.build_machine()) << m.err.text;
		ASSERT_EQ(expected.packages, m.machine.topo.n_packages);
		for (unsigned p = 0; p < m.machine.topo.n_packages; p++)
			EXPECT_EQ(expected.cores, count(m, ex ? "cbox" : "cbo", p));
		n++;
	}
	EXPECT_EQ(13u, n);
}

// ---- trees of files ----

class RecordedTree : public testing::Test
{
      protected:
	void SetUp() override
	{
		for (const json &t : support::recordings("trees.jsonl.gz"))
			trees[t["name"]] = t;
	}
	// The files as recorded, register files that hold zeros, config space of so many bytes.
	void write(const std::string &name, size_t config_bytes)
	{
		const json &t = trees.at(name);

		for (const auto &file : t["files"].items())
			tree.write(file.key(), file.value());
		for (const auto &file : t["files"].items()) {
			unsigned cpu;
			int end = 0;

			sscanf(file.key().c_str(),
			       "sys/devices/system/cpu/cpu%u/topology/physical_package_id%n", &cpu,
			       &end);
			if (end == static_cast<int>(file.key().size()))
				tree.msr(cpu, std::stoul(file.value().get<std::string>()));
		}
		for (const auto &device : t["config"].items()) {
			const std::string file = "sys/bus/pci/devices/" + device.key() + "/config";

			tree.write(file, "");
			tree.resize(file, config_bytes);
		}
	}
	// "0 cbo": boxes of a kind that can be used in a package.
	static std::map<std::string, unsigned> usable(const support::Handle &machine)
	{
		std::map<std::string, unsigned> n;

		for (const uncore_box_info &b : machine.boxes())
			if (!b.absent)
				n[std::to_string(b.package) + " " + b.kind]++;
		return n;
	}

	std::map<std::string, json> trees;
	Tree tree;
};

constexpr char kE5[] = "32em64t-2n8c+dax+nvme+mic+dimms";

// Two E5-2680: 8 cores, 20 MB; their QPI ports are hidden.
TEST_F(RecordedTree, OfTwoE52680)
{
	write(kE5, 4096);
	tree.put(Tree::config_name(0x7f, 11, 0), 0x54, 1 << 3, 4);
	tree.put(Tree::config_name(0xff, 11, 0), 0x54, 1 << 3, 4);
	tree.put(Tree::config_name(0xff, 11, 0), 0x40, 1, 4);
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("snbep", machine.machine().platform);
	EXPECT_EQ(2u, machine.machine().packages);
	EXPECT_EQ(16u, machine.machine().cpus);
	for (const char *p : {"0 ", "1 "}) {
		const std::string package = p;
		auto n = usable(machine);

		EXPECT_EQ(8u, n[package + "cbo"]);
		EXPECT_EQ(1u, n[package + "ubo"]);
		EXPECT_EQ(1u, n[package + "pcu"]);
		EXPECT_EQ(1u, n[package + "ha"]);
		EXPECT_EQ(4u, n[package + "imc"]);
		EXPECT_EQ(0u, n[package + "qpi"]);
		EXPECT_EQ(1u, n[package + "r2pcie"]);
		EXPECT_EQ(2u, n[package + "r3qpi"]);
	}
	EXPECT_STREQ("the PCI functions of the package, one for each slice of its L3 cache",
		     machine.boxes("cbo").at(0).basis);
	EXPECT_STREQ("pci 0000:7f:0e.1", machine.boxes("ha").at(0).location);
	EXPECT_STREQ("pci 0000:ff:0e.1", machine.boxes("ha").at(1).location);
}

// Two Silver 4108, 8 cores, two threads each; the uncore's PCI devices do not show.
TEST_F(RecordedTree, OfTwoSilver4108)
{
	write("32intel64-2p8co2t+8ve", 4096);
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("skx", machine.machine().platform);
	EXPECT_EQ(2u, machine.machine().packages);
	EXPECT_EQ(32u, machine.machine().cpus);
	for (const char *kind : {"imc", "m2m", "upi", "m2pcie", "m3upi"})
		EXPECT_EQ(0u, machine.present(kind)) << kind;
	EXPECT_EQ(2u, machine.present("pcu"));
	EXPECT_EQ(2u * 6, machine.present("iio"));
}

// Two Gold 6230, 20 cores, two threads each, in four NUMA nodes; nothing of PCI.
TEST_F(RecordedTree, OfTwoGold6230InSubNumaClusters)
{
	write("memorysidecaches", 4096);
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("skx", machine.machine().platform);
	EXPECT_EQ(2u, machine.machine().packages);
	EXPECT_EQ(80u, machine.machine().cpus);
	EXPECT_EQ(2u, machine.present("pcu"));
}

// Four E7-4870, 10 cores; whose PCI devices contradict each other about NUMA nodes.
TEST_F(RecordedTree, OfFourE74870)
{
	write("fakepcilocalities", 4096);
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("wsmex", machine.machine().platform);
	EXPECT_EQ(4u, machine.machine().packages);
	EXPECT_EQ(40u, machine.machine().cpus);
	EXPECT_EQ(4u * 10, machine.present("cbox"));
}

} // namespace
