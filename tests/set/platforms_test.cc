// SPDX-License-Identifier: BSD-3-Clause
// platforms_test.cc - the platforms newer than SNB-EP on simulated machines: every event alone,
// known events compared with the truth, boxes, filters, packages.
#include <cerrno>
#include <ostream>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/plan.h"
#include "support/seeds.h"

namespace
{

using support::kSecond;
using support::Registers;
using support::Truth;

constexpr uint64_t kDrd = UINT64_C(0x182) << 52; // opcode, in Linux's config1

struct Span {
	uint32_t first, n, stride, boxes;
};

struct Known {
	const char *event;
	Truth truth;
};

struct Platform {
	std::string name;
	unsigned events; // minimum number of listed events
	uint32_t first, last;
	std::vector<Span> counters; // MSRs that a reset clears
	uint32_t filter0, filter1;  // of CBo 0
	uint64_t state_m;           // in filter 0
	unsigned sbos_at_8, sbos;   // number of S-Boxes, with up to 8 cores and with more
	uint16_t channel;           // PCI device of the first memory channel
	std::vector<Known> known;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

// Codes as in Intel's event lists.
const std::vector<Known> kCommon = {
	{"UNC_C_CLOCKTICKS", {"cbox", 0}},
	{"UNC_P_CLOCKTICKS", {"pcu", 0}},
	{"UNC_H_CLOCKTICKS", {"ha", 0}},
	{"UNC_Q_CLOCKTICKS", {"qpi", 0x14}},
	{"UNC_R2_CLOCKTICKS", {"r2pcie", 0x01}},
	{"UNC_R3_CLOCKTICKS", {"r3qpi", 0x01}},
	{"UNC_M_CAS_COUNT:RD", {"imc", 0x0304}},
	{"UNC_M_CAS_COUNT:WR", {"imc", 0x0c04}},
	{"UNC_H_REQUESTS:READS", {"ha", 0x0301}},
	{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", {"cbox", 0x0135, kDrd}},
	{"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD", {"cbox", 0x0335, kDrd}},
	{"UNC_C_TOR_INSERTS:ALL", {"cbox", 0x0835}},
	{"UNC_Q_TXL_FLITS_G0:DATA", {"qpi", 0x0200}},
	{"UNC_Q_RXL_FLITS_G1:DRS_DATA", {"qpi", 0x200802}},
};

const Platform kIvbep = {
	"ivbep",
	200,
	0xc00,
	0xef0,
	{{0xc09, 1, 0, 1}, {0xc16, 2, 0, 1}, {0xc36, 4, 0, 1}, {0xd16, 4, 0x20, 15}},
	0xd14,
	0xd1a,
	0x100000,
	0,
	0,
	0x0eb4,
	{},
};

const std::vector<Span> kHsxCounters = {
	{0x704, 1, 0, 1},   {0x709, 2, 0, 1},     {0x717, 4, 0, 1},
	{0x726, 4, 0xa, 4}, {0xe08, 4, 0x10, 24},
};

const Platform kHswep = {
	"hswep", 200,      0x700, 0xf90, kHsxCounters, 0xe05,
	0xe06,   0x100000, 2,     4,     0x2fb0,       {{"UNC_S_CLOCKTICKS", {"sbox", 0}}},
};

const Platform kBdx = {
	"bdx", 200,      0x700, 0xf90, kHsxCounters, 0xe05,
	0xe06, 0x100000, 0,     4,     0x6fb0,       {{"UNC_S_CLOCKTICKS", {"sbox", 0}}},
};

class Machine : public support::Handle
{
      public:
	explicit Machine(const Platform &on, const std::string &options = "")
	    : Handle(support::sim_options(("sim:" + on.name + ":time=virtual" + options).c_str())),
	      platform(on)
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}
	uint64_t msr(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	// Every PMON register except the counters.
	Registers registers()
	{
		Registers all;
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);
		uint64_t value = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (uint32_t a = platform.first; a < platform.last; a++)
				if (!is_counter(a) && sim_msr_read(sim, p, a, &value) == 0)
					all[name("package", p, 0, a)] = value;
		for (size_t i = 0; i < n; i++)
			for (uint32_t offset : {0x40, 0x44, 0x48, 0xd8, 0xdc, 0xe0, 0xe4, 0xf0,
						0xf4, 0x228, 0x22c, 0x238, 0x23c}) {
				sim_pci_read(sim, pci[i].segment, pci[i].bus, pci[i].devfn, offset,
					     32, &value);
				all[name("bus", pci[i].bus, pci[i].devfn, offset)] = value;
			}
		return all;
	}
	double rate(const Truth &t, unsigned box, unsigned package)
	{
		return sim_rate(sim, package, t.kind, box, t.control, t.filter);
	}
	// The sum over all boxes, of one package or of all, while the clock advanced from 0 to
	// ns.
	double total(const Truth &t, uint64_t ns, int package = -1)
	{
		double sum = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (unsigned b = 0; !std::isnan(rate(t, b, p)); b++)
				if (package < 0 || package == static_cast<int>(p))
					sum += rate(t, b, p) * static_cast<double>(ns) / kSecond;
		return sum;
	}
	int64_t count(const std::string &event, uint64_t ns)
	{
		support::Set set(*this, {event});

		EXPECT_EQ(0, set.start()) << event << ": " << message();
		sim_advance(sim, ns);
		EXPECT_EQ(0, set.stop()) << event << ": " << message();
		return set.count();
	}

	struct sim *sim = nullptr;

      private:
	bool is_counter(uint32_t msr) const
	{
		for (const Span &s : platform.counters)
			for (uint32_t b = 0; b < s.boxes; b++)
				if (msr >= s.first + b * s.stride &&
				    msr < s.first + b * s.stride + s.n)
					return true;
		return false;
	}
	static std::string name(const char *what, unsigned where, unsigned devfn, uint32_t address)
	{
		char text[64];

		snprintf(text, sizeof(text), "%s %u %x %#x", what, where, devfn, address);
		return text;
	}
	const Platform &platform;
};

// Each box rounds its count down once, and the simulated machine rounds rates.
void expect_near(double expected, int64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 100 + 1e-9 * expected);
}

class Platforms : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
};

