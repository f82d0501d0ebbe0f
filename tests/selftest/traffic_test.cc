// SPDX-License-Identifier: BSD-3-Clause
// traffic_test.cc - `uncore selftest` with traffic of known size: for each check a fault that it
// finds and names (docs/selftest.md).
#include <map>
#include <memory>
#include <tuple>

#include "support/selftest.h"

namespace
{

using support::expect_only;
using support::same;
using support::Selftest;

// Registers of one kind of box, of all packages, and the same box's others by number.
struct Boxes {
	Boxes(const Selftest &test, const char *kind)
	{
		for (unsigned b = 0; b < test.handle.machine().boxes; b++) {
			const uncore_box_info box = test.handle.boxes()[b];

			if (strcmp(box.kind, kind) != 0 || box.absent)
				continue;
			counters.push_back(test.ops(kind, box.index, box.package, UNCORE_COUNTER));
			controls.push_back(test.ops(kind, box.index, box.package, UNCORE_CONTROL));
		}
	}
	// The control of the counter that an operation reads, NULL: it reads none of these.
	const unc_op *control_of(const unc_op &op) const
	{
		for (size_t b = 0; b < counters.size(); b++)
			for (size_t n = 0; n < counters[b].size(); n++)
				if (same(op, counters[b][n]))
					return &controls[b][n];
		return nullptr;
	}
	bool is_control(const unc_op &op) const
	{
		for (const auto &box : controls)
			for (const unc_op &c : box)
				if (same(op, c))
					return true;
		return false;
	}
	std::vector<std::vector<unc_op>> counters, controls;
};

// Counters whose control has these bits count `times` as much.
void scale(Selftest &test, const Boxes &boxes, uint64_t mask, uint64_t bits, double times)
{
	test.hardware.on_read = [&test, &boxes, mask, bits, times](const unc_op &op,
								   uint64_t *value) {
		const int r = test.hardware.read(op, value);
		const unc_op *control = boxes.control_of(op);
		uint64_t event = 0;

		if (control)
			test.hardware.read(*control, &event);
		if (control && (event & mask) == bits)
			*value = static_cast<uint64_t>(static_cast<double>(*value) * times);
		return r;
	};
}

// The hardware has `there` where the library writes `here`, and it cannot see that.
void exchange(Selftest &test, const Boxes &boxes, uint64_t mask, uint64_t here, uint64_t in_other)
{
	using Key = std::tuple<int, unsigned, unsigned, uint64_t>;
	auto written = std::make_shared<std::map<Key, uint64_t>>();
	const auto key = [](const unc_op &op) {
		return Key{op.space, op.package, op.unit, op.address};
	};

	test.hardware.on_value = [=, &boxes](const unc_op &op, uint64_t value) {
		written->erase(key(op));
		if (!boxes.is_control(op) || (value & mask) != here)
			return value;
		(*written)[key(op)] = value;
		return (value & ~mask) | in_other;
	};
	test.hardware.on_read = [=, &test](const unc_op &op, uint64_t *value) {
		const int r = test.hardware.read(op, value);
		const auto last = written->find(key(op));

		if (last != written->end() && *value == ((last->second & ~mask) | in_other))
			*value = last->second;
		return r;
	};
}

// One box's counters are read where another one's are, and the reverse.
void cross(Selftest &test, const std::vector<unc_op> &a, const std::vector<unc_op> &b)
{
	test.hardware.on_read = [&test, a, b](const unc_op &op, uint64_t *value) {
		for (size_t n = 0; n < a.size(); n++) {
			if (same(op, a[n]))
				return test.hardware.read(b[n], value);
			if (same(op, b[n]))
				return test.hardware.read(a[n], value);
		}
		return test.hardware.read(op, value);
	};
}

// CAS_COUNT.RD that counts writes.
TEST(TrafficFaults, AWrongUmask)
{
	Selftest test("snbep");
	const Boxes imc(test, "imc");

	exchange(test, imc, 0xffff, 0x0304, 0x0c04);
	expect_only({"sum: memory accesses", "memory: reads", "memory: reads at home agents",
		     "memory: reads from another package"},
		    test.failures());
}

// CAS_COUNT.RD that counts writes, too: seen where both are moved.
TEST(TrafficFaults, AUmaskThatIsAll)
{
	Selftest test("snbep");
	const Boxes imc(test, "imc");

	exchange(test, imc, 0xffff, 0x0304, 0x0f04);
	expect_only(
		{"sum: memory accesses", "memory: reads of a copy", "memory: reads at home agents"},
		test.failures());
}

TEST(TrafficFaults, StoresThatAreCountedTwice)
{
	Selftest test("skx");
	const Boxes imc(test, "imc");

	scale(test, imc, 0xffff, 0x0c04, 2);
	expect_only({"sum: memory accesses", "memory: stores", "memory: stores of a copy",
		     "memory: writes at home agents"},
		    test.failures());
}

// The memory controllers of one package are taken for the other's.
TEST(TrafficFaults, PackagesThatAreExchanged)
{
	Selftest test("snbep");
	const Boxes imc(test, "imc");
	const size_t half = imc.counters.size() / 2;

	test.hardware.where = [&](const unc_op &op) {
		unc_op other = op;

		for (size_t b = 0; b < 2 * half; b++)
			if (op.space == UNCORE_PCI && op.unit == imc.counters[b][0].unit)
				other.unit = imc.counters[(b + half) % (2 * half)][0].unit;
		return other;
	};
	const std::vector<std::string> found = test.failures();
	expect_only({"memory: reads", "memory: stores", "memory: reads of a copy",
		     "memory: stores of a copy", "memory: reads from another package",
		     "memory: reads at home agents", "memory: writes at home agents"},
		    found);
	EXPECT_NE(std::string::npos, found[0].find("expected 64000000")) << found[0];
}

TEST(TrafficFaults, ChannelsThatAreSwapped)
{
	Selftest test("bdx");

	cross(test, test.ops("imc", 0, 1, UNCORE_COUNTER), test.ops("imc", 1, 1, UNCORE_COUNTER));
	EXPECT_ONE("FAIL memory: each channel: ", "of package 1, alone, counted 0,",
		   test.failures());
}

TEST(TrafficFaults, ADeadCounterOnTheWay)
{
	Selftest test("hswep");
	const Boxes ha(test, "ha");

	scale(test, ha, 0xffff, 0x0301, 0);
	EXPECT_ONE("FAIL memory: reads at home agents: ", "package 0 counted 0,", test.failures());
}

TEST(TrafficFaults, WritesThatAreLostOnTheWay)
{
	Selftest test("icx");
	const Boxes m2m(test, "m2m");

	scale(test, m2m, 0xff, 0x38, 0.8);
	EXPECT_ONE("FAIL memory: writes at home agents: ", "package ", test.failures());
}

TEST(TrafficFaults, ALinkThatCountsNothing)
{
	Selftest test("skx");
	const Boxes upi(test, "upi");

	scale(test, upi, 0xff, 0x03, 0);
	EXPECT_ONE("FAIL links: received data: ", "counted 0,", test.failures());
	scale(test, upi, 0xff, 0x02, 0.5);
	EXPECT_ONE("FAIL links: sent data: ", "counted 32", test.failures());
}

TEST(TrafficFaults, LookupsThatAreCountedByHalf)
{
	Selftest test("icx");
	const Boxes cha(test, "cha");

	scale(test, cha, 0xff, 0x34, 0.5);
	EXPECT_ONE("FAIL cache: lookups: ", ", expected 200000", test.failures());
}

TEST(TrafficFaults, MissesThatAreNotCounted)
{
	Selftest test("spr");
	const Boxes cha(test, "cha");

	scale(test, cha, UINT64_C(0xffffff000000ff), UINT64_C(0xc001fe00000035), 0);
	EXPECT_ONE("FAIL cache: misses: ", "counted 0,", test.failures());
}

TEST(TrafficFaults, AnOpcodeThatIsAnotherOne)
{
	Selftest test("icx");
	const Boxes cha(test, "cha");
	const uint64_t drd = UINT64_C(0xc817ff00000000), rfo = UINT64_C(0xc807ff00000000);

	exchange(test, cha, UINT64_C(0xffffff00000000), rfo, drd);
	const std::vector<std::string> found = test.failures();
	ASSERT_EQ(1u, found.size());
	EXPECT_EQ(0u, found[0].find("FAIL TOR: other requests: ")) << found[0];
	// of 200,000 lines; the try with the least noise is reported
	EXPECT_NEAR(200000, std::stod(found[0].substr(found[0].find("counted ") + 8)), 1000)
		<< found[0];
	exchange(test, cha, UINT64_C(0xffffff00000000), drd, rfo);
	expect_only({"TOR: data reads", "TOR: filter for a core"}, test.failures());
}

TEST(TrafficFaults, AFilterForCoresThatIsIgnored)
{
	Selftest test("snbep");
	const Boxes cbo(test, "cbo");

	exchange(test, cbo, 0x8ffff, 0x80135, 0x00135);
	EXPECT_ONE("FAIL TOR: filter for a core: ", "the filter of core 0, with a load on CPU ",
		   test.failures());
}

TEST(TrafficFaults, AFilterForCoresThatSeesNone)
{
	Selftest test("skx");
	const Boxes cha(test, "cha");

	scale(test, cha, 0x80000, 0x80000, 0);
	EXPECT_ONE("FAIL TOR: filter for a core: ", "no core filter matched a load on CPU 0",
		   test.failures());
}

TEST(TrafficFaults, EntriesThatStayTooLong)
{
	Selftest test("ivbep");
	const Boxes cbo(test, "cbo");

	scale(test, cbo, 0xffff, 0x0336, 2);
	EXPECT_ONE("FAIL TOR: latency: ", "200.0 ns in the TOR of package ", test.failures());
}

} // namespace
