// SPDX-License-Identifier: BSD-3-Clause
// ex_test.cc - Nehalem-EX and Westmere-EX on simulated machines: boxes share registers by their
// rules, registers are restored without losing bits of other users, and names have the
// documented codes. Codes and registers are written as in docs/hardware/nhmex.md.
#include <set>

#include "plan/complete.h"
#include "support/ex.h"
#include "support/interposer.h"
#include "support/plan.h"

namespace
{

using support::kSecond;
using namespace support::ex;

// ---- shared registers ----

TEST_P(Ex, TheGlobalRegisterKeepsBitsOfOthers)
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

TEST_P(Ex, ACounterOfAnotherToolContinues)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_C_TRANS_MAF:box=0"});

	/* Another user enables counter 2 of C-Box 0. */
	machine.put(0xc00, 1u << 28);
	machine.put(0xd14, 0x40001f);
	machine.put(0xd00, 1u << 2);
	machine.put(0xd15, 12345);
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0x24u, machine.get(0xd00)) << "own bits and the other user's";
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(12345 + set.count(), static_cast<int64_t>(machine.get(0xd15)));
	EXPECT_EQ(0x4u, machine.get(0xd00));
	EXPECT_EQ(0x10000000u, machine.get(0xc00));
	/* A counter of the other user that the set needs is not taken. */
	support::Set all(machine, {"UNC_C_TRANS_MAF:box=0", "UNC_C_TRANS_IRQ:box=0",
				   "UNC_C_TRANS_IPQ:box=0", "UNC_C_TRANS_VIQ:box=0"});
	EXPECT_EQ(UNCORE_EBUSY, all.start());
	EXPECT_NE(std::string::npos, machine.message().find("counter 2")) << machine.message();
	EXPECT_EQ(0x4u, machine.get(0xd00));
	EXPECT_EQ(0x10000000u, machine.get(0xc00));
}

// As left by perf: every counter of the box is enabled, without a control.
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
	EXPECT_EQ(0x10000000u, machine.get(0xc00)) << "the other user's counter keeps running";
	sim_advance(machine.sim, kSecond);
	ASSERT_EQ(0, late.stop());
	expect_near(2 * hits, early.count());
	expect_near(2 * misses, late.counts()[0]);
	EXPECT_EQ(before, machine.registers());
}

TEST_P(Ex, AReprogrammedCounterIsInvalid)
{
	Machine machine(platform, ",packages=1");
	support::Set set(machine, {"UNC_R_FLITS_SENT:PORT0"});

	ASSERT_EQ(0, set.start());
	machine.put(0xe1e, 0x3);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

// ---- sub-control registers ----

// One event of the four slots fits four times, with the same command.
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

// Only the event's own field is moved, not bits of another platform's layout.
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

// Linux's config2 of an M-Box: match, mask and, in the highest bit, their enable bit.
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

// A match is disabled while it changes, and never while it is in use.
TEST_P(Ex, TheGateOfAMatchIsClosedWhileItIsSet)
{
	Machine machine(platform, ",packages=1");
	const unsigned id = machine.event("UNC_S_TO_R_PROG_EV:match=3:mask=7:box=1");
	struct uncore_plan *plan = nullptr;
	std::vector<std::pair<uint64_t, uint64_t>> writes;

	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	for (size_t i = 0; i < plan->setup.n; i++)
		if (plan->setup.op[i].kind == UNCORE_WRITE && plan->setup.op[i].address >= 0xe58)
			writes.push_back({plan->setup.op[i].address, plan->setup.op[i].value});
	EXPECT_EQ(
		(decltype(writes){{0xe58, 0}, {0xe59, 3}, {0xe5a, 7}, {0xe58, UINT64_C(1) << 63}}),
		writes);
	uncore_plan_free(plan);

	support::Set first(machine, {"UNC_S_TO_R_PROG_EV:match=3:mask=7:box=1"});
	support::Set second(machine, {"UNC_S_TO_R_PROG_EV:e:match=3:mask=7:box=1"});
	ASSERT_EQ(0, first.start());
	sim_advance(machine.sim, kSecond);
	{
		support::Interposer backend(machine);

		backend.on_write = [](const unc_op &op, uint64_t) {
			EXPECT_NE(0xe58u, op.address) << "the gate while another set counts";
			return 0;
		};
		ASSERT_EQ(0, second.start()) << machine.message();
		sim_advance(machine.sim, kSecond);
		ASSERT_EQ(0, second.stop());
		EXPECT_LT(0u, backend.writes);
	}
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
	EXPECT_EQ(0x0fu, machine.get(0xc30)) << "bits of the counter number must not be set";
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
	/* Box 1 without a port: its first port. */
	Truth fourth = {"rbox", port(0, 0), 0x80000000};
	expect_near(machine.rate(fourth, 1, 0), machine.count("UNC_R_FLITS_SENT:box=1"));
}

// Codes for which LIKWID's table differs or has duplicates: docs/reference/differences.md.
TEST_P(Ex, CodesThatWereDecidedUpon)
{
	static const struct {
		const char *event;
		uint64_t control;
		uint32_t msr; // sub-control register of box 0; 0: none
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
		ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
		ASSERT_EQ(1u, plan->layout.n);
		EXPECT_EQ(e.control, plan->layout.at[0].assignment.control);
		for (size_t i = 0; i < plan->setup.n; i++)
			if (plan->setup.op[i].kind == UNCORE_WRITE &&
			    plan->setup.op[i].address == e.msr) {
				EXPECT_EQ(e.value, plan->setup.op[i].value);
				found++;
			}
		EXPECT_EQ(e.msr ? 1u : 0u, found);
		uncore_plan_free(plan);
	}
}

} // namespace
