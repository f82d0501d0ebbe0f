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

using Codes = std::map<std::string, std::vector<unsigned>>;

struct Platform {
	const char *name;
	Codes filtered;
	std::vector<Box> boxes = box_rules(name);
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Codes kE5Codes = {{"cbo", {0x34, 0x35, 0x36}}, {"ha", {0x20}}, {"qpi", {0x38}}};

/* From spr on with the discovery tables of the simulated machine; srf has the tables of gnr. */
const Platform kPlatforms[] = {
	{"ivbep", kE5Codes},
	{"hswep", kE5Codes},
	{"bdx", kE5Codes},
	{"skx", {{"cha", {0x34, 0x35, 0x36, 0x38}}}},
	{"icx", {{"cha", {0x34, 0x35}}}},
	{"knl", {{"cha", {0x35, 0x36, 0x3d}}}},
	{"spr", {}},
	{"gnr", {}},
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

INSTANTIATE_TEST_SUITE_P(All, AssignPlatforms, testing::ValuesIn(kPlatforms),
			 testing::PrintToStringParamName());

} // namespace
