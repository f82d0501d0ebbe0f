// SPDX-License-Identifier: BSD-3-Clause
// stop_after_rules_test.cc - sets that stop automatically: the registers they write, what they
// refuse, which event stopped them, and platforms that can only poll.
#include "plan/complete.h"
#include "sim/sim.h"
#include "support/child.h"
#include "support/plan.h"
#include "support/sized.h"
#include "support/stop_after.h"

namespace
{

using namespace support::stop_after;

constexpr char kCbo3[] = "UNC_C_CLOCKTICKS:box=3:pkg=0";
constexpr uint64_t kOvEn = 1u << 20;

// ---- the preloaded value ----

// 329468-002 2.1.2 says that the counter stops at the millionth event but loads 2^48 - 1000,
// and its readers have copied that. Counters of the CBo have 44 bits as well.
TEST(StopAfterNumber, TheManualsExampleStopsAfterAThousand)
{
	const Machine m("ivbep");
	const double rate = m.rate(kCbo3);

	m.set_msr(0xd04 + 0x60, 0x30102);
	m.set_msr(0xd10 + 0x60, (1u << 22) | kOvEn);
	m.set_msr(0xd16 + 0x60, 0xfffffffffc18);
	m.set_msr(0xd04 + 0x60, 0x30000);
	m.pass(kSecond);
	EXPECT_EQ(1u << 6, m.msr(0xc01)) << "the package must be stopped";
	// The count shows the events after the stop, which came after 1000 events, not a
	// million.
	EXPECT_NEAR(rate * SIM_STOP_OWN_NS * 1e-9, m.msr(0xd16 + 0x60), 2);
	EXPECT_GT(1e-6, 1000 / rate) << "within a microsecond";
}

TEST(StopAfterNumber, IsTwoToTheWidthLessN)
{
	const struct {
		const char *platform, *event;
		uint64_t n, preload;
	} rows[] = {
		{"ivbep", kCbo3, 1000000, 0xffffff0bdc0},
		{"ivbep", "UNC_H_CLOCKTICKS:box=0:pkg=0", 1000000, 0xfffffff0bdc0},
		{"hswep", "UNC_C_CLOCKTICKS:box=3:pkg=0", 1000000, 0xfffffff0bdc0},
		{"hswep", "UNC_C_CLOCKTICKS:box=3:pkg=0", 1, 0xffffffffffff},
		{"ivbep", kCbo3, 0xfffffffffff, 1},
		{"ivbep", "UNC_U_CLOCKTICKS:pkg=0", 100000, 0xfffffffe7960},
		{"skx", "UNC_U_CLOCKTICKS:pkg=0", 100000, 0xfffffffe7960},
		{"nhmex", "nhmex_unc_cbox::RAW:config=0x714:box=3:pkg=1", 1000, 0xfffffffffc18},
	};

	for (const auto &row : rows) {
		const Machine m(row.platform);
		StopAfterSet set(m, {row.event});

		ASSERT_EQ(0, set.stop_after(row.n)) << row.event;
		EXPECT_EQ(row.preload, set.info().preload) << row.event << std::hex << row.n;
	}
}

// One event, and the maximum of a counter.
TEST(StopAfterNumber, TheSmallestAndTheLargest)
{
	const Machine m("ivbep");
	const double rate = m.rate(kCbo3);
	StopAfterSet set(m, {kCbo3});

	for (const uint64_t n : {uint64_t(1), (uint64_t(1) << 44) - 1}) {
		const auto ns = static_cast<uint64_t>(static_cast<double>(n) / rate * 1e9);

		ASSERT_EQ(0, set.stop_after(n));
		ASSERT_EQ(0, set.start());
		m.pass(ns < 2000 ? 0 : ns - 2000);
		EXPECT_EQ(0, set.wait());
		m.pass(4000);
		EXPECT_EQ(1, set.wait());
		EXPECT_NEAR(rate * SIM_STOP_OWN_NS * 1e-9,
			    static_cast<double>(set.count() - static_cast<int64_t>(n)), 2);
		EXPECT_EQ(0, set.stop());
	}
}

TEST(StopAfterRefused, InOneSentence)
{
	const Machine m("ivbep");
	StopAfterSet set(m, {kCbo3, "UNC_C_CLOCKTICKS", "UNC_M_CAS_COUNT:RD:box=0"});
	std::vector<uncore_stop_after> many(9, uncore_stop_after{sizeof(uncore_stop_after), 0, 1});
	const struct {
		unsigned event;
		uint64_t n, cores;
		int code;
		const char *says;
	} rows[] = {
		{0, 0, 0, UNCORE_ECOMBO, "cannot stop after 0"},
		{0, uint64_t(1) << 44, 0, UNCORE_ECOMBO, "has 44 bits"},
		{0, UINT64_MAX, 0, UNCORE_ECOMBO, "from 1 to 2^44 - 1"},
		{1, 5, 0, UNCORE_ECOMBO, "counted by 20 counters"},
		{2, 5, 0, UNCORE_ECOMBO, "counted by 2 counters"},
		{3, 5, 0, UNCORE_EINVAL, "no event number 3"},
		{0, 5, 0x8000, UNCORE_EINVAL, "supports 0x7fff"},
	};
	const uint64_t writes = sim_writes(m.sim);

	for (const auto &row : rows) {
		EXPECT_EQ(row.code, set.stop_after(row.n, row.event, row.cores)) << row.says;
		EXPECT_NE(std::string::npos, m.message().find(row.says)) << m.message();
		EXPECT_EQ(UNCORE_ESTATE, set.wait()) << "no stop was requested";
	}
	EXPECT_EQ(UNCORE_EINVAL, uncore_set_stop_after(set.set, many.data(), many.size(), 0));
	EXPECT_EQ(writes, sim_writes(m.sim));
	ASSERT_EQ(0, set.stop_after(5));
	EXPECT_EQ(UNCORE_ESTATE, set.wait()) << "the set is not running";
	EXPECT_EQ(UNCORE_ESTATE, set.again());
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(UNCORE_ESTATE, set.stop_after(6));
	EXPECT_EQ(0, set.stop());
	// After new events are assigned, no event stops the set.
	ASSERT_EQ(0, set.assign({"UNC_M_CAS_COUNT:RD"}));
	auto info = support::sized<uncore_stop_after_info>();
	EXPECT_EQ(0, uncore_set_stop_after_info(set.set, 0, &info));
}

// ---- register writes ----

// The golden tests compare the values. This test checks for other writes.
TEST(StopAfterPlan, TheNormalProgramsKnowNothingOfIt)
{
	for (const char *platform : {"ivbep", "hswep", "bdx", "skx", "icx", "spr", "nhmex"}) {
		const Machine m(platform);
		const std::string event =
			platform[0] == 'n'
				? "nhmex_unc_cbox::RAW:config=0x714"
				: std::string(platform) + "_unc_" +
					  (platform[0] == 's' || platform[0] == 'i' ? "cha"
										    : "cbo") +
					  "::RAW:config=1";
		const unsigned id = m.event(
			std::string(platform) == "ivbep" ? "ivbep_unc_cbo::RAW:config=1" : event);
		struct uncore_plan *plan = nullptr;

		ASSERT_EQ(0, uncore_plan(m.u, &id, 1, nullptr, &plan)) << m.message();
		for (size_t i = 0; i < plan->setup.n; i++) {
			EXPECT_NE(0xc01u, plan->setup.op[i].address);
			EXPECT_NE(0x701u, plan->setup.op[i].address);
			EXPECT_EQ(0u, plan->setup.op[i].value & kOvEn) << platform;
			for (size_t k = 0; k < plan->read.n; k++)
				EXPECT_NE(plan->read.op[k].address, plan->setup.op[i].address);
		}
		uncore_plan_free(plan);
	}
}

std::string text_of(const unc_op *ops, size_t n)
{
	std::string all;
	char line[80];

	for (size_t i = 0; i < n; i++) {
		if (ops[i].kind == UNCORE_READ)
			continue;
		snprintf(line, sizeof(line), ops[i].saved ? "%llx=saved " : "%llx=%llx ",
			 static_cast<unsigned long long>(ops[i].address),
			 static_cast<unsigned long long>(ops[i].value));
		all += line;
	}
	return all;
}

// 329468-002 2.1.2 and 2.1.4: freeze, set ov_en in the control, clear the status, load the
// counter, disable the interrupt, unfreeze. At the end all boxes are stopped explicitly, in
// case the overflow did not stop them. Then status, cores and counter are restored as for any
// set.
TEST(StopAfterPlan, InTheOrderOfTheManual)
{
	const Machine m("ivbep", "packages=1,time=virtual");
	const unsigned id = m.event(kCbo3);
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, 1000000};
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, support::plan_stop_after(m.u, &id, 1, &stop_after, 0x21, &plan))
		<< m.message();
	EXPECT_EQ("d64=30102 d74=0 d7a=0 d73=500000 c01=40 d79=ffffff0bdc0 ",
		  text_of(plan->setup.op, plan->setup.n));
	EXPECT_EQ("c00=80000000 d64=30000 c00=21 c00=20000000 ",
		  text_of(plan->start.op, plan->start.n));
	EXPECT_EQ(
		"c00=80000000 d64=30100 c00=80000000 d64=30100 c01=40 c00=saved c00=20000000 d79=0 ",
		text_of(plan->stop.op, plan->stop.n));
	uncore_plan_free(plan);
	EXPECT_EQ(UNCORE_EINVAL,
		  support::plan_stop_after(m.u, &id, 1, &stop_after, 1 << 15, &plan));
	EXPECT_EQ(nullptr, plan);
}

