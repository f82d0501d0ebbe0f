// ex_test.cc - Nehalem-EX and Westmere-EX on the simulated machines: events count
// what the traffic says, boxes share registers by their rules, and nothing is left
// behind: neither of ours nor of somebody else's.
//
// Codes and registers are written as in facts/nhmex.md and facts/nhmex-events.md.
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sim/sim.h"
#include "support/sim_machine.h"

namespace
{

using support::kSecond;

// An event as sim_rate() takes it.
struct Truth {
	const char *kind;
	uint64_t control;
	uint64_t filter = 0; // sub-control registers: config1, PLD or the mask above
};

struct Known {
	const char *event;
	Truth truth;
	int box = -1; // a port is in one box
};

struct Platform {
	std::string name;
	unsigned events, cores;
	unsigned fvc_event, fvc_command; // lowest bits of the fields of ZDP_CTL_FVC
	std::vector<Known> known;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

constexpr uint64_t inc(unsigned sel)
{
	return sel << 9 | 1u << 6;
}

constexpr uint64_t flag(unsigned sel)
{
	return sel << 19 | 1u << 7 | 1u << 6;
}

constexpr uint64_t on(unsigned counter, unsigned code) // a B-Box event
{
	return counter << 6 | code << 1;
}

constexpr uint64_t port(unsigned p, unsigned k) // an R-Box event
{
	return (6 * p + k) << 1;
}

const std::vector<Known> kKnown = {
	{"UNC_U_IPIS_SENT", {"ubox", 0xf9}},
	{"UNC_C_LLC_MISSES", {"cbox", 0x0714}},
	{"UNC_C_LLC_MISSES:INVALID", {"cbox", 0x0414}},
	{"UNC_C_LLC_HITS:MODIFIED:SHARED", {"cbox", 0x0515}},
	{"UNC_C_TRANS_MAF", {"cbox", 0x1f}},
	{"UNC_C_OCCUPANCY_MAF", {"cbox", 0x1e}},
	{"UNC_C_OCCUPANCY_MAF:t=3", {"cbox", 0x0300001e}},
	{"UNC_C_OCCUPANCY_MAF:i:t=3", {"cbox", 0x0380001e}},
	{"UNC_S_PKTS_SENT_HOM", {"sbox", 0x0360}},
	{"UNC_S_REQ_TBL_OCCUPANCY:REMOTE", {"sbox", 0x0231}},
	{"UNC_S_FLITS_SENT_DRS", {"sbox", 0x65}},
	{"UNC_S_TO_R_PROG_EV:match=0x12:mask=0x1f", {"sbox", 0, UINT64_C(0x1f00000012)}},
	{"UNC_B_IMT_INSERTS_ALL", {"bbox", on(1, 0x07)}},
	{"UNC_B_IMT_VALID_OCCUPANCY", {"bbox", on(0, 0x07)}},
	{"UNC_B_IMT_NE_CYCLES", {"bbox", on(2, 0x07)}},
	{"UNC_B_CONFLICTS", {"bbox", on(3, 0x17)}},
	{"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", {"bbox", on(2, 4), UINT64_C(0xc000000040)}},
	{"UNC_M_CLOCKTICKS", {"mbox", inc(0x1b)}},
	{"UNC_M_PAGE_MISS", {"mbox", inc(0x13)}},
	{"UNC_M_BBOX_CMDS_ALL", {"mbox", inc(0x1a)}},
	{"UNC_M_DRAM_CMD:CAS_RD_OPN", {"mbox", inc(0x0a), UINT64_C(0x300) << 32}},
	{"UNC_M_DRAM_CMD:RAS:RDPRIO", {"mbox", inc(0x0a), UINT64_C(0x201) << 32 | 1 << 7}},
	{"UNC_M_FRM_TYPE:NOP", {"mbox", inc(0x09), 8}},
	{"UNC_M_PGT_PAGE_EV:CLS2OPN", {"mbox", inc(0x16), 1}},
	{"UNC_M_CYCLES_DSP_FILL:RDQ_FULL:WRQ_FULL", {"mbox", flag(0), 3 << 7}},
	{"UNC_M_CYCLES_SCHED_MODE:WRPRIO", {"mbox", flag(1), 2 << 4}},
	{"UNC_M_CYCLES_PGT_STATE:OPEN", {"mbox", flag(5), 1 << 6}},
	{"UNC_M_BCMD_SCHEDQ_OCCUPANCY", {"mbox", flag(6), 8 << 5}},
	{"UNC_R_NEW_PACKETS_RECV", {"rbox", port(0, 0), 0xff}, 0},
	{"UNC_R_NEW_PACKETS_RECV:PORT6:ANY_DRS", {"rbox", port(2, 0), 0xc4}, 1},
	{"UNC_R_FLITS_SENT:PORT3", {"rbox", port(3, 0), 0x80000000}, 0},
	{"UNC_R_EOT_OCCUPANCY:PORT4:NDR", {"rbox", port(0, 0), 3 << 17}, 1},
	{"UNC_R_EOT_INSERTS:PORT1:SNP", {"rbox", port(1, 0), 0x15 << 17}, 0},
	{"UNC_R_ALLOC_TO_ARB:PORT2", {"rbox", port(2, 0), 0x7f << 9}, 0},
	{"UNC_R_QUE_ARB_BID_FAIL:PORT5:DRS", {"rbox", port(1, 2), 0x43}, 1},
	{"UNC_R_GLOBAL_ARB_BID_FAIL:PORT0:VN1_SNP", {"rbox", port(0, 2), 0x95}, 0},
	{"UNC_W_C_CYCLES_TURBO", {"wbox", 0xff04}},
	{"UNC_W_C_CYCLES_TURBO:C1:C2", {"wbox", 0x0604}},
};

const Platform kNhmex = {
	"nhmex",
	230,
	8,
	11,
	5,
	{
		{"UNC_S_TO_RING_R2S_MSGQ_OCCUPANCY", {"sbox", 0x2e}},
		{"UNC_S_PKTS_SENT_DRS", {"sbox", 0x0f64}},
		{"UNC_C_BOUNCES_P2C_AD", {"cbox", 0x0301}},
		{"UNC_M_PAGE_EMPTY", {"mbox", inc(0x15)}},
		{"UNC_M_RETRIES", {"mbox", inc(0x0b)}},
	},
};

const Platform kWsmex = {
	"wsmex",
	250,
	10,
	12,
	6,
	{
		{"UNC_S_TO_RING_R2S_MSGQ_OCCUPANCY", {"sbox", 0x2c}},
		{"UNC_S_PKTS_SENT_DRS", {"sbox", 0x1f64}},
		{"UNC_S_PKTS_SENT_DRS:CBOX4_9", {"sbox", 0x1064}},
		{"UNC_C_BOUNCES_C2P_AD", {"cbox", 0x0301}},
		{"UNC_C_SPL_DEAD", {"cbox", 0x29}},
		{"UNC_M_PGT_PAGE_EV2:PAGE_EMPTY", {"mbox", inc(0x15), 1 << 11}},
		{"UNC_M_DRAM_MISC", {"mbox", inc(0x0b)}},
		{"UNC_U_UNCORRECTED_ERR", {"ubox", 0xe5}},
	},
};

using Registers = std::map<std::pair<unsigned, uint32_t>, uint64_t>;

class Machine : public support::Handle
{
      public:
	explicit Machine(const Platform &on, const std::string &options = ",packages=2")
	    : Handle(support::sim_options(("sim:" + on.name + ":time=virtual,cores=" +
					   std::to_string(on.cores) + options)
						  .c_str()))
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}
	uint64_t get(uint32_t msr, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, msr, &value)) << std::hex << msr;
		return value;
	}
	void put(uint32_t msr, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, msr, value)) << std::hex << msr;
	}
	// Every PMON register but the counters: those stand behind each control.
	Registers registers()
	{
		Registers all;
		uint64_t value = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (uint32_t a = 0xc00; a < 0x1000; a++)
				if (!is_counter(a) && sim_msr_read(sim, p, a, &value) == 0)
					all[{p, a}] = value;
		all[{0, 0x395}] = get(0x395);
		return all;
	}
	double rate(const Truth &t, unsigned box, unsigned package)
	{
		return sim_rate(sim, package, t.kind, box, t.control, t.filter);
	}
	double total(const Known &k, int box = -1)
	{
		double sum = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (unsigned b = 0; !std::isnan(rate(k.truth, b, p)); b++)
				if ((k.box < 0 || k.box == static_cast<int>(b)) &&
				    (box < 0 || box == static_cast<int>(b)))
					sum += rate(k.truth, b, p);
		return sum;
	}
	int64_t count(const std::string &event)
	{
		support::Set set(*this, {event});

		EXPECT_EQ(0, set.start()) << event << ": " << message();
		sim_advance(sim, kSecond);
		EXPECT_EQ(0, set.stop()) << event << ": " << message();
		return set.count();
	}

	struct sim *sim = nullptr;

      private:
	static bool is_counter(uint32_t msr)
	{
		static const struct {
			uint32_t first, n;
		} controls[] = {
			{0xc10, 1}, {0xc30, 4}, {0xc70, 4}, {0xc50, 4}, {0xcd0, 4},
			{0xc90, 4}, {0xcb0, 6}, {0xcf0, 6}, {0xe10, 8}, {0xe30, 8},
			{0xd10, 6}, {0xd30, 6}, {0xd50, 6}, {0xd70, 6}, {0xd90, 6},
			{0xdb0, 6}, {0xdd0, 6}, {0xdf0, 6}, {0xf50, 6}, {0xfd0, 6},
		};

		for (const auto &c : controls)
			if (msr >= c.first && msr < c.first + 2 * c.n)
				return (msr - c.first) % 2 == 1;
		return false;
	}
};

