// SPDX-License-Identifier: BSD-3-Clause
// nodes_test.cc - node= through uncored: the client reads the nodes from the kernel's files, the
// daemon counts, as far as its policy allows it.
#include <cstdlib>

#include "daemon/user.h"
#include "support/tree.h"

namespace
{

using support::kSecond;
using support::Tree;

// A client with the files of the machine that uncored simulates.
struct NodesServed : testing::Test {
	void serve(const char *machine)
	{
		size_t n;

		served = std::make_unique<Served>(machine);
		const sim_file *files = sim_node_files(served->model(), &n);
		for (size_t i = 0; i < n; i++)
			tree.write(files[i].path, files[i].text);
		root = tree.path("");
	}
	uncore_options options() const
	{
		uncore_options o = served->options();

		o.sysroot = root.c_str();
		return o;
	}

	std::unique_ptr<Served> served;
	Tree tree;
	std::string root;
};

// perf's table: channels 2, 3, 6 and 7 of package 0 serve node 1.
TEST_F(NodesServed, CountsTheBoxesOfTheNode)
{
	serve("sim:spr:packages=2,cores=8,clusters=2,time=virtual");
	support::Handle client(options());
	ASSERT_EQ(0, client.code) << client.message();
	support::Set set(client,
			 {"UNC_M_CAS_COUNT:RD:node=1", "UNCORE_MEM_READ_BYTES:node=1",
			  "UNC_M_CAS_COUNT:RD:box=2:pkg=0", "UNC_M_CAS_COUNT:RD:box=3:pkg=0",
			  "UNC_M_CAS_COUNT:RD:box=6:pkg=0", "UNC_M_CAS_COUNT:RD:box=7:pkg=0",
			  "UNC_CHA_TOR_INSERTS:IA_MISS:node=1"});

	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(served->model(), kSecond);
	ASSERT_EQ(0, set.stop()) << client.message();
	const auto n = set.counts();
	EXPECT_LT(0, n[0]);
	EXPECT_EQ(n[2] + n[3] + n[4] + n[5], n[0]);
	EXPECT_EQ(64 * n[0], n[1]);
	EXPECT_LT(0, n[6]);
}

// The names of slices at random are sent as masks.
TEST_F(NodesServed, CountsMeasuredSlices)
{
	const char *before = getenv("XDG_CACHE_HOME");
	const std::string old = before ? before : "";
	std::vector<uncore_node_box> boxes;
	char *text = nullptr;

	serve("sim:gnr:packages=1,cores=8,clusters=2,time=virtual");
	support::Handle client(options());
	ASSERT_EQ(0, client.code) << client.message();
	for (unsigned node = 0; node < 2; node++)
		for (const uncore_box_info &b : client.boxes("cha"))
			if (b.index % 2 == node)
				boxes.push_back({sizeof(uncore_node_box), node, "cha", b.index});
	ASSERT_EQ(0, uncore_nodes_text(client.u, boxes.data(), boxes.size(), &text));
	tree.write("uncore/nodes-simulated", text);
	free(text);
	setenv("XDG_CACHE_HOME", root.c_str(), 1);
	support::Set set(client, {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS",
				  "UNC_CHA_TOR_INSERTS:IA_MISS:node=0",
				  "UNC_CHA_TOR_INSERTS:IA_MISS:node=1"});
	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(served->model(), kSecond);
	ASSERT_EQ(0, set.stop()) << client.message();
	const auto n = set.counts();
	EXPECT_LT(0, n[2]);
	EXPECT_LT(0, n[3]);
	EXPECT_EQ(n[1], n[2] + n[3]);
	if (before)
		setenv("XDG_CACHE_HOME", old.c_str(), 1);
	else
		unsetenv("XDG_CACHE_HOME");
}

// The policy allows counting, and not energy, of a node as well.
TEST_F(NodesServed, ThePolicyHolds)
{
	constexpr uid_t kAnna = 1000;

	serve("sim:snbep:packages=2,cores=8,time=virtual");
	std::string energy, reads;
	{
		support::Handle client(options());

		energy = client.canonical("UNC_RAPL_ENERGY_PKG:node=1");
		reads = client.canonical("UNC_M_CAS_COUNT:RD:node=1");
	}
	EXPECT_EQ("UNC_RAPL_ENERGY_PKG:pkg=1", energy);
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:pkg=1", reads);
	served->end();
	User anna(*served, 5, kAnna);

	EXPECT_EQ(UNCORE_EACCESS, anna.start(energy)) << anna.text;
	EXPECT_EQ(0, anna.start(reads)) << anna.text;
	served->server->policy.energy = true;
	User again(*served, 6, kAnna);
	EXPECT_EQ(0, again.start(energy)) << again.text;
}

// A simulated machine's daemon says nothing of the nodes of the computer of its client.
TEST(NodesOfAnotherMachine, AreNotThoseOfThisComputer)
{
	Served served("sim:spr:packages=2,cores=8,clusters=2,time=virtual");
	support::Handle client(served.options());

	ASSERT_EQ(0, client.code) << client.message();
	EXPECT_EQ(UNCORE_ENOSUPP, client.refusal("UNC_M_CAS_COUNT:RD:node=1"));
	EXPECT_EQ(0u, client.message().find("the NUMA nodes of this machine are not known"))
		<< client.message();
}

} // namespace