// Tables 2-2 to 2-8 of the same manual: ov_en in the fixed control, bit 0 of the global status.
// All bits of the U-Box's own status, because their order is not known.
TEST(StopAfterPlan, TheUBoxClockIsLoadedAndReportsItsOverflow)
{
	const Machine ivbep("ivbep", "packages=1,time=virtual"),
		skx("skx", "packages=1,time=virtual");
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, 100000};
	const struct {
		const Machine &m;
		const char *setup, *start, *stop;
	} rows[] = {
		{ivbep, "c08=0 c15=7 c01=1 c09=fffffffe7960 ",
		 "c00=80000000 c08=500000 c00=0 c00=20000000 ",
		 "c00=80000000 c08=100000 c00=80000000 c08=100000 c15=7 c01=1 c00=saved c00=20000000 c09=0 "},
		{skx, "703=0 708=7 701=1 704=fffffffe7960 ",
		 "700=8000000000000000 703=500000 700=0 700=2000000000000000 ",
		 "700=8000000000000000 703=100000 700=8000000000000000 703=100000 708=7 701=1 700=saved 700=2000000000000000 704=0 "},
	};

	for (const auto &row : rows) {
		const unsigned id = row.m.event("UNC_U_CLOCKTICKS");
		struct uncore_plan *plan = nullptr;

		ASSERT_EQ(0, support::plan_stop_after(row.m.u, &id, 1, &stop_after, 0, &plan))
			<< row.m.message();
		EXPECT_EQ(row.setup, text_of(plan->setup.op, plan->setup.n));
		EXPECT_EQ(row.start, text_of(plan->start.op, plan->start.n));
		EXPECT_EQ(row.stop, text_of(plan->stop.op, plan->stop.n));
		uncore_plan_free(plan);
	}
}