// A count is cut down once per box.
void expect_near(double expected, int64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 100 + 1e-9 * expected);
}

class Ex : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();

	uint64_t fvc(unsigned slot, unsigned event, unsigned command = 0) const
	{
		return static_cast<uint64_t>(event) << (platform.fvc_event + 3 * slot) |
		       static_cast<uint64_t>(command) << platform.fvc_command;
	}
};

TEST_P(Ex, EveryListedEventCountsAloneAndLeavesNoTrace)
{
	Machine machine(platform);
	const Registers before = machine.registers();
	unsigned id = 0, n = 0, counting = 0;

	for (int r = uncore_event_next(machine.u, true, &id); r == 0;
	     r = uncore_event_next(machine.u, false, &id), n++) {
		const std::string name = uncore_event_name(machine.u, id);
		support::Set set(machine);

		SCOPED_TRACE(name);
		ASSERT_EQ(0, uncore_set_assign(set.set, &id, 1)) << machine.message();
		ASSERT_EQ(0, set.start()) << machine.message();
		sim_advance(machine.sim, kSecond / 1000);
		const int64_t running = set.count();
		EXPECT_GE(running, 0);
		ASSERT_EQ(0, set.stop()) << machine.message();
		EXPECT_EQ(set.count(), running);
		counting += running > 0;
		uncore_set_destroy(set.set);
		set.set = nullptr;
		ASSERT_EQ(before, machine.registers());
	}
	EXPECT_EQ(uncore_event_count(machine.u), n);
	EXPECT_LT(platform.events, n);
	EXPECT_LT(n * 7 / 10, counting);
}

