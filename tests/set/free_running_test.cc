// SPDX-License-Identifier: BSD-3-Clause
// free_running_test.cc - counters without a control are only read.
#include "plan/complete.h"
#include "support/mesh_machine.h"
#include "support/plan.h"
#include "support/sized.h"

namespace
{

using support::expect_close;
using support::kIcx;
using support::kSecond;
using support::kSkx;
using support::Mesh;
using support::MeshMachine;
using support::Set;

// The data of a port as counted by the IIO's programmable counters, in units of 4 bytes.
uint64_t data_in(const Mesh &mesh, unsigned port)
{
	const unsigned classes = mesh.name == "icx" ? 48 : 44;

	return 0x0183 | UINT64_C(1) << (36 + port) | UINT64_C(7) << classes;
}

class FreeRunning : public testing::TestWithParam<Mesh>
{
      protected:
	const Mesh &mesh = GetParam();
	MeshMachine machine{mesh, "packages=2"};
	const unsigned ports = mesh.name == "icx" ? 8 : 4;
	const unsigned dwords = mesh.name == "icx" ? 8 : 1; // per count
};

TEST_P(FreeRunning, NothingIsWritten)
{
	const std::vector<uint64_t> before = machine.controls();
	const uint64_t writes = sim_writes(machine.sim);

	EXPECT_LT(0, machine.count("UNC_IIO_CLOCKTICKS_FREERUN"));
	EXPECT_LT(0, machine.count("UNC_IIO_BANDWIDTH_IN:PART1_FREERUN"));
	EXPECT_EQ(writes, sim_writes(machine.sim));
	EXPECT_EQ(before, machine.controls());
}

TEST_P(FreeRunning, TheyCountOnlyBetweenStartAndStop)
{
	const double clock = sim_traffic(machine.sim, 1)->uclk_hz;
	Set set(machine, {"UNC_IIO_CLOCKTICKS_FREERUN:box=3:pkg=1"});

	sim_advance(machine.sim, 7 * kSecond);
	ASSERT_EQ(0, set.start()) << machine.message();
	sim_advance(machine.sim, 2 * kSecond);
	expect_close(2 * clock, set.count());
	EXPECT_EQ(0, set.stop());
	sim_advance(machine.sim, 5 * kSecond);
	expect_close(2 * clock, set.count());
	ASSERT_EQ(0, set.start());
	sim_advance(machine.sim, kSecond);
	expect_close(clock, set.count());
	EXPECT_EQ(0, set.stop());
}

// Ports and stacks have different traffic, which reveals wrong addresses.
TEST_P(FreeRunning, EveryPortOfEveryStackHasItsCounter)
{
	for (unsigned p : {0u, 1u})
		for (unsigned box = 0; box < 6; box++)
			for (unsigned port = 0; port < ports; port++) {
				const std::string name = "UNC_IIO_BANDWIDTH_IN:PART" +
							 std::to_string(port) +
							 "_FREERUN:pkg=" + std::to_string(p) +
							 ":box=" + std::to_string(box);
				const double rate =
					machine.rate({"iio", data_in(mesh, port)}, box, p) / dwords;

				SCOPED_TRACE(name);
				EXPECT_LT(0, rate);
				expect_close(rate, machine.count(name));
			}
}

// Any number of sets, stopped in any order.
TEST_P(FreeRunning, SetsShareThem)
{
	const double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	const std::string event = "UNC_IIO_CLOCKTICKS_FREERUN:box=0:pkg=0";
	Set first(machine, {event}), second(machine, {event, event, "UNC_P_CLOCKTICKS"});

	ASSERT_EQ(0, first.start()) << machine.message();
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, second.start()) << machine.message();
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0, first.stop());
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0, second.stop());
	expect_close(2 * clock, first.count());
	expect_close(2 * clock, second.counts()[0]);
	EXPECT_EQ(second.counts()[0], second.counts()[1]);
}

// A freeze of the package does not stop these counters.
TEST_P(FreeRunning, TheFreezeOfAPackageIsNotTheirs)
{
	Set counters(machine, {"UNC_IIO_CLOCKTICKS_FREERUN"}), pcu(machine, {"UNC_P_CLOCKTICKS"});
	uint64_t writes;

	ASSERT_EQ(0, counters.start());
	writes = sim_writes(machine.sim);
	ASSERT_EQ(0, pcu.start());
	const uint64_t in_addition = sim_writes(machine.sim) - writes;
	EXPECT_EQ(0, pcu.stop());
	EXPECT_EQ(0, counters.stop());
	writes = sim_writes(machine.sim);
	ASSERT_EQ(0, pcu.start());
	EXPECT_EQ(sim_writes(machine.sim) - writes, in_addition)
		<< "the package must not be frozen";
	EXPECT_EQ(0, pcu.stop());
}

TEST_P(FreeRunning, ThePlanReadsOnly)
{
	const std::vector<unsigned> ids =
		machine.events({"UNC_IIO_CLOCKTICKS_FREERUN:box=5:pkg=0",
				"UNC_IIO_BANDWIDTH_IN:PART3_FREERUN:box=5:pkg=0"});
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &plan));
	EXPECT_TRUE(plan->feasible);
	EXPECT_EQ(0u, plan->setup.n + plan->start.n + plan->stop.n + plan->restore.n);
	ASSERT_EQ(2u, plan->read.n);
	EXPECT_EQ(mesh.name == "icx" ? 0xb25u : 0xae5u, plan->read.op[0].address);
	EXPECT_EQ(0xb53u, plan->read.op[1].address); // 0xaa0 + 0xb0 + 3, 0xb00 + 0x50 + 3
	uncore_plan_free(plan);
}

