// SPDX-License-Identifier: BSD-3-Clause
// golden_counters_test.cc - event by event against the Linux driver: the counters
// that may count it and the filter fields that belong to it.  Differences on
// purpose are listed, exactly.
#include <algorithm>
#include <cstring>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/golden.h"
#include "support/machines.h"
#include "support/simulated.h"

namespace
{

using nlohmann::json;

const char *const kPseudo =
	"The driver takes event 0xff without umask for its pseudo code of the fixed counter and "
	"refuses it where there is none; to the hardware it is an event code like any other.";

const char *const kMissingRow = "Intel's tables say 0 and 1; the driver has no row for it.";
const char *const kStricterRow = "Intel's manual, its event list and libpfm4 say 0 only.";
const char *const kCompanion = "libpfm4 does not have it on counter 0, whose queue it follows.";
const char *const kCreditQueue = "Intel's event lists have this occupancy on counter 0 only.";
const char *const kSboQueue = "libpfm4 has the occupancy of the S-Box on counter 0 only.";

struct CounterDifference {
	const char *kind;
	unsigned event;
	unsigned driver, ours; // counters
	const char *why;
};

/* Fields of the C-Box filter in Linux's config1, docs/hardware/. */
struct Fields {
	uint64_t tid, link, state, nid, opc;
};

enum { TID = 1, LINK = 2, STATE = 4, NID = 8, OPC = 16 };

struct Need {
	uint32_t match, mask;
	unsigned fields;
};

struct Platform {
	std::string name;
	std::vector<CounterDifference> counters;
	Fields fields;
	std::vector<Need> driver;        // what it programs for which control value
	std::vector<unsigned> node_bits; // events whose umask bit 6 compares the node id
	bool link;                       // event 0x31, umask bit 4 compares the link
	std::vector<Need> errors;        // fields that only the driver takes
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const std::vector<Need> kSnbepDriver = {
	{0x80000, 0x80000, TID},       {0x0334, 0xffff, STATE},       {0x4334, 0xffff, NID | STATE},
	{0x0534, 0xffff, STATE},       {0x4534, 0xffff, NID | STATE}, {0x0934, 0xffff, STATE},
	{0x4934, 0xffff, NID | STATE}, {0x4134, 0xffff, NID | STATE}, {0x0135, 0xffff, OPC},
	{0x0335, 0xffff, OPC},         {0x4135, 0xffff, NID | OPC},   {0x4335, 0xffff, NID | OPC},
	{0x4435, 0xffff, NID},         {0x4835, 0xffff, NID},         {0x4a35, 0xffff, NID},
	{0x5035, 0xffff, NID},         {0x0136, 0xffff, OPC},         {0x0336, 0xffff, OPC},
	{0x4136, 0xffff, NID | OPC},   {0x4336, 0xffff, NID | OPC},   {0x4436, 0xffff, NID},
	{0x4836, 0xffff, NID},         {0x4a36, 0xffff, NID},         {0x4037, 0x40ff, NID},
};

const std::vector<Need> kIvbepDriver = {
	{0x80000, 0x80000, TID},       {0x1031, 0x10ff, LINK},        {0x1134, 0xffff, STATE},
	{0x4134, 0xffff, STATE | NID}, {0x5134, 0xffff, STATE | NID}, {0x0334, 0xffff, STATE},
	{0x4334, 0xffff, STATE | NID}, {0x0534, 0xffff, STATE},       {0x4534, 0xffff, STATE | NID},
	{0x0934, 0xffff, STATE},       {0x4934, 0xffff, STATE | NID}, {0x0135, 0xffff, OPC},
	{0x0335, 0xffff, OPC},         {0x2135, 0xffff, OPC},         {0x2335, 0xffff, OPC},
	{0x4135, 0xffff, NID | OPC},   {0x4335, 0xffff, NID | OPC},   {0x4435, 0xffff, NID},
	{0x4835, 0xffff, NID},         {0x4a35, 0xffff, NID},         {0x5035, 0xffff, NID},
	{0x8135, 0xffff, OPC},         {0x8335, 0xffff, OPC},         {0x0136, 0xffff, OPC},
	{0x0336, 0xffff, OPC},         {0x2136, 0xffff, OPC},         {0x2336, 0xffff, OPC},
	{0x4136, 0xffff, NID | OPC},   {0x4336, 0xffff, NID | OPC},   {0x4436, 0xffff, NID},
	{0x4836, 0xffff, NID},         {0x4a36, 0xffff, NID},         {0x5036, 0xffff, NID},
	{0x8136, 0xffff, OPC},         {0x8336, 0xffff, OPC},         {0x4037, 0x40ff, NID},
};

/* The same for Broadwell-EP. */
const std::vector<Need> kHswepDriver = {
	{0x80000, 0x80000, TID},     {0x0334, 0xffff, STATE},      {0x0534, 0xffff, STATE},
	{0x0934, 0xffff, STATE},     {0x1134, 0xffff, STATE},      {0x2134, 0xffff, STATE},
	{0x4134, 0xffff, STATE},     {0x4037, 0x40ff, NID},        {0x4028, 0x40ff, NID},
	{0x4032, 0x40ff, NID},       {0x4029, 0x40ff, NID},        {0x4033, 0x40ff, NID},
	{0x402a, 0x40ff, NID},       {0x0135, 0xffff, LINK | OPC}, {0x0335, 0xffff, OPC},
	{0x4135, 0xffff, NID | OPC}, {0x4435, 0xffff, NID},        {0x4835, 0xffff, NID},
	{0x5035, 0xffff, NID},       {0x4335, 0xffff, NID | OPC},  {0x4a35, 0xffff, NID},
	{0x2335, 0xffff, OPC},       {0x8335, 0xffff, OPC},        {0x2135, 0xffff, OPC},
	{0x8135, 0xffff, OPC},       {0x0136, 0xffff, OPC},        {0x0336, 0xffff, OPC},
	{0x4136, 0xffff, NID | OPC}, {0x4436, 0xffff, NID},        {0x4836, 0xffff, NID},
	{0x4336, 0xffff, NID | OPC}, {0x4a36, 0xffff, NID},        {0x2336, 0xffff, OPC},
	{0x8336, 0xffff, OPC},       {0x2136, 0xffff, OPC},        {0x8136, 0xffff, OPC},
	{0x5036, 0xffff, NID},
};

/* No other source asks for the link here (docs/hardware/hswep.md): a slip in the driver. */
const std::vector<Need> kHswepErrors = {{0x0135, 0xffff, LINK}};

const std::vector<Need> kSkxDriver = {
	{0x80000, 0x80000, TID},      {0x0334, 0xffff, STATE}, {0x0534, 0xffff, STATE},
	{0x0934, 0xffff, STATE},      {0x1134, 0xffff, STATE}, {0x3134, 0xffff, STATE},
	{0x9134, 0xffff, STATE},      {0x0035, 0x00ff, OPC},   {0x0036, 0x00ff, OPC},
	{0x0038, 0x00ff, TID | LINK},
};

const Fields kHswepFields = {0x3f, 0x3c0, 0xfe0000, UINT64_C(0xffff) << 32, UINT64_C(0xfff) << 52};

const Platform kSnbep = {
	"snbep",
	{
		{"cbo", 0x03, 0xf, 0x3, kMissingRow},
		{"cbo", 0x06, 0xf, 0x3, kMissingRow},
		{"cbo", 0x14, 0xf, 0x3, kMissingRow},
		{"r2pcie", 0x23, 0x3, 0x1, kStricterRow},
		{"r2pcie", 0x24, 0x3, 0x1, kStricterRow},
		{"r2pcie", 0x25, 0x3, 0x1, kStricterRow},
		{"cbo", 0xff, 0x0, 0xf, kPseudo},
		{"pcu", 0xff, 0x0, 0xf, kPseudo},
	},
	{0x1f, 0, 0x7c0000, 0x3fc00, 0xff800000},
	kSnbepDriver,
	{0x34, 0x35, 0x36, 0x37},
	false,
	{},
};

const Platform kIvbep = {
	"ivbep",
	{
		{"cbo", 0x03, 0xf, 0x3, kMissingRow},
		{"cbo", 0x06, 0xf, 0x3, kMissingRow},
		{"cbo", 0x14, 0xf, 0x3, kMissingRow},
		{"cbo", 0x3c, 0xf, 0x3, kMissingRow},
		{"cbo", 0xff, 0x0, 0xf, kPseudo},
		{"pcu", 0xff, 0x0, 0xf, kPseudo},
	},
	{0x1f, 0x1e0, 0x7e0000, UINT64_C(0xffff) << 32, UINT64_C(0xfff) << 52},
	kIvbepDriver,
	{0x34, 0x35, 0x36, 0x37},
	true,
	{},
};

const Platform kHswep = {
	"hswep",
	{
		{"cbo", 0x1f, 0xf, 0xe, kCompanion},
		{"sbo", 0x11, 0xf, 0x1, kSboQueue},
	},
	kHswepFields,
	kHswepDriver,
	{0x28, 0x29, 0x2a, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37},
	false,
	kHswepErrors,
};

const Platform kBdx = {
	"bdx",
	{},
	kHswepFields,
	kHswepDriver,
	{0x28, 0x29, 0x2a, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37},
	false,
	kHswepErrors,
};

const Platform kSkx = {
	"skx",
	{{"cha", 0x3b, 0xf, 0x1, kCreditQueue}},
	{0x1ff, 0x1e00, 0x7fe0000, 0, UINT64_C(0xdffffe3b) << 32},
	kSkxDriver,
	{},
	false,
	{},
};

/* Its filter is one field, and nothing but tid_en needs it. */
const Platform kIcx = {"icx", {}, {}, {}, {}, false, {}};

uint64_t bits(const Fields &f, unsigned fields)
{
	return (fields & TID ? f.tid : 0) | (fields & LINK ? f.link : 0) |
	       (fields & STATE ? f.state : 0) | (fields & NID ? f.nid : 0) |
	       (fields & OPC ? f.opc : 0);
}

unsigned fields_of(const std::vector<Need> &needs, uint32_t control)
{
	unsigned fields = 0;

	for (const Need &row : needs)
		if ((control & row.mask) == row.match)
			fields |= row.fields;
	return fields;
}

/* What we own in config1, of an event whose every bit the user sets. */
uint64_t owned(const struct unc_box_type *type, uint32_t control)
{
	struct unc_event ev = {};
	uint64_t fields = 0;

	ev.type = type;
	ev.control = control;
	unc_event_finish(&ev, UINT64_MAX, 0, false);
	for (unsigned i = 0; i < ev.n_bits; i++) {
		EXPECT_EQ(ev.bits[i].mask, ev.bits[i].value);
		fields |= ev.bits[i].mask << (ev.bits[i].filter == 1 ? 32 : 0);
	}
	return fields;
}

class GoldenCounters : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	Simulated sim{("sim:" + platform.name + ":packages=1,time=virtual").c_str()};

