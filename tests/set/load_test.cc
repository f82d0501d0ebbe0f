// SPDX-License-Identifier: BSD-3-Clause
// load_test.cc - setting the traffic of a simulated machine through the public headers.
#include "support/handle.h"

namespace
{

using support::Handle;
using support::sized;

Handle machine(const char *name)
{
	auto options = sized<uncore_options>();

	options.machine = name;
	return Handle(options);
}

uncore_load some()
{
	auto load = sized<uncore_load>();

	load.reads = 1000000;
	load.ns = 10000000;
	return load;
}

TEST(SimulateLoad, IsCountedInThePackageOfTheMemory)
{
	const Handle h = machine("sim:skx:packages=2,cores=4,time=virtual");
	const std::vector<unsigned> ids =
		h.events({"UNCORE_MEM_READ_BYTES:pkg=0", "UNCORE_MEM_READ_BYTES:pkg=1"});
	uncore_load load = some();
	uncore_set *set = nullptr;
	int64_t counts[2];

	load.memory_cpu = 4;
	ASSERT_EQ(0, uncore_set_create(h.u, &set));
	ASSERT_EQ(0, uncore_set_assign(set, ids.data(), ids.size()));
	ASSERT_EQ(0, uncore_set_start(set));
	EXPECT_EQ(0, uncore_simulate_load(h.u, &load)) << h.message();
	ASSERT_EQ(0, uncore_set_stop(set));
	ASSERT_EQ(0, uncore_set_read(set, counts));
	EXPECT_EQ(0, counts[0]);
	EXPECT_NEAR(64e6, static_cast<double>(counts[1]), 64 * 8);
	uncore_set_destroy(set);
}

TEST(SimulateLoad, InvalidLoadsAreRefusedWithAMessage)
{
	const Handle h = machine("sim:skx:packages=1,cores=4,time=virtual");
	uncore_load load = some();

	load.cpu = 99;
	EXPECT_EQ(UNCORE_ENODEV, uncore_simulate_load(h.u, &load));
	EXPECT_NE(std::string::npos, h.message().find("has no CPU 99"));
	load = some();
	load.ns = 0;
	EXPECT_EQ(UNCORE_EINVAL, uncore_simulate_load(h.u, &load));
	EXPECT_NE(std::string::npos, h.message().find("set ns"));
	load = some();
	load.size = 8;
	EXPECT_EQ(UNCORE_EINVAL, uncore_simulate_load(h.u, &load));
}

} // namespace
