// SPDX-License-Identifier: BSD-3-Clause
// table_packages_test.cc - the packages of discovery tables on machines of many shapes: with
// offline packages and nodes, and firmware that reports wrong nodes or buses.  The simulated
// machine knows where each box is.  Sums have all boxes of the online packages, or are refused.
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "hw/regs.h"
#include "machine/discovered.h"
#include "sim/sim.h"

namespace
{

constexpr unsigned kCores = 4;
constexpr uint16_t kTable = 0x09a7, kRootBuses = 0x09a6, kNames = 0x09a2;

// Boxes of a package by kind; docs/hardware/gnr.md.
const std::pair<const char *, unsigned> kKinds[] = {{"cha", kCores}, {"iio", 16}, {"imc", 12},
						    {"b2cmi", 12},   {"upi", 6},  {"b2upi", 6}};

// A simulated Granite Rapids between which and the library a test may change what firmware says.
class Shaped
{
      public:
	explicit Shaped(unsigned packages) : packages(packages)
	{
		const std::string spec = "sim:gnr:packages=" + std::to_string(packages) +
					 ",cores=" + std::to_string(kCores);
		int code = 0;

		unc_err_init(&err);
		sim = unc_hw_simulated(spec.c_str(), &all, &err, &code);
		EXPECT_EQ(0, code) << err.text;
		cpus.assign(all.cpus, all.cpus + all.n_cpus);
		pci.assign(all.pci, all.pci + all.n_pci);
		for (unc_pci &p : pci)
			package_of[unc_pci_address(&p)] = p.near;
		hw.base.ops = &ops;
		hw.base.topo = &machine.topo;
		hw.self = this;
	}
	~Shaped()
	{
		unc_machine_free(&machine);
		sim->ops->close(sim);
		unc_topology_free(&all);
		unc_err_destroy(&err);
	}
	Shaped(const Shaped &) = delete;
	Shaped &operator=(const Shaped &) = delete;

	// CPUs whose number in their package is below n go offline.
	void offline(unsigned package, unsigned n)
	{
		std::vector<unc_cpu> left;

		for (const unc_cpu &c : cpus)
			if (c.package != package || c.id % kCores >= n)
				left.push_back(c);
		machine.topo.n_offline += static_cast<unsigned>(cpus.size() - left.size());
		cpus = left;
		if (n == kCores)
			is_offline.insert(package);
		for (unc_pci &p : pci)
			if (package_of[unc_pci_address(&p)] == static_cast<int>(package))
				p.near = UNC_OFFLINE;
	}
	void hide(uint16_t device)
	{
		std::vector<unc_pci> left;

		for (const unc_pci &p : pci)
			if (p.device != device)
				left.push_back(p);
		pci = left;
	}
	// The node of the devices of a package; one: only of its first table.
	void node(unsigned package, int near, bool one = false)
	{
		for (unc_pci &p : pci)
			if (package_of[unc_pci_address(&p)] == static_cast<int>(package) &&
			    (!one || p.device == kTable)) {
				p.near = near;
				if (one)
					return;
			}
	}
	int node_of(unsigned package) const
	{
		return is_offline.count(package) ? UNC_OFFLINE : static_cast<int>(package);
	}
	int build()
	{
		machine.topo.n_cpus = cpus.size();
		machine.topo.cpus = copy(cpus);
		machine.topo.n_pci = pci.size();
		machine.topo.pci = copy(pci);
		return code = unc_machine_build(&machine, &unc_gnr, &hw.base, &err);
	}
	const unc_box_type *type(const char *name) const
	{
		for (auto t = machine.types; t && *t; t++)
			if (!strcmp(name, (*t)->name))
				return *t;
		return nullptr;
	}
	bool is_refused(const char *kind)
	{
		const unc_places everywhere = {{}, {}, -1};
		char why[700];

		return code < 0 || !type(kind) ||
		       unc_unreached(&machine, type(kind), &everywhere, why, sizeof(why)) < 0;
	}
	// Where the box really is.
	int truth(const unc_box &b)
	{
		uint64_t value;

		if (b.pci >= 0)
			return package_of.at(unc_pci_address(&machine.topo.pci[b.pci]));
		if (b.type->space == UNC_IN_MMIO) {
			for (unsigned p = 0; p < packages; p++)
				if (sim_mmio_read(unc_hw_sim(sim), p, b.offset, 32, &value) == 0)
					return static_cast<int>(p);
			return -1;
		}
		const auto &table = machine.discovered->tables[b.unit->table];
		return package_of.at(unc_pci_address(&machine.topo.pci[table.device]));
	}
	// Present boxes that are where the library has them, and the others.
	std::pair<unsigned, unsigned> count(const char *kind)
	{
		unsigned right = 0, wrong = 0;

		for (size_t i = 0; i < machine.n_boxes; i++) {
			const unc_box &b = machine.boxes[i];

			if (b.absent || strcmp(b.type->name, kind) != 0)
				continue;
			const bool is =
				truth(b) == static_cast<int>(machine.topo.package_ids[b.package]);
			(is ? right : wrong)++;
		}
		return {right, wrong};
	}
	bool is_assumed() const
	{
		for (unsigned i = 0; i < machine.discovered->n_tables; i++)
			if (machine.discovered->tables[i].assumed)
				return true;
		return false;
	}