TEST(StopAfterPlan, OnHaswellABoxHasToListen)
{
	const Machine m("hswep", "packages=1,time=virtual");
	const std::vector<unsigned> ids =
		m.events({"UNC_M_CAS_COUNT:RD:box=1", "UNC_H_CLOCKTICKS:box=0"});
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, 1000};
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, support::plan_stop_after(m.u, ids.data(), 2, &stop_after, 0, &plan));
	EXPECT_EQ("700=80000000 f4=30000 f4=30000 700=0 700=20000000 ",
		  text_of(plan->start.op, plan->start.n))
		<< "bits 16 and 17, including the box that only has to stop";
	EXPECT_NE(std::string::npos,
		  text_of(plan->setup.op, plan->setup.n).find("f8=10 701=800000 "))
		<< "counter 3 is bit 4 of a channel's status, channels 0 to 3 share bit 23";
	uncore_plan_free(plan);
}

// 323535 2.1.4: mode and enable bits of all boxes are in one register.
TEST(StopAfterPlan, OnNehalemTheModeIsSetAndPutBack)
{
	const Machine m("nhmex", "packages=1,time=virtual");
	StopAfterSet set(m, {"nhmex_unc_bbox::RAW:config=0x4e:box=0"});

	m.set_msr(0xc00, 0x10000006);
	ASSERT_EQ(0, set.stop_after(1000)) << m.message();
	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0x90000000u, m.msr(0xc00)) << "en_all, frz_all and no core";
	EXPECT_EQ(kOvEn, m.msr(0xc32) & kOvEn) << "323535 table 2-20";
	m.pass(kSecond);
	EXPECT_EQ(1, set.wait());
	EXPECT_EQ(0x80000000u, m.msr(0xc00)) << "the U-Box has cleared en_all";
	EXPECT_EQ(2u, m.msr(0xc21));
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0x10000006u, m.msr(0xc00));
	EXPECT_EQ(0u, m.msr(0xc21)) << "cleared by its overflow control";
	EXPECT_EQ(0u, m.msr(0xc01)) << "the summary bits are cleared, too";
}

