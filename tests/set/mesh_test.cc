// SPDX-License-Identifier: BSD-3-Clause
// mesh_test.cc - Skylake-X, Ice Lake-X and Knights Landing on simulated machines: every event
// alone, known events compared with the truth, boxes, filters, missing channels.
#include <cmath>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/interposer.h"
#include "support/mesh_machine.h"
#include "support/plan.h"

namespace
{

using support::expect_close;
using support::kIcx;
using support::kKnl;
using support::Known;
using support::kSecond;
using support::kSkx;
using support::Mesh;
using support::MeshMachine;

class Meshes : public testing::TestWithParam<Mesh>
{
      protected:
	const Mesh &mesh = GetParam();
	const std::string packages = mesh.name == "knl" ? "" : "packages=2";
};

// A machine with one package has no requests to another package.
bool is_mean_of_nothing(const MeshMachine &machine, unsigned id, int64_t value)
{
	auto info = support::sized<struct uncore_event_info>();

	EXPECT_EQ(0, uncore_event_info(machine.u, id, &info)) << machine.message();
	return info.real && std::isnan(uncore_real(value));
}

TEST_P(Meshes, EveryListedEventCountsAloneAndLeavesNoTrace)
{
	MeshMachine machine(mesh, "packages=1,cores=5");
	const std::vector<uint64_t> before = machine.controls();
	const std::vector<unsigned> ids = support::listed(machine);
	unsigned counting = 0;
	support::Set set(machine); // one set for all events

	for (unsigned id : ids) {
		SCOPED_TRACE(uncore_event_name(machine.u, id));
		ASSERT_EQ(0, uncore_set_assign(set.set, &id, 1)) << machine.message();
		ASSERT_EQ(0, set.start()) << machine.message();
		sim_advance(machine.sim, kSecond / 1000);
		const int64_t running = set.count();
		ASSERT_EQ(0, set.stop()) << machine.message();
		ASSERT_EQ(before, machine.controls());
		if (is_mean_of_nothing(machine, id, running))
			continue;
		EXPECT_GE(running, 0);
		EXPECT_GE(set.count(), running);
		counting += set.count() > 0;
	}
	EXPECT_EQ(machine.machine().events, ids.size());
	EXPECT_LT(mesh.events, ids.size());
	EXPECT_LT(ids.size() * 3 / 4, counting);
}

TEST_P(Meshes, WellKnownEventsCountCorrectly)
{
	MeshMachine machine(mesh, packages);

	for (const Known &k : mesh.known) {
		SCOPED_TRACE(k.event);
		const double truth = machine.total(k, kSecond);

		EXPECT_LT(0, truth);
		expect_close(truth, machine.count(k.event));
	}
}

// Boxes of a kind have different traffic, which reveals wrong addresses.
TEST_P(Meshes, EveryBoxCountsItsOwnShare)
{
	MeshMachine machine(mesh, packages);

	for (const Known &k : mesh.known)
		for (const uncore_box_info &b : machine.boxes(k.kind)) {
			const std::string name = k.event + (":pkg=" + std::to_string(b.package)) +
						 ":box=" + std::to_string(b.index);

			if (b.absent)
				continue;
			SCOPED_TRACE(name);
			expect_close(machine.rate(k.truth, b.index, b.package),
				     machine.count(name));
		}
}

TEST_P(Meshes, FixedCountersCountTheirClock)
{
	MeshMachine machine(mesh, "packages=1");
	const struct sim_traffic *traffic = sim_traffic(machine.sim, 0);

	expect_close(traffic->uclk_hz, machine.count("UNC_U_CLOCKTICKS"));
	expect_close(traffic->dclk_hz,
		     machine.count(mesh.name + "_unc_imc::RAW:config=0xff:box=0"));
}

INSTANTIATE_TEST_SUITE_P(All, Meshes, testing::Values(kSkx, kIcx, kKnl),
			 testing::PrintToStringParamName());

TEST(Skx, BoxesAreThoseOfTheMachine)
{
	for (unsigned cores : {1u, 5u, 28u}) {
		MeshMachine machine(kSkx, "packages=2,cores=" + std::to_string(cores));

		EXPECT_EQ(2 * cores, machine.boxes("cha").size());
		EXPECT_EQ(2 * cores, machine.present("cha"));
		EXPECT_EQ(12u, machine.present("iio"));
		EXPECT_EQ(12u, machine.present("iio_free_running"));
		EXPECT_EQ(12u, machine.present("imc"));
		EXPECT_EQ(4u, machine.present("m2m"));
		EXPECT_EQ(6u, machine.present("upi"));
		EXPECT_EQ(6u, machine.present("m3upi"));
	}
}

// Forty fuses in two registers. The machine has gaps between the fuses that are set.
TEST(Icx, BoxesAreThoseOfTheMachine)
{
	for (unsigned cores : {1u, 18u, 33u, 40u}) {
		MeshMachine machine(kIcx, "packages=2,cores=" + std::to_string(cores));

		EXPECT_EQ(2 * cores, machine.boxes("cha").size());
		EXPECT_EQ(2 * cores, machine.present("cha"));
		for (const char *stack : {"iio", "irp", "m2pcie", "iio_free_running"})
			EXPECT_EQ(12u, machine.present(stack)) << stack;
		EXPECT_EQ(8u, machine.present("m2m"));
		EXPECT_EQ(6u, machine.present("upi"));
		EXPECT_EQ(6u, machine.present("m3upi"));
		EXPECT_EQ(8u, machine.present("imc_free_running"));
	}
}

TEST(Icx, TheThirdChannelOfAControllerIsAbsent)
{
	MeshMachine machine(kIcx, "packages=2");
	const auto channels = machine.boxes("imc");

	ASSERT_EQ(24u, channels.size());
	for (const uncore_box_info &b : channels) {
		EXPECT_STREQ(b.index % 3 == 2
				     ? "its registers read as zero: this part does not have it"
				     : nullptr,
			     b.absent);
	}
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=2"));
	EXPECT_EQ("no imc2 for UNC_M_CAS_COUNT: its registers read as zero: this part does not "
		  "have it; use box=0_1.3_4.6_7.9_10",
		  machine.message());
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=0-4:pkg=1"));
	EXPECT_EQ("no imc2 of package 1 for UNC_M_CAS_COUNT: its registers read as zero: this part "
		  "does not have it; use box=0_1.3_4",
		  machine.message());
	EXPECT_EQ(0, machine.refusal("UNC_M_CAS_COUNT:RD:box=0_1.3_4:pkg=1")) << machine.message();
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=2,5"));
	EXPECT_EQ("no imc2 for UNC_M_CAS_COUNT: its registers read as zero: this part does not "
		  "have it; use box=0_1.3_4.6_7.9_10",
		  machine.message());
	EXPECT_LT(0, machine.count("UNC_M_CAS_COUNT:RD:box=4"));
}

TEST(Icx, NoAddressNoMemoryController)
{
	MeshMachine machine(kIcx, "packages=2,hide=3451");
	unsigned id;

	EXPECT_EQ(0u, machine.present("imc"));
	EXPECT_EQ(0u, machine.present("imc_free_running"));
	EXPECT_EQ(UNCORE_ENODEV, uncore_event(machine.u, "UNC_M_CAS_COUNT:RD", &id));
	EXPECT_NE(std::string::npos, machine.message().find("hidden by the firmware"))
		<< machine.message();
	EXPECT_LT(0, machine.count("UNC_CHA_CLOCKTICKS"));
}

// A controller that is listed twice would be counted twice.
TEST(Icx, ControllersWithOneAddressAreOne)
{
	support::Interposer hardware;

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		unc_op first = op;

		if (op.space == UNCORE_PCI && op.address == 0xdc)
			first.address = 0xd8;
		return hardware.read(first, value);
	};
	auto options = support::sized<uncore_options>();
	options.machine = "sim:icx:packages=1,time=virtual";
	const support::Handle machine(options);
	const auto channels = machine.boxes("imc");

