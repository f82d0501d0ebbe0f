// SPDX-License-Identifier: BSD-3-Clause
// assign_ex_test.cc - M- and R-Boxes of Nehalem-EX and Westmere-EX compared with brute force:
// an assignment must be found if and only if some choice of slots, registers and register
// halves has no two events that need different values of one bit. The rules are an independent
// implementation of docs/hardware/nhmex.md by MSR number, without the tables of events/ and
// src/lib/plan.
#include <cstring>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/seeds.h"
#include "support/simulated.h"

namespace
{

constexpr unsigned kSets = 20000;

using Random = std::mt19937;

struct Bits {
	uint64_t mask, value;

	bool operator==(const Bits &b) const
	{
		return mask == b.mask && value == b.value;
	}
};

/* One way to count an event: its control, and its bits of MSRs of box 0. */
struct Encoding {
	uint64_t control;
	std::map<uint32_t, Bits> bits;
};

struct Event {
	uint64_t config, config1, config2;
	std::vector<Encoding> encodings;
};

struct Layout {
	uint64_t common;
	unsigned slot; // lowest bit of evnt0
};

struct Platform {
	std::string name;
	Layout fvc;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

constexpr uint64_t kWord = 0xffffffff;

template <typename T> T pick(Random &random, const std::vector<T> &list)
{
	return list[random() % list.size()];
}

/* ---- M-Box ---- */

std::vector<Encoding> mbox_encodings(const Layout &l, const Event &e)
{
	const bool flag = e.config >> 7 & 1;
	const unsigned sel = flag ? e.config >> 19 & 7 : e.config >> 9 & 0x1f;
	const Bits low = {kWord, e.config1 & kWord}, pld = {kWord, e.config1 >> 32};
	Encoding one = {e.config, {}};
	const auto address = [&] {
		one.bits[0xe54] = {UINT64_C(1) << 63, e.config2 & UINT64_C(1) << 63};
		one.bits[0xe55] = {0x3ffffffff, e.config2 & 0x3ffffffff};
		one.bits[0xe56] = {0x7ffffff, e.config2 >> 34 & 0x7ffffff};
	};
	std::vector<Encoding> all;

	if (flag) {
		static const std::map<unsigned, uint32_t> registers = {
			{0, 0xca5}, {1, 0xca6}, {5, 0xca9}, {6, 0xca7}};

		if (registers.count(sel))
			one.bits[registers.at(sel)] = low;
		return {one};
	}
	if (sel >= 0x0d && sel <= 0x10) {
		const unsigned own = sel - 0x0d;
		const uint64_t field = e.config1 >> (l.slot + 3 * own) & 7;

		for (unsigned n = 0; n < 4; n++) {
			const unsigned shift = l.slot + 3 * n;
			const uint64_t control = (e.config & ~UINT64_C(0x3e00)) | (0x0d + n) << 9;

			all.push_back({control,
				       {{0xcab,
					 {l.common | UINT64_C(7) << shift,
					  (e.config1 & l.common) | field << shift}}}});
		}
		return all;
	}
	if (sel == 0x00)
		one.bits[0xca5] = low;
	if (sel == 0x04 || sel == 0x05)
		one.bits[0xca8] = low;
	if (sel == 0x09 || sel == 0x0a)
		one.bits[0xca6] = low;
	if (sel == 0x0a || sel == 0x0b) {
		one.bits[0xcaa] = pld;
		address();
	}
	if (sel == 0x16)
		one.bits[0xca9] = low;
	return {one};
}

Event mbox_event(Random &random, const Layout &l)
{
	static const std::vector<unsigned> incs = {0x00, 0x01, 0x04, 0x05, 0x09, 0x0a, 0x0b, 0x0d,
						   0x0d, 0x0d, 0x0e, 0x0f, 0x10, 0x10, 0x16, 0x1b};
	Event e = {};

	e.config = random() % 5 ? uint64_t(pick(random, incs)) << 9
				: 0x80 | uint64_t(pick<unsigned>(random, {0, 1, 3, 5, 6})) << 19;
	e.config |= pick<uint64_t>(random, {0x40, 0x40, 0x44});
	e.config1 = (random() % 3 ? 0 : UINT64_C(1) << (l.slot - 4)) | UINT64_C(0x300) << 32;
	for (unsigned n = 0; n < 4; n++)
		e.config1 |= uint64_t(pick<unsigned>(random, {1, 5, 5})) << (l.slot + 3 * n);
	e.config2 = pick<uint64_t>(random, {0, 0, 0, UINT64_C(0x8000000400000010)});
	e.encodings = mbox_encodings(l, e);
	return e;
}

/* ---- R-Box ---- */

Encoding rbox_encoding(const Event &e, unsigned event, uint64_t byte)
{
	const unsigned port = event / 6, k = event % 6;
	const uint32_t set = (k == 4 ? 0xe60 : 0xe70) + 4 * port;
	Encoding out = {(e.config & ~UINT64_C(0x3e)) | event << 1, {}};

	if (k < 2)
		out.bits[(k ? 0xe24 : 0xe04) + port] = {kWord, e.config1 & kWord};
	else if (k < 4)
		out.bits[0xe0c + port] = {UINT64_C(0xff) << (8 * (k - 2)), byte << (8 * (k - 2))};
	else
		out.bits = {{set, {kWord, e.config >> 32}},
			    {set + 1, {UINT64_MAX, e.config1}},
			    {set + 2, {UINT64_MAX, e.config2}}};
	return out;
}

Event rbox_event(Random &random)
{
	const unsigned event = pick<unsigned>(random, {0, 0, 6, 18}) + random() % 6;
	Event e = {};

	e.config = static_cast<uint64_t>(event) << 1;
	e.config1 = pick<uint64_t>(random, {0x80000003, 0x40000303, 0x0a0b});
	if (event % 6 >= 4) {
		e.config |= pick<uint64_t>(random, {1, 1, 5}) << 32;
		e.config2 = pick<uint64_t>(random, {0xff, 0xff, 0xfe});
	}
	const uint64_t byte = e.config1 >> (event % 6 == 3 ? 8 : 0) & 0xff;
	e.encodings = {rbox_encoding(e, event, byte), rbox_encoding(e, event ^ 1, byte)};
	return e;
}

/* ---- brute force ---- */

using Registers = std::map<uint32_t, Bits>;

bool take(Registers &registers, const Encoding &e)
{
	for (const auto &[msr, bits] : e.bits) {
		Bits &all = registers[msr];

		if (all.mask & bits.mask & (all.value ^ bits.value))
			return false;
		all.mask |= bits.mask;
		all.value |= bits.value;
	}
	return true;
}

bool some_choice(const std::vector<Event> &events, size_t i, const Registers &registers)
{
	if (i == events.size())
		return true;
	for (const Encoding &e : events[i].encodings) {
		Registers next = registers;

		if (take(next, e) && some_choice(events, i + 1, next))
			return true;
	}
	return false;
}

class AssignEx : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	Simulated sim{("sim:" + platform.name + ":packages=1,time=virtual").c_str()};

