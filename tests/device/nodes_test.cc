// SPDX-License-Identifier: BSD-3-Clause
// nodes_test.cc - NUMA nodes: their packages from the kernel's files, the boxes of a node from the
// tables of docs/hardware/clusters.md and from measurements, and node= in names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "device/nodes.h"
#include "hw/regs.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/fake_tables.h"
#include "support/file_limit.h"
#include "support/handle.h"
#include "support/simulated.h"
#include "support/tree.h"

namespace
{

using support::FakeMachine;
using support::Handle;
using support::Set;
using support::Tree;

// The boxes of a simulated machine with the kernel's files of a test.
struct Files {
	explicit Files(const char *spec) : simulated(spec)
	{
		devices = {&simulated.machine, {&fake.hw_of(), tree.root.c_str()}};
		unc_err_init(&err);
	}

	~Files()
	{
		unc_nodes_free(&nodes);
		unc_err_destroy(&err);
	}

	Files(const Files &) = delete;
	Files &operator=(const Files &) = delete;

	void node(unsigned number, const std::string &cpus, const std::string &distances = "")
	{
		const std::string dir =
			"sys/devices/system/node/node" + std::to_string(number) + "/";

		tree.write(dir + "cpulist", cpus + "\n");
		if (!distances.empty())
			tree.write(dir + "distance", distances + "\n");
	}

	void read(const std::string &online)
	{
		tree.write("sys/devices/system/node/online", online + "\n");
		unc_nodes_free(&nodes);
		ASSERT_EQ(0, unc_nodes_read(&devices, &nodes, &err)) << err.text;
	}

	// "node0 package 0 cluster 0"
	std::string describe(size_t i) const
	{
		char name[UNC_NODE_NAME];
		const unc_node &n = nodes.node[i];

		return std::string(unc_node_name(&n, name)) + " package " +
		       std::to_string(n.package) + " cluster " + std::to_string(n.cluster);
	}

	// "package 0 all", "package 1 2_3.6_7 assumed", or the error.
	std::string boxes(const std::string &node, const std::string &kind)
	{
		static const char *const bases[] = {"unknown", "whole", "measured", "assumed"};
		const unc_node *n = unc_node_named(&nodes, node.c_str());
		char text[UNC_NUMBERS_TEXT];
		unc_node_boxes at = {};

		if (!n)
			return "no such node";
		if (unc_node_find_boxes(&devices, &nodes, n, simulated.type(kind), &at, &err) < 0)
			return err.text;
		return "package " + std::to_string(at.package) + " " +
		       (at.boxes.n ? unc_numbers_text(&at.boxes, text) : "all") + " " +
		       bases[at.basis];
	}

