// SPDX-License-Identifier: BSD-3-Clause
// assign_test.cc - counter assignment compared with brute force: for random sets of events,
// with random running events, an assignment must be found if and only if one exists, and must
// be valid. The hardware's rules are an independent implementation of docs/hardware/snbep.md,
// without the tables of events/ and src/lib/plan.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/rules.h"
#include "support/seeds.h"
#include "support/simulated.h"

namespace
{

constexpr unsigned kSets = 100000;

/* A random problem: events, and settings that are already running. */
const Box &rules_of(const std::string &kind)
{
	static const std::vector<Box> boxes = box_rules("snbep");

	return *std::find_if(boxes.begin(), boxes.end(),
			     [&](const Box &b) { return b.kind == kind; });
}

struct Problem {
	std::string kind;
	std::vector<struct unc_event> events; // the first n_running are running
	size_t n_running = 0;
	std::vector<Placed> running;
};

using Random = std::mt19937;

unsigned below(Random &random, unsigned n)
{
	return random() % n;
}

template <typename T> T pick(Random &random, const std::vector<T> &list)
{
	return list[below(random, list.size())];
}

class Assign : public testing::Test
{
      protected:
	Simulated sim;

	/* Few different values, so that events often need the same one. */
	struct unc_event random_event(Random &random, const std::string &kind)
	{
		static const std::map<std::string, std::vector<unsigned>> codes = {
			{"cbo", {0x00, 0x02, 0x03, 0x04, 0x05, 0x11, 0x11, 0x13, 0x1b, 0x1d,
				 0x1f, 0x21, 0x34, 0x35, 0x35, 0x36, 0x36, 0x37, 0x39, 0xff}},
			{"ubo", {0x42, 0x44, 0xff}},
			{"pcu", {0x00, 0x0b, 0x0b, 0x0c, 0x0d, 0x0e, 0x80}},
			{"ha", {0x00, 0x01, 0x20, 0x20}},
			{"imc", {0x01, 0x04, 0xff}},
			{"qpi", {0x00, 0x02, 0x38, 0x38}},
			{"r2pcie", {0x01, 0x10, 0x12, 0x23, 0x25, 0x26, 0x33}},
			{"r3qpi", {0x01, 0x10, 0x13, 0x20, 0x27, 0x36}},
		};
		const unsigned code = pick(random, codes.at(kind));
		uint64_t control = code, config1 = 0, config2 = 0;
		struct unc_event ev = {};

		if (kind == "pcu") {
			config1 = pick<uint64_t>(random, {0x0a0a0a0a, 0x14141414, 0x0a14281e});
			if (code == 0x80)
				control |= pick<uint64_t>(random, {0x4000, 0x8000, 0xc000});
		} else if (kind == "cbo") {
			control |= pick<uint64_t>(random, {0, 0x100, 0x300, 0x4100, 0x4300, 0xa00});
			control |= below(random, 8) == 0 ? 1u << 19 : 0;
			if (code == 0x34)
				config1 |= pick<uint64_t>(random, {0x40000, 0x7c0000});
			else
				config1 |= pick<uint64_t>(random, {0xc1000000, 0xc3800000});
			config1 |= pick<uint64_t>(random, {0x400, 0x800}) | below(random, 2);
		} else {
			control |= pick<uint64_t>(random, {0, 0, 0x300});
			config1 = pick<uint64_t>(random, {0x140, 0x140, 0x300000180});
			config2 = pick<uint64_t>(random, {0x3f, 0x3f, 0x3e});
		}
		if (code == 0x11 || code == 0x36 || below(random, 4) == 0)
			control |= pick<uint64_t>(random, {0, 1u << 24, 7u << 24, 14u << 24});
		if (below(random, 8) == 0)
			control |= 1u << 18;
		if (code == 0xff && below(random, 2))
			control = 0xff;
		ev.type = sim.type(kind);
		ev.control = control;
		ev.where.die = -1;
		unc_event_finish(&ev, config1, config2, false);
		return ev;
	}
	Problem random_problem(Random &random)
	{
		static const std::vector<std::string> kinds = {"cbo", "cbo", "cbo",    "cbo",
							       "pcu", "pcu", "ubo",    "ha",
							       "imc", "qpi", "r2pcie", "r3qpi"};
		Problem p;
		std::vector<Wish> wishes;

		p.kind = pick(random, kinds);
		const Box &box = rules_of(p.kind);
		const unsigned n_running = below(random, 3) ? 0 : below(random, box.counters + 1);
		const unsigned n = 1 + below(random, box.counters + 1);

		while (p.events.size() < n + n_running)
			p.events.push_back(random_event(random, p.kind));
		/*
		 * running events: as many of the first ones as have an assignment, placed at
		 * random
		 */
		for (size_t i = 0; i < n_running; i++) {
			wishes.push_back(wish_of(p.events[i]));
			std::vector<Placed> all;
			if (!Search(box, wishes, {}, &random).find(&all)) {
				p.events.erase(p.events.begin() + i, p.events.begin() + n_running);
				break;
			}
			p.running = all;
		}
		p.n_running = p.running.size();
		return p;
	}
	/* The running events in the form that unc_assign() requires. */
	struct unc_use use_of(const Problem &p)
	{
		struct unc_use use = {};