// Each umask by itself: an event of its own, on a counter that exists.
TEST_P(Ex, EveryUmaskCanBePlanned)
{
	Machine machine(platform, ",packages=1");
	std::set<std::string> names;
	unsigned id = 0, n = 0;

	for (int r = uncore_event_next(machine.u, true, &id); r == 0;
	     r = uncore_event_next(machine.u, false, &id)) {
		const std::string event = uncore_event_name(machine.u, id);

		EXPECT_TRUE(names.insert(event).second) << event << " is listed twice";
		for (unsigned part = id; uncore_umask_next(machine.u, &part) == 0; n++) {
			struct uncore_event_info info;
			struct uncore_plan *plan = nullptr;
			std::string name = uncore_event_name(machine.u, part);

			SCOPED_TRACE(name);
			EXPECT_TRUE(names.insert(name).second) << "twice";
			ASSERT_EQ(0, uncore_event_info(machine.u, part, &info));
			ASSERT_EQ(0, uncore_plan(machine.u, &part, 1, &plan)) << machine.message();
			EXPECT_TRUE(plan->feasible);
			EXPECT_LT(0u, plan->n_placements);
			uncore_plan_free(plan);
		}
	}
	EXPECT_LT(1000u, n);
}

TEST_P(Ex, WellKnownEventsCountTheTruth)
{
	Machine machine(platform);

	for (const std::vector<Known> *list : {&kKnown, &platform.known})
		for (const Known &k : *list) {
			SCOPED_TRACE(k.event);
			const int64_t n = machine.count(k.event);

			EXPECT_LT(0, n);
			expect_near(machine.total(k), n);
		}
}

