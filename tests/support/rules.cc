// SPDX-License-Identifier: BSD-3-Clause
#include "support/rules.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "event/event.h"

const Box &box_rules(const std::string &kind)
{
	/* the stricter of Intel's and the driver's rules */
	static const std::vector<Box> boxes = {
		{"cbo",
		 4,
		 false,
		 {{0x01, 0x01, 1},
		  {0x02, 0x02, 3},
		  {0x03, 0x03, 3},
		  {0x04, 0x05, 3},
		  {0x06, 0x06, 3},
		  {0x07, 0x07, 3},
		  {0x09, 0x09, 3},
		  {0x11, 0x11, 1},
		  {0x12, 0x13, 3},
		  {0x14, 0x14, 3},
		  {0x1b, 0x1e, 0xc},
		  {0x1f, 0x1f, 0xe},
		  {0x21, 0x21, 3},
		  {0x23, 0x23, 3},
		  {0x31, 0x35, 3},
		  {0x36, 0x36, 1},
		  {0x37, 0x39, 3},
		  {0x3b, 0x3b, 1}}},
		{"ubo", 2, true, {}},
		{"pcu", 4, false, {}},
		{"ha", 4, false, {}},
		{"imc", 4, true, {}},
		{"qpi", 4, false, {}},
		{"r2pcie",
		 4,
		 false,
		 {{0x10, 0x11, 3},
		  {0x12, 0x12, 1},
		  {0x23, 0x25, 1},
		  {0x26, 0x26, 3},
		  {0x32, 0x34, 3}}},
		{"r3qpi",
		 3,
		 false,
		 {{0x10, 0x12, 3},
		  {0x13, 0x13, 1},
		  {0x20, 0x26, 3},
		  {0x28, 0x34, 3},
		  {0x36, 0x39, 3}}},
	};

	for (const Box &box : boxes)
		if (box.kind == kind)
			return box;
	throw std::runtime_error("no rules for " + kind);
}

Wish wish_of(const struct unc_event &ev)
{
	Wish wish = {ev.control, {}};

	for (unsigned i = 0; i < ev.n_bits; i++)
		wish.filter[ev.bits[i].filter] = {ev.bits[i].mask, ev.bits[i].value};
	return wish;
}

bool is_occupancy(const Box &box, uint64_t control)
{
	const unsigned code = control & 0xff;

	return (box.kind == "cbo" || box.companion) && (code == 0x11 || code == 0x36);
}

std::vector<Encoding> encodings(const Box &box, const Wish &wish)
{
	const unsigned code = wish.control & 0xff, all = (1u << box.counters) - 1;
	std::vector<Encoding> list;
	unsigned counters = all;

	for (const Range &r : box.ranges)
		if (code >= r.first && code <= r.last)
			counters = r.counters & all;
	if (box.fixed && wish.control == 0xff)
		counters = 1u << box.counters;
	list.push_back({wish.control, counters, false, wish.filter});
	/* a frequency band can use the byte of any other band */
	for (unsigned k = 1; box.kind == "pcu" && code >= 0x0b && code <= 0x0e && k < 4; k++) {
		const unsigned own = code - 0x0b, to = (own + k) % 4;
		const uint64_t value = wish.filter.at(0).value >> (8 * own) & 0xff;

		list.push_back({(wish.control & ~0xffull) | (0x0b + to),
				all,
				false,
				{{0, {0xffull << (8 * to), value << (8 * to)}}}});
	}
	/* a threshold on a queue, in addition to the queue itself */
	if (is_occupancy(box, wish.control) && (wish.control & 0xff000000))
		list.push_back({(wish.control & 0xff840000) | 0x1f, 0xe, true, wish.filter});
	return list;
}

bool same_filter(const Filter &a, const Filter &b)
{
	return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
		return x.first == y.first && x.second.mask == y.second.mask &&
		       x.second.value == y.second.value;
	});
}

bool filters_differ(const Filter &a, const Filter &b)
{
	for (const auto &[reg, bits] : a) {
		const auto other = b.find(reg);

		if (other != b.end() &&
		    (bits.mask & other->second.mask & (bits.value ^ other->second.value)))
			return true;
	}
	return false;
}

std::string fault(const Box &box, const std::vector<Placed> &all)
{
	const Placed *queue = nullptr;
	std::set<unsigned> used;

	for (const Placed &p : all) {
		if (!(p.as.counters >> p.counter & 1))
			return "counter " + std::to_string(p.counter) + " does not count that";
		if (!used.insert(p.counter).second)
			return "counter " + std::to_string(p.counter) + " twice";
		for (const Placed &q : all)
			if (filters_differ(p.as.filter, q.as.filter))
				return "filter values differ";
		if (p.counter == 0)
			queue = &p;
	}
	for (const Placed &p : all) {
		if (!p.as.companion)
			continue;
		/* same event, umask and tid_en, same filter; the threshold may differ */
		if (!queue || !is_occupancy(box, queue->as.control) ||
		    ((queue->as.control ^ p.wish.control) & 0x8ffff) ||
		    !same_filter(queue->wish.filter, p.wish.filter))
			return "companion without its queue on counter 0";
	}
	return "";
}

Search::Search(const Box &box, const std::vector<Wish> &wishes, const std::vector<Placed> &running,
	       std::mt19937 *random)
    : box(box), wishes(wishes), all(running), random(random)
{
	for (const Placed &p : running)
		taken |= 1u << p.counter;
	for (const Wish &wish : wishes)
		ways.push_back(encodings(box, wish));
}

bool Search::find(std::vector<Placed> *found)
{
	if (!place(0))
		return false;
	if (found)
		*found = all;
	return true;
}

bool Search::place(size_t i)
{
	if (i == wishes.size())
		return fault(box, all).empty();

	std::vector<std::pair<unsigned, const Encoding *>> options;
	for (const Encoding &e : ways[i])
		for (unsigned c = 0; c <= box.counters; c++)
			if (e.counters & ~taken & (1u << c))
				options.push_back({c, &e});
	if (random)
		std::shuffle(options.begin(), options.end(), *random);
	for (const auto &[counter, encoding] : options) {
		if (meets_another(*encoding))
			continue;
		all.push_back({counter, *encoding, wishes[i]});
		taken |= 1u << counter;
		if (place(i + 1))
			return true;
		taken &= ~(1u << counter);
		all.pop_back();
	}
	return false;
}

bool Search::meets_another(const Encoding &encoding) const
{
	for (const Placed &p : all)
		if (filters_differ(p.as.filter, encoding.filter))
			return true;
	return false;
}