// ---- interrupts ----

TEST(StopAfterCores, AreInterruptedAsRequestedAndNotAfterwards)
{
	const Machine m("skx");
	StopAfterSet set(m, {"UNC_C_CLOCKTICKS:box=3:pkg=1"});
	constexpr uint64_t kUncore = uint64_t(1) << 61;
	size_t n;
	const sim_cpu *cpus = sim_cpus(m.sim, &n);
	auto interrupted = [&] {
		std::string cores;
		uint64_t status;

		for (size_t i = 0; i < n; i++) {
			EXPECT_EQ(0, sim_cpu_msr_read(m.sim, cpus[i].id, 0x38e, &status));
			if (status & kUncore)
				cores += std::to_string(cpus[i].package) + "." +
					 std::to_string(cpus[i].core) + " ";
		}
		return cores;
	};

	m.set_msr(0x700, 0x3, 1); // set by another user
	for (const uint64_t cores : {0u, 0x14u}) {
		ASSERT_EQ(0, set.stop_after(1000, 0, cores));
		ASSERT_EQ(0, set.start());
		EXPECT_EQ(cores, m.msr(0x700, 1));
		m.pass(kSecond);
		ASSERT_EQ(1, set.wait());
		EXPECT_EQ(cores ? "1.2 1.4 " : "", interrupted());
		ASSERT_EQ(0, set.again());
		EXPECT_EQ("", interrupted())
			<< "SDM: the uncore bit is reset with a 1 in STATUS_RESET";
		m.pass(kSecond);
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ("", interrupted());
		EXPECT_EQ(0x3u, m.msr(0x700, 1));
	}
}

TEST(StopAfterCores, AreRefusedWhereNothingWouldInterruptThem)
{
	const Machine m("hswep");
	StopAfterSet set(m, {"ix86arch::UNHALTED_CORE_CYCLES:cpu=2"});

	EXPECT_EQ(UNCORE_EINVAL, set.stop_after(1000, 0, 1));
	EXPECT_NE(std::string::npos, m.message().find("cannot interrupt a core")) << m.message();
	EXPECT_EQ(0, set.stop_after(1000));
}

// Version 3 has the bit, but not the register 0x390 that clears it.
TEST(StopAfterCores, BeforeVersion4NoCoreIsTouched)
{
	const Machine m("hswep");
	const unsigned id = m.event("UNC_C_CLOCKTICKS:box=3:pkg=1");
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, 1000};
	struct uncore_plan *plan = nullptr;

	ASSERT_EQ(0, support::plan_stop_after(m.u, &id, 1, &stop_after, 1, &plan));
	for (size_t i = 0; i < plan->setup.n; i++)
		EXPECT_NE(UNCORE_CPU, plan->setup.op[i].space);
	uncore_plan_free(plan);
}