	const unsigned packages;
	unc_machine machine = {};
	unc_err err = {};
	std::vector<unc_cpu> cpus;
	std::vector<unc_pci> pci;
	std::map<uint32_t, int> package_of; // of devices, in truth
	std::map<int, unsigned> named;      // what the root bus of a package names instead of it
	std::set<unsigned> is_offline;
	std::map<uint16_t, uint16_t> segments; // in the simulated machine, of those that were moved
	int code = 0;

      private:
	struct Hw {
		unc_hw base;
		Shaped *self;
	} hw = {};
	unc_hw *sim = nullptr;
	unc_topology all = {};

	template <class T> static T *copy(const std::vector<T> &from)
	{
		T *to = static_cast<T *>(calloc(from.size() + 1, sizeof(T)));

		memcpy(to, from.data(), from.size() * sizeof(T));
		return to;
	}
	static Shaped &self(unc_hw *hw)
	{
		return *reinterpret_cast<Hw *>(hw)->self;
	}
	int read_pci(const unc_op &op, uint64_t *value)
	{
		const unc_pci &p = machine.topo.pci[op.unit];
		const auto moved = segments.find(p.segment);
		const uint16_t segment = moved == segments.end() ? p.segment : moved->second;
		const int r = sim_pci_read(unc_hw_sim(sim), segment, p.bus, p.devfn,
					   static_cast<uint32_t>(op.address), op.width, value);
		const auto other = named.find(package_of[unc_pci_address(&p)]);

		if (p.device == kNames && op.address == 0x3f4 && other != named.end())
			*value = (*value & ~UINT64_C(0xf)) | other->second;
		return r;
	}
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
	{
		Shaped &s = self(hw);
		int r = -EINVAL;

		if (op->space == UNCORE_PCI)
			return s.read_pci(*op, value);
		if (op->space == UNCORE_MSR)
			return sim_msr_read(unc_hw_sim(s.sim),
					    s.machine.topo.package_ids[op->package],
					    static_cast<uint32_t>(op->address), value);
		if (op->space == UNCORE_CPU)
			return sim_cpu_msr_read(unc_hw_sim(s.sim), op->unit,
						static_cast<uint32_t>(op->address), value);
		for (unsigned p = 0; r < 0 && p < s.packages; p++)
			r = sim_mmio_read(unc_hw_sim(s.sim), p, op->address, op->width, value);
		return r;
	}
	static int do_write(unc_hw *, const unc_op *, uint64_t)
	{
		ADD_FAILURE() << "a register is written";
		return -EIO;
	}
	static int do_read_many(unc_hw *, const unc_op *const *, unsigned, uint64_t *)
	{
		return -EIO;
	}
	static int do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer)
	{
		unc_hw *sim = self(hw).sim;

		return q->asked == UNC_ASKED_CPUID ? sim->ops->ask(sim, q, answer) : 0;
	}
	static void do_explain(unc_hw *, const unc_op *, int error, char *text, size_t len)
	{
		snprintf(text, len, "%s", strerror(-error));
	}
	static void do_close(unc_hw *)
	{
	}
	static constexpr unc_hw_ops ops = {do_read,    do_write, do_read_many, nullptr, do_ask,
					   do_explain, do_close, nullptr,      nullptr};
};