// The boxes of a kind have unequal shares of the traffic: a wrong address shows.
TEST_P(Ex, EveryBoxCountsItsOwnShare)
{
	Machine machine(platform);

	for (const Known &k : kKnown)
		for (unsigned b = 0; k.box < 0 && !std::isnan(machine.rate(k.truth, b, 1)); b++) {
			const std::string name = k.event + (":pkg=1:box=" + std::to_string(b));

			SCOPED_TRACE(name);
			expect_near(machine.rate(k.truth, b, 1), machine.count(name));
		}
}

TEST_P(Ex, TheFixedCounterIsTheWBoxClock)
{
	Machine machine(platform, ",packages=1");

	expect_near(sim_traffic(machine.sim, 0)->uclk_hz, machine.count("UNC_W_CLOCKTICKS"));
	EXPECT_EQ("UNC_W_CLOCKTICKS:box=0", machine.canonical("unc_w_clockticks:box=0"));
}

TEST_P(Ex, BoxesAreThoseOfTheMachine)
{
	for (unsigned cores : {4u, 6u, 8u}) {
		Machine machine(platform, ",packages=2,cores=" + std::to_string(cores));

		EXPECT_EQ(2 * cores, machine.present("cbox"));
		for (const char *kind : {"sbox", "bbox", "mbox", "rbox"})
			EXPECT_EQ(4u, machine.present(kind)) << kind;
		EXPECT_EQ(2u, machine.present("ubox"));
		EXPECT_EQ(2u, machine.present("wbox"));
	}
}

// ---- registers that are not ours alone ----

TEST_P(Ex, TheGlobalRegisterKeepsWhatIsNotOurs)
{
	for (uint64_t found :
	     {UINT64_C(0), UINT64_C(0x10000000), UINT64_C(0x90000007), UINT64_C(0x80000006)}) {
		Machine machine(platform);
		support::Set set(machine, {"UNC_U_IPIS_SENT", "UNC_C_TRANS_MAF"});

		SCOPED_TRACE(found);
		machine.put(0xc00, found);
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_EQ(found | 0x10000001, machine.get(0xc00));
		sim_advance(machine.sim, kSecond);
		ASSERT_EQ(0, set.stop()) << machine.message();
		EXPECT_EQ(found, machine.get(0xc00));
		EXPECT_LT(0, set.counts()[0]);
		EXPECT_LT(0, set.counts()[1]);
	}
}

TEST_P(Ex, ACounterOfSomebodyElseGoesOn)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_C_TRANS_MAF:box=0"});

	/* counter 2 of C-Box 0, by hand */
	machine.put(0xc00, 1u << 28);
	machine.put(0xd14, 0x40001f);
	machine.put(0xd00, 1u << 2);
	machine.put(0xd15, 12345);
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0x24u, machine.get(0xd00)) << "ours beside theirs";
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(12345 + set.count(), static_cast<int64_t>(machine.get(0xd15)));
	EXPECT_EQ(0x4u, machine.get(0xd00));
	EXPECT_EQ(0x10000000u, machine.get(0xc00));
	/* and one that we need is not taken away */
	support::Set all(machine, {"UNC_C_TRANS_MAF:box=0", "UNC_C_TRANS_IRQ:box=0",
				   "UNC_C_TRANS_IPQ:box=0", "UNC_C_TRANS_VIQ:box=0"});
	EXPECT_EQ(UNCORE_EBUSY, all.start());
	EXPECT_NE(std::string::npos, machine.message().find("counter 2")) << machine.message();
	EXPECT_EQ(0x4u, machine.get(0xd00));
	EXPECT_EQ(0x10000000u, machine.get(0xc00));
}

// As perf leaves it: every counter of the box enabled, no control.
TEST_P(Ex, EnableBitsThatWereSetAreSetAgain)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_M_PAGE_HIT:box=1"});

	machine.put(0xc00, 1u << 28);
	machine.put(0xce0, 0x3f);
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0x3fu, machine.get(0xce0));
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0x3fu, machine.get(0xce0));
	expect_near(machine.rate({"mbox", inc(0x14)}, 1, 0), set.count());
}

