// SPDX-License-Identifier: BSD-3-Clause
// assign_platforms_test.cc - counter assignment compared with brute force, like assign_test.cc,
// with the rules of the platforms newer than SNB-EP: the stricter of Intel's and the Linux
// driver's (docs/reference/differences.md, docs/hardware/).
#include <map>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "support/rules.h"
#include "support/sanitizer.h"
#include "support/simulated.h"

namespace
{

constexpr unsigned kSets = kSanitizer ? 1500 : 3000;

using Random = std::mt19937;

struct Platform {
	const char *name;
	std::vector<Box> boxes;
	std::map<std::string, std::vector<unsigned>> filtered; // event codes
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Platform kIvbep = {
	"ivbep",
	{
		{"cbo",
		 4,
		 false,
		 {{0x02, 0x07, 3},
		  {0x11, 0x11, 1},
		  {0x12, 0x14, 3},
		  {0x1b, 0x1e, 0xc},
		  {0x1f, 0x1f, 0xe},
		  {0x31, 0x35, 3},
		  {0x36, 0x36, 1},
		  {0x37, 0x37, 3},
		  {0x39, 0x39, 3}}},
		{"ubo", 2, true, {}},
		{"pcu", 4, false, {}},
		{"ha", 4, false, {}},
		{"imc", 4, true, {}},
		{"qpi", 4, false, {}},
		{"r2pcie",
		 4,
		 false,
		 {{0x10, 0x11, 3},
		  {0x12, 0x13, 1},
		  {0x23, 0x23, 1},
		  {0x25, 0x26, 1},
		  {0x28, 0x28, 1},
		  {0x32, 0x34, 3}}},
		{"r3qpi",
		 3,
		 false,
		 {{0x10, 0x12, 3},
		  {0x13, 0x13, 1},
		  {0x23, 0x23, 3},
		  {0x25, 0x26, 3},
		  {0x28, 0x2f, 3},
		  {0x31, 0x34, 3},
		  {0x36, 0x39, 3}}},
	},
	{{"cbo", {0x34, 0x35, 0x36}}, {"ha", {0x20}}, {"qpi", {0x38}}},
};

const std::vector<Range> kHsxR2 = {
	{0x10, 0x11, 3}, {0x13, 0x13, 1}, {0x23, 0x23, 1}, {0x25, 0x25, 1}, {0x26, 0x26, 3},
	{0x28, 0x28, 3}, {0x2a, 0x2a, 1}, {0x2c, 0x2d, 3}, {0x32, 0x33, 3},
};
const std::vector<Range> kHsxR3 = {
	{0x10, 0x11, 3}, {0x13, 0x13, 1}, {0x14, 0x15, 3}, {0x1f, 0x22, 3}, {0x26, 0x26, 3},
	{0x28, 0x29, 3}, {0x2a, 0x2b, 1}, {0x2c, 0x2f, 3}, {0x33, 0x34, 3}, {0x36, 0x39, 3},
};
const std::vector<Range> kHsxHa = {{0x0b, 0x0b, 2}, {0x61, 0x62, 7}, {0x64, 0x65, 7}};

const Platform kHswep = {
	"hswep",
	{
		{"cbo",
		 4,
		 false,
		 {{0x09, 0x09, 1},
		  {0x11, 0x11, 1},
		  {0x1f, 0x1f, 0xe},
		  {0x36, 0x36, 1},
		  {0x3e, 0x3e, 1}}},
		{"ubo", 2, true, {}},
		{"sbo", 4, false, {{0x11, 0x11, 1}}},
		{"pcu", 4, false, {}},
		{"ha", 4, false, kHsxHa},
		{"imc", 4, true, {}},
		{"qpi", 4, false, {}},
		{"r2pcie", 4, false, kHsxR2},
		{"r3qpi", 3, false, kHsxR3},
	},
	{{"cbo", {0x34, 0x35, 0x36}}, {"ha", {0x20}}, {"qpi", {0x38}}},
};

const Platform kBdx = {
	"bdx",
	{
		{"cbo",
		 4,
		 false,
		 {{0x09, 0x09, 3}, {0x11, 0x11, 1}, {0x36, 0x36, 1}, {0x3e, 0x3e, 1}}},
		{"ubo", 2, true, {}},
		{"sbo", 4, false, {}},
		{"ha", 4, false, kHsxHa},
		{"imc", 4, true, {}},
		{"qpi", 4, false, {}},
		{"r2pcie", 4, false, kHsxR2},
		{"r3qpi", 3, false, kHsxR3},
	},
	{{"cbo", {0x34, 0x35, 0x36}}, {"ha", {0x20}}, {"qpi", {0x38}}},
};

const Platform kSkx = {
	"skx",
	{
		{"cha", 4, false, {{0x11, 0x11, 1}, {0x36, 0x36, 1}, {0x3b, 0x3b, 1}}, true},
		{"ubo", 2, true, {}},
		{"pcu", 4, false, {}},
		{"iio", 4, false, {{0x83, 0x83, 3}, {0xc0, 0xc0, 0xc}, {0xd5, 0xd5, 0xc}}},
		{"irp", 2, false, {}},
		{"imc", 4, true, {}},
		{"m2m", 4, false, {}},
		{"upi", 4, false, {}},
		{"m2pcie", 4, false, {{0x23, 0x23, 3}}},
		{"m3upi", 3, false, {{0x1c, 0x1e, 1}, {0x3c, 0x3c, 1}, {0x8e, 0x8e, 1}}},
	},
	{{"cha", {0x34, 0x35, 0x36, 0x38}}},
};

const Platform kIcx = {
	"icx",
	{
		{"cha", 4, false, {{0x11, 0x11, 1}, {0x36, 0x36, 1}}, true},
		{"ubo", 2, true, {}},
		{"pcu", 4, false, {}},
		{"iio",
		 4,
		 false,
		 {{0x02, 0x03, 3},
		  {0x83, 0x83, 3},
		  {0x88, 0x88, 0xc},
		  {0xc0, 0xc0, 0xc},
		  {0xc5, 0xc5, 0xc},
		  {0xd5, 0xd5, 0xc}}},
		{"irp", 2, false, {}},
		{"m2pcie", 4, false, {{0x14, 0x14, 3}, {0x23, 0x23, 3}, {0x2d, 0x2d, 3}}},
		{"imc", 4, true, {}},
		{"m2m", 4, false, {}},
		{"upi", 4, false, {}},
		{"m3upi", 4, false, {{0x1c, 0x1f, 1}, {0x40, 0x40, 7}, {0x4e, 0x50, 7}}},
	},
	{{"cha", {0x34, 0x35}}},
};

const Platform kKnl = {
	"knl",
	{
		{"cha", 4, false, {{0x11, 0x11, 1}, {0x1f, 0x1f, 1}, {0x36, 0x36, 1}}},
		{"ubo", 2, true, {}},
		{"imc_uclk", 4, true, {}},
		{"imc", 4, true, {}},
		{"edc_uclk", 4, true, {}},
		{"edc_eclk", 4, true, {}},
		{"m2pcie", 4, false, {{0x23, 0x23, 3}}},
		{"irp", 2, false, {}},
	},
	{{"cha", {0x35, 0x36, 0x3d}}},
};

/* With the discovery tables of the simulated machine; docs/hardware/spr.md. */
const Platform kSpr = {
	"spr",
	{
		{"cha", 4, false, {{0x11, 0x11, 1}, {0x36, 0x36, 1}}},
		{"iio",
		 4,
		 false,
		 {{0x02, 0x03, 3},
		  {0x40, 0x41, 1},
		  {0x83, 0x83, 3},
		  {0x88, 0x88, 0xc},
		  {0xc0, 0xc0, 0xc},
		  {0xc5, 0xc5, 0xc},
		  {0xd5, 0xd5, 0xc}}},
		{"irp", 2, false, {}},
		{"m2pcie", 4, false, {{0x14, 0x14, 3}, {0x23, 0x23, 3}, {0x2d, 0x2d, 3}}},
		{"ubo", 2, true, {{0x4c, 0x4f, 1}}},
		{"imc", 4, true, {}},
		{"m2m", 4, false, {}},
		{"upi", 4, false, {}},
		{"m3upi", 1, false, {}},
		{"mdf", 4, false, {}},
		{"cxlcm",
		 8,
		 false,
		 {{0x02, 0x02, 0xf},
		  {0x05, 0x05, 0xf},
		  {0x40, 0x43, 0xf0},
		  {0x4b, 0x4b, 0xf0},
		  {0x52, 0x52, 0xf0}}},
		{"cxldp", 4, false, {}},
	},
	{},
};

/* docs/hardware/gnr.md; srf has the same tables. */
const Platform kGnr = {
	"gnr",
	{
		{"cha", 4, false, {{0x11, 0x11, 1}, {0x36, 0x36, 1}}},
		{"imc", 4, true, {}},
		{"upi", 4, false, {}},
		{"b2cmi", 4, false, {}},
	},
	{},
};

template <typename T> T pick(Random &random, const std::vector<T> &list)
{
	return list[random() % list.size()];
}

class AssignPlatforms : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	Simulated sim{("sim:" + std::string(platform.name) + ":packages=1").c_str()};