	Simulated simulated;
	FakeMachine fake;
	Tree tree;
	unc_devices devices = {};
	unc_nodes nodes = {};
	unc_err err = {};
};

// Two packages with two clusters each; n CPUs per package.
void two_by_two(Files &f, unsigned n)
{
	const auto range = [](unsigned from, unsigned to) {
		return std::to_string(from) + "-" + std::to_string(to - 1);
	};

	f.node(0, range(0, n / 2));
	f.node(1, range(n / 2, n));
	f.node(2, range(n, n + n / 2));
	f.node(3, range(n + n / 2, 2 * n));
	f.read("0-3");
}

// ---- packages ----

// A node whose CPUs are unknown is not one without CPUs.
TEST(Nodes, AreNotKnownWithoutADescriptor)
{
	Files f("sim:skx:packages=1,cores=8");

	f.node(0, "0-3", "10 11");
	f.node(1, "4-7", "11 10");
	f.tree.write("sys/devices/system/node/online", "0-1\n");
	const int r = support::with_file_limit(
		0, [&f] { return unc_nodes_read(&f.devices, &f.nodes, &f.err); });
	EXPECT_EQ(UNCORE_ENOMEM, r);
	EXPECT_EQ(0U, f.nodes.n);
	EXPECT_NE(nullptr, strstr(f.err.text, "Too many open files")) << f.err.text;
}

// As on a recorded machine with two Gold 6230: nodes 0 and 2 are on package 0.
TEST(Nodes, NodesOfTwoPackagesInterleave)
{
	Files f("sim:skx:packages=2,cores=8");

	f.node(0, "0,2,4,6", "10 21 11 21");
	f.node(1, "8-11", "21 10 21 11");
	f.node(2, "1,3,5,7", "11 21 10 21");
	f.node(3, "12-15", "21 11 21 10");
	f.read("0-3");
	ASSERT_EQ(4u, f.nodes.n);
	EXPECT_EQ("node0 package 0 cluster 0", f.describe(0));
	EXPECT_EQ("node1 package 1 cluster 0", f.describe(1));
	EXPECT_EQ("node2 package 0 cluster 1", f.describe(2));
	EXPECT_EQ("node3 package 1 cluster 1", f.describe(3));
	EXPECT_EQ(0, f.nodes.node[0].first_cpu);
	EXPECT_EQ(1, f.nodes.node[2].first_cpu);
}

TEST(Nodes, NodesWithGaps)
{
	Files f("sim:skx:packages=2,cores=8");

	f.node(1, "8-15");
	f.node(4, "0-7");
	f.read("1,4");
	ASSERT_EQ(2u, f.nodes.n);
	EXPECT_EQ("node1 package 1 cluster 0", f.describe(0));
	EXPECT_EQ("package 0 all whole", f.boxes("4", "imc"));
	EXPECT_EQ("no such node", f.boxes("0", "imc"));
}

TEST(Nodes, ANodeWithCpusOfTwoPackagesIsRefused)
{
	Files f("sim:skx:packages=2,cores=8");

	f.node(0, "0-15");
	f.read("0");
	EXPECT_EQ("node0 package -1 cluster -1", f.describe(0));
	EXPECT_EQ("cannot count node0: the kernel does not report its package; use pkg=",
		  f.boxes("0", "imc"));
}

// Distances of a machine with two Xeon Max in flat mode: argonne-lcf/user-guides 756.
TEST(Nodes, HbmBelongsToTheNearestPackage)
{
	Files f("sim:spr:packages=2,cores=8,hbm=yes");

	f.node(0, "0-7", "10 21 13 23");
	f.node(1, "8-15", "21 10 23 13");
	f.node(2, "", "13 23 10 23");
	f.node(3, "", "23 13 23 10");
	f.read("0-3");
	EXPECT_EQ("hbm2 package 0 cluster 0", f.describe(2));
	EXPECT_EQ("hbm3 package 1 cluster 0", f.describe(3));
	EXPECT_EQ("package 0 all whole", f.boxes("hbm2", "hbm"));
	EXPECT_EQ("package 1 all whole", f.boxes("3", "m2hbm"));
	EXPECT_EQ("package 1 all whole", f.boxes("1", "imc"));
	EXPECT_EQ("cannot count hbm2: only hbm and m2hbm boxes count high-bandwidth memory alone; "
		  "use UNCORE_HBM_READ_BYTES",
		  f.boxes("2", "imc"));
	EXPECT_EQ("cannot count node0: its package has nodes for high-bandwidth memory; use one "
		  "of them",
		  f.boxes("0", "hbm"));
	EXPECT_EQ("cannot count node0: other nodes of its package have memory, too, and the event "
		  "counts both; use pkg=",
		  f.boxes("0", "upi"));
}

TEST(Nodes, CxlMemoryHasANameAndNoBoxes)
{
	Files f("sim:spr:packages=2,cores=8");

	f.node(0, "0-7", "10 21 14");
	f.node(1, "8-15", "21 10 24");
	f.node(2, "", "14 24 10");
	f.tree.write("sys/bus/dax/devices/dax0.0/target_node", "2\n");
	f.read("0-2");
	EXPECT_EQ("memory2 package 0 cluster 0", f.describe(2));
	f.tree.write("sys/bus/cxl/devices/mem0/serial", "0x1\n");
	f.read("0-2");
	EXPECT_EQ("cxl2 package 0 cluster 0", f.describe(2));
	EXPECT_EQ("cannot count cxl2: no box is known to count this memory alone; use pkg=",
		  f.boxes("cxl2", "imc"));
	EXPECT_EQ("package 0 all whole", f.boxes("0", "imc"));
}

// CXL memory that firmware adds has no driver: then no node is called HBM.
TEST(Nodes, MemoryThatMayBeHbmOrNotIsNeither)
{
	Files f("sim:spr:packages=1,cores=8,hbm=yes");

	f.node(0, "0-7", "10 13 14");
	f.node(1, "", "13 10 14");
	f.node(2, "", "14 14 10");
	f.read("0-2");
	EXPECT_EQ("memory1 package 0 cluster 0", f.describe(1));
	EXPECT_EQ("memory2 package 0 cluster 0", f.describe(2));
}

TEST(Nodes, OfflineCpusMayHideANode)
{
	Files f("sim:spr:packages=1,cores=8");

	f.node(0, "0-3");
	f.node(1, "");
	f.simulated.machine.topo.n_offline = 4;
	f.read("0-1");
	EXPECT_EQ("cannot count node0: CPUs are offline, and with them a node of its package may "
		  "be; bring all CPUs online",
		  f.boxes("0", "imc"));
}

TEST(Nodes, WithoutFilesNodesAreNotKnown)
{
	Files f("sim:spr");

	EXPECT_EQ(UNCORE_ENOSUPP, unc_nodes_read(&f.devices, &f.nodes, &f.err));
	EXPECT_EQ("the NUMA nodes of this machine are not known: its files below "
		  "/sys/devices/system/node are not available here; use pkg= and box=",
		  std::string(f.err.text));
}

// ---- tables: docs/hardware/clusters.md, from Linux tools/perf/arch/x86/util/pmu.c ----

TEST(Clusters, TablesOfPerfAreAssumed)
{
	const struct {
		const char *spec;
		unsigned cpus;
		const char *kind, *first, *second;
	} rows[] = {
		{"sim:spr:cores=56", 56, "imc", "0_1.4_5", "2_3.6_7"},
		{"sim:spr:cores=56", 56, "m2m", "0.2", "1.3"},
		{"sim:spr:cores=56", 56, "cha", "0_27", "28_55"},
		{"sim:gnr:cores=80", 80, "imc", "2_3.6_7.10_11", "0_1.4_5.8_9"},
		{"sim:gnr:cores=80", 80, "cha", "0_39", "40_79"},
	};

	for (const auto &row : rows) {
		Files f(row.spec);

		two_by_two(f, row.cpus);
		EXPECT_EQ(std::string("package 0 ") + row.first + " assumed",
			  f.boxes("0", row.kind));
		EXPECT_EQ(std::string("package 1 ") + row.second + " assumed",
			  f.boxes("3", row.kind));
	}
}

TEST(Clusters, ThreeClustersOfGraniteRapids)
{
	Files f("sim:gnr:packages=1,cores=120");

	f.node(0, "0-39");
	f.node(1, "40-79");
	f.node(2, "80-119");
	f.read("0-2");
	EXPECT_EQ("package 0 2_3.8_9 assumed", f.boxes("0", "imc"));
	EXPECT_EQ("package 0 0_1.6_7 assumed", f.boxes("1", "imc"));
	EXPECT_EQ("package 0 4_5.10_11 assumed", f.boxes("2", "imc"));
	EXPECT_EQ("package 0 80_119 assumed", f.boxes("2", "cha"));
	EXPECT_NE(std::string::npos, f.boxes("2", "b2cmi").find("uncore ceilings --nodes"));
}

// A part with gaps in the numbers of its slices has no table.
TEST(Clusters, SlicesWithGapsAreRefused)
{
	Files f("sim:emr:cores=64");

	two_by_two(f, 64);
	EXPECT_EQ("package 0 0_1.4_5 assumed", f.boxes("0", "imc"));
	EXPECT_NE(std::string::npos, f.boxes("0", "cha").find("do not fit the table"));
}

TEST(Clusters, WithoutATableTheMessageSaysWhatSettlesIt)
{
	const struct {
		const char *spec;
		std::vector<const char *> kinds;
	} rows[] = {
		{"sim:hswep:cores=12", {"imc", "ha", "cbo"}},
		{"sim:bdx:cores=12", {"imc", "ha", "cbo"}},
		{"sim:skx:cores=12", {"imc", "m2m", "cha"}},
		{"sim:icx:cores=12", {"imc", "m2m", "cha", "imc_free_running"}},
		{"sim:srf:cores=12", {"imc", "b2cmi", "cha"}},
		{"sim:cwf:cores=12", {"imc", "b2cmi", "cha"}},
	};

	for (const auto &row : rows) {
		Files f(row.spec);

		two_by_two(f, 12);
		for (const char *kind : row.kinds)
			EXPECT_NE(std::string::npos,
				  f.boxes("0", kind).find("; measure it with \"uncore ceilings "
							  "--nodes\""))
				<< row.spec << " " << f.boxes("0", kind);
	}
}

TEST(Clusters, BoxesOfThePackageServeAllNodes)
{
	Files f("sim:spr:cores=56");

	two_by_two(f, 56);
	for (const char *kind : {"upi", "iio", "irp", "m2pcie", "m3upi", "pcu", "mdf"})
		EXPECT_EQ("cannot count node0: these boxes serve all nodes of the package; use "
			  "pkg=",
			  f.boxes("0", kind))
			<< kind;
}

// ---- simulated machines: nodes at random ----

struct Machine : Handle {
	explicit Machine(const std::string &spec)
	    : Handle(options(spec.c_str())), sim(code == 0 ? unc_hw_sim(unc_hw_of(u)) : nullptr)
	{
		const sim_node *first = sim ? sim_nodes(sim, &n) : nullptr;

		nodes.assign(first, first + n);
	}