// ---- which CPUs are online ----

struct Online {
	const char *name;
	void (*apply)(Shaped &s);
	bool all;   // no CPU is offline
	bool first; // package 0 has an online CPU
};

const Online kOnline[] = {
	{"all", [](Shaped &) {}, true, true},
	{"without_a_node", [](Shaped &s) { s.offline(0, kCores / 2); }, false, true},
	{"without_a_node_of_four", [](Shaped &s) { s.offline(0, kCores / 4); }, false, true},
	{"without_a_node_of_three", [](Shaped &s) { s.offline(s.packages - 1, kCores - 1); }, false,
	 true},
	{"without_the_first", [](Shaped &s) { s.offline(0, kCores); }, false, false},
	{"without_the_last", [](Shaped &s) { s.offline(s.packages - 1, kCores); }, false, true},
};

// ---- what the firmware says ----

struct Firmware {
	const char *name;
	void (*apply)(Shaped &s);
	// Whether only one assignment fits what is left.
	bool (*is_certain)(const Shaped &s, const Online &online);
};

bool always(const Shaped &, const Online &)
{
	return true;
}

bool if_alone(const Shaped &s, const Online &)
{
	return s.packages == 1;
}

bool never(const Shaped &, const Online &)
{
	return false;
}

bool without_offline(const Shaped &s, const Online &online)
{
	return s.packages == 1 || online.all;
}

bool with_first(const Shaped &s, const Online &online)
{
	return s.packages == 1 || online.first;
}

void without_nodes(Shaped &s)
{
	for (unc_pci &p : s.pci)
		p.near = -1;
}

void node_0(Shaped &s)
{
	for (unc_pci &p : s.pci)
		p.near = s.node_of(0);
}

void without_buses(Shaped &s)
{
	s.hide(kRootBuses);
}

void all_named_0(Shaped &s)
{
	for (unsigned p = 0; p < s.packages; p++)
		s.named[static_cast<int>(p)] = 0;
}

const Firmware kFirmware[] = {
	{"right", [](Shaped &) {}, always},
	{"no_nodes", without_nodes, always},
	{"no_nodes_no_buses",
	 [](Shaped &s) {
		 without_nodes(s);
		 without_buses(s);
	 },
	 without_offline},
	{"no_buses", without_buses, always},
	{"node_0", node_0, always},
	{"node_0_no_buses",
	 [](Shaped &s) {
		 node_0(s);
		 without_buses(s);
	 },
	 if_alone},
	{"memory_node", [](Shaped &s) { s.node(s.packages - 1, UNC_OFFLINE, true); }, always},
	{"memory_node_no_buses",
	 [](Shaped &s) {
		 s.node(s.packages - 1, UNC_OFFLINE, true);
		 without_buses(s);
	 },
	 without_offline},
	{"some_without_node", [](Shaped &s) { s.node(0, -1); }, always},
	{"some_without_node_no_buses",
	 [](Shaped &s) {
		 s.node(s.packages / 2, -1);
		 without_buses(s);
	 },
	 without_offline},
	{"buses_name_0", all_named_0, with_first},
	{"a_bus_names_0", [](Shaped &s) { s.named[static_cast<int>(s.packages) - 1] = 0; },
	 with_first},
	{"buses_name_0_no_nodes",
	 [](Shaped &s) {
		 all_named_0(s);
		 without_nodes(s);
	 },
	 if_alone},
	{"buses_name_others",
	 [](Shaped &s) {
		 s.named[0] = 1;
		 s.named[1] = 0;
	 },
	 never},
	{"buses_name_none",
	 [](Shaped &s) {
		 for (unsigned p = 0; p < s.packages; p++)
			 s.named[static_cast<int>(p)] = 15;
	 },
	 never},
};