	std::vector<Event> random_events(Random &random, const std::string &kind, unsigned n)
	{
		std::vector<Event> events;

		for (unsigned i = 0; i < n; i++)
			events.push_back(kind == "mbox" ? mbox_event(random, platform.fvc)
							: rbox_event(random));
		return events;
	}
	std::vector<struct unc_event> encoded(const std::string &kind,
					      const std::vector<Event> &events)
	{
		std::vector<struct unc_event> list;

		for (const Event &e : events) {
			struct unc_event ev = {};

			ev.type = sim.type(kind);
			ev.control = e.config;
			ev.where.die = -1;
			unc_event_finish(&ev, e.config1, e.config2, false);
			list.push_back(ev);
		}
		return list;
	}
	/* Which of the event's encodings the setting is. */
	const Encoding *encoding_of(const struct unc_assignment &s, const Event &e,
				    const struct unc_box_type *type)
	{
		for (const Encoding &one : e.encodings) {
			Registers bits;

			for (unsigned b = 0; b < s.n_bits; b++)
				bits[type->filters[s.bits[b].filter].address] = {s.bits[b].mask,
										 s.bits[b].value};
			if (one.control == s.control && one.bits == bits)
				return &one;
		}
		return nullptr;
	}
};

TEST_P(AssignEx, FindsAnAssignmentExactlyIfThereIsOne)
{
	std::map<std::string, unsigned> fitting, refused;

	const unsigned sets = support::part_of(kSets);

	for (unsigned seed = 1; seed <= sets; seed++) {
		Random random(seed);
		const std::string kind = seed % 2 ? "mbox" : "rbox";
		const struct unc_box_type *type = sim.type(kind);
		const unsigned n = 1 + random() % (type->n_counters + 1);
		const unsigned running = random() % 2 ? 0 : random() % n;
		const std::vector<Event> events = random_events(random, kind, n);
		const std::vector<struct unc_event> list = encoded(kind, events);
		std::vector<const struct unc_event *> pointers;
		std::vector<struct unc_assignment> out(UNC_SLOTS + 8);
		struct unc_use use = {};
		Registers registers;
		std::set<unsigned> counters;

		SCOPED_TRACE("seed " + std::to_string(seed));
		for (const auto &ev : list)
			pointers.push_back(&ev);
		/* running events were placed without knowledge of later ones */
		if (running && !unc_assign(type, nullptr, pointers.data(), running, out.data()))
			continue;
		use = together(use, out.data(), running);
		for (unsigned i = 0; i < running; i++) {
			const Encoding *e = encoding_of(out[i], events[i], type);

			ASSERT_NE(nullptr, e);
			ASSERT_TRUE(take(registers, *e));
			counters.insert(out[i].counter);
		}
		const std::vector<Event> rest(events.begin() + running, events.end());
		const bool expected = n <= type->n_counters && some_choice(rest, 0, registers);
		ASSERT_EQ(expected,
			  unc_assign(type, &use, &pointers[running], n - running, out.data()));
		ASSERT_EQ(expected, unc_fits(type, &use, &pointers[running], n - running));
		(expected ? fitting : refused)[kind + (running ? " with others" : "")]++;
		for (unsigned i = 0; expected && i < n - running; i++) {
			const Encoding *e = encoding_of(out[i], rest[i], type);

			ASSERT_NE(nullptr, e) << "no encoding of event " << i;
			ASSERT_TRUE(take(registers, *e));
			ASSERT_TRUE(counters.insert(out[i].counter).second);
			ASSERT_GT(type->n_counters, out[i].counter);
		}
	}
	for (const char *kind : {"mbox", "rbox", "mbox with others", "rbox with others"}) {
		EXPECT_LT(sets / 40, fitting[kind]) << kind;
		EXPECT_LT(sets / 40, refused[kind]) << kind;
	}
}

TEST_P(AssignEx, ConflictIsASmallestOne)
{
	unsigned conflicts = 0;

	for (unsigned seed = 1; conflicts < support::part_of(kSets) / 50; seed++) {
		Random random(seed);
		const std::string kind = seed % 2 ? "mbox" : "rbox";
		const struct unc_box_type *type = sim.type(kind);
		const unsigned n = 2 + random() % (type->n_counters - 1);
		const std::vector<Event> events = random_events(random, kind, n);
		const std::vector<struct unc_event> list = encoded(kind, events);
		std::vector<const struct unc_event *> pointers;
		std::vector<const char *> names(n, "EVENT");
		unsigned indices[UNC_SLOTS + 2], smallest = n;
		char reason[512] = "";

		if (some_choice(events, 0, {}))
			continue;
		conflicts++;
		for (const auto &ev : list)
			pointers.push_back(&ev);
		for (unsigned subset = 1; subset < 1u << n; subset++) {
			std::vector<Event> some;

			for (unsigned i = 0; i < n; i++)
				if (subset >> i & 1)
					some.push_back(events[i]);
			if (some.size() < smallest && !some_choice(some, 0, {}))
				smallest = static_cast<unsigned>(some.size());
		}
		SCOPED_TRACE("seed " + std::to_string(seed));
		ASSERT_EQ(smallest, unc_conflict(sim.box(kind), nullptr, pointers.data(),
						 names.data(), n, indices, reason, sizeof(reason)));
		EXPECT_NE('\0', reason[0]);
	}
}

/* FVC: the two layouts, docs/hardware/nhmex.md. */
INSTANTIATE_TEST_SUITE_P(All, AssignEx,
			 testing::Values(Platform{"nhmex", {0x8007ff, 11}},
					 Platform{"wsmex", {0x1000fff, 12}}),
			 testing::PrintToStringParamName());

} // namespace