TEST_P(Ex, SetsThatOverlapCountTheirOwnWindows)
{
	Machine machine(platform, ",packages=1");
	support::Set early(machine, {"UNC_M_PAGE_HIT:box=0"});
	support::Set late(machine, {"UNC_M_PAGE_MISS:box=0", "UNC_S_PKTS_SENT_SNP:box=0"});
	const double hits = machine.rate({"mbox", inc(0x14)}, 0, 0);
	const double misses = machine.rate({"mbox", inc(0x13)}, 0, 0);
	const Registers before = machine.registers();

	ASSERT_EQ(0, early.start());
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, late.start());
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, early.stop());
	EXPECT_EQ(0x10000000u, machine.get(0xc00)) << "the other one goes on";
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, late.stop());
	expect_near(2 * hits, early.count());
	expect_near(2 * misses, late.counts()[0]);
	EXPECT_EQ(before, machine.registers());
}

TEST_P(Ex, ACounterThatSomebodyReprogramsIsVoid)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_R_FLITS_SENT:PORT0"});

	ASSERT_EQ(0, set.start());
	machine.put(0xe1e, 0x3);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

// ---- sub-control registers ----

// One event of the four slots has room four times, with the same command.
TEST_P(Ex, FvcEventsMoveToAnotherSlot)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine,
			 {"UNC_M_FVC_EV:BBOX_CMDS_WRITES:box=0", "UNC_M_FVC_EV:MEM_ECC_ERR:box=0",
			  "UNC_M_FVC_EV:SMI_NB_TRIG:box=0", "UNC_M_FVC_EV:POISON_TXN:box=0"});
	const std::vector<unsigned> events = {5, 1, 7, 2};
	const Registers before = machine.registers();

	ASSERT_EQ(0, set.start()) << machine.message();
	sim_advance(machine.sim, 10 * kSecond);
	ASSERT_EQ(0, set.stop());
	for (size_t i = 0; i < events.size(); i++) {
		const Truth t = {"mbox", inc(0x0d), fvc(0, events[i], 1)};

		expect_near(10 * machine.rate(t, 0, 0), set.counts()[i]);
		EXPECT_LT(0, set.counts()[i]);
	}
	EXPECT_EQ(before, machine.registers());
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign({"UNC_M_FVC_EV:BBOX_CMDS_WRITES:box=0",
						"UNC_M_FVC_EV:BBOX_CMDS_READS:box=0"}));
	EXPECT_NE(std::string::npos, machine.message().find("FVC command or response"))
		<< machine.message();
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign(
			  {"UNC_M_FVC_EV:MEM_ECC_ERR:box=0", "UNC_M_FVC_EV:SMI_NB_TRIG:box=0",
			   "UNC_M_FVC_EV:POISON_TXN:box=0", "UNC_M_FVC_EV:SMI_CRC_ERR:box=0",
			   "UNC_M_FVC_EV:ALERT_FRAMES:box=0"}));
}

// The field that is moved is the event's alone: no bit of another platform's layout.
TEST_P(Ex, AMovedFvcEventLeavesTheOtherSlotsAlone)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_M_FVC_EV:BBOX_RSP_SPR_UNCOR:box=0",
				   "UNC_M_FVC_EV:SMI_NB_TRIG:box=0"});

	ASSERT_EQ(0, set.start());
	const uint64_t value = machine.get(0xcab), slots = value >> platform.fvc_event;
	unsigned used = 0;
	for (unsigned n = 0; n < 4; n++)
		used += (slots >> 3 * n & 7) != 0;
	EXPECT_EQ(2u, used);
	EXPECT_EQ(UINT64_C(7) << (platform.fvc_command + 3),
		  value & ((UINT64_C(1) << platform.fvc_event) - 1));
	EXPECT_EQ(0u, slots >> 12);
	EXPECT_EQ(0, set.stop());
}