	static uncore_options options(const char *spec)
	{
		uncore_options o = support::sized<uncore_options>();

		o.machine = spec;
		return o;
	}

	uncore_node_info info(unsigned i) const
	{
		uncore_node_info info = support::sized<uncore_node_info>();

		EXPECT_EQ(1, uncore_node(u, i, &info)) << message();
		return info;
	}

	// The numbers of the boxes of a node, by the model.
	std::vector<unsigned> boxes(const sim_node &node, const std::string &kind) const
	{
		std::vector<unsigned> all;
		unsigned index = 0;

		for (const uncore_box_info &b : Handle::boxes(kind)) {
			if (b.package != node.package)
				continue;
			if (sim_cluster(sim, node.package, kind == "cbo" ? "cbox" : kind.c_str(),
					index++) == static_cast<int>(node.cluster))
				all.push_back(b.index);
		}
		return all;
	}

	std::vector<unsigned> slices(const sim_node &node) const
	{
		const std::vector<unsigned> cha = boxes(node, "cha");

		return cha.empty() ? boxes(node, "cbo") : cha;
	}

	// The boxes of a sum, by the canonical names of its parts.
	std::vector<unsigned> counted_boxes(const std::string &name) const
	{
		const std::string whole = canonical(name);
		std::vector<unsigned> all;
		unsigned id;

		EXPECT_GE(static_cast<size_t>(UNCORE_NAME_MAX), whole.size());
		for (unsigned i = 0; uncore_event_part(u, whole.c_str(), i, &id) == 1; i++) {
			const std::string one = uncore_event_name(u, id);

			all.push_back(static_cast<unsigned>(
				strtoul(one.c_str() + one.find(":box=") + 5, nullptr, 10)));
		}
		return all;
	}

