/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - finds by brute force which events a box can count together, and on which counters.
 * Written from docs/hardware for the tests, without tables or code of events/ and src/lib/plan.
 */
#ifndef TESTS_RULES_H
#define TESTS_RULES_H

#include <map>
#include <random>
#include <string>
#include <vector>

struct unc_event;

struct Range {
	unsigned first, last, counters;
};

struct Box {
	std::string kind;
	unsigned counters;
	bool fixed; // event 0xff is the fixed counter
	std::vector<Range> ranges;
	bool companion = false; // for a CHA; a C-Box always has it
};

/* Of all kinds of boxes that have rules here. */
std::vector<Box> box_rules(const std::string &platform);

struct Bits {
	uint64_t mask, value;
};

using Filter = std::map<unsigned, Bits>; // by filter register

/* An event that needs a counter. */
struct Wish {
	uint64_t control;
	Filter filter;
};

/* A possible encoding of it. */
struct Encoding {
	uint64_t control;
	unsigned counters;
	bool companion; // COUNTER0_OCCUPANCY, uses the queue on counter 0
	Filter filter;
};

struct Placed {
	unsigned counter; // box.counters: the fixed counter
	Encoding as;
	Wish wish;
};

Wish wish_of(const struct unc_event &ev);

bool is_occupancy(const Box &box, uint64_t control);

std::vector<Encoding> encodings(const Box &box, const Wish &wish);

bool same_filter(const Filter &a, const Filter &b);

/* Whether they need different values for the same bits of a filter register. */
bool filters_differ(const Filter &a, const Filter &b);

/* The error in an assignment of a whole box; "" if it is valid. */
std::string fault(const Box &box, const std::vector<Placed> &all);

/*
 * Tries every event on every counter in every encoding until an assignment is valid. A
 * partial assignment that already has an error, such as two values for a filter, is not
 * continued.
 */
class Search
{
      public:
	Search(const Box &box, const std::vector<Wish> &wishes, const std::vector<Placed> &running,
	       std::mt19937 *random = nullptr);
	bool find(std::vector<Placed> *found);

      private:
	bool place(size_t i);
	bool meets_another(const Encoding &encoding) const;

	const Box &box;
	const std::vector<Wish> &wishes;
	std::vector<std::vector<Encoding>> ways; // encodings of each wish
	std::vector<Placed> all;
	std::mt19937 *random;
	unsigned taken = 0;
};

#endif