	/* What the umask bits mean, behind the driver's list of single values. */
	unsigned meant(uint32_t control) const
	{
		const uint32_t code = control & 0xff, umask = control >> 8 & 0xff;
		unsigned fields = control & 0x80000 ? TID : 0;

		if (code == 0x34)
			fields |= STATE; /* no state, no count: for every umask */
		if ((code == 0x35 || code == 0x36) && (umask & 0x01))
			fields |= OPC;
		if (platform.link && code == 0x31 && (umask & 0x10))
			fields |= LINK;
		if ((umask & 0x40) &&
		    std::count(platform.node_bits.begin(), platform.node_bits.end(), code))
			fields |= NID;
		return fields;
	}
};

/* Which counters they were on the recorder did not see, only how many. */
void as_many_copies(const struct unc_box_type *type, uint64_t umask, const std::string &copies)
{
	ASSERT_EQ(256u, copies.size());
	for (unsigned code = 0; code < 256; code++) {
		struct unc_event ev = {};

		ev.type = type;
		ev.control = code | umask << 8;
		unc_event_finish(&ev, 0, 0, false);
		EXPECT_FALSE(ev.fixed);
		EXPECT_EQ(copies[code] - '0', __builtin_popcount(ev.counters))
			<< golden_hex(ev.control);
	}
}

/* Platforms with a C-Box. */
class GoldenFilters : public GoldenCounters
{
};

TEST_P(GoldenCounters, EveryEventCodeCountsWhereTheDriverAllowsOrIsListed)
{
	std::set<const CounterDifference *> seen;

	for (const json &line :
	     support::data_lines("golden/" + platform.name + ".counters.jsonl.gz")) {
		const GoldenPmu pmu(line["pmu"]);
		const struct unc_box_type *type = sim.type(pmu.kind);

		if (line.contains("copies")) {
			as_many_copies(type, golden_number(line["umask"]), line["copies"]);
			continue;
		}
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
			for (const auto &each : platform.counters)
				if (pmu.kind == each.kind && code == each.event &&
				    driver == each.driver)
					d = &each;
			seen.insert(d);
			EXPECT_EQ(golden_hex(d ? d->ours : driver), golden_hex(ev.counters))
				<< (d ? d->why : "");

			/* as many copies as counters, and not one more */
			const unsigned n = __builtin_popcount(ev.counters);
			std::vector<const struct unc_event *> copies(n + 1, &ev);
			std::vector<struct unc_assignment> out(n + 1);
			EXPECT_TRUE(unc_assign(type, nullptr, copies.data(), n, out.data()));
			EXPECT_FALSE(unc_assign(type, nullptr, copies.data(), n + 1, out.data()));
		}
	}
	for (const auto &d : platform.counters)
		EXPECT_TRUE(seen.count(&d))
			<< "no difference any more: " << d.kind << golden_hex(d.event);
}