	ASSERT_EQ(12u, channels.size());
	for (const uncore_box_info &b : channels)
		EXPECT_EQ(b.index % 3 == 2 || b.index / 3 == 1, b.absent != nullptr) << b.index;
	EXPECT_STREQ("the firmware gave its memory controller the address of another one",
		     channels[3].absent);
	support::Set set(machine, {"UNC_M_CAS_COUNT:RD"}),
		one(machine, {"UNC_M_CAS_COUNT:RD:box=0"});
	ASSERT_EQ(0, set.start()) << machine.message();
	ASSERT_EQ(0, one.start()) << machine.message();
	sim_advance(unc_hw_sim(hardware.behind()), 1000000);
	EXPECT_GT(7 * one.count(), set.count()) << "six channels, each counted once";
}

TEST(Icx, TheThreadFilterIsOneForTheBox)
{
	MeshMachine machine(kIcx, "packages=1");
	const std::string eight = "UNC_CHA_CLOCKTICKS:tf=8:box=0",
			  nine = "UNC_CHA_TOR_INSERTS:IA_MISS:tf=9:box=0",
			  other = "UNC_CHA_TOR_INSERTS:IA_MISS:tf=9:box=1";
	support::Set both(machine), set(machine, {eight, other});

	EXPECT_EQ(UNCORE_ECONFLICT, both.assign({eight, nine}));
	EXPECT_NE(std::string::npos, machine.message().find("tid filter of cha: 0x8 and 0x9"))
		<< machine.message();
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(8u, machine.msr(0xe05));
	EXPECT_EQ(9u, machine.msr(0xe13));
	EXPECT_EQ(UNCORE_ECONFLICT, both.assign({nine}));
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0u, machine.msr(0xe05));
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_CHA_CLOCKTICKS:tf=512"));
}

// libpfm4's maximum is 255, but the field has 12 bits, four of them in the upper half.
TEST(Icx, AThresholdOfTheIioHasTwelveBits)
{
	MeshMachine machine(kIcx, "packages=1");
	const unsigned id = machine.event("UNC_IIO_CLOCKTICKS:t=4095");
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	EXPECT_EQ(UINT64_C(0xfff000001), plan->layout.at[0].assignment.control & 0xfff0000ff);
	uncore_plan_free(plan);
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_IIO_CLOCKTICKS:t=4096"));
}

