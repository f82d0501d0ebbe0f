// SPDX-License-Identifier: BSD-3-Clause
// slices_test.cc - the number of C-Boxes is that of the slices of the L3 cache, and there
// may be more of them than cores.
#include <cstring>

#include "set/inside.h"
#include "support/sim_machine.h"
#include "support/tree.h"

namespace
{

using support::Handle;
using support::NativeMachine;
using support::Tree;

constexpr char kFunctions[] = "the PCI functions of the package, one for each slice of its L3 "
			      "cache";
constexpr char kCache[] = "the L3 cache of the package, a slice for each 2048 sets (CPUID leaf 4)";
constexpr char kCores[] = "the cores of the package";

class Simulated : public Handle
{
      public:
	explicit Simulated(const std::string &spec)
	    : Handle(support::sim_options(("sim:" + spec).c_str()))
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}
	std::string basis(unsigned package = 0) const
	{
		for (const uncore_box_info &box : boxes("cbo"))
			if (box.package == package)
				return box.basis ? box.basis : "(none)";
		return "(no box)";
	}
	struct sim *sim;
};

// ---- parts with more slices than cores, as they are sold ----

struct Part {
	const char *platform, *sku;
	unsigned cores, slices;
	const char *modified;                // libpfm4's umask for modified lines
	std::vector<const char *> functions; // hide= of all of them
};

inline std::ostream &operator<<(std::ostream &out, const Part &part)
{
	return out << part.platform << " " << part.sku;
}

class Slices : public testing::TestWithParam<Part>
{
      protected:
	const Part &part = GetParam();
	const std::string spec = std::string(part.platform) +
				 ":time=virtual,packages=2,cores=" + std::to_string(part.cores) +
				 ",slices=" + std::to_string(part.slices);

	std::string hidden() const
	{
		std::string keys;

		for (const char *id : part.functions)
			keys += std::string(",hide=") + id;
		return keys;
	}
	// Modified lines leave the cache as fast as the machine writes lines back.
	static double written_back(const Simulated &machine)
	{
		return sim_traffic(machine.sim, 0)->writes + sim_traffic(machine.sim, 1)->writes;
	}
	int64_t victims(const Simulated &machine) const
	{
		support::Set set(machine, {std::string("UNC_C_LLC_VICTIMS:") + part.modified});

		EXPECT_EQ(0, set.start()) << machine.message();
		sim_advance(machine.sim, support::kSecond);
		EXPECT_EQ(0, set.stop()) << machine.message();
		return set.count();
	}
};

TEST_P(Slices, AreAllCounted)
{
	Simulated machine(spec);

	EXPECT_EQ(2 * part.slices, machine.present("cbo"));
	EXPECT_EQ(kFunctions, machine.basis());
	EXPECT_NEAR(written_back(machine), static_cast<double>(victims(machine)),
		    1e-6 * written_back(machine));
	EXPECT_EQ(nullptr, machine.warning(0));
	EXPECT_EQ(UNCORE_ENODEV,
		  machine.refusal("UNC_C_CLOCKTICKS:box=" + std::to_string(part.slices)));
}

TEST_P(Slices, ComeFromTheCacheIfTheFunctionsAreHidden)
{
	Simulated machine(spec + hidden());

	EXPECT_EQ(2 * part.slices, machine.present("cbo"));
	EXPECT_EQ(kCache, machine.basis());
	EXPECT_EQ(kCache, machine.basis(1));
}

TEST_P(Slices, ThatDoNotAnswerAreLeftOutWithAWarning)
{
	Simulated machine(spec + ",silent=yes");
	const unsigned missing = part.slices - part.cores;
	const char *warning = machine.warning(0);

	EXPECT_EQ(2 * part.slices, machine.boxes("cbo").size());
	EXPECT_EQ(2 * part.cores, machine.present("cbo"));
	ASSERT_NE(nullptr, warning);
	EXPECT_EQ("cbo" + std::to_string(part.cores) +
			  " of package 0, a slice of the L3 cache without a core, is missing in "
			  "sums: its registers do not answer",
		  warning);
	EXPECT_NE(nullptr, machine.warning(2 * missing - 1));
	EXPECT_EQ(nullptr, machine.warning(2 * missing));
	const int64_t counted = victims(machine);
	EXPECT_GT(counted, 0);
	EXPECT_LT(static_cast<double>(counted), 0.99 * written_back(machine));
}

