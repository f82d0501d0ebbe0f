// SPDX-License-Identifier: BSD-3-Clause
// selftest_test.cc - `uncore selftest`: every simulated machine passes, and for each check there is
// a fault, planted between the library and the registers, that it finds and names
// (docs/selftest.md).
#include <map>

#include <gtest/gtest.h>

#include "sim/sim.h"
#include "support/controls.h"
#include "support/machines.h"
#include "support/selftest.h"

namespace
{

using support::same;
using support::Selftest;

// ---- nothing ----

class SelftestOf : public testing::TestWithParam<const char *>
{
};

TEST_P(SelftestOf, ASimulatedMachinePasses)
{
	Selftest test(GetParam());
	const support::Controls controls(test.handle);
	const std::vector<uint64_t> before = controls.values();
	unsigned passed = 0;

	for (const std::string &line : test.run()) {
		EXPECT_TRUE(line.compare(0, 4, "PASS") == 0 || line.compare(0, 4, "SKIP") == 0)
			<< line;
		passed += line.compare(0, 4, "PASS") == 0;
	}
	EXPECT_LE(2U, passed);
	controls.expect_same(before, controls.values());
}

INSTANTIATE_TEST_SUITE_P(Machines, SelftestOf,
			 testing::ValuesIn(support::and_variants(support::machines_with_events())));

// ---- planted faults ----

TEST(SelftestFaults, ADeadCounter)
{
	Selftest test("skx");
	const unc_op dead = test.op("cha", 2, 1, UNCORE_COUNTER, 1);

	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		*value = 12345;
		return same(op, dead) ? 0 : test.hardware.read(op, value);
	};
	EXPECT_ONE("FAIL cha: each counter of each box: ",
		   "cha2 of package 1, counter 1 counted 0,", test.failures());
}

TEST(SelftestFaults, ACounterThatMissesHalf)
{
	Selftest test("ivbep");
	const unc_op slow = test.op("ha", 0, 0, UNCORE_COUNTER, 3);

	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);

		*value /= same(op, slow) ? 2 : 1;
		return r;
	};
	for (const std::string &line : test.failures())
		EXPECT_TRUE(line.find("FAIL ha: ") == 0 || line.find(" at home agents: ") < 40)
			<< line;
	EXPECT_FALSE(test.failures().empty());
}

// Two in a thousand are a warning.
TEST(SelftestFaults, ABoxWithASlightlyFastClock)
{
	Selftest test("snbep");
	const std::vector<unc_op> counters = test.ops("cbo", 3, 1, UNCORE_COUNTER);

	for (const auto &one : std::map<uint64_t, std::string>{{500, "WARN"}, {10, "FAIL"}}) {
		test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			const int r = test.hardware.read(op, value);

			for (const unc_op &c : counters)
				if (same(op, c))
					*value += *value / one.first;
			return r;
		};
		EXPECT_ONE(one.second + " cbo: clocks of all boxes: ", "cbo3 of package 1 counted",
			   test.failures());
	}
}

// ---- a busy computer: the share of the time that it takes is injected ----

double half(void *)
{
	return 0.5;
}

double one_part_in_a_thousand(void *)
{
	return 0.001;
}

// cbo1 of package 1 counts that many percent more in the first `wrong` of its readings.
std::vector<std::string> with_noise(double (*noise)(void *), int wrong, unsigned percent = 10)
{
	Selftest test("snbep:cores=2");
	const std::vector<unc_op> counters = test.ops("cbo", 1, 1, UNCORE_COUNTER);

	test.noise = noise;
	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);

		for (const unc_op &c : counters)
			if (same(op, c) && *value > 1000 && wrong-- > 0)
				*value += *value * percent / 100;
		return r;
	};
	return test.run();
}

unsigned count_of(const std::vector<std::string> &lines, const std::string &state)
{
	unsigned n = 0;

	for (const std::string &line : lines)
		n += line.compare(0, state.size(), state) == 0;
	return n;
}

TEST(SelftestNoise, ADifferenceThatNoiseExplainsIsInconclusive)
{
	const auto lines = with_noise(half, INT32_MAX);

	EXPECT_EQ(0u, count_of(lines, "FAIL")) << testing::PrintToString(lines);
	EXPECT_LE(1u, count_of(lines, "BUSY cbo: clocks of all boxes: cbo1 of package 1"));
	EXPECT_LE(1u, count_of(lines, "BUSY"));
	for (const std::string &line : lines) {
		if (line.compare(0, 4, "BUSY") != 0)
			continue;
		EXPECT_NE(std::string::npos,
			  line.find("this computer is too busy: the self-test was not running "
				    "for 50.0 % of the time"))
			<< line;
	}
}

TEST(SelftestNoise, ADifferenceBeyondItFails)
{
	EXPECT_LE(1u, count_of(with_noise(one_part_in_a_thousand, INT32_MAX),
			       "FAIL cbo: clocks of all boxes: cbo1 of package 1"));
	EXPECT_LE(1u, count_of(with_noise(nullptr, INT32_MAX),
			       "FAIL cbo: clocks of all boxes: cbo1 of package 1"));
}