		for (size_t i = 0; i < p.n_running; i++) {
			struct unc_assignment &s = use.at[use.n++];

			s.event = &p.events[i];
			s.counter = static_cast<uint8_t>(p.running[i].counter);
			s.companion = p.running[i].as.companion;
			s.control = p.running[i].as.control;
			s.n_bits = s.event->n_bits;
			for (unsigned b = 0; b < s.n_bits; b++) {
				s.bits[b] = s.event->bits[b];
				if (p.kind == "pcu") {
					s.bits[b].mask = p.running[i].as.filter.at(0).mask;
					s.bits[b].value = p.running[i].as.filter.at(0).value;
				}
			}
		}
		return use;
	}
	std::string text(const Problem &p)
	{
		std::string list = p.kind;
		char one[100];

		for (size_t i = 0; i < p.events.size(); i++) {
			const auto &ev = p.events[i];

			snprintf(one, sizeof(one), " %s%#llx", i < p.n_running ? "running " : "",
				 static_cast<unsigned long long>(ev.control));
			list += one;
			if (i < p.n_running)
				list += "@" + std::to_string(p.running[i].counter);
			for (unsigned b = 0; b < ev.n_bits; b++) {
				snprintf(one, sizeof(one), "/%#llx&%#llx",
					 static_cast<unsigned long long>(ev.bits[b].value),
					 static_cast<unsigned long long>(ev.bits[b].mask));
				list += one;
			}
		}
		return list;
	}
};

std::vector<Wish> wishes_of(const Problem &p)
{
	std::vector<Wish> wishes;

	for (size_t i = p.n_running; i < p.events.size(); i++)
		wishes.push_back(wish_of(p.events[i]));
	return wishes;
}

std::vector<const struct unc_event *> pointers(const Problem &p)
{
	std::vector<const struct unc_event *> list;

	for (size_t i = p.n_running; i < p.events.size(); i++)
		list.push_back(&p.events[i]);
	return list;
}

/* The setting in terms of the rules. Fails if it is not an encoding of its event. */
Placed placed(const Box &box, const struct unc_assignment &s, const Wish &wish)
{
	Placed at = {s.counter, {}, wish};

	for (const Encoding &e : encodings(box, wish))
		if (e.control == s.control && e.companion == s.companion)
			at.as = e;
	EXPECT_EQ(at.as.control, s.control) << "not an encoding of the event";
	for (unsigned b = 0; b < s.n_bits; b++) {
		const auto f = at.as.filter.find(s.bits[b].filter);

		EXPECT_TRUE(f != at.as.filter.end() && f->second.mask == s.bits[b].mask &&
			    f->second.value == s.bits[b].value)
			<< "filter bits of another encoding";
	}
	EXPECT_EQ(at.as.filter.size(), s.n_bits);
	return at;
}

TEST_F(Assign, FindsAnAssignmentExactlyIfThereIsOne)
{
	const unsigned n = support::part_of(kSets);
	std::map<std::string, unsigned> fitting, refused;

	for (unsigned seed = 1; seed <= n; seed++) {
		Random random(seed);
		const Problem p = random_problem(random);
		const Box &box = rules_of(p.kind);
		const std::vector<Wish> wishes = wishes_of(p);
		const auto events = pointers(p);
		const struct unc_use use = use_of(p);
		struct unc_use copy = use;
		std::vector<struct unc_assignment> out(UNC_SLOTS + 8);
		const bool expected = Search(box, wishes, p.running).find(nullptr);
		const bool found = unc_assign(sim.type(p.kind), seed % 2 || use.n ? &copy : nullptr,
					      events.data(), events.size(), out.data());

		SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text(p));
		ASSERT_EQ(expected, found);
		ASSERT_EQ(expected, unc_fits(sim.type(p.kind), &use, events.data(), events.size()));
		ASSERT_EQ(0, memcmp(&use, &copy, sizeof(use))) << "changed the running settings";
		(found ? fitting : refused)[p.kind + (p.n_running ? " with others" : "")]++;
		if (!found)
			continue;
		std::vector<Placed> all = p.running;
		for (size_t i = 0; i < events.size(); i++) {
			ASSERT_EQ(events[i], out[i].event);
			all.push_back(placed(box, out[i], wishes[i]));
		}
		ASSERT_EQ("", fault(box, all));
	}
	/*
	 * the sample has both results for every box type, on idle boxes and with running
	 * events
	 */
	for (const char *kind : {"cbo", "pcu", "ubo", "ha", "imc", "qpi", "r2pcie", "r3qpi"})
		for (const char *with : {"", " with others"}) {
			EXPECT_GT(fitting[std::string(kind) + with], n / 1000) << kind << with;
			EXPECT_GT(refused[std::string(kind) + with], n / 2000) << kind << with;
		}
}

