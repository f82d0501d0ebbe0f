// SPDX-License-Identifier: BSD-3-Clause
// listings_test.cc - PCI listings of real machines as recordings: opened, they have the boxes that
// the manuals give their devices, the slices of the published part, and what follows for events.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/published_parts.h"
#include "support/recorded_machine.h"
#include "support/replayed_checks.h"

namespace
{

using nlohmann::json;
using support::Boxes;
using support::FakeMachine;
using support::Listed;
using support::Listing;
using support::Order;
using support::Replayed;

// ---- which devices are boxes ----

struct Box {
	unsigned id;
	const char *place; // device and function, hexadecimal
	const char *kind;
	unsigned index;
};

const std::map<std::string, std::vector<Box>> kBoxes = {
	{"snbep",
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

// D23:F0 of HSX and BDX may be there without a second controller.
bool is_box(const Listing &l, const Listed &d)
{
	const unsigned nth = l.ubox_of(d), more = d.id & 0xf000;

	if (d.id != 0x2fd0 && d.id != 0x6fd0)
		return true;
	return l.has(more | 0xfd1, nth) || l.has(more | 0xf38, nth);
}

// "imc0 of package 1 at pci 0000:ff:10.4"
std::string placed(const std::string &kind, unsigned index, unsigned package,
		   const std::string &location)
{
	return kind + std::to_string(index) + " of package " + std::to_string(package) + " at " +
	       location;
}

// The PCI boxes of a listing, and their numbers.
std::set<std::string> expected_places(const Listing &l, const Order &order, Boxes &boxes)
{
	std::set<std::string> all;

	for (const Listed &d : l.devices)
		for (const Box &b : kBoxes.at(l.platform.name)) {
			const unsigned package = order.package_of_ubox(l.ubox_of(d), l.packages());

			if (b.id != d.id || d.place() != b.place || !is_box(l, d))
				continue;
			all.insert(placed(b.kind, b.index, package, "pci " + d.address()));
			boxes[{package, b.kind}]++;
		}
	return all;
}

std::set<std::string> found_places(const support::Handle &machine)
{
	std::set<std::string> all;

	for (const uncore_box_info &b : machine.boxes())
		if (!b.absent && strncmp(b.location, "pci ", 4) == 0)
			all.insert(placed(b.kind, b.index, b.package, b.location));
	return all;
}

// S-Boxes: the small dies, of 8 and of 10 slices, have two (Haswell) or none (Broadwell).
unsigned s_boxes(const std::string &platform, unsigned slices)
{
	if (platform == "hswep")
		return slices > 8 ? 4 : 2;
	return platform == "bdx" && slices > 10 ? 4 : 0;
}

// The boxes whose registers are MSRs: docs/hardware, "Boxes".
void add_msr_boxes(const Listing &l, const Order &order, Boxes &boxes)
{
	const std::string platform = l.platform.name;
	const bool mesh = platform == "skx" || platform == "icx";

	for (unsigned nth = 0; nth < l.packages(); nth++) {
		const unsigned p = order.package_of_ubox(nth, l.packages());

		boxes[{p, "ubo"}] = boxes[{p, "pcu"}] = 1;
		if (s_boxes(platform, l.functions(nth)))
			boxes[{p, "sbo"}] = s_boxes(platform, l.functions(nth));
		if (!mesh)
			boxes[{p, "cbo"}] = l.functions(nth);
		else if (l.recorded.contains("cpu"))
			boxes[{p, "cha"}] = support::sku_of(l.recorded["cpu"]).slices;
		for (const char *kind : {"iio", "iio_free_running", "irp", "m2pcie"})
			if (platform == "icx" || (mesh && strcmp(kind, "m2pcie") != 0))
				boxes[{p, kind}] = 6;
	}
}

unsigned cpus_of(const Listing &l)
{
	unsigned n = 0;

	if (l.recorded.contains("cpu"))
		return l.packages() * l.recorded["threads"].get<unsigned>() *
		       support::sku_of(l.recorded["cpu"]).cores;
	for (unsigned nth = 0; nth < l.packages(); nth++)
		n += std::max(1u, l.functions(nth));
	return n;
}

// What a listing does not tell, and processors without S-Boxes.
support::Reasons reasons_of(const Listing &l)
{
	const std::string missing = "a PCI listing does not include this register: "
				    "Permission denied";
	support::Reasons reasons = {
		{"sbo", "the processors of this machine have none"},
		{"cha", "its registers may not be accessed with these rights: " + missing}};

	if (l.platform.platform == &unc_icx)
		reasons["imc"] =
			"the PCI device that reports its address cannot be read: " + missing;
	return reasons;
}

std::string converted(const Listing &l, const Order &order)
{
	FakeMachine m(*l.platform.platform, 0);

	fill_listing(m, l, order);
	return recording_of(m);
}

// What follows from the boxes does not depend on the numbers of their packages.
void expect_listing(const Listing &l, const Order &order, bool all)
{
	const Replayed replayed(converted(l, order));
	const support::Handle &machine = replayed.machine;
	Boxes boxes;

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(l.packages(), machine.machine().packages);
	EXPECT_EQ(cpus_of(l), machine.machine().cpus);
	EXPECT_EQ(expected_places(l, order, boxes), found_places(machine));
	add_msr_boxes(l, order, boxes);
	EXPECT_EQ(boxes, support::usable(machine));
	if (all)
		support::expect_machine(machine, l.platform.name, l.packages(), boxes,
					reasons_of(l));
}

// Cores and slices of the part; false: it is not known which one it is.
bool expect_published(const Listing &l)
{
	if (!l.recorded.contains("cpu"))
		return false;
	const support::Sku &sku = support::sku_of(l.recorded["cpu"]);
	EXPECT_EQ(sku.cores, l.recorded["cores"]) << l.recorded["cpu"];
	for (unsigned nth = 0; nth < l.packages() && l.platform.first_slice; nth++)
		EXPECT_EQ(sku.slices, l.functions(nth)) << l.recorded["cpu"];
	return true;
}

TEST(RecordedListing, HasItsBoxesPlacementsAndMetrics)
{
	const std::vector<json> all = support::data_lines("machines/pci.jsonl.gz");
	unsigned published = 0;

	ASSERT_EQ(160u, all.size());
	for (const json &recorded : all) {
		const Listing listing(recorded);

		ASSERT_EQ(listing.packages(), listing.uboxes.size());
		published += expect_published(listing);
		for (const Order &order : support::orders()) {
			SCOPED_TRACE(std::string(order.name) + ", " +
				     recorded["source"].get<std::string>());
			if (order.turned && listing.packages() == 1)
				continue;
			expect_listing(listing, order, &order == &support::orders()[0]);
		}
	}
	EXPECT_EQ(90u, published);
}

// ---- slices.csv: cores and functions of further machines ----

std::vector<std::vector<std::string>> rows(const std::string &name)
{
	std::istringstream file(support::data_text("machines/" + name));
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

std::string device(unsigned bus, unsigned slot, unsigned function, unsigned id)
{
	char text[32];

	snprintf(text, sizeof(text), "0000:%02x:%02x.%x %04x 00", bus, slot, function, id);
	return text;
}

// The nth function of slices, as the listings show them.
std::string slice(const support::ListedPlatform &p, unsigned bus, unsigned n)
{
	const unsigned row = p.name == std::string("snbep") ? 4 : 8;
	const bool turns = p.name == std::string("ivbep");
	const unsigned id = p.first_slice + (p.first_slice == p.last_slice ? 0 : n);

	return device(bus, 12 + (turns ? n % 2 : n / row), turns ? n / 2 : n % row, id);
}

// Of a row: a machine of which only U-Boxes and slices show.
json listing_of(const std::vector<std::string> &row)
{
	const support::ListedPlatform &p = support::listed_platform(row.at(0));
	std::istringstream functions(row.at(4));
	const std::vector<unsigned> slices{std::istream_iterator<unsigned>(functions), {}};
	json listing = {{"platform", row.at(0)}, {"packages", slices.size()},
			{"cpu", row.at(1)},      {"cores", std::stoul(row.at(2))},
			{"threads", 1},          {"pci", json::array()}};

	for (unsigned i = 0; i < slices.size(); i++) {
		const unsigned bus = 0x7f + 0x80 * i;

		listing["pci"].push_back(device(bus, 11, 0, p.ubox));
		for (unsigned n = 0; n < slices[i]; n++)
			listing["pci"].push_back(slice(p, bus, n));
	}
	return listing;
}

TEST(RecordedSlices, AreThoseOfThePublishedParts)
{
	auto all = rows("slices.csv");

	ASSERT_EQ(83u, all.size());
	all.erase(all.begin()); // its title
	for (const auto &row : all) {
		const json recorded = listing_of(row);
		const support::Sku &sku = support::sku_of(row.at(1));
		const Replayed replayed(converted(Listing(recorded), support::orders()[0]));

		SCOPED_TRACE(row.at(1));
		ASSERT_EQ(0, replayed.machine.code) << replayed.machine.message();
		EXPECT_EQ(sku.cores, std::stoul(row.at(2)));
		for (unsigned p = 0; p < recorded["packages"]; p++)
			EXPECT_EQ(sku.slices, (support::usable(replayed.machine)[{p, "cbo"}]));
	}
}

} // namespace