	struct sim *sim;
	size_t n = 0;
	std::vector<sim_node> nodes;
};

TEST(SimulatedNodes, PackagesAndCpusOfRandomNodes)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		const Machine m("sim:skx:packages=3,cores=9,clusters=" +
				std::to_string(2 + seed % 3) + ",nodes=" + std::to_string(seed));

		ASSERT_EQ(0, m.code) << m.message();
		ASSERT_EQ(3u * (2 + seed % 3), m.nodes.size());
		unsigned cpus = 0;
		for (unsigned i = 0; i < m.nodes.size(); i++) {
			const uncore_node_info info = m.info(i);

			EXPECT_EQ(m.nodes[i].number, info.node);
			EXPECT_EQ(static_cast<int>(m.nodes[i].package), info.package);
			EXPECT_EQ(2 + seed % 3, info.clusters);
			EXPECT_EQ(UNCORE_NODE_CPUS, info.kind);
			cpus += info.cpus;
		}
		EXPECT_EQ(27u, cpus);
		uncore_node_info past = support::sized<uncore_node_info>();
		EXPECT_EQ(0, uncore_node(m.u, static_cast<unsigned>(m.nodes.size()), &past));
	}
}

TEST(SimulatedNodes, OneNodePerPackageNeedsNoTable)
{
	for (const char *name : {"snbep", "hswep", "skx", "icx", "spr", "gnr", "srf", "cwf"}) {
		const Machine m(std::string("sim:") + name);

		EXPECT_EQ("UNCORE_MEM_READ_BYTES:pkg=1",
			  m.canonical("UNCORE_MEM_READ_BYTES:node=1"))
			<< name;
		EXPECT_EQ(UNCORE_NODE_WHOLE, m.info(1).basis);
	}
}