// ---- source of the overflow ----

std::string text_of(const std::vector<uncore_overflow_source> &sources)
{
	static const char *const by[] = {"box", "counter", "package"};
	std::string all;

	for (const uncore_overflow_source &c : sources)
		all += std::string(c.kind) + std::to_string(c.box) + "." +
		       std::to_string(c.package) + " counter " + std::to_string(c.counter) +
		       " event " + std::to_string(c.event) + " by " + by[c.reported_by] + "; ";
	return all;
}

// The four channels of a controller share one bit of the global status.
TEST(OverflowSource, TheChannelBehindASharedBit)
{
	for (const char *platform : {"ivbep", "hswep"}) {
		const Machine m(platform);
		StopAfterSet set(m, {"UNC_M_CAS_COUNT:RD:box=0:pkg=0",
				     "UNC_M_CAS_COUNT:RD:box=1:pkg=0",
				     "UNC_M_CAS_COUNT:RD:box=2:pkg=0"});

		ASSERT_EQ(0, set.stop_after(10000, 1));
		ASSERT_EQ(0, set.start());
		m.pass(kSecond);
		ASSERT_EQ(1, set.wait());
		EXPECT_EQ("imc1.0 counter 3 event 1 by box; ", text_of(set.sources()));
	}
}

// The counters of both units of an IRP are bits of one status.
TEST(OverflowSource, TheSecondUnitOfADevice)
{
	const Machine m("ivbep");
	StopAfterSet set(m, {"UNC_I_CLOCKTICKS:box=0:pkg=0", "UNC_I_CLOCKTICKS:box=1:pkg=0"});

	ASSERT_EQ(0, set.stop_after(10000, 1)) << m.message();
	ASSERT_EQ(0, set.start()) << m.message();
	m.pass(kSecond);
	ASSERT_EQ(1, set.wait());
	EXPECT_EQ("irp1.0 counter 1 event 1 by box; ", text_of(set.sources()));
}

TEST(OverflowSource, SeveralThatOverflowBeforeTheBoxesStand)
{
	const Machine m("hswep");
	StopAfterSet set(m, {"UNC_C_CLOCKTICKS:box=3:pkg=0", "UNC_C_CLOCKTICKS:box=5:pkg=0",
			     "UNC_C_CLOCKTICKS:box=6:pkg=0", "UNC_C_CLOCKTICKS:box=7:pkg=0"});
	const uncore_stop_after stop_after[] = {
		{sizeof(*stop_after), 0, 100000}, {0, 1, 100010}, {0, 3, 200000}};

	ASSERT_EQ(0, uncore_set_stop_after(set.set, stop_after, 3, 0)) << m.message();
	ASSERT_EQ(0, set.start());
	m.pass(kSecond);
	ASSERT_EQ(1, set.wait());
	EXPECT_EQ("cbo3.0 counter 3 event 0 by box; cbo5.0 counter 3 event 1 by box; ",
		  text_of(set.sources()));
	ASSERT_EQ(0, set.again());
	m.pass(kSecond);
	ASSERT_EQ(1, set.wait());
	EXPECT_EQ(2u, set.sources().size());
}

// A CBo of Ivy Bridge has no status: an own overflow is recognized by the count, others only by
// package.
TEST(OverflowSource, ACounterOfAnotherToolIsNotTakenForOurs)
{
	for (const bool has_status : {true, false}) {
		const Machine m(has_status ? "hswep" : "ivbep");
		const uint32_t box = has_status ? 0xe00 + 0x50 : 0xd04 + 0xa0;
		const uint32_t control = has_status ? box + 1 : 0xd10 + 0xa0;
		StopAfterSet set(m, {kCbo3});

		ASSERT_EQ(0, set.stop_after(1000000));
		ASSERT_EQ(0, set.start());
		m.set_msr(box, 0x30102);
		m.set_msr(control + 1, (1u << 22) | kOvEn);
		m.set_msr(has_status ? box + 9 : 0xd17 + 0xa0,
			  (uint64_t(1) << 44) - 500 + (has_status ? 0xf00000000000 : 0));
		m.set_msr(box, 0x30000);
		m.pass(kSecond);
		EXPECT_EQ(0, set.wait()) << "the own counter has not reached a million";
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(has_status ? "cbo5.0 counter 1 event -1 by box; "
				     : "cbo5.0 counter -1 event -1 by package; ",
			  text_of(set.sources()));
		EXPECT_LT(set.count(), 1000000);
	}
}

