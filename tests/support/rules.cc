// SPDX-License-Identifier: BSD-3-Clause
#include "support/rules.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include "event/event.h"

namespace
{

struct Row {
	const char *platforms, *kinds; // words
	unsigned counters;
	bool fixed;
	const char *codes; // "1b-1e:c": events 0x1b to 0x1e count on counters 2 and 3
	bool companion = false;
};

// docs/hardware, "Counter rules": the stricter of Intel's and the driver's; all other events count
// on all counters.
const Row kRows[] = {
	{"snbep", "cbo", 4, false,
	 "1:1 2:3 3:3 4-5:3 6:3 7:3 9:3 11:1 12-13:3 14:3 1b-1e:c 1f:e 21:3 23:3 31-35:3 36:1 37-39:3 3b:1"},
	{"ivbep", "cbo", 4, false, "2-7:3 11:1 12-14:3 1b-1e:c 1f:e 31-35:3 36:1 37:3 39:3"},
	{"hswep", "cbo", 4, false, "9:1 11:1 1f:e 36:1 3e:1"},
	{"bdx", "cbo", 4, false, "9:3 11:1 36:1 3e:1"},
	{"snbep ivbep hswep bdx skx icx knl", "ubo", 2, true, ""},
	{"snbep ivbep hswep skx icx", "pcu", 4, false, ""},
	{"snbep ivbep", "ha", 4, false, ""},
	{"hswep bdx", "ha", 4, false, "b:2 61-62:7 64-65:7"},
	{"snbep ivbep hswep bdx skx icx knl spr gnr", "imc", 4, true, ""},
	{"snbep ivbep hswep bdx", "qpi", 4, false, ""},
	{"snbep", "r2pcie", 4, false, "10-11:3 12:1 23-25:1 26:3 32-34:3"},
	{"ivbep", "r2pcie", 4, false, "10-11:3 12-13:1 23:1 25-26:1 28:1 32-34:3"},
	{"hswep bdx", "r2pcie", 4, false, "10-11:3 13:1 23:1 25:1 26:3 28:3 2a:1 2c-2d:3 32-33:3"},
	{"snbep", "r3qpi", 3, false, "10-12:3 13:1 20-26:3 28-34:3 36-39:3"},
	{"ivbep", "r3qpi", 3, false, "10-12:3 13:1 23:3 25-26:3 28-2f:3 31-34:3 36-39:3"},
	{"hswep bdx", "r3qpi", 3, false,
	 "10-11:3 13:1 14-15:3 1f-22:3 26:3 28-29:3 2a-2b:1 2c-2f:3 33-34:3 36-39:3"},
	{"hswep", "sbo", 4, false, "11:1"},
	{"bdx", "sbo", 4, false, ""},
	{"skx", "cha", 4, false, "11:1 36:1 3b:1", true},
	{"icx", "cha", 4, false, "11:1 36:1", true},
	{"knl", "cha", 4, false, "11:1 1f:1 36:1"},
	{"spr gnr", "cha", 4, false, "11:1 36:1"},
	{"skx", "iio", 4, false, "83:3 c0:c d5:c"},
	{"icx", "iio", 4, false, "2-3:3 83:3 88:c c0:c c5:c d5:c"},
	{"spr", "iio", 4, false, "2-3:3 40-41:1 83:3 88:c c0:c c5:c d5:c"},
	{"skx icx knl spr", "irp", 2, false, ""},
	{"skx knl", "m2pcie", 4, false, "23:3"},
	{"icx spr", "m2pcie", 4, false, "14:3 23:3 2d:3"},
	{"skx icx spr", "m2m", 4, false, ""},
	{"skx icx spr gnr", "upi", 4, false, ""},
	{"skx", "m3upi", 3, false, "1c-1e:1 3c:1 8e:1"},
	{"icx", "m3upi", 4, false, "1c-1f:1 40:7 4e-50:7"},
	{"spr", "m3upi", 1, false, ""},
	{"knl", "imc_uclk edc_uclk edc_eclk", 4, true, ""},
	{"spr", "ubo", 2, true, "4c-4f:1"},
	{"spr", "mdf cxldp", 4, false, ""},
	{"spr", "cxlcm", 8, false, "2:f 5:f 40-43:f0 4b:f0 52:f0"},
	{"gnr", "b2cmi", 4, false, ""},
};

std::vector<std::string> words_of(const std::string &text)
{
	std::istringstream words(text);

	return {std::istream_iterator<std::string>(words), {}};
}

std::vector<Range> ranges_of(const std::string &codes)
{
	std::vector<Range> all;

	for (const std::string &word : words_of(codes)) {
		Range r = {};

		if (sscanf(word.c_str(), "%x-%x:%x", &r.first, &r.last, &r.counters) != 3) {
			if (sscanf(word.c_str(), "%x:%x", &r.first, &r.counters) != 2)
				throw std::runtime_error("not a rule: " + word);
			r.last = r.first;
		}
		all.push_back(r);
	}
	return all;
}

} // namespace

std::vector<Box> box_rules(const std::string &platform)
{
	std::vector<Box> all;

	for (const Row &row : kRows)
		for (const std::string &p : words_of(row.platforms))
			for (const std::string &kind : words_of(p == platform ? row.kinds : ""))
				all.push_back({kind, row.counters, row.fixed, ranges_of(row.codes),
					       row.companion});
	return all;
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