TEST(SimulatedNodes, ADieIsANode)
{
	const Machine m("sim:skx:packages=2,dies=2,cores=4");

	ASSERT_EQ(4u, m.nodes.size());
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:pkg=1:die=0", m.canonical("UNC_M_CAS_COUNT:RD:node=2"));
	EXPECT_EQ(1u, m.info(2).clusters);
}

// ---- names ----

TEST(NodeNames, TheCanonicalNameHasPackageAndBoxes)
{
	const Machine m("sim:spr:packages=2,cores=56,clusters=2");

	for (const char *given :
	     {"uncore:::UNC_M_CAS_COUNT:RD:node=3", "UNC_M_CAS_COUNT:node=node3:RD",
	      "unc_m_cas_count.rd:NODE=3", "UNC_M_CAS_COUNT:RD:node=NODE3"})
		EXPECT_EQ("UNC_M_CAS_COUNT:RD:box=2_3.6_7:pkg=1", m.canonical(given)) << given;
	EXPECT_EQ("UNCORE_MEM_READ_BYTES:box=0_1.4_5:pkg=1",
		  m.canonical("UNCORE_MEM_READ_BYTES:node=2"));
	EXPECT_EQ("spr_unc_imc::RAW:config=0xcf05:box=0_1.4_5:pkg=0",
		  m.canonical("spr_unc_imc::RAW:config=0xcf05:node=0"));
	unsigned warnings = 0;
	for (unsigned i = 0; uncore_warning_code(m.u, i); i++)
		warnings += uncore_warning_code(m.u, i) == UNCORE_WARNING_NODES;
	EXPECT_EQ(1u, warnings);
	EXPECT_EQ(UNCORE_NODE_ASSUMED, m.info(0).basis);
	EXPECT_EQ("perf's table, Linux tools/perf/arch/x86/util/pmu.c",
		  std::string(m.info(0).source));
}

TEST(NodeNames, Refusals)
{
	const Machine m("sim:spr:packages=2,cores=56,clusters=2");
	const struct {
		const char *name;
		int code;
		const char *message;
	} rows[] = {
		{"UNC_M_CAS_COUNT:RD:node=4", UNCORE_ENODEV,
		 "no NUMA node 4: the last of the 4 nodes of this machine is node3"},
		{"UNC_M_CAS_COUNT:RD:node=", UNCORE_EATTR,
		 "invalid node= in UNC_M_CAS_COUNT:RD:node=: expected the number of a NUMA node"},
		{"UNC_M_CAS_COUNT:RD:node=0:node=1", UNCORE_EATTR,
		 "two nodes in UNC_M_CAS_COUNT:RD:node=0:node=1: use an event for each"},
		{"UNC_M_CAS_COUNT:RD:box=0:node=0", UNCORE_EATTR,
		 "node=0 cannot be combined with box=, pkg=, die= and cpu= in UNC_M_CAS_COUNT: the "
		 "node determines them"},
		{"UNC_M_CAS_COUNT:RD:node=0:pkg=*", UNCORE_EATTR,
		 "node=0 cannot be combined with box=, pkg=, die= and cpu= in UNC_M_CAS_COUNT: the "
		 "node determines them"},
		{"UNC_NOTHING:node=0", UNCORE_ENOEVENT, nullptr},
		{"UNCORE_ENERGY_PACKAGE_UJ:node=0", UNCORE_ENOSUPP,
		 "cannot count node0: the metric is not counted by box; use its events"},
		{"UNCORE_MCDRAM_BYTES:node=0", UNCORE_ENOEVENT, nullptr},
		{"UNC_UPI_CLOCKTICKS:node=0", UNCORE_ENOSUPP,
		 "cannot count node0: these boxes serve all nodes of the package; use pkg="},
	};

	for (const auto &row : rows) {
		EXPECT_EQ(row.code, m.refusal(row.name)) << row.name;
		if (row.message) {
			EXPECT_EQ(row.message, m.message());
		}
	}
}