// The fixed counter has its own bit in the global status, so the source is certain.
TEST(OverflowSource, AUBoxClockOfAnotherToolIsNotTakenForOurs)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kCbo3});

	ASSERT_EQ(0, set.stop_after(1000000));
	ASSERT_EQ(0, set.start());
	m.set_msr(0x704, (uint64_t(1) << 48) - 500);
	m.set_msr(0x703, (1u << 22) | kOvEn);
	m.pass(kSecond);
	EXPECT_EQ(0, set.wait()) << "the own counter has not reached a million";
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ("ubo0.0 counter 2 event -1 by package; ", text_of(set.sources()));
	EXPECT_LT(set.count(), 1000000);
}

// ---- unexpected hardware behaviour ----

constexpr char kClock[] = "UNC_U_CLOCKTICKS:pkg=0", kHome[] = "UNC_H_CLOCKTICKS:box=0:pkg=0";

// It is not verified that these overflows stop a machine, so the library checks each time.
TEST(StopAfterWatched, AnOverflowThatStopsNothingIsNotCalledExact)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kClock, kHome});
	support::Interposer hardware(m);

	ASSERT_EQ(0, set.stop_after(100000));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, set.start());
		EXPECT_EQ(nullptr, set.info().polled);
		m.set_msr(0x703, 1u << 22); // no status bit for the overflow
		m.pass(1000000);
		hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			m.pass(1000);
			return hardware.read(op, value);
		};
		ASSERT_EQ(1, set.wait()) << m.message();
		hardware.on_read = nullptr;
		ASSERT_NE(nullptr, set.info().polled);
		EXPECT_NE(std::string::npos,
			  std::string(set.info().polled).find("did not stop the boxes"));
		m.set_msr(0x703, 1u << 20); // restored: the counter was not taken
		EXPECT_EQ(0, set.stop()) << m.message();
	}
}

// A U-Box cannot be frozen by itself.
TEST(StopAfterWatched, AUBoxThatKeepsCountingIsReportedSeparately)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kClock, kHome});
	support::Interposer hardware(m);
	uint64_t more = 0;

	ASSERT_EQ(0, set.stop_after(100000));
	ASSERT_EQ(0, set.start());
	m.pass(1000000);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		*value += op.address == 0x704 ? more += 2000 : 0;
		return r;
	};
	ASSERT_EQ(1, set.wait()) << m.message();
	ASSERT_NE(nullptr, set.info().polled);
	EXPECT_NE(std::string::npos,
		  std::string(set.info().polled).find("its counts are not exact"));
	hardware.on_read = nullptr;
	EXPECT_EQ(0, set.stop()) << m.message();
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(nullptr, set.info().polled) << "describes the last stop only";
}

// Boxes do not all stop at the same instant.
TEST(StopAfterWatched, ACheckBeforeAllBoxesHaveStoppedIsNoFalseAlarm)
{
	const Machine m("hswep");
	const double rate = m.rate(kClock);
	StopAfterSet set(m, {kClock, kHome});
	support::Interposer hardware(m);

	ASSERT_EQ(0, set.stop_after(100000));
	ASSERT_EQ(0, set.start());
	m.pass(static_cast<uint64_t>(100000 / rate * 1e9) + 5);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		m.pass(60);
		return hardware.read(op, value);
	};
	ASSERT_EQ(1, set.wait()) << m.message();
	EXPECT_EQ(nullptr, set.info().polled) << set.info().polled;
}

