// SPDX-License-Identifier: BSD-3-Clause
// ex_counts_test.cc - Nehalem-EX and Westmere-EX on simulated machines: the count of every
// event matches the traffic, over all boxes and on each box, and registers are restored.
#include <set>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/ex.h"
#include "support/plan.h"
#include "support/seeds.h"
#include "support/sized.h"

namespace
{

using support::kSecond;
using namespace support::ex;

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

TEST_P(Ex, EveryListedEventCountsAloneAndLeavesNoTrace)
{
	Machine machine(platform);
	const Registers before = machine.registers();
	const std::vector<unsigned> all = support::listed(machine), ids = support::part_of(all);
	unsigned counting = 0;

	support::count_each(machine, ids, &counting,
			    [&] { EXPECT_EQ(before, machine.registers()); });
	EXPECT_EQ(machine.machine().events, all.size());
	EXPECT_LT(platform.events, all.size());
	EXPECT_LT(ids.size() * 7 / 10, counting);
}

// Each umask is an event of its own and must have an existing counter.
TEST_P(Ex, EveryUmaskCanBePlanned)
{
	Machine machine(platform, ",packages=1");
	std::set<std::string> names;
	unsigned n = 0;

	for (unsigned id : support::listed(machine)) {
		const std::string event = uncore_event_name(machine.u, id);

		EXPECT_TRUE(names.insert(event).second) << event << " is listed twice";
		for (unsigned part = id; uncore_event_umask(machine.u, part, 0, &part) == 1; n++) {
			auto info = support::sized<struct uncore_event_info>();
			struct uncore_plan *plan = nullptr;
			std::string name = uncore_event_name(machine.u, part);

			SCOPED_TRACE(name);
			EXPECT_TRUE(names.insert(name).second) << "twice";
			ASSERT_EQ(0, uncore_event_info(machine.u, part, &info));
			ASSERT_EQ(0, uncore_plan(machine.u, &part, 1, nullptr, &plan))
				<< machine.message();
			EXPECT_TRUE(plan->feasible);
			EXPECT_LT(0u, plan->layout.n);
			uncore_plan_free(plan);
		}
	}
	EXPECT_LT(1000u, n);
}

TEST_P(Ex, WellKnownEventsCountCorrectly)
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

// Boxes of a kind have different traffic, which reveals wrong addresses.
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

INSTANTIATE_TEST_SUITE_P(All, Ex, testing::Values(kNhmex, kWsmex),
			 testing::PrintToStringParamName());

} // namespace