/*
 * For all umasks of all events, with and without tid_en.  The one kind of
 * difference: umasks of 0x34 to 0x36 that combine bits in a way that the driver
 * does not list: it would leave the filter alone and count something else.
 */
TEST_P(GoldenFilters, FilterFieldsAreTheDriversAndThoseOfUnlistedUmasks)
{
	const struct unc_box_type *cbo = sim.type("cbo");
	std::set<unsigned> unlisted;
	unsigned errors = 0;

	for (uint32_t control = 0; control < 0x10000; control++)
		for (uint32_t tid : {0u, 0x80000u}) {
			const uint64_t fields = owned(cbo, control | tid);
			const unsigned wrong = fields_of(platform.errors, control);
			const unsigned driver = fields_of(platform.driver, control | tid);
			const uint64_t driven = bits(platform.fields, driver & ~wrong);

			EXPECT_EQ(wrong, driver & wrong) << "the driver takes it no more";
			EXPECT_EQ(bits(platform.fields, meant(control | tid)), fields)
				<< golden_hex(control);
			EXPECT_EQ(driven, driven & fields) << golden_hex(control);
			errors += wrong != 0;
			if (fields != driven)
				unlisted.insert(control & 0xff);
		}
	EXPECT_EQ((std::set<unsigned>{0x34, 0x35, 0x36}), unlisted);
	EXPECT_EQ(2 * platform.errors.size(), errors);
}