class TablePackages : public testing::TestWithParam<std::tuple<Firmware, Online, unsigned>>
{
};

TEST_P(TablePackages, AreRightOrRefused)
{
	const auto &[firmware, online, packages] = GetParam();
	Shaped s(packages);

	online.apply(s);
	if (s.is_offline.size() == packages)
		return; // no machine
	firmware.apply(s);
	s.build();
	const unsigned n = packages - static_cast<unsigned>(s.is_offline.size());
	for (const auto &[kind, each] : kKinds) {
		const bool refused = s.is_refused(kind);

		if (firmware.is_certain(s, online)) {
			EXPECT_FALSE(refused)
				<< kind << ": " << s.err.text
				<< (s.machine.discovered ? s.machine.discovered->lack : "");
		}
		if (!refused) {
			EXPECT_EQ(std::make_pair(n * each, 0u), s.count(kind)) << kind;
		}
	}
}

INSTANTIATE_TEST_SUITE_P(All, TablePackages,
			 testing::Combine(testing::ValuesIn(kFirmware), testing::ValuesIn(kOnline),
					  testing::Values(1, 2, 3, 4, 8)),
			 [](const auto &info) {
				 return std::string(std::get<0>(info.param).name) + "_" +
					std::get<1>(info.param).name + "_" +
					std::to_string(std::get<2>(info.param));
			 });

// ---- what is said ----

TEST(TablePackages, AreAssumedByOrderOnly)
{
	for (bool hidden : {false, true}) {
		Shaped s(2);

		without_nodes(s);
		if (hidden)
			without_buses(s);
		ASSERT_EQ(0, s.build()) << s.err.text;
		EXPECT_EQ(hidden, s.is_assumed());
		EXPECT_EQ(hidden ? 1u : 0u, s.machine.warnings.n);
		if (hidden) {
			EXPECT_NE(nullptr, strstr(s.machine.warnings.list[0].text,
						  "assumed from the order"));
		}
	}
}

TEST(TablePackages, ThatAreUnknownAreNamedInTheRefusal)
{
	Shaped s(2);

	node_0(s);
	without_buses(s);
	EXPECT_EQ(UNCORE_ENODEV, s.build());
	EXPECT_STREQ("no box can be used: the package of the discovery table of PCI device "
		     "0000:00:03.1 is unknown: the root buses or NUMA nodes of PCI devices put two "
		     "tables with the same registers in one package",
		     s.err.text);
}

// One of its two tables is hidden.
TEST(TablePackages, APackageWithFewerTablesThanAnotherLacksBoxes)
{
	const unc_places all = {{}, {}, -1}, first = {{}, unc_numbers_one(0), -1};
	char why[700];
	Shaped s(2);

	for (auto p = s.pci.end(); p-- != s.pci.begin();)
		if (p->device == kTable) {
			s.pci.erase(p);
			break;
		}
	ASSERT_EQ(0, s.build()) << s.err.text;
	EXPECT_EQ(UNCORE_ENODEV, unc_unreached(&s.machine, s.type("upi"), &all, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "package 1 has 1 of the 2 discovery tables")) << why;
	EXPECT_EQ(0, unc_unreached(&s.machine, s.type("upi"), &first, why, sizeof(why))) << why;
	ASSERT_EQ(1u, s.machine.warnings.n);
	EXPECT_EQ(UNCORE_WARNING_TABLES, s.machine.warnings.list[0].code);
}

