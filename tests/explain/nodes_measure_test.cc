// SPDX-License-Identifier: BSD-3-Clause
// nodes_measure_test.cc - `uncore ceilings --nodes`: random maps of simulated machines are found
// exactly, or refused while another program uses memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "command/explain/nodes_measure.h"
#include "command/load/inside.h"
#include "hw/regs.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/seeds.h"

namespace
{

using support::Handle;

struct Machine : Handle {
	explicit Machine(const std::string &spec)
	    : Handle(options(spec.c_str())), sim(code == 0 ? unc_hw_sim(unc_hw_of(u)) : nullptr)
	{
		EXPECT_EQ(0, node_list_read(u, &numa)) << message();
	}

	~Machine()
	{
		node_list_free(&numa);
	}

	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	static uncore_options options(const char *spec)
	{
		uncore_options o = support::sized<uncore_options>();

		o.machine = spec;
		return o;
	}

	// The position of a box among those of its kind in the package, as the model counts them.
	unsigned position(const node_box &box) const
	{
		unsigned n = 0;

		for (const uncore_box_info &b : boxes(box.kind))
			n += b.package == box.package && b.index < box.box;
		return n;
	}

	// Whether the box serves the node, by the model.
	bool serves(size_t node, const node_box &box) const
	{
		const std::string kind = box.kind == std::string("cbo") ? "cbox" : box.kind;
		size_t n;
		const sim_node &at = sim_nodes(sim, &n)[node];

		return at.package == box.package &&
		       sim_cluster(sim, box.package, kind.c_str(), position(box)) ==
			       static_cast<int>(at.cluster);
	}

	struct sim *sim;
	struct node_list numa = {};
};

// Another program that reads the memory of a node while the first of several nodes is measured.
struct Disturbed {
	Machine &m;
	unsigned node;   // that it reads
	double share;    // of what is measured
	unsigned during; // 0: always; else only while that node - 1 is measured
};

bool run_disturbed(void *of, const uncore_node_info *node, char *why, size_t len)
{
	const Disturbed &d = *static_cast<Disturbed *>(of);
	uncore_load load = support::sized<uncore_load>();

	load.memory_node = d.node + 1;
	load.reads = static_cast<uint64_t>(2e9 * d.share);
	load.ns = 1000000000;
	if (!d.during || d.during == node->node + 1) {
		EXPECT_EQ(0, uncore_simulate_load(d.m.u, &load));
	}
	return node_traffic_run(d.m.u, node, why, len);
}

struct Result {
	bool good;
	std::string why;
	size_t boxes, wrong;
};

Result measure(Machine &m, const node_traffic &traffic)
{
	node_boxes boxes;
	bool *is;
	char why[256] = "";
	Result r = {nodes_measure(m.u, &m.numa, &traffic, &boxes, &is, why, sizeof(why)), why,
		    boxes.n, 0};

	for (size_t i = 0; r.good && i < m.numa.n; i++)
		for (size_t b = 0; b < boxes.n; b++)
			r.wrong += is[i * boxes.n + b] != m.serves(i, boxes.at[b]);
	free(boxes.at);
	free(is);
	return r;
}

Result measure(Machine &m)
{
	return measure(m, {node_traffic_run, m.u});
}

// Two clusters where the processor has two controllers or home agents; else two to four.
std::string spec(unsigned seed)
{
	static const char *const platforms[] = {"skx:cores=12", "hswep:cores=12", "icx:cores=12",
						"spr:cores=12", "gnr:cores=12"};
	const unsigned platform = seed % 5, clusters = platform < 2 ? 2 : 2 + seed / 5 % 3;

	return std::string("sim:") + platforms[platform] +
	       ",packages=2,time=virtual,clusters=" + std::to_string(clusters) +
	       ",nodes=" + std::to_string(seed);
}

TEST(NodesMeasured, FiveHundredRandomMapsAreFoundExactly)
{
	for (unsigned seed = 1; seed <= support::part_of(500); seed++) {
		Machine m(spec(seed));
		const Result r = measure(m);

		ASSERT_TRUE(r.good) << spec(seed) << ": " << r.why;
		EXPECT_LT(20u, r.boxes) << spec(seed);
		EXPECT_EQ(0u, r.wrong) << spec(seed);
	}
}

TEST(NodesMeasured, TwoHomeAgentsOfBroadwell)
{
	for (unsigned seed = 1; seed <= 10; seed++) {
		Machine m("sim:bdx:cores=12,time=virtual,clusters=2,nodes=" + std::to_string(seed));
		const Result r = measure(m);

		ASSERT_TRUE(r.good) << seed << ": " << r.why;
		EXPECT_EQ(0u, r.wrong) << seed;
	}
}

// A third of the maps with another program that always reads the memory of one node.
TEST(NodesMeasured, RefusedWhileAnotherProgramReadsMemory)
{
	const unsigned maps = support::part_of(600);
	unsigned refused = 0;

	for (unsigned seed = 1; seed <= maps; seed++) {
		for (const double share : {0.06, 0.3, 1.0, 5.0, 50.0}) {
			Machine m(spec(seed));
			Disturbed other = {m, seed % static_cast<unsigned>(m.numa.n), share, 0};
			const Result r = measure(m, {run_disturbed, &other});

			EXPECT_FALSE(r.good) << spec(seed) << " " << share;
			EXPECT_NE(std::string::npos, r.why.find("stop other programs")) << r.why;
			refused += !r.good;
		}
	}
	EXPECT_EQ(5 * maps, refused);
}

// None of the maps that every run tries is accepted.  Of all, some with a little traffic during one
// measurement are, and they are right.
TEST(NodesMeasured, RefusedIfItReadsWhileOneNodeIsMeasured)
{
	const unsigned maps = support::part_of(600);
	unsigned refused = 0;

	for (unsigned seed = 1; seed <= maps; seed++) {
		for (const double share : {0.06, 0.3, 1.0, 5.0, 50.0}) {
			Machine m(spec(seed));
			const unsigned n = static_cast<unsigned>(m.numa.n);
			Disturbed other = {m, seed % n, share, (seed + 1) % n + 1};
			const Result r = measure(m, {run_disturbed, &other});

			EXPECT_TRUE(!r.good || (seed > 60 && share < 0.1 && r.wrong == 0))
				<< spec(seed) << " " << share << ": " << r.wrong << " wrong";
			refused += !r.good;
		}
	}
	EXPECT_LE(0.99 * 5 * maps, refused);
}

// A fortieth of the traffic is not enough to be taken for a box of the node.
TEST(NodesMeasured, LittleTrafficOfOthersDoesNotMatter)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		Machine m(spec(seed));
		Disturbed other = {m, seed % static_cast<unsigned>(m.numa.n), 0.02, 0};
		const Result r = measure(m, {run_disturbed, &other});