TEST(SelftestNoise, ACounterThatIsFivePercentWrongFailsOnAQuietComputer)
{
	for (double (*noise)(void *) :
	     {static_cast<double (*)(void *)>(nullptr), &one_part_in_a_thousand})
		EXPECT_LE(1u, count_of(with_noise(noise, INT32_MAX, 5),
				       "FAIL cbo: clocks of all boxes: cbo1 of package 1"));
}

// Ten tries are more than a quiet computer gets.
TEST(SelftestNoise, ABusyComputerTriesMoreOften)
{
	const auto quiet = with_noise(nullptr, 10), busy = with_noise(half, 10);

	EXPECT_LE(1u, count_of(quiet, "FAIL cbo: clocks of all boxes"));
	EXPECT_EQ(1u, count_of(busy, "PASS cbo: clocks of all boxes"));
	EXPECT_EQ(0u, count_of(busy, "BUSY"));
}

// Each check is reported when it is done, with the name of the event in place of its code.
TEST(SelftestNoise, ChecksNameEventsAndAreReportedAsTheyEnd)
{
	Selftest test("skx");
	static std::vector<std::string> reported;
	selftest_time time = {[](void *sim, unsigned us) {
				      sim_advance(static_cast<struct sim *>(sim), us * 1000);
			      },
			      test.sim, nullptr, nullptr,
			      [](void *, const selftest_check *c) {
				      reported.push_back(std::string(c->what) + ": " + c->expected);
			      }};
	const char *const kinds[] = {"cha", "imc", nullptr};
	selftest_report report;

	reported.clear();
	selftest_run(&report, test.handle.u, &time, kinds);
	EXPECT_EQ(report.n, reported.size());
	ASSERT_FALSE(reported.empty());
	EXPECT_NE(std::string::npos, reported[0].find("UNC_C_CLOCKTICKS")) << reported[0];
	for (const std::string &line : reported)
		EXPECT_EQ(std::string::npos, line.find("RAW")) << line;
	selftest_free(&report);
}

// Counters of a box that count on although a condition of theirs is not met.
std::vector<std::string> without_condition(uint64_t mask, uint64_t condition,
					   double (*noise)(void *) = nullptr)
{
	Selftest test("icx");
	const std::vector<unc_op> counters = test.ops("pcu", 0, 0, UNCORE_COUNTER);
	const std::vector<unc_op> controls = test.ops("pcu", 0, 0, UNCORE_CONTROL);

	test.noise = noise;
	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);
		uint64_t control = 0;

		for (unsigned n = 0; n < 4; n++)
			if (same(op, counters[n])) {
				test.hardware.read(controls[n], &control);
				*value = (control & mask) == condition ? sim_now(test.sim) : *value;
			}
		return r;
	};
	return test.failures();
}

TEST(SelftestFaults, AThresholdThatIsIgnored)
{
	EXPECT_ONE("FAIL pcu: threshold and edge: threshold 2: ", "edges: 0",
		   without_condition(0xff800000, 0x02000000));
}

TEST(SelftestNoise, ALargerDifferenceFails)
{
	EXPECT_ONE("FAIL pcu: threshold and edge: threshold 2: ", "edges: 0",
		   without_condition(0xff800000, 0x02000000, half));
}

TEST(SelftestFaults, AnEdgeThatIsIgnored)
{
	EXPECT_ONE("FAIL pcu: threshold and edge: threshold 2: 0; edges: ", "",
		   without_condition(1 << 18, 1 << 18));
}

TEST(SelftestFaults, AnInvertThatIsIgnored)
{
	EXPECT_ONE("FAIL pcu: each counter of each box: ", "pcu0 of package 0, counter ",
		   without_condition(0xff800000, 0x03800000));
}

// A counter narrower than in the table rejects the loaded value.
TEST(SelftestFaults, ACounterThatCannotBeLoaded)
{
	for (const char *machine : {"ivbep", "spr"}) {
		Selftest test(machine);
		const char *const kind = strcmp(machine, "spr") == 0 ? "cha" : "cbo";
		const std::vector<unc_op> counters = test.ops(kind, 0, 0, UNCORE_COUNTER);

		test.hardware.on_write = [&](const unc_op &op, uint64_t value) {
			for (const unc_op &c : counters)
				if (same(op, c) && value > UINT64_C(1) << 40)
					return -EACCES;
			return 0;
		};
		const std::vector<std::string> found = test.failures();
		ASSERT_EQ(1U, found.size()) << testing::PrintToString(found);
		EXPECT_EQ(0U, found[0].find("FAIL " + std::string(kind) + ": overflow: "))
			<< found[0];
	}
}