	/* Few different values, so that events often need the same one. */
	struct unc_event random_event(Random &random, const Box &box) const
	{
		std::vector<unsigned> codes = {0x00, 0x00};
		struct unc_event ev = {};
		uint64_t config1, config2;

		for (const Range &r : box.ranges)
			codes.insert(codes.end(), {r.first, r.last});
		if (box.fixed)
			codes.push_back(0xff);
		const auto filtered = platform.filtered.find(box.kind);
		if (filtered != platform.filtered.end())
			codes.insert(codes.end(), filtered->second.begin(), filtered->second.end());
		if (box.kind == "pcu")
			codes = {0x00, 0x0b, 0x0b, 0x0c, 0x0d, 0x0e};
		ev.type = sim.type(box.kind);
		ev.where.die = -1;
		ev.control = pick(random, codes);
		config1 = pick<uint64_t>(random, {0x0a0a0a0a0a0a0a0a, 0x0a0a0a0a0a0a0a0a,
						  0x1414141414141414, 0x0a14281e0a14281e});
		config2 = pick<uint64_t>(random, {0x3f, 0x3f, 0x3e});
		if (ev.control != 0xff || random() % 2)
			ev.control |= pick<uint64_t>(random, {0, 0x100, 0x4300}) |
				      pick<uint64_t>(random, {0, 0, 1u << 24, 7u << 24}) |
				      (random() % 8 ? 0 : 1u << 19);
		unc_event_finish(&ev, config1, config2, false);
		return ev;
	}
};

TEST_P(AssignPlatforms, FindsAnAssignmentExactlyIfThereIsOne)
{
	std::map<std::string, unsigned> fitting, refused;

	for (unsigned seed = 1; seed <= kSets; seed++) {
		Random random(seed);
		const Box &box = platform.boxes[seed % platform.boxes.size()];
		std::vector<struct unc_event> events(1 + random() % (box.counters + 2));
		std::vector<const struct unc_event *> pointers;
		std::vector<struct unc_assignment> out(UNC_SLOTS + 8);
		std::vector<Wish> wishes;
		std::vector<Placed> all;
		std::string text = box.kind;

		for (auto &ev : events) {
			ev = random_event(random, box);
			pointers.push_back(&ev);
			wishes.push_back(wish_of(ev));
			text += " " + std::to_string(ev.control);
		}
		SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
		const bool found = unc_assign(sim.type(box.kind), nullptr, pointers.data(),
					      pointers.size(), out.data());
		ASSERT_EQ(Search(box, wishes, {}).find(nullptr), found);
		ASSERT_EQ(found,
			  unc_fits(sim.type(box.kind), nullptr, pointers.data(), pointers.size()));
		(found ? fitting : refused)[box.kind]++;
		for (size_t i = 0; found && i < events.size(); i++) {
			const auto ways = encodings(box, wishes[i]);
			const auto as = std::find_if(ways.begin(), ways.end(), [&](const auto &e) {
				return e.control == out[i].control &&
				       e.companion == out[i].companion;
			});

			ASSERT_NE(ways.end(), as) << "no encoding of the event";
			all.push_back({out[i].counter, *as, wishes[i]});
		}
		ASSERT_EQ("", fault(box, all));
	}
	for (const Box &box : platform.boxes) {
		EXPECT_LT(kSets / 100, fitting[box.kind]) << box.kind;
		EXPECT_LT(kSets / 200, refused[box.kind]) << box.kind;
	}
}

INSTANTIATE_TEST_SUITE_P(All, AssignPlatforms,
			 testing::Values(kIvbep, kHswep, kBdx, kSkx, kIcx, kKnl, kSpr, kGnr),
			 testing::PrintToStringParamName());

} // namespace