// A counter that stands at the third look only.
TEST(StopAfterWatched, ABoxThatStopsAfterTheSecondLookIsNoFalseAlarm)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kClock, kHome});
	support::Interposer hardware(m);
	uint64_t more = 0;

	ASSERT_EQ(0, set.stop_after(100000));
	ASSERT_EQ(0, set.start());
	m.pass(1000000);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		// counters of the Home Agent: 331051 table 2-59
		if (op.space == UNCORE_PCI && op.address >= 0xa0 && op.address < 0xc0)
			*value += more < 4000 ? more += 2000 : more;
		return r;
	};
	ASSERT_EQ(1, set.wait()) << m.message();
	EXPECT_EQ(4000u, more);
	EXPECT_EQ(nullptr, set.info().polled) << set.info().polled;
	EXPECT_EQ(0, set.stop()) << m.message();
}

TEST(StopAfterWatched, AReadOfItsCounterThatFailsTwiceIsRepeated)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kClock, kHome});
	support::Interposer hardware(m);
	int fail = 2;

	ASSERT_EQ(0, set.stop_after(100000));
	ASSERT_EQ(0, set.start());
	m.pass(1000000);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		return op.address == 0x704 && fail-- > 0 ? -EIO : hardware.read(op, value);
	};
	EXPECT_EQ(1, set.wait()) << m.message();
	EXPECT_EQ(0, set.stop()) << m.message();
}

// ---- platforms without a hardware stop ----

TEST(StopAfterPolled, StopsAtTheNextLookAndSaysSo)
{
	const struct {
		const char *platform, *event, *other, *why;
	} rows[] = {
		{"snbep", kCbo3, "UNC_H_CLOCKTICKS:box=0:pkg=0",
		 "stopping all counters on overflow is not supported"},
		{"knl", "knl_unc_cha::RAW:config=0:box=3", "knl_unc_cha::RAW:config=0:box=5",
		 "stopping all counters on overflow is not supported"},
		{"spr", "spr_unc_ubo::RAW:config=0xff:pkg=0",
		 "spr_unc_cha::RAW:config=1:box=3:pkg=0", "this fixed counter does not report"},
		{"skx", "skx_unc_iio_free_running::RAW:config=0x10ff:box=0:pkg=0",
		 "UNC_C_CLOCKTICKS:box=1:pkg=0", "free-running"},
		{"hswep", "ix86arch::UNHALTED_CORE_CYCLES:cpu=2", "UNC_C_CLOCKTICKS:box=1:pkg=0",
		 "core counter"},
	};

	for (const auto &row : rows) {
		const Machine m(row.platform, std::string(row.platform) == "knl"
						      ? "time=virtual"
						      : "packages=2,time=virtual");
		StopAfterSet set(m, {row.event, row.other});
		std::vector<int64_t> counts;
		Ledger ledger(m);

		ASSERT_EQ(0, set.stop_after(1000000)) << m.message();
		ASSERT_NE(nullptr, set.info().polled) << row.platform;
		EXPECT_NE(std::string::npos, std::string(set.info().polled).find(row.why));
		EXPECT_EQ(0u, set.info().preload);
		for (int i = 0; i < 2; i++) {
			ASSERT_EQ(0, set.start()) << m.message();
			EXPECT_EQ(0, set.wait());
			m.pass(kSecond);
			EXPECT_EQ(1, set.wait()) << row.event;
			counts = set.counts();
			EXPECT_LT(1000000, counts[0]) << "the count includes the polling delay";
			m.pass(kSecond);
			EXPECT_EQ(counts[1], set.counts()[1])
				<< row.event << ": the other event must have stopped";
			EXPECT_EQ(1u, set.sources().size());
			EXPECT_EQ(UNCORE_BY_COUNTER, set.sources().at(0).reported_by);
			EXPECT_EQ(0, set.again()) << m.message();
			EXPECT_EQ(0, set.wait());
			m.pass(kSecond);
			EXPECT_LT(counts[1], set.counts()[1]);
			EXPECT_EQ(0, set.stop()) << m.message();
			if (std::string(row.event).find("ix86arch") != 0)
				ledger.expect_as_before(set, row.event);
		}
	}
}