INSTANTIATE_TEST_SUITE_P(
	Parts, Slices,
	testing::Values(Part{"snbep", "no part that is known", 6, 8, "M_STATE", {"3ce8"}},
			Part{"ivbep",
			     "E5-2637 v2, 15 MB",
			     4,
			     6,
			     "STATE_M",
			     {"ee0", "ee1", "ee2", "ee3", "ee4", "ee5"}},
			Part{"ivbep",
			     "E5-2667 v2, 25 MB",
			     8,
			     10,
			     "STATE_M",
			     {"ee0", "ee1", "ee2", "ee3", "ee4", "ee5", "ee6", "ee7", "ee8",
			      "ee9"}},
			Part{"hswep",
			     "E5-2637 v3, 15 MB",
			     4,
			     6,
			     "STATE_M",
			     {"2fe0", "2fe1", "2fe2", "2fe3", "2fe4", "2fe5"}},
			Part{"hswep",
			     "E5-2643 v3, 20 MB",
			     6,
			     8,
			     "STATE_M",
			     {"2fe0", "2fe1", "2fe2", "2fe3", "2fe4", "2fe5", "2fe6", "2fe7"}},
			Part{"bdx",
			     "E5-2667 v4, 25 MB",
			     8,
			     10,
			     "M_STATE",
			     {"6fe0", "6fe1", "6fe2", "6fe3", "6fe4", "6fe5", "6fe6", "6fe7",
			      "6fe8", "6fe9"}}),
	[](const testing::TestParamInfo<Part> &info) {
		return std::string(info.param.platform) + "_" + std::to_string(info.param.cores) +
		       "_of_" + std::to_string(info.param.slices);
	});

// ---- functions that do not tell ----

TEST(SliceFunctions, WithAGapAreNotBelieved)
{
	Simulated machine("hswep:time=virtual,cores=6,slices=8,hide=2fe3");

	EXPECT_EQ(2u * 8, machine.present("cbo"));
	EXPECT_EQ(kCache, machine.basis());
}

TEST(SliceFunctions, FewerThanCoresAreNotBelieved)
{
	Simulated machine("hswep:time=virtual,cores=6,slices=8,hide=2fe7,hide=2fe6,hide=2fe5");

	EXPECT_EQ(2u * 8, machine.present("cbo"));
	EXPECT_EQ(kCache, machine.basis());
}

// A tree tells nothing of the cache, so the cores are all that is left.
class SliceTree : public testing::Test
{
      protected:
	SliceTree()
	{
		tree.one_package();
	}
	void functions(unsigned n)
	{
		for (unsigned i = 0; i < n; i++)
			tree.pci(0, 0x7f, 12 + i / 4, i % 4, 0x3ce8);
	}
	// Subleaf 3 of CPUID leaf 4 on a CPU, of the others only what kind of cache they are.
	void cache(unsigned cpu, uint32_t sets, uint32_t sharing, uint32_t apic_id)
	{
		const std::string name = "dev/cpu/" + std::to_string(cpu) + "/cpuid";
		const uint32_t kinds[] = {0x121, 0x122, 0x143, (sharing - 1) << 14 | 0x163};

		tree.write(name, "");
		tree.cpuid_level(cpu, 0, 1, 0x100);
		tree.cpuid_level(cpu, 1, 4, 0x201);
		tree.put(name, 0xb + 12, apic_id, 4);
		tree.put(name, 0xb + 12 + (off_t{1} << 32), apic_id, 4);
		for (off_t i = 0; i < 4; i++)
			tree.put(name, 4 + (i << 32), kinds[i], 4);
		tree.put(name, 12 + (off_t{3} << 32), sets - 1, 8);
	}
	void expect(unsigned boxes, const char *basis) const
	{
		NativeMachine machine(tree);

		ASSERT_EQ(0, machine.code) << machine.message();
		EXPECT_EQ(boxes, machine.present("cbo"));
		EXPECT_STREQ(basis, machine.boxes("cbo").at(0).basis);
	}
	Tree tree;
};