// Linux's numbers for these counters, and no others.
TEST_P(FreeRunning, RawTakesLinuxsNumbers)
{
	const std::string raw = mesh.name + "_unc_iio_free_running::RAW:config=";

	expect_close(
		6 * (sim_traffic(machine.sim, 0)->uclk_hz + sim_traffic(machine.sim, 1)->uclk_hz),
		machine.count(raw + "0x10ff"));
	expect_close(static_cast<double>(machine.count("UNC_IIO_BANDWIDTH_IN:PART2_FREERUN:box=1")),
		     machine.count(raw + "0x22ff:box=1"));
	for (const char *wrong : {"0xff", "0x11ff", "0x28ff", "0x1001", "0x40ff", "0x1010ff"})
		EXPECT_EQ(UNCORE_EATTR, machine.refusal(raw + wrong)) << wrong;
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_IIO_CLOCKTICKS_FREERUN:e=1"));
	EXPECT_EQ(UNCORE_ECOMBO,
		  machine.refusal("UNC_IIO_BANDWIDTH_IN:PART0_FREERUN:PART1_FREERUN"));
}

TEST_P(FreeRunning, UnitsAreTheHardwares)
{
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(machine.u, machine.event("UNC_IIO_BANDWIDTH_IN"), &info));
	EXPECT_STREQ(mesh.name == "icx" ? "32 bytes" : "4 bytes", info.units);
	ASSERT_EQ(0,
		  uncore_event_info(machine.u, machine.event("UNC_IIO_CLOCKTICKS_FREERUN"), &info));
	EXPECT_STREQ("cycles", info.units);
}

INSTANTIATE_TEST_SUITE_P(All, FreeRunning, testing::Values(kSkx, kIcx),
			 testing::PrintToStringParamName());

// A 36-bit counter of a 2.3 GHz clock wraps after half a minute, and the wrap poller must read
// it often enough. Other 36-bit counters wrap within seconds; a set without them is read less
// often.
TEST(FreeRunning, TheWrapPollerComesAsOftenAsWhatCountsNeeds)
{
	support::Handle machine([] {
		uncore_options options = support::sim_options("sim:skx:packages=1,cores=2");

		options.wrap_poller = 1;
		return options;
	}());
	support::Set slow(machine, {"UNC_C_CLOCKTICKS"});
	support::Set fast(machine, {"UNC_IIO_BANDWIDTH_IN:PART0_FREERUN"});
	uint64_t before;

	ASSERT_EQ(0, slow.start());
	before = unc_wrap_interval_running(machine.u);
	EXPECT_LT(100 * machine.machine().wrap_interval_ms, before);
	ASSERT_EQ(0, fast.start());
	EXPECT_EQ(machine.machine().wrap_interval_ms, unc_wrap_interval_running(machine.u));
	ASSERT_EQ(0, fast.stop());
	ASSERT_EQ(0, slow.stop());
	ASSERT_EQ(0, slow.start());
	EXPECT_EQ(before, unc_wrap_interval_running(machine.u));
}

TEST(FreeRunningSkx, WrapsOf36BitsAreSeen)
{
	MeshMachine machine(kSkx, "packages=1");
	const double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	const uint64_t interval = machine.machine().wrap_interval_ms * 1000000;
	Set set(machine, {"UNC_IIO_CLOCKTICKS_FREERUN:box=0"});

	EXPECT_LT(interval * 2, static_cast<uint64_t>(68719476736 / clock * 1e9));
	EXPECT_EQ(36u, machine.boxes("iio_free_running")[0].width);
	ASSERT_EQ(0, set.start());
	for (uint64_t t = 0; t < 100 * kSecond; t += interval) {
		sim_advance(machine.sim, interval);
		EXPECT_EQ(0, uncore_poll_wraps(machine.u));
	}
	const double ns = static_cast<double>((100 * kSecond + interval - 1) / interval * interval);
	expect_close(clock * ns / 1e9, set.count());
	EXPECT_LT(68719476736, set.count());
	EXPECT_EQ(0, set.stop());
}

TEST(FreeRunningIcx, MemoryControllersCountLines)
{
	MeshMachine machine(kIcx, "packages=2");
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(machine.u, machine.event("UNC_M_READ_FREERUN"), &info));
	EXPECT_STREQ("lines", info.units);
	for (unsigned p : {0u, 1u})
		for (unsigned c = 0; c < 4; c++) {
			const std::string where =
				":pkg=" + std::to_string(p) + ":box=" + std::to_string(c);
			double reads = 0, writes = 0;

			for (unsigned channel = 3 * c; channel < 3 * c + 3; channel++) {
				reads += machine.rate({"imc", 0x0f04}, channel, p);
				writes += machine.rate({"imc", 0x3004}, channel, p);
			}
			SCOPED_TRACE(where);
			expect_close(reads, machine.count("UNC_M_READ_FREERUN" + where));
			expect_close(writes, machine.count("UNC_M_WRITE_FREERUN" + where));
			expect_close(sim_traffic(machine.sim, p)->dclk_hz,
				     machine.count("UNC_M_CLOCKTICKS_FREERUN" + where));
			EXPECT_EQ(0, machine.count("UNC_M_DDRT_READ_FREERUN" + where));
		}
}

} // namespace
