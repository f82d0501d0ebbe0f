// SPDX-License-Identifier: BSD-3-Clause
// sim_hash_test.cc - the simulated Xeon on its own: which slice of the last-level cache owns a
// line.
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/sim_snbep.h"

extern "C" {
#include "sim/hash/hash.h"
}

namespace
{

using namespace support::snbep;
using json = nlohmann::json;

class File
{
      public:
	explicit File(const std::string &text)
	{
		const int fd = mkstemp(name.data());

		EXPECT_EQ(static_cast<ssize_t>(text.size()), write(fd, text.data(), text.size()));
		close(fd);
	}
	~File()
	{
		unlink(name.c_str());
	}
	std::string name = "/tmp/hash-XXXXXX";
};

struct Hash {
	Hash(const char *platform, unsigned slices, const char *file = nullptr)
	    : code(sim_hash_init(&hash, platform, slices, file))
	{
	}
	~Hash()
	{
		sim_hash_free(&hash);
	}
	unsigned owner(size_t line) const
	{
		return sim_hash_owner(&hash, line * SIM_LINE);
	}
	struct sim_hash hash;
	int code;
};

TEST(SimHash, IsTheMeasuredOneWhereThereIsOne)
{
	unsigned sequences = 0;

	for (const json &recorded : support::data_lines("machines/slice-sequences.jsonl.gz")) {
		const std::vector<unsigned> base = recorded["base"];
		const Hash hash(recorded["platform"].get<std::string>().c_str(),
				recorded["slices"]);

		ASSERT_EQ(base.size(), hash.hash.lines);
		for (size_t line = 0; line < base.size(); line++)
			ASSERT_EQ(base[line], hash.owner(line)) << line;
		EXPECT_EQ(base[3], hash.owner(base.size() + 3));
		sequences++;
	}
	EXPECT_EQ(12u, sequences);
}

TEST(SimHash, IsInTurnWhereNoneWasMeasured)
{
	const Hash hash("skx", 12);

	for (unsigned line = 0; line < 100; line++)
		EXPECT_EQ(line % 12, hash.owner(line));
}

TEST(SimHash, IsReadFromAFile)
{
	const File file("0 1\n3 3\t2\n");
	const Hash hash("skx", 4, file.name.c_str());
	const unsigned owners[] = {0, 1, 3, 3, 2};

	ASSERT_EQ(0, hash.code);
	for (size_t line = 0; line < 10; line++)
		EXPECT_EQ(owners[line % 5], hash.owner(line));
}

TEST(SimHash, InvalidFilesAreRefused)
{
	for (const char *text : {"", " \n", "0 4", "0 -1", "0,1", "0 1x", "99999999999999999999"})
		EXPECT_EQ(-EINVAL, Hash("skx", 4, File(text).name.c_str()).code) << text;
	EXPECT_EQ(-EINVAL, Hash("skx", 4, "/dev/zero").code);
	EXPECT_EQ(-ENOENT, Hash("skx", 4, "/nonexistent").code);
	std::string longest;
	for (int i = 0; i < 65536; i++)
		longest += "1 ";
	EXPECT_EQ(0, Hash("skx", 4, File(longest).name.c_str()).code);
	EXPECT_EQ(-EINVAL, Hash("skx", 4, File(longest + "1").name.c_str()).code);
}

// Lookups of each C-Box for a load on memory.
std::vector<uint64_t> lookups(Machine &machine, unsigned boxes, uint64_t address, uint64_t bytes)
{
	struct sim_load load = {0, 0, 1000, 0, 1000000, 0, address, bytes, 0};
	std::vector<uint64_t> counts;

	for (uint32_t at = 0; at < 0x20 * boxes; at += 0x20) {
		machine.set(0xd14 + at, 0x7c0000); // LLC_LOOKUP of data reads in all states
		machine.set(0xd10 + at, 0x0334 | kEnable);
		machine.set(0xd04 + at, kRun);
	}
	EXPECT_EQ(0, sim_load(machine.sim, &load));
	for (uint32_t at = 0; at < 0x20 * boxes; at += 0x20) {
		counts.push_back(machine.get(0xd16 + at));
		machine.set(0xd16 + at, 0);
	}
	return counts;
}

TEST(SimHash, DecidesWhichSliceSeesALoad)
{
	const File file("0 1 3 3");
	Machine machine("time=virtual,packages=1,cores=4,hash=" + file.name);
	using counts = std::vector<uint64_t>;

	EXPECT_EQ((counts{1000, 0, 0, 0}), lookups(machine, 4, 0, 64));
	EXPECT_EQ((counts{0, 0, 0, 1000}), lookups(machine, 4, 128, 64));
	EXPECT_EQ((counts{0, 1000, 0, 0}), lookups(machine, 4, 64 * 5, 1));
	EXPECT_EQ((counts{250, 250, 0, 500}), lookups(machine, 4, 1 << 20, 1 << 20));
	EXPECT_NEAR(250, static_cast<double>(lookups(machine, 4, 0, 0)[2]), 15); // all of memory
}

TEST(SimHash, AMachineWithAnInvalidFileIsRefused)
{
	const File file("0 1 8");

	EXPECT_THROW(Machine("cores=8,hash=" + file.name), std::runtime_error);
	EXPECT_THROW(Machine("hash=/nonexistent"), std::runtime_error);
}

} // namespace