// The driver uses different registers for UPI and M3UPI, and never writes the upper half of a
// control (docs/hardware/icx.md).
TEST(Icx, PciBoxesHaveTheirOwnRegisters)
{
	const struct {
		const char *event;
		uint64_t box_control, control, value;
		unsigned width;
	} cases[] = {
		{"UNC_M2M_IMC_READS:ALL:box=3:pkg=0", 0x438, 0x480, 0x700400437, 64},
		{"icx_unc_upi::RAW:config=0x12345600000102:box=2:pkg=0", 0x318, 0x368,
		 0x12345600400102, 64},
		{"UNC_M3UPI_CLOCKTICKS:box=1:pkg=0", 0xa0, 0xe4, 0x400001, 32},
	};
	MeshMachine machine(kIcx, "packages=2");

	for (const auto &c : cases) {
		const unsigned id = machine.event(c.event);
		struct uncore_plan *plan = nullptr;

		SCOPED_TRACE(c.event);
		ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
		ASSERT_LT(2u, plan->setup.n);
		const struct unc_op &reset = plan->setup.op[plan->setup.n - 2];
		const struct unc_op &control = plan->setup.op[plan->setup.n - 1];
		EXPECT_EQ(c.box_control, reset.address);
		EXPECT_EQ(0x30102u, reset.value);
		EXPECT_EQ(c.control, control.address);
		EXPECT_EQ(c.value, control.value);
		EXPECT_EQ(c.width, control.width);
		uncore_plan_free(plan);
	}
}

// docs/hardware/knl.md, "Registers": there are registers for 38 boxes, and MSR 0x702 reports
// how many are in use.
TEST(Knl, BoxesAreThoseOfTheMachine)
{
	for (unsigned cores : {2u, 64u, 68u, 72u}) {
		MeshMachine machine(kKnl, "cores=" + std::to_string(cores));
		const unsigned chas = static_cast<unsigned>(machine.msr(0x702) & 0x3f);

		EXPECT_EQ(38u, chas);
		EXPECT_EQ(chas, machine.boxes("cha").size());
		EXPECT_EQ(chas, machine.present("cha"));
		EXPECT_EQ(2u, machine.present("imc_uclk"));
		EXPECT_EQ(6u, machine.present("imc"));
		EXPECT_EQ(8u, machine.present("edc_uclk"));
		EXPECT_EQ(8u, machine.present("edc_eclk"));
		EXPECT_EQ(1u, machine.present("m2pcie"));
		EXPECT_EQ(1u, machine.present("irp"));
	}
}

// The remote, local and not-near-memory bits are always set, and all opcodes if none is
// selected.
TEST(Knl, FiltersHaveBitsThatAreAlwaysSet)
{
	const struct {
		const char *event;
		uint64_t filter0, filter1;
	} cases[] = {
		{"UNC_H_INGRESS_INSERTS:IRQ:box=0", 0, 0x23},
		{"UNC_H_TOR_INSERTS:IRQ:box=0", 0, 0x2b},
		{"knl_unc_cha::RAW:config=0x2135:config1=0x4040000000000:box=0", 0, 0x40423},
		{"knl_unc_cha::RAW:config=0x3d:config1=0x40000:box=0", 0x40000, 0x23},
		{"knl_unc_cha::RAW:config=0x80000:config1=0x1:box=0", 0x1, 0x23},
	};
	MeshMachine machine(kKnl, "");

	for (const auto &c : cases) {
		support::Set set(machine, {c.event});

		SCOPED_TRACE(c.event);
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_EQ(c.filter0, machine.msr(0xe05));
		EXPECT_EQ(c.filter1, machine.msr(0xe06));
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0u, machine.msr(0xe05));
		EXPECT_EQ(0u, machine.msr(0xe06));
	}
}

// docs/hardware/knl.md: memory boxes run with a box control of 0, and bit 0 enables their fixed
// counters.
TEST(Knl, MemoryBoxesHaveTheirOwnWays)
{
	MeshMachine machine(kKnl, "");
	const std::vector<unsigned> ids =
		machine.events({"knl_unc_imc::RAW:config=0xff:box=5", "UNC_M_CAS_COUNT:RD:box=5"});
	std::map<uint64_t, std::vector<uint64_t>> writes;
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &plan));
	for (const auto &part :
	     {std::pair(plan->setup.op, plan->setup.n), std::pair(plan->start.op, plan->start.n),
	      std::pair(plan->stop.op, plan->stop.n)})
		for (size_t i = 0; i < part.second; i++)
			if (part.first[i].kind == UNCORE_WRITE)
				writes[part.first[i].address].push_back(part.first[i].value);
	EXPECT_EQ((std::vector<uint64_t>{0x10102, 0, 0x10100}), writes[0xb30]);
	EXPECT_EQ(std::vector<uint64_t>{1}, writes[0xb44]);
	EXPECT_EQ(std::vector<uint64_t>{0x400103}, writes[0xb2c]);
	EXPECT_EQ(3u, writes.size());
	uncore_plan_free(plan);
}

} // namespace