/* Intel's event list has the states for every umask of 0x34, and FILTER0 12:0 for 0x3b. */
TEST(GoldenFiltersOfSkx, FilterFieldsAreTheDriversAndThoseOfIntelsList)
{
	Simulated sim("sim:skx:packages=1,time=virtual");
	const struct unc_box_type *cha = sim.type("cha");
	const std::vector<Need> list = {{0x34, 0xff, STATE}, {0x3b, 0xff, TID | LINK}};
	std::set<unsigned> beyond;

	for (uint32_t control = 0; control < 0x10000; control++)
		for (uint32_t tid : {0u, 0x80000u}) {
			const unsigned driver = fields_of(kSkxDriver, control | tid);
			const unsigned meant = driver | fields_of(list, control);

			EXPECT_EQ(golden_hex(bits(kSkx.fields, meant)),
				  golden_hex(owned(cha, control | tid)))
				<< golden_hex(control | tid);
			if (meant != driver)
				beyond.insert(control & 0xff);
		}
	EXPECT_EQ((std::set<unsigned>{0x34, 0x3b}), beyond);
}

/* The driver's rules of boxes that were not recorded, docs/hardware/. */
const struct {
	const char *platform, *kind;
	uint32_t lo, hi, cmp;
	unsigned counters;
} kDriverRules[] = {
	{"ivbep", "r2pcie", 0x10, 0x11, 0xff, 0x3}, {"ivbep", "r2pcie", 0x12, 0x12, 0xff, 0x1},
	{"ivbep", "r2pcie", 0x23, 0x23, 0xff, 0x3}, {"ivbep", "r2pcie", 0x24, 0x26, 0xff, 0x3},
	{"ivbep", "r2pcie", 0x32, 0x34, 0xff, 0x3}, {"ivbep", "r3qpi", 0x10, 0x12, 0xff, 0x3},
	{"ivbep", "r3qpi", 0x13, 0x13, 0xff, 0x1},  {"ivbep", "r3qpi", 0x20, 0x26, 0xff, 0x3},
	{"ivbep", "r3qpi", 0x28, 0x34, 0xff, 0x3},  {"ivbep", "r3qpi", 0x36, 0x39, 0xff, 0x3},
	{"hswep", "r2pcie", 0x10, 0x11, 0xff, 0x3}, {"hswep", "r2pcie", 0x13, 0x13, 0xff, 0x1},
	{"hswep", "r2pcie", 0x23, 0x25, 0xff, 0x1}, {"hswep", "r2pcie", 0x26, 0x26, 0xff, 0x3},
	{"hswep", "r2pcie", 0x27, 0x27, 0xff, 0x1}, {"hswep", "r2pcie", 0x28, 0x29, 0xff, 0x3},
	{"hswep", "r2pcie", 0x2a, 0x2a, 0xff, 0x1}, {"hswep", "r2pcie", 0x2b, 0x2d, 0xff, 0x3},
	{"hswep", "r2pcie", 0x32, 0x35, 0xff, 0x3}, {"hswep", "r3qpi", 0x01, 0x01, 0xff, 0x3},
	{"hswep", "r3qpi", 0x07, 0x0a, 0xff, 0x7},  {"hswep", "r3qpi", 0x0e, 0x0e, 0xff, 0x7},
	{"hswep", "r3qpi", 0x10, 0x12, 0xff, 0x3},  {"hswep", "r3qpi", 0x13, 0x13, 0xff, 0x1},
	{"hswep", "r3qpi", 0x14, 0x15, 0xff, 0x3},  {"hswep", "r3qpi", 0x1f, 0x23, 0xff, 0x3},
	{"hswep", "r3qpi", 0x25, 0x26, 0xff, 0x3},  {"hswep", "r3qpi", 0x28, 0x29, 0xff, 0x3},
	{"hswep", "r3qpi", 0x2c, 0x2f, 0xff, 0x3},  {"hswep", "r3qpi", 0x31, 0x34, 0xff, 0x3},
	{"hswep", "r3qpi", 0x36, 0x39, 0xff, 0x3},  {"bdx", "r2pcie", 0x10, 0x10, 0xff, 0x3},
	{"bdx", "r2pcie", 0x11, 0x11, 0xff, 0x3},   {"bdx", "r2pcie", 0x13, 0x13, 0xff, 0x1},
	{"bdx", "r2pcie", 0x23, 0x23, 0xff, 0x1},   {"bdx", "r2pcie", 0x25, 0x25, 0xff, 0x1},
	{"bdx", "r2pcie", 0x26, 0x26, 0xff, 0x3},   {"bdx", "r2pcie", 0x28, 0x28, 0xff, 0x3},
	{"bdx", "r2pcie", 0x2c, 0x2d, 0xff, 0x3},   {"bdx", "r3qpi", 0x01, 0x01, 0xff, 0x7},
	{"bdx", "r3qpi", 0x07, 0x0a, 0xff, 0x7},    {"bdx", "r3qpi", 0x0e, 0x0e, 0xff, 0x7},
	{"bdx", "r3qpi", 0x10, 0x11, 0xff, 0x3},    {"bdx", "r3qpi", 0x13, 0x13, 0xff, 0x1},
	{"bdx", "r3qpi", 0x14, 0x15, 0xff, 0x3},    {"bdx", "r3qpi", 0x1f, 0x23, 0xff, 0x3},
	{"bdx", "r3qpi", 0x25, 0x25, 0xff, 0x3},    {"bdx", "r3qpi", 0x26, 0x26, 0xff, 0x3},
	{"bdx", "r3qpi", 0x28, 0x29, 0xff, 0x3},    {"bdx", "r3qpi", 0x2c, 0x2f, 0xff, 0x3},
	{"bdx", "r3qpi", 0x33, 0x34, 0xff, 0x3},    {"bdx", "r3qpi", 0x36, 0x39, 0xff, 0x3},
	{"bdx", "pcu", 0x80, 0x80, 0x80, 0xe},      {"icx", "m3upi", 0x1c, 0x1f, 0xff, 0x1},
	{"icx", "m3upi", 0x40, 0x40, 0xff, 0x7},    {"icx", "m3upi", 0x4e, 0x50, 0xff, 0x7},
	{"skx", "m2pcie", 0x23, 0x23, 0xff, 0x3},   {"skx", "m3upi", 0x1d, 0x1e, 0xff, 0x1},
	{"skx", "m3upi", 0x40, 0x40, 0xff, 0x7},    {"skx", "m3upi", 0x4e, 0x52, 0xff, 0x7},
	{"knl", "cha", 0x11, 0x11, 0xff, 0x1},      {"knl", "cha", 0x1f, 0x1f, 0xff, 0x1},
	{"knl", "cha", 0x36, 0x36, 0xff, 0x1},      {"knl", "m2pcie", 0x23, 0x23, 0xff, 0x3},
};