TEST_F(SliceTree, OfFilesHasFunctions)
{
	functions(6);
	expect(6, kFunctions);
}

// The cores cannot be counted then, which would be the minimum.
TEST_F(SliceTree, WithACoreThatCannotBeReadHasFunctions)
{
	const std::string core = "sys/devices/system/cpu/cpu2/topology/core_id";

	functions(3); // fewer than CPUs, which may be threads
	tree.remove(core);
	ASSERT_EQ(0, symlink(tree.path(core).c_str(), tree.path(core).c_str()));
	expect(3, kFunctions);
}

TEST_F(SliceTree, WithoutFunctionsCacheAndCoresHasWhatAnswers)
{
	const std::string core = "sys/devices/system/cpu/cpu2/topology/core_id";

	tree.remove(core);
	ASSERT_EQ(0, symlink(tree.path(core).c_str(), tree.path(core).c_str()));
	expect(8, "their registers: the cores cannot be counted");
}

TEST_F(SliceTree, WithoutFunctionsAndCacheHasCores)
{
	expect(4, kCores);
}

TEST_F(SliceTree, WithMoreFunctionsThanThePlatformHasBoxesHasCores)
{
	functions(8);
	tree.pci(0, 0x7f, 14, 0, 0x3ce8);
	expect(4, kCores);
}

TEST_F(SliceTree, HasTheCacheOfItsFirstCpuWhereAllShareIt)
{
	for (unsigned cpu = 0; cpu < 4; cpu++)
		cache(cpu, 6 * 2048, 16, 2 * cpu);
	expect(6, kCache);
}

// Cluster-on-Die: each half of the package shows a cache of its own.
TEST_F(SliceTree, HasTheSumOfItsCaches)
{
	for (unsigned cpu = 0; cpu < 4; cpu++)
		cache(cpu, 3 * 2048, 4, 2 * cpu);
	expect(6, kCache);
}

// One half of the package may be offline: the other's cache is too small for all cores.
TEST_F(SliceTree, WithACacheForFewerSlicesThanCoresHasCores)
{
	for (unsigned cpu = 0; cpu < 4; cpu++)
		cache(cpu, 3 * 2048, 16, 2 * cpu);
	expect(4, kCores);
}

TEST_F(SliceTree, WithOddCachesHasCores)
{
	for (unsigned cpu = 0; cpu < 4; cpu++)
		cache(cpu, 5 * 2048 + 1024, 16, 2 * cpu);
	expect(4, kCores);
}

TEST_F(SliceTree, IgnoresFunctionsOfOtherPackages)
{
	tree.online("0-4");
	tree.cpu(4, 1, 0);
	tree.ubox(0, 0xff, 1, 1 << 3);
	tree.put(Tree::config_name(0x7f, 11, 3), 0x54, 1 << 3, 4);
	functions(6);
	tree.pci(0, 0xff, 12, 0, 0x3ce8);
	tree.pci(0, 0xff, 12, 1, 0x3ce8);
	NativeMachine machine(tree);
	unsigned n[2] = {};

	ASSERT_EQ(0, machine.code) << machine.message();
	for (const uncore_box_info &box : machine.boxes("cbo"))
		n[box.package]++;
	EXPECT_EQ(6u, n[0]);
	EXPECT_EQ(2u, n[1]);
}