// A counter narrower than in the table that drops the upper bits: it overflows when it should.
TEST(SelftestFaults, ACounterOf44BitsTakenFor48)
{
	for (const auto &[machine, kind] : std::map<std::string, const char *>{{"hswep", "ha"},
									       {"skx", "imc"},
									       {"icx", "m2m"},
									       {"spr", "cha"},
									       {"gnr", "b2cmi"}}) {
		Selftest test(machine);
		const std::vector<unc_op> counters = test.ops(kind, 0, 0, UNCORE_COUNTER);

		test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			const int r = test.hardware.read(op, value);

			for (const unc_op &c : counters)
				if (same(op, c))
					*value &= (UINT64_C(1) << 44) - 1;
			return r;
		};
		EXPECT_ONE("FAIL " + std::string(kind) + ": overflow: ", "44 bits",
			   test.failures());
	}
}

TEST(SelftestFaults, ARegisterThatCannotBeRead)
{
	Selftest test("skx");
	const unc_op broken = test.op("m2m", 1, 0, UNCORE_COUNTER, 2);

	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		return same(op, broken) ? -EIO : test.hardware.read(op, value);
	};
	for (const std::string &line : test.failures())
		EXPECT_EQ(0U, line.find("FAIL m2m: ")) << line;
	EXPECT_FALSE(test.failures().empty());
}

// Writes that are counted as something else: the sum does not add up.
TEST(SelftestFaults, AChannelThatCountsTooMuch)
{
	Selftest test("hswep");
	const std::vector<unc_op> counters = test.ops("imc", 0, 0, UNCORE_COUNTER);
	const std::vector<unc_op> controls = test.ops("imc", 0, 0, UNCORE_CONTROL);

	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);
		uint64_t control = 0;

		for (unsigned n = 0; n < 4; n++)
			if (same(op, counters[n])) {
				test.hardware.read(controls[n], &control);
				if ((control & 0xff) == 0x04 && (control >> 8 & 0xff) == 0x0c)
					*value *= 2; // CAS_COUNT.WR
			}
		return r;
	};
	support::expect_only({"sum: memory accesses", "memory: stores", "memory: stores of a copy",
			      "memory: writes at home agents"},
			     test.failures());
}

// Of the counters of an event of a kind of box that are read, a part more is seen.
void count_more(Selftest &test, const char *kind, uint64_t mask, uint64_t event, double times)
{
	std::vector<unc_op> counters, controls;

	for (unsigned package = 0; package < 2; package++)
		for (unsigned i = 0; i < test.handle.present(kind) / 2; i++) {
			const auto more = test.ops(kind, i, package, UNCORE_COUNTER),
				   by = test.ops(kind, i, package, UNCORE_CONTROL);
			counters.insert(counters.end(), more.begin(), more.end());
			controls.insert(controls.end(), by.begin(), by.end());
		}
	test.hardware.on_read = [&test, counters, controls, mask, event, times](const unc_op &op,
										uint64_t *value) {
		const int r = test.hardware.read(op, value);
		uint64_t control = 0;

		for (size_t n = 0; n < counters.size(); n++)
			if (same(op, counters[n])) {
				test.hardware.read(controls[n], &control);
				if ((control & mask) == event)
					*value = static_cast<uint64_t>(static_cast<double>(*value) *
								       times);
			}
		return r;
	};
}

// ACT_COUNT: more pages are opened than there are accesses.
TEST(SelftestFaults, PagesThatAreCountedTooOften)
{
	Selftest test("hswep");

	count_more(test, "imc", 0xff, 0x01, 5);
	EXPECT_ONE("FAIL sum: DRAM pages: ", "with a part of -", test.failures());
}

// POWER_STATE_OCCUPANCY of C0
TEST(SelftestFaults, CoresThatAreCountedTooOften)
{
	Selftest test("hswep");

	count_more(test, "pcu", 0xc0ff, 0x4080, 1.05);
	EXPECT_ONE("FAIL sum: states of cores: ", " cores", test.failures());
}

// A counter that no other check uses, in another box than the one that overflows.
TEST(SelftestFaults, ACounterThatContinuesWhenFrozen)
{
	Selftest test("ivbep");
	const unc_op going = test.op("cbo", 3, 0, UNCORE_COUNTER, 1);
	uint64_t more = 0;

	test.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);

		*value += same(op, going) ? ++more : 0;
		return r;
	};
	EXPECT_ONE("FAIL cbo: frozen counters: ", "cbo3 of package 0: counter 1 changed from",
		   test.failures());
}

// A counter in use by another process is not a fault.
TEST(SelftestFaults, ACounterThatIsTaken)
{
	Selftest test("snbep");
	unc_op taken = test.op("ha", 0, 0, UNCORE_CONTROL, 0);
	uint64_t old;

	taken.kind = UNCORE_WRITE;
	taken.value = 0x400000;
	ASSERT_EQ(0, unc_run_op(unc_hw_of(test.handle.u), &taken, &old));
	EXPECT_TRUE(test.failures().empty());
	unsigned reported = 0;
	for (const std::string &line : test.run())
		reported += line.find("SKIP ha: ") == 0 &&
			    line.find("is enabled by another tool") != line.npos;
	EXPECT_EQ(3U, reported);
}

} // namespace