// ---- together with other sets ----

TEST(StopAfterShared, AnotherSetCannotCountInThePackage)
{
	const Machine m("ivbep");
	StopAfterSet set(m, {kCbo3}), other(m, {"UNC_H_CLOCKTICKS:pkg=0"}),
		other_package(m, {"UNC_H_CLOCKTICKS:pkg=1"}),
		core(m, {"ix86arch::INSTRUCTION_RETIRED"});

	ASSERT_EQ(0, set.stop_after(1000));
	ASSERT_EQ(0, other.start());
	EXPECT_EQ(UNCORE_ECONFLICT, set.start());
	EXPECT_NE(std::string::npos, m.message().find("package 0")) << m.message();
	EXPECT_EQ(0, other.stop());
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(UNCORE_ECONFLICT, other.start());
	EXPECT_EQ(0, other_package.start()) << m.message();
	EXPECT_EQ(0, core.start()) << m.message();
	m.pass(kSecond);
	EXPECT_EQ(1, set.wait());
	const int64_t before = other_package.count();
	m.pass(kSecond);
	EXPECT_LT(before, other_package.count());
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, other.start());
}

// Boxes in other packages stop when the set is polled.
TEST(StopAfterShared, ACounterThatAnotherToolHasReprogrammedKeepsItsCount)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kCbo3});

	ASSERT_EQ(0, set.stop_after(1000000));
	ASSERT_EQ(0, set.start());
	set.find_counter();
	const auto counter = static_cast<uint32_t>(set.counter.address), control = counter - 7;
	ASSERT_NE(0u, m.msr(counter)) << "loaded";
	m.set_msr(control, 0x0136);
	m.set_msr(counter, 12345);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_EQ(0x0136u, m.msr(control));
	EXPECT_EQ(12345u, m.msr(counter));
}

// Another tool that counts the same event does not report overflows.
TEST(StopAfterShared, AControlThatNoLongerReportsOverflowsWasTaken)
{
	const Machine m("hswep");
	StopAfterSet set(m, {kCbo3});
	uint32_t control = 0xe31; // of C-Box 3: 331051 table 2-10

	ASSERT_EQ(0, set.stop_after(UINT64_C(1) << 40));
	ASSERT_EQ(0, set.start());
	while (control < 0xe35 && !(m.msr(control) & kOvEn))
		control++;
	ASSERT_GT(0xe35u, control);
	EXPECT_EQ(0, uncore_set_check(set.set));
	m.set_msr(control, m.msr(control) & ~kOvEn);
	EXPECT_EQ(UNCORE_ESTOLEN, uncore_set_check(set.set));
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

TEST(StopAfterShared, OtherPackagesOfTheSetStopToo)
{
	const Machine m("hswep");
	StopAfterSet set(m, {"UNC_C_CLOCKTICKS:box=3:pkg=0", "UNC_H_CLOCKTICKS:box=0:pkg=1"});
	std::vector<int64_t> counts;

	ASSERT_EQ(0, set.stop_after(1000));
	ASSERT_EQ(0, set.start());
	m.pass(kSecond);
	ASSERT_EQ(1, set.wait());
	counts = set.counts();
	m.pass(kSecond);
	EXPECT_EQ(counts, set.counts());
	ASSERT_EQ(0, set.again());
	m.pass(kSecond);
	EXPECT_LT(counts[1], set.counts()[1]);
}

TEST(StopAfterShared, AChildOnlyReads)
{
	const Machine m("ivbep");
	StopAfterSet set(m, {kCbo3});

	ASSERT_EQ(0, set.stop_after(1000));
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0, support::in_child([&] {
			  return set.wait() == UNCORE_EFORK && set.again() == UNCORE_EFORK &&
						 uncore_set_stop_after(set.set, nullptr, 0, 0) ==
							 UNCORE_EFORK
					 ? 0
					 : 1;
		  }));
	m.pass(kSecond);
	EXPECT_EQ(1, set.wait());
}

} // namespace