TEST_P(Ex, TwoRouterEventsShareAPortAndThreeDoNot)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_R_FLITS_SENT:PORT7", "UNC_R_NULL_IDLE:PORT7",
				   "UNC_R_QUE_ARB_BID:PORT7:HOM", "UNC_R_STARVING:PORT7",
				   "UNC_R_FLITS_SENT:PORT6"});
	const Registers before = machine.registers();

	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ((std::set<uint64_t>{0x80000000, 0x40000000}),
		  (std::set<uint64_t>{machine.get(0xe0b), machine.get(0xe2b)}));
	EXPECT_EQ((std::set<uint64_t>{0x00, 0x0a}),
		  (std::set<uint64_t>{machine.get(0xe2f) & 0xff, machine.get(0xe2f) >> 8}));
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	expect_near(machine.rate({"rbox", port(3, 0), 0x80000000}, 1, 0), set.counts()[0]);
	expect_near(machine.rate({"rbox", port(3, 0), 0x40000000}, 1, 0), set.counts()[1]);
	expect_near(machine.rate({"rbox", port(3, 2), 0x00}, 1, 0), set.counts()[2]);
	expect_near(machine.rate({"rbox", port(3, 2), 0x0a}, 1, 0), set.counts()[3]);
	EXPECT_EQ(before, machine.registers());
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign({"UNC_R_FLITS_SENT:PORT7", "UNC_R_NULL_IDLE:PORT7",
						"UNC_R_OUTPUTQ_NE:PORT7"}));
}

TEST_P(Ex, CrossbarMatchesTakeBothSets)
{
	Machine machine(platform, ",packages=1");
	const std::string raw = platform.name + "_unc_rbox1::RAW:config=0x500000008:";
	support::Set set(machine,
			 {raw + "config1=0x12:config2=0xff", raw + "config1=0x13:config2=0xff"});

	ASSERT_EQ(0, set.start()) << machine.message();
	/* port 4: set 1 at 0xe80, set 2 at 0xe90 */
	EXPECT_EQ(5u, machine.get(0xe80));
	EXPECT_EQ(5u, machine.get(0xe90));
	EXPECT_EQ((std::set<uint64_t>{0x12, 0x13}),
		  (std::set<uint64_t>{machine.get(0xe81), machine.get(0xe91)}));
	EXPECT_EQ(0xffu, machine.get(0xe92));
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0, set.stop());
	expect_near(machine.rate({"rbox", port(0, 4), UINT64_C(0xff) << 32 | 0x12}, 1, 0),
		    set.counts()[0]);
	EXPECT_EQ(0u, machine.get(0xe80));
}

// Linux's config2 of an M-Box: match, mask and, at the top, their enable bit.
TEST_P(Ex, TheAddressFilterIsInTheUpperConfig)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {platform.name + "_unc_mbox1::RAW:config=0x1440:config1="
						   "0x30000000000:config2=0x80000fff00001234"});

	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0x300u, machine.get(0xcea));
	EXPECT_EQ(UINT64_C(1) << 63, machine.get(0xe5c));
	EXPECT_EQ(0x300001234u, machine.get(0xe5d));
	EXPECT_EQ(0x3ffu << 0, machine.get(0xe5e) & 0x3ff);
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0u, machine.get(0xe5c));
}

// A match is switched off while it changes, and never while it is in use.
TEST_P(Ex, TheGateOfAMatchIsClosedWhileItIsSet)
{
	Machine machine(platform, ",packages=1");
	const unsigned id = machine.event("UNC_S_TO_R_PROG_EV:match=3:mask=7:box=1");
	struct uncore_plan *plan = nullptr;
	std::vector<std::pair<uint64_t, uint64_t>> writes;

	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, &plan));
	for (size_t i = 0; i < plan->n_setup; i++)
		if (plan->setup[i].kind == UNCORE_WRITE && plan->setup[i].address >= 0xe58)
			writes.push_back({plan->setup[i].address, plan->setup[i].value});
	EXPECT_EQ(
		(decltype(writes){{0xe58, 0}, {0xe59, 3}, {0xe5a, 7}, {0xe58, UINT64_C(1) << 63}}),
		writes);
	uncore_plan_free(plan);

	support::Set first(machine, {"UNC_S_TO_R_PROG_EV:match=3:mask=7:box=1"});
	support::Set second(machine, {"UNC_S_TO_R_PROG_EV:e:match=3:mask=7:box=1"});
	ASSERT_EQ(0, first.start());
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, second.start()) << machine.message();
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, second.stop());
	ASSERT_EQ(0, first.stop());
	expect_near(2 * machine.rate({"sbox", 0, UINT64_C(7) << 32 | 3}, 1, 0), first.count());
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign({"UNC_S_TO_R_PROG_EV:match=3:mask=7",
						"UNC_S_TO_R_PROG_EV:match=2:mask=7"}));
}