// ---- measured boxes ----

// Where the library looks for the file of the user.
struct Cache {
	Cache()
	{
		before = getenv("XDG_CACHE_HOME") ? getenv("XDG_CACHE_HOME") : "";
		setenv("XDG_CACHE_HOME", tree.root.c_str(), 1);
	}

	~Cache()
	{
		if (before.empty())
			unsetenv("XDG_CACHE_HOME");
		else
			setenv("XDG_CACHE_HOME", before.c_str(), 1);
	}

	Cache(const Cache &) = delete;
	Cache &operator=(const Cache &) = delete;

	// The boxes of the model, as if they had been measured.
	void store(const Machine &m)
	{
		std::vector<uncore_node_box> all;
		char *text = nullptr;

		for (const sim_node &node : m.nodes)
			for (const char *kind : {"imc", "m2m", "cha", "cbo"})
				for (const unsigned box : m.boxes(node, kind))
					all.push_back(
						{sizeof(uncore_node_box), node.number, kind, box});
		ASSERT_EQ(0, uncore_nodes_text(m.u, all.data(), all.size(), &text));
		tree.write("uncore/nodes-simulated", text);
		free(text);
	}

	Tree tree;
	std::string before;
};

TEST(MeasuredNodes, MeasuredBoxesComeBeforeTables)
{
	Cache cache;
	const std::string spec = "sim:spr:packages=2,cores=8,clusters=2,nodes=";
	const Machine m(spec + "5");

	EXPECT_EQ(UNCORE_NODE_ASSUMED, m.info(0).basis);
	cache.store(m);
	for (unsigned i = 0; i < m.nodes.size(); i++) {
		const sim_node &node = m.nodes[i];
		unc_numbers numbers = {};
		char text[UNC_NUMBERS_TEXT];

		for (const unsigned box : m.boxes(node, "imc"))
			unc_numbers_add(&numbers, box, box);
		EXPECT_EQ(UNCORE_NODE_MEASURED, m.info(i).basis);
		EXPECT_EQ(std::string("UNC_M_CAS_COUNT:RD:box=") +
				  unc_numbers_text(&numbers, text) +
				  ":pkg=" + std::to_string(node.package),
			  m.canonical("UNC_M_CAS_COUNT:RD:node=" + std::to_string(i)));
	}
	// Another firmware has other nodes.
	const Machine other(spec + "6");
	EXPECT_EQ(UNCORE_NODE_ASSUMED, other.info(0).basis);
}

