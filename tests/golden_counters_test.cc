// golden_counters_test.cc - event by event against the Linux driver: the counters
// that may count it and the filter fields that belong to it.  Differences on
// purpose are listed, exactly.
#include <set>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/simulated.h"

namespace
{

using nlohmann::json;

/* ---- counters ---- */

const char *const kPseudo =
	"The driver takes event 0xff without umask for its pseudo code of the fixed counter and "
	"refuses it where there is none; to the hardware it is an event code like any other.";
struct CounterDifference {
	const char *kind;
	unsigned event;
	unsigned driver, ours; // counters
	const char *why;
};

const char *const kMissingRow = "Intel's tables say 0 and 1; the driver has no row for it.";
const char *const kStricterRow = "Intel's manual, its event list and libpfm4 say 0 only.";

const CounterDifference kCounterDifferences[] = {
	{"cbo", 0x03, 0xf, 0x3, kMissingRow},     {"cbo", 0x06, 0xf, 0x3, kMissingRow},
	{"cbo", 0x14, 0xf, 0x3, kMissingRow},     {"r2pcie", 0x23, 0x3, 0x1, kStricterRow},
	{"r2pcie", 0x24, 0x3, 0x1, kStricterRow}, {"r2pcie", 0x25, 0x3, 0x1, kStricterRow},
	{"cbo", 0xff, 0x0, 0xf, kPseudo},         {"pcu", 0xff, 0x0, 0xf, kPseudo},
};

TEST(GoldenCounters, EveryEventCodeCountsWhereTheDriverAllowsOrIsListed)
{
	Simulated sim;
	std::set<const CounterDifference *> seen;

	for (const json &line : golden_lines("snbep.counters.jsonl")) {
		const GoldenPmu pmu(line["pmu"]);
		const struct unc_box_type *type = sim.type(pmu.kind);
		const std::string masks = line["masks"];

		ASSERT_EQ(256u, masks.size());
		for (unsigned code = 0; code < 256; code++) {
			struct unc_event ev = {};
			unsigned driver = 0;
			const CounterDifference *d = nullptr;

			ev.type = type;
			ev.control = code | golden_number(line["umask"]) << 8;
			unc_event_finish(&ev, 0, 0, false);
			SCOPED_TRACE(pmu.kind + " event " + golden_hex(ev.control));
			if (masks[code] == 'F') {
				EXPECT_TRUE(ev.fixed);
				EXPECT_EQ(0, ev.counters);
				continue;
			}
			EXPECT_FALSE(ev.fixed);
			driver = std::stoul(std::string(1, masks[code]), nullptr, 16);
			for (const auto &each : kCounterDifferences)
				if (pmu.kind == each.kind && code == each.event &&
				    driver == each.driver)
					d = &each;
			seen.insert(d);
			EXPECT_EQ(golden_hex(d ? d->ours : driver), golden_hex(ev.counters))
				<< (d ? d->why : "");

			/* as many copies as counters, and not one more */
			const unsigned n = __builtin_popcount(ev.counters);
			std::vector<const struct unc_event *> copies(n + 1, &ev);
			std::vector<struct unc_setting> out(n + 1);
			EXPECT_TRUE(unc_assign(type, nullptr, copies.data(), n, out.data()));
			EXPECT_FALSE(unc_assign(type, nullptr, copies.data(), n + 1, out.data()));
		}
	}
	for (const auto &d : kCounterDifferences)
		EXPECT_TRUE(seen.count(&d))
			<< "no difference any more: " << d.kind << golden_hex(d.event);
}

/* ---- filter fields ---- */

constexpr uint32_t TID = 0x1f, NID = 0x3fc00, STATE = 0x7c0000, OPC = 0xff800000;

/* facts/snbep.md 7: what the driver programs for which control value. */
const struct {
	uint32_t match, mask, fields;
} kDriverFilters[] = {
	{0x80000, 0x80000, TID},       {0x0334, 0xffff, STATE},       {0x4334, 0xffff, NID | STATE},
	{0x0534, 0xffff, STATE},       {0x4534, 0xffff, NID | STATE}, {0x0934, 0xffff, STATE},
	{0x4934, 0xffff, NID | STATE}, {0x4134, 0xffff, NID | STATE}, {0x0135, 0xffff, OPC},
	{0x0335, 0xffff, OPC},         {0x4135, 0xffff, NID | OPC},   {0x4335, 0xffff, NID | OPC},
	{0x4435, 0xffff, NID},         {0x4835, 0xffff, NID},         {0x4a35, 0xffff, NID},
	{0x5035, 0xffff, NID},         {0x0136, 0xffff, OPC},         {0x0336, 0xffff, OPC},
	{0x4136, 0xffff, NID | OPC},   {0x4336, 0xffff, NID | OPC},   {0x4436, 0xffff, NID},
	{0x4836, 0xffff, NID},         {0x4a36, 0xffff, NID},         {0x4037, 0x40ff, NID},
};

uint32_t driver_fields(uint32_t control)
{
	uint32_t fields = 0;

	for (const auto &row : kDriverFilters)
		if ((control & row.mask) == row.match)
			fields |= row.fields;
	return fields;
}

/* What the umask bits mean, behind the driver's list of single values. */
uint32_t meant_fields(uint32_t control)
{
	const uint32_t code = control & 0xff, umask = control >> 8 & 0xff;
	uint32_t fields = control & 0x80000 ? TID : 0;

	if (code == 0x34)
		fields |= STATE; /* no state, no count: for every umask */
	if ((code == 0x35 || code == 0x36) && (umask & 0x01))
		fields |= OPC;
	if (code >= 0x34 && code <= 0x37 && (umask & 0x40))
		fields |= NID;
	return fields;
}

uint32_t our_fields(const struct unc_box_type *type, uint32_t control)
{
	struct unc_event ev = {};
	uint32_t fields = 0;

	ev.type = type;
	ev.control = control;
	unc_event_finish(&ev, 0xffffffff, 0, false);
	for (unsigned i = 0; i < ev.n_bits; i++) {
		EXPECT_EQ(ev.bits[i].mask, ev.bits[i].value);
		fields |= static_cast<uint32_t>(ev.bits[i].mask);
	}
	return fields;
}

/*
 * For all umasks of all events, with and without tid_en.  The one kind of
 * difference: umasks of 0x34 to 0x36 that combine bits in a way that the driver
 * does not list: it would leave the filter alone and count something else.
 */
TEST(GoldenCounters, FilterFieldsAreTheDriversAndThoseOfUnlistedUmasks)
{
	Simulated sim;
	const struct unc_box_type *cbo = sim.type("cbo");
	std::set<unsigned> unlisted;

	for (uint32_t control = 0; control < 0x10000; control++)
		for (uint32_t tid : {0u, 0x80000u}) {
			const uint32_t ours = our_fields(cbo, control | tid);
			const uint32_t driver = driver_fields(control | tid);

			EXPECT_EQ(meant_fields(control | tid), ours) << golden_hex(control);
			EXPECT_EQ(driver, driver & ours) << golden_hex(control);
			if (ours != driver)
				unlisted.insert(control & 0xff);
		}
	EXPECT_EQ((std::set<unsigned>{0x34, 0x35, 0x36}), unlisted);
}

} // namespace