TEST_P(Platforms, EveryListedEventCountsAloneAndLeavesNoTrace)
{
	Machine machine(platform, ",packages=2");
	const Registers before = machine.registers();
	const std::vector<unsigned> all = support::listed(machine), ids = support::part_of(all);
	unsigned counting = 0;

	support::count_each(machine, ids, &counting,
			    [&] { support::expect_same(before, machine.registers()); });
	EXPECT_EQ(machine.machine().events, all.size());
	EXPECT_LT(platform.events, all.size());
	EXPECT_LT(ids.size() / 4, counting);
}

TEST_P(Platforms, WellKnownEventsCountCorrectly)
{
	Machine machine(platform, ",packages=2");

	for (const std::vector<Known> *list : {&kCommon, &platform.known})
		for (const Known &k : *list) {
			SCOPED_TRACE(k.event);
			const int64_t n = machine.count(k.event, kSecond);

			EXPECT_LT(0, n);
			expect_near(machine.total(k.truth, kSecond), n);
		}
}

// Boxes of a kind have different traffic, which reveals wrong addresses.
TEST_P(Platforms, EveryBoxCountsItsOwnShare)
{
	Machine machine(platform, ",packages=2");

	for (const Known &k : kCommon)
		for (unsigned b = 0; !std::isnan(machine.rate(k.truth, b, 1)); b++) {
			const std::string name = k.event + (":pkg=1:box=" + std::to_string(b));

			SCOPED_TRACE(name);
			expect_near(machine.rate(k.truth, b, 1), machine.count(name, kSecond));
		}
}

TEST_P(Platforms, FixedCountersCountTheirClock)
{
	Machine machine(platform, ",packages=1");
	const struct sim_traffic *traffic = sim_traffic(machine.sim, 0);

	expect_near(traffic->uclk_hz, machine.count("UNC_U_CLOCKTICKS", kSecond));
	expect_near(traffic->dclk_hz,
		    machine.count(platform.name + "_unc_imc::RAW:config=0xff:box=0", kSecond));
}

TEST_P(Platforms, AFilterIsSplitOverItsTwoRegisters)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD:box=0",
				   "UNC_C_LLC_LOOKUP:DATA_READ:STATE_M:box=0"});

	ASSERT_EQ(0, set.start());
	EXPECT_EQ(platform.state_m, machine.msr(platform.filter0));
	EXPECT_EQ(kDrd >> 32, machine.msr(platform.filter1));
	EXPECT_EQ(0, set.stop());
}

TEST_P(Platforms, PackagesKeepTheirOwnTraffic)
{
	Machine machine(platform, ",packages=2");
	const Truth reads = {"imc", 0x0304}, lookups = {"cbox", 0x0335, kDrd};

	sim_traffic(machine.sim, 1)->reads *= 3;
	for (int p : {0, 1}) {
		const std::string where = ":pkg=" + std::to_string(p);

		SCOPED_TRACE(p);
		expect_near(machine.total(reads, kSecond, p),
			    machine.count("UNC_M_CAS_COUNT:RD" + where, kSecond));
		expect_near(
			machine.total(lookups, kSecond, p),
			machine.count("UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD" + where, kSecond));
	}
	EXPECT_LT(1.5 * machine.total(reads, kSecond, 0), machine.total(reads, kSecond, 1));
}