TEST_P(Ex, HomeAgentEventsHaveOneCounterEach)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_B_IMT_VALID_OCCUPANCY:box=0", "UNC_B_IMT_INSERTS_ALL:box=0",
				   "UNC_B_IMT_NE_CYCLES:box=0", "UNC_B_IMT_FULL:box=0"});

	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0x0fu, machine.get(0xc30)) << "no bit of the counter's number";
	EXPECT_EQ(0x0fu, machine.get(0xc32));
	EXPECT_EQ(0x0fu, machine.get(0xc34));
	EXPECT_EQ(0x2du, machine.get(0xc36));
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign({"UNC_B_TF_ALL:box=0", "UNC_B_TF_WR:box=0"}));
	EXPECT_EQ(UNCORE_ECONFLICT,
		  support::Set(machine).assign({"UNC_B_MSG_IN_MATCH:match=1:mask=1:box=0",
						"UNC_B_ADDR_IN_MATCH:match=2:mask=1:box=0"}));
}

// ---- names ----

TEST_P(Ex, CodesCannotBeCombined)
{
	Machine machine(platform, ",packages=1");

	EXPECT_EQ(UNCORE_ECOMBO, machine.refusal("UNC_M_DRAM_CMD:RAS:PRE"));
	EXPECT_NE(std::string::npos, machine.message().find("either RAS or PRE"));
	EXPECT_EQ(UNCORE_ECOMBO, machine.refusal("UNC_R_FLITS_SENT:PORT0:PORT1"));
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_R_FLITS_SENT:PORT5:box=0"));
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_C_LLC_HITS:t=256"));
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_U_IPIS_SENT:t=1"));
	EXPECT_EQ(UNCORE_EATTR, machine.refusal(platform.name + "_unc_rbox::RAW:config=0x30"));
	EXPECT_EQ(UNCORE_EATTR, machine.refusal(platform.name + "_unc_mbox::RAW:config=0x3"));
	EXPECT_EQ("UNC_R_FLITS_SENT:PORT5:box=1",
		  machine.canonical("UNC_R_FLITS_SENT:box=1:PORT5"));
	/* box 1 without a port: the first of its own */
	Truth fourth = {"rbox", port(0, 0), 0x80000000};
	expect_near(machine.rate(fourth, 1, 0), machine.count("UNC_R_FLITS_SENT:box=1"));
}

// Where LIKWID's table says otherwise, or the same for two: docs/differences.md.
TEST_P(Ex, CodesThatWereDecidedUpon)
{
	static const struct {
		const char *event;
		uint64_t control;
		uint32_t msr; // sub-control register of box 0, 0: none
		uint64_t value;
	} list[] = {
		{"UNC_C_ARB_WINS:AD_SB", 0x0109, 0, 0},
		{"UNC_C_ARB_LOSSES:AD_SB", 0x010a, 0, 0},
		{"UNC_C_LLC_VICTIMS:ALL", 0x0f17, 0, 0},
		{"UNC_B_COHQ_IMT_ALLOC_WAIT", on(3, 0x13), 0, 0},
		{"UNC_B_IMT_FULL", on(3, 0x16), 0, 0},
		{"UNC_M_CYCLES_MFULL", inc(0x01), 0, 0},
		{"UNC_M_THERM_TRP_UP:GT_LO", inc(0x04), 0xca8, 1 << 7 | 1 << 3},
		{"UNC_M_THERM_TRP_DN:GT_MID_FALL:DIMM2", inc(0x05), 0xca8, 2 << 9 | 2 << 4},
		{"UNC_R_ALLOC_TO_ARB:PORT0:ALL", port(0, 0), 0xe04, 0x7f << 9},
	};
	Machine machine(platform, ",packages=1");

	for (const auto &e : list) {
		const unsigned id = machine.event(std::string(e.event) + ":box=0");
		struct uncore_plan *plan = nullptr;
		unsigned found = 0;

		SCOPED_TRACE(e.event);
		ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, &plan));
		ASSERT_EQ(1u, plan->n_placements);
		EXPECT_EQ(e.control, plan->placements[0].control);
		for (size_t i = 0; i < plan->n_setup; i++)
			if (plan->setup[i].kind == UNCORE_WRITE &&
			    plan->setup[i].address == e.msr) {
				EXPECT_EQ(e.value, plan->setup[i].value);
				found++;
			}
		EXPECT_EQ(e.msr ? 1u : 0u, found);
		uncore_plan_free(plan);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Ex, testing::Values(kNhmex, kWsmex),
			 testing::PrintToStringParamName());

} // namespace