TEST(SliceBasis, IsShownForOtherBoxesWhoseNumberVaries)
{
	Simulated fuses("skx:time=virtual,packages=1");
	Simulated none("skx:time=virtual,packages=1,hide=2083");

	EXPECT_STREQ("the fuses of the package", fuses.boxes("cha").at(0).basis);
	EXPECT_STREQ("their registers: the fuses of the package cannot be read",
		     none.boxes("cha").at(0).basis);
	EXPECT_EQ(nullptr, fuses.boxes("imc").at(0).basis);
}

// ---- the model ----

// Where the functions are, as listings of real machines show them.
TEST(SimSlices, HaveTheFunctionsOfRealMachines)
{
	const struct {
		const char *spec;
		std::vector<std::string> places;
	} expected[] = {
		{"snbep:packages=1,cores=6",
		 {"3ce8 c.0", "3ce8 c.1", "3ce8 c.2", "3ce8 c.3", "3ce8 d.0", "3ce8 d.1"}},
		{"ivbep:packages=1,cores=4,slices=6",
		 {"ee0 c.0", "ee1 d.0", "ee2 c.1", "ee3 d.1", "ee4 c.2", "ee5 d.2"}},
		{"hswep:packages=1,cores=10",
		 {"2fe0 c.0", "2fe1 c.1", "2fe2 c.2", "2fe3 c.3", "2fe4 c.4", "2fe5 c.5",
		  "2fe6 c.6", "2fe7 c.7", "2fe8 d.0", "2fe9 d.1"}},
		{"bdx:packages=1,cores=2,slices=3", {"6fe0 c.0", "6fe1 c.1", "6fe2 c.2"}},
	};

	for (const auto &e : expected) {
		char why[256];
		struct sim *sim;
		std::vector<std::string> places;
		size_t n;

		ASSERT_EQ(0, sim_open(e.spec, &sim, why, sizeof(why))) << why;
		const sim_pci *pci = sim_pci_devices(sim, &n);
		for (size_t i = 0; i < n; i++) {
			char text[32];

			snprintf(text, sizeof(text), "%x %x.%x", pci[i].device, pci[i].devfn >> 3,
				 pci[i].devfn & 7u);
			if (pci[i].bus == 0xff &&
			    (pci[i].devfn >> 3 == 12 || pci[i].devfn >> 3 == 13))
				places.emplace_back(text);
		}
		EXPECT_EQ(e.places, places) << e.spec;
		sim_close(sim);
	}
}

// An E5-2637 v3: 15 MB in 20 ways of 64 bytes.
TEST(SimSlices, AreInCpuid)
{
	char why[256];
	struct sim *sim;
	uint32_t regs[4];

	ASSERT_EQ(0, sim_open("hswep:packages=1,cores=4,slices=6", &sim, why, sizeof(why))) << why;
	ASSERT_EQ(0, sim_cpuid(sim, 0, 4, 3, regs));
	EXPECT_EQ(0x163u, regs[0] & 0x3fff);
	EXPECT_EQ(15u << 20, ((regs[1] >> 22) + 1) * ((regs[1] & 0xfff) + 1) * (regs[2] + 1));
	for (uint32_t level = 0; level < 3; level++) {
		const uint32_t kinds[] = {1, 2, 3};

		ASSERT_EQ(0, sim_cpuid(sim, 0, 4, level, regs));
		EXPECT_EQ(kinds[level], regs[0] & 0x1f);
	}
	ASSERT_EQ(0, sim_cpuid(sim, 0, 4, 4, regs));
	EXPECT_EQ(0u, regs[0]) << "no fifth cache";
	sim_close(sim);
}

TEST(SimSlices, AreNotFewerThanCores)
{
	for (const char *spec : {"snbep:slices=7", "snbep:slices=9", "snbep:slices=x",
				 "skx:slices=28", "hswep:silent=maybe", "icx:silent=yes"}) {
		char why[256];
		struct sim *sim;

		EXPECT_NE(0, sim_open(spec, &sim, why, sizeof(why))) << spec;
		EXPECT_NE('\0', why[0]) << spec;
	}
}

} // namespace