TEST_P(Platforms, BoxesAreThoseOfTheMachine)
{
	for (unsigned cores : {4u, 8u, 9u, 15u}) {
		Machine machine(platform, ",packages=2,cores=" + std::to_string(cores));

		SCOPED_TRACE(cores);
		EXPECT_EQ(2 * cores, machine.present("cbo"));
		const unsigned sbos = 2 * (cores <= 8 ? platform.sbos_at_8 : platform.sbos);
		EXPECT_EQ(sbos, machine.present("sbo"));
		EXPECT_EQ(sbos, machine.boxes("sbo").size());
		EXPECT_EQ(4u, machine.present("ha"));
		EXPECT_EQ(16u, machine.present("imc"));
		EXPECT_EQ(6u, machine.present("qpi"));
		EXPECT_EQ(6u, machine.present("r3qpi"));
		EXPECT_EQ(4u, machine.present("irp"));
		EXPECT_EQ(2u, machine.present("r2pcie"));
		EXPECT_EQ(2u, machine.present("pcu"));
		EXPECT_EQ(2u, machine.present("ubo"));
	}
}

TEST_P(Platforms, HiddenChannelsAreAbsent)
{
	char hide[32];

	snprintf(hide, sizeof(hide), ",packages=2,hide=%04x", platform.channel);
	Machine machine(platform, hide);

	EXPECT_EQ(14u, machine.present("imc"));
	EXPECT_LT(0, machine.count("UNC_M_CAS_COUNT:RD", kSecond));
}

// The machine reports an error if two bits are set at once, like some of the hardware.
TEST_P(Platforms, AnSBoxIsSetUpBitByBit)
{
	if (platform.sbos == 0)
		GTEST_SKIP() << "this machine has no S-Box";

	Machine machine(platform, ",packages=1");
	const unsigned id = machine.event("UNC_S_CLOCKTICKS");
	struct uncore_plan *plan = nullptr;
	std::map<uint32_t, uint64_t> value;
	std::map<uint32_t, unsigned> writes;

	EXPECT_EQ(-EIO, sim_msr_write(machine.sim, 0, 0x720, 0x10103));
	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	ASSERT_TRUE(plan->feasible);
	for (const auto &part :
	     {std::pair(plan->setup.op, plan->setup.n), std::pair(plan->start.op, plan->start.n)})
		for (size_t i = 0; i < part.second; i++) {
			const struct unc_op &op = part.first[i];

			if (op.kind != UNCORE_WRITE || op.address < 0x720 || op.address > 0x73e ||
			    (op.address - 0x720) % 0xa != 0)
				continue;
			if (writes[op.address]++ == 0)
				value[op.address] = machine.msr(op.address);
			EXPECT_GE(1, __builtin_popcountll(value[op.address] ^ op.value))
				<< std::hex << op.address << " = " << op.value;
			value[op.address] = op.value & ~UINT64_C(3); // resets clear themselves
		}
	uncore_plan_free(plan);
	EXPECT_EQ(4u, writes.size());
	for (const auto &box : value)
		EXPECT_EQ(0x10000u, box.second) << "runs";
	expect_near(machine.total({"sbox", 0}, kSecond),
		    machine.count("UNC_S_CLOCKTICKS", kSecond));
}

INSTANTIATE_TEST_SUITE_P(All, Platforms, testing::Values(kIvbep, kHswep, kBdx),
			 testing::PrintToStringParamName());

// libpfm4 uses this name in two box types.
TEST(PlatformNames, ANameOfTwoBoxesHasItsPmuInTheSecond)
{
	support::Handle m(support::sim_options("sim:hswep:packages=1"));

	EXPECT_EQ("UNC_C_BOUNCE_CONTROL", m.canonical("hswep_unc_cbo::unc_c_bounce_control"));
	EXPECT_EQ("hswep_unc_sbo::UNC_C_BOUNCE_CONTROL:t=1:box=2",
		  m.canonical("uncore:::hswep_unc_sbo2::unc_c_bounce_control:t=1"));
	EXPECT_NE(m.event("UNC_C_BOUNCE_CONTROL"), m.event("hswep_unc_sbo::UNC_C_BOUNCE_CONTROL"));
}

} // namespace