		ASSERT_TRUE(r.good) << spec(seed) << ": " << r.why;
		EXPECT_EQ(0u, r.wrong) << spec(seed);
	}
}

TEST(NodesMeasured, FlatModeHasNodesOfHbm)
{
	for (unsigned seed = 1; seed <= 6; seed++) {
		Machine m("sim:spr:cores=12,time=virtual,hbm=yes,flat=yes,clusters=4,nodes=" +
			  std::to_string(seed));
		node_boxes boxes;
		bool *is;
		char why[256] = "";
		const node_traffic traffic = {node_traffic_run, m.u};

		ASSERT_EQ(16u, m.numa.n);
		ASSERT_TRUE(nodes_measure(m.u, &m.numa, &traffic, &boxes, &is, why, sizeof(why)))
			<< why;
		for (size_t i = 0; i < 16; i++)
			for (size_t b = 0; b < boxes.n; b++) {
				const std::string kind = boxes.at[b].kind;
				const bool of_hbm = kind == "hbm" || kind == "m2hbm",
					   of_ddr = kind == "imc" || kind == "m2m",
					   hbm = m.numa.nodes[i].kind == UNCORE_NODE_HBM;

				EXPECT_EQ(m.serves(i, boxes.at[b]) && !(of_hbm && !hbm) &&
						  !(of_ddr && hbm),
					  is[i * boxes.n + b])
					<< seed << " " << m.numa.nodes[i].name << " " << kind
					<< boxes.at[b].box;
			}
		free(boxes.at);
		free(is);
	}
}

// ---- conclusions ----

struct Conclusion : testing::Test {
	std::vector<uncore_node_info> nodes;
	std::vector<node_box> boxes;

	Conclusion()
	{
		for (unsigned i = 0; i < 2; i++) {
			uncore_node_info n = support::sized<uncore_node_info>();

			n.node = i;
			n.package = 0;
			n.kind = UNCORE_NODE_CPUS;
			snprintf(n.name, sizeof(n.name), "node%u", i);
			nodes.push_back(n);
		}
		for (unsigned i = 0; i < 4; i++)
			boxes.push_back({"imc", i / 3, i % 3}); // the last one in package 1
	}

	// The boxes of both nodes, as "0.1|2", or the message.
	std::string conclude(const std::vector<int64_t> &counts)
	{
		const struct node_list numa = {nodes.size(), nodes.data()};
		const node_boxes all = {boxes.data(), boxes.size()};
		bool is[8];
		char why[256] = "";
		std::string text;

		if (!nodes_conclude(&numa, &all, counts.data(), is, why, sizeof(why)))
			return why;
		for (size_t i = 0; i < 8; i++)
			text += (i == 4 ? "|" : "") + std::string(is[i] ? "x" : "-");
		return text;
	}
};

TEST_F(Conclusion, TwentyTimesTheOthers)
{
	const std::string more = "; stop other programs and measure again";

	EXPECT_EQ("x---|-xx-", conclude({1000, 50, 50, 50, 0, 900, 800, 40}));
	EXPECT_EQ("the imc boxes of node0 are not clear: no group of them counts 20 times what the "
		  "others do" +
			  more,
		  conclude({1000, 51, 51, 51, 0, 900, 800, 40}));
	EXPECT_EQ("the imc boxes of node0 are not clear: some of them count several times what "
		  "others do" +
			  more,
		  conclude({1000, 200, 0, 0, 0, 900, 800, 40}));
	EXPECT_EQ("the imc boxes of node1 are not clear: some of them count for two nodes" + more,
		  conclude({1000, 900, 0, 0, 0, 900, 800, 0}));
	EXPECT_EQ("the imc boxes of node1 are not clear: boxes of another package count, too" +
			  more,
		  conclude({1000, 0, 0, 0, 0, 900, 800, 700}));
	EXPECT_EQ("the imc boxes of node1 are not clear: none of them counts" + more,
		  conclude({1000, 900, 0, 0, 0, 10, 10, 0}));
}

TEST_F(Conclusion, AChannelWithoutMemoryServesNoNode)
{
	EXPECT_EQ("x---|--x-", conclude({1000, 0, 0, 0, 0, 0, 1000, 0}));
}

} // namespace