// They could be those of the offline package.
TEST(TablePackages, OfAnOfflinePackageAreNotThoseOfAPackageWithoutTables)
{
	Shaped s(3);
	std::vector<unc_pci> left;

	s.offline(2, kCores);
	without_buses(s);
	for (const unc_pci &p : s.pci)
		if (p.device != kTable || p.segment != 1)
			left.push_back(p);
	s.pci = left;
	ASSERT_EQ(0, s.build()) << s.err.text;
	EXPECT_TRUE(s.is_refused("imc"));
	EXPECT_EQ(std::make_pair(12u, 0u), s.count("imc"));
}

// ---- devices ----

// Of one box only, and of all boxes of the kind.
TEST(LostRecords, ADeviceThatIsMissingIsHiddenOnlyWithAllOfItsKind)
{
	const unc_places all = {{}, {}, -1};
	char why[700];

	for (bool whole : {false, true}) {
		Shaped s(2);
		unsigned absent = 0;

		for (auto p = s.pci.begin(); p != s.pci.end();)
			if (p->device == 0x3241 && (whole || p->devfn == (17 << 3 | 1)))
				p = s.pci.erase(p);
			else
				++p;
		ASSERT_EQ(0, s.build()) << s.err.text;
		EXPECT_EQ(whole ? 0 : UNCORE_ENODEV,
			  unc_unreached(&s.machine, s.type("upi"), &all, why, sizeof(why)));
		for (size_t i = 0; i < s.machine.n_boxes; i++) {
			const unc_box &b = s.machine.boxes[i];

			if (strcmp(b.type->name, "upi") != 0 || !b.absent)
				continue;
			absent++;
			EXPECT_EQ(whole ? UNCORE_ABSENT_HIDDEN : UNCORE_ABSENT_RECORD, b.absence);
			EXPECT_EQ(!whole, b.unreached != 0);
		}
		EXPECT_EQ(whole ? 12u : 2u, absent);
	}
}

// Devices of segment 1 are in others; with a second one of UPI that stays, none of UPI is found.
void expect_found_unless_twice(uint32_t of_upi, uint32_t of_others)
{
	const unc_places all = {{}, {}, -1};
	char why[700];

	for (bool twice : {false, true}) {
		Shaped s(2);
		std::vector<unc_pci> more;

		for (unc_pci &p : s.pci) {
			if (p.segment != 1)
				continue;
			if (twice && p.device == 0x3241)
				more.push_back(p);
			p.segment = p.device == 0x3241 ? of_upi : of_others;
		}
		for (const unc_pci &p : s.pci)
			s.package_of[unc_pci_address(&p)] = p.segment == 0 ? 0 : 1;
		s.pci.insert(s.pci.end(), more.begin(), more.end());
		std::sort(s.pci.begin(), s.pci.end(), [](const unc_pci &a, const unc_pci &b) {
			return unc_pci_address(&a) < unc_pci_address(&b);
		});
		s.segments[of_upi] = s.segments[of_others] = 1;
		ASSERT_EQ(0, s.build()) << s.err.text;
		EXPECT_EQ(twice,
			  unc_unreached(&s.machine, s.type("upi"), &all, why, sizeof(why)) != 0);
		EXPECT_EQ(std::make_pair(twice ? 6u : 12u, 0u), s.count("upi"));
		if (of_others == of_upi) {
			EXPECT_EQ(std::make_pair(24u, 0u), s.count("b2cmi"));
		}
	}
}

// The record has three bits for the segment.
TEST(LostRecords, ADeviceInAHighSegmentIsFoundUnlessAnotherHasItsAddress)
{
	expect_found_unless_twice(9, 9);
}

// Its table is in a segment with other low bits, so that it does not help.
TEST(LostRecords, ADeviceOutsideTheSegmentOfItsTableIsFoundUnlessAnotherHasItsAddress)
{
	expect_found_unless_twice(9, 2);
}

} // namespace