// Slices at random: a list of those of a node is longer than a name.
TEST(MeasuredNodes, SlicesOfEveryMachineHaveAName)
{
	static const struct {
		const char *machine, *event;
		unsigned clusters;
	} rows[] = {
		{"hswep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", 2},
		{"bdx", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", 2},
		{"skx", "UNC_C_TOR_INSERTS:MISS:IRQ:OPC0_DRD:OPC1_RFO", 2},
		{"icx", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD", 2},
		{"spr", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD", 2},
		{"spr", "UNCORE_LLC_LOOKUPS", 4},
		{"emr", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD_LOCAL_DDR", 2},
		{"gnr", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD_LOCAL", 2},
		{"gnr", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD_REMOTE", 3},
		{"srf", "UNC_CHA_TOR_INSERTS:IA_MISS_CRD", 2},
		{"cwf", "UNC_CHA_TOR_INSERTS:IA_MISS_CRD", 3},
	};
	Cache cache;

	for (const auto &row : rows)
		for (unsigned seed = 1; seed <= 4; seed++) {
			const std::string spec =
				std::string("sim:") + row.machine +
				":time=virtual,clusters=" + std::to_string(row.clusters) +
				",nodes=" + std::to_string(seed);
			const Machine m(spec);

			cache.store(m);
			for (const sim_node &node : m.nodes)
				EXPECT_EQ(m.slices(node),
					  m.counted_boxes(row.event +
							  (":node=" + std::to_string(node.number))))
					<< spec << ": " << row.event;
		}
}

TEST(MeasuredNodes, ADamagedFileIsNotUsed)
{
	Cache cache;
	const Machine m("sim:spr:packages=2,cores=8,clusters=2,nodes=5");
	char *text = nullptr;
	const uncore_node_box box = {sizeof(box), 0, "imc", 3};

	ASSERT_EQ(0, uncore_nodes_text(m.u, &box, 1, &text));
	const std::string good = text;
	free(text);
	cache.tree.write("uncore/nodes-simulated", good);
	EXPECT_EQ(UNCORE_NODE_MEASURED, m.info(0).basis);
	EXPECT_EQ(UNCORE_NODE_ASSUMED, m.info(1).basis);
	for (const std::string &bad :
	     {good.substr(1), good.substr(0, good.size() - 4), std::string("\n"),
	      good.substr(0, good.rfind("imc 3")) + "imc x\n",
	      good.substr(0, good.rfind("imc 3")) + "imc 3 99999\n"}) {
		cache.tree.write("uncore/nodes-simulated", bad);
		EXPECT_EQ(UNCORE_NODE_ASSUMED, m.info(0).basis) << bad;
	}
}

// ---- counts ----

// Each node's lines are in its own count, and in no other.
TEST(NodeCounts, TrafficOfANodeIsCountedThere)
{
	Cache cache;

	for (unsigned seed = 1; seed <= 12; seed++) {
		const Machine m("sim:skx:packages=2,cores=8,time=virtual,clusters=2,nodes=" +
				std::to_string(seed));
		std::vector<std::string> names;

		cache.store(m);
		for (unsigned i = 0; i < 4; i++)
			names.push_back("UNCORE_MEM_READ_BYTES:node=" + std::to_string(i));
		for (unsigned i = 0; i < 4; i++) {
			Set set(m, names);
			uncore_load load = support::sized<uncore_load>();

			load.cpu = load.memory_cpu = static_cast<unsigned>(m.info(i).first_cpu);
			load.reads = 1000000;
			load.ns = 1000000;
			ASSERT_EQ(0, set.start());
			ASSERT_EQ(0, uncore_simulate_load(m.u, &load)) << m.message();
			const std::vector<int64_t> counts = set.counts();
			for (unsigned k = 0; k < 4; k++)
				EXPECT_NEAR(k == i ? 64e6 : 0, static_cast<double>(counts[k]),
					    64 * 6)
					<< seed << " " << i << " " << k;
		}
	}
}

TEST(NodeCounts, HbmAndDdrOfAPackageAreSeparate)
{
	const Machine m("sim:spr:packages=2,cores=8,time=virtual,hbm=yes,flat=yes");
	const std::vector<std::string> names = {
		"UNCORE_MEM_READ_BYTES:node=0", "UNCORE_MEM_READ_BYTES:node=1",
		"UNCORE_HBM_READ_BYTES:node=hbm2", "UNCORE_HBM_READ_BYTES:node=3"};

	ASSERT_EQ(4u, m.nodes.size());
	for (unsigned i = 0; i < 4; i++) {
		Set set(m, names);
		uncore_load load = support::sized<uncore_load>();

		load.memory_node = i + 1;
		load.reads = 1000000;
		load.ns = 1000000;
		ASSERT_EQ(0, set.start());
		ASSERT_EQ(0, uncore_simulate_load(m.u, &load)) << m.message();
		const std::vector<int64_t> counts = set.counts();
		for (unsigned k = 0; k < 4; k++)
			EXPECT_NEAR(k == i ? 64e6 : 0, static_cast<double>(counts[k]), 64 * 32)
				<< i << " " << k;
	}
}

} // namespace