class DriverRules : public testing::TestWithParam<const char *>
{
};

TEST_P(DriverRules, NoEventCountsWhereTheyForbidIt)
{
	Simulated sim(("sim:" + std::string(GetParam()) + ":packages=1").c_str());
	unsigned seen = 0;

	for (const auto &rule : kDriverRules)
		for (uint32_t code = 0; code < 0x100 && !strcmp(GetParam(), rule.platform);
		     code++) {
			struct unc_event ev = {};

			if ((code & rule.cmp) < rule.lo || (code & rule.cmp) > rule.hi)
				continue;
			ev.type = sim.type(rule.kind);
			ev.control = code;
			unc_event_finish(&ev, 0, 0, false);
			EXPECT_NE(0, ev.counters);
			EXPECT_EQ(0u, ev.counters & ~rule.counters)
				<< rule.kind << " event " << golden_hex(code);
			seen++;
		}
	EXPECT_LT(0u, seen);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenCounters,
			 testing::Values(kSnbep, kIvbep, kHswep, kBdx, kSkx, kIcx),
			 testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(All, GoldenFilters, testing::Values(kSnbep, kIvbep, kHswep, kBdx),
			 testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(All, DriverRules,
			 testing::ValuesIn(support::machines_between("ivbep", "icx")));

} // namespace