/* Size of the smallest subset that does not fit; 0 if all fit. */
size_t smallest_conflict(const Box &box, const std::vector<Wish> &wishes,
			 const std::vector<Placed> &running)
{
	size_t best = 0;

	for (unsigned subset = 1; subset < 1u << wishes.size(); subset++) {
		const size_t size = __builtin_popcount(subset);
		std::vector<Wish> some;

		if (best && size >= best)
			continue;
		for (size_t i = 0; i < wishes.size(); i++)
			if (subset >> i & 1)
				some.push_back(wishes[i]);
		if (!Search(box, some, running).find(nullptr))
			best = size;
	}
	return best;
}

// Three events for counters 2 and 3, and three for 0 and 1, after many that may use all four.
TEST_F(Assign, ConflictIsTheFirstOfTheSmallestInALongList)
{
	std::vector<const struct unc_event *> events;
	std::vector<const char *> names;
	std::vector<unsigned> indices(UNC_SLOTS);
	char reason[1024];

	for (unsigned umask = 0; umask < 40; umask++) {
		const unsigned code = umask % 11 == 10 ? 0x1b : umask % 11 == 0 ? 0x09 : 0;

		events.push_back(sim.event("snbep_unc_cbo::RAW:config=" +
					   std::to_string((umask + 1) << 8 | code)));
		ASSERT_NE(nullptr, events.back()) << sim.why();
		names.push_back("event");
	}
	events.erase(events.begin());
	ASSERT_EQ(3u, unc_conflict(sim.box("cbo"), nullptr, events.data(), names.data(), 39,
				   indices.data(), reason, sizeof(reason)));
	EXPECT_EQ(9u, indices[0]);
	EXPECT_EQ(20u, indices[1]);
	EXPECT_EQ(31u, indices[2]);
	EXPECT_STREQ("event, event and event need counter 2 or 3 of cbo: no other counter supports "
		     "them",
		     reason);
}

TEST_F(Assign, ConflictIsASmallestOneAndNamed)
{
	const unsigned n = support::part_of(kSets) / 20;
	unsigned conflicts = 0;

	for (unsigned seed = 1; conflicts < n; seed++) {
		Random random(seed);
		const Problem p = random_problem(random);
		const Box &box = rules_of(p.kind);
		const std::vector<Wish> wishes = wishes_of(p);
		const auto events = pointers(p);
		const struct unc_use use = use_of(p);
		std::vector<unsigned> indices(UNC_SLOTS + 2);
		std::vector<std::string> texts;
		std::vector<const char *> names;
		char reason[512] = "";

		if (Search(box, wishes, p.running).find(nullptr))
			continue;
		conflicts++;
		SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text(p));
		for (size_t i = 0; i < events.size(); i++)
			texts.push_back("EVENT_" + std::string(1, static_cast<char>('A' + i)));
		for (const auto &t : texts)
			names.push_back(t.c_str());
		indices.resize(unc_conflict(sim.box(p.kind), &use, events.data(), names.data(),
					    events.size(), indices.data(), reason, sizeof(reason)));

		/* events that never fit together are a better reason than running ones */
		const size_t alone = smallest_conflict(box, wishes, {});
		const bool against_running = alone == 0;
		std::vector<Wish> some;

		ASSERT_EQ(against_running ? smallest_conflict(box, wishes, p.running) : alone,
			  indices.size());
		for (unsigned i : indices) {
			ASSERT_LT(i, wishes.size());
			some.push_back(wishes[i]);
			EXPECT_NE(nullptr, strstr(reason, names[i])) << reason;
		}
		ASSERT_EQ(indices.size(),
			  std::set<unsigned>(indices.begin(), indices.end()).size());
		ASSERT_FALSE(Search(box, some, against_running ? p.running : std::vector<Placed>())
				     .find(nullptr))
			<< reason;
		EXPECT_EQ(against_running, strstr(reason, "already counting") != nullptr) << reason;
	}
}

} // namespace
