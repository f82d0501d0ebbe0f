/* SPDX-License-Identifier: BSD-3-Clause */
// model.h - the expected value and owner of each register after any sequence of steps. The
// model takes boxes and events from registers.h and does not use the library.
#ifndef TEST_CLAIM_MODEL_H
#define TEST_CLAIM_MODEL_H

#include <set>
#include <sstream>
#include <tuple>

#include "claim/registers.h"

namespace ledger_guard
{

// An event of the platform in one package.
struct Claim {
	unsigned package, event;

	bool operator<(const Claim &other) const
	{
		return std::tie(package, event) < std::tie(other.package, other.event);
	}
};
using Claims = std::set<Claim>;

// A process.
struct Owner {
	bool alive = true;
	bool torn = false;                 // killed during a step: its registers may hold anything
	std::map<unsigned, Claims> counts; // by number of the set
	// It lacked memory: what its journal may list although it does not count it, and packages
	// whose own registers it may restore later.
	Claims listed;
	std::set<unsigned> late;

	Claims all() const
	{
		Claims claims;

		for (const auto &[set, some] : counts)
			claims.insert(some.begin(), some.end());
		return claims;
	}
};

class Model
{
      public:
	enum Answer { kStarts, kConflict, kBusy, kAny };

	Model(const Platform &on, const Registers &registers, unsigned packages)
	    : on(on), registers(registers)
	{
		for (unsigned p = 0; p < packages; p++)
			for (const Box &box : on.boxes)
				for (uint64_t address : addresses(box))
					before[{p, &box, address}] =
						registers.read(box, p, address);
		for (unsigned p = 0; on.global && p < packages; p++)
			global_before.push_back(registers.read(on.boxes[0], p, on.global));
	}

	std::map<int, Owner> owners; // by number of the process

	// The expected result of starting a set.
	Answer start(int who, const Claims &set) const
	{
		const Claims own = owners.at(who).all();
		Answer answer = kStarts;

		if (!knows_counters(who, own))
			return kAny;
		if (!fits(who, own, set))
			return kConflict;
		for (const auto &[other, owner] : owners)
			for (const Claim &theirs : owner.all())
				for (const Claim &ours : set)
					if (other != who && owner.alive && same_box(ours, theirs))
						answer = is_exclusive(ours) ? kBusy
							 : answer == kBusy  ? kBusy
									    : kAny;
		return answer == kStarts && is_listed(who, set) ? kAny : answer;
	}
	void lack(int who, const Claims &listed, const std::set<unsigned> &where)
	{
		Owner &owner = owners.at(who);

		owner.listed.insert(listed.begin(), listed.end());
		owner.late.insert(where.begin(), where.end());
	}
	// A process that holds the locks of these packages restores the registers of dead
	// processes.
	void recover(const std::set<unsigned> &where)
	{
		for (auto &[who, owner] : owners)
			for (auto &[set, claims] : owner.counts)
				for (auto c = claims.begin(); !owner.alive && c != claims.end();)
					c = where.count(c->package) ? claims.erase(c)
								    : std::next(c);
		for (auto &[who, owner] : owners)
			for (unsigned p : where)
				if (!owner.alive)
					owner.late.erase(p);
		for (auto o = owners.begin(); o != owners.end();)
			o = is_gone(o->second) ? owners.erase(o) : std::next(o);
	}
	// A recovery in these packages was interrupted.
	void tear(const std::set<unsigned> &where)
	{
		for (auto &[who, owner] : owners)
			for (const Claim &c : owner.all())
				owner.torn |= !owner.alive && where.count(c.package);
	}
	// "", or the registers of these packages that have unexpected values.
	std::string check(const std::set<unsigned> &where)
	{
		std::ostringstream wrong;

		for (unsigned p : where) {
			for (unsigned b = 0; b < on.boxes.size(); b++)
				if (!is_torn(p, &b))
					check_box(p, b, wrong);
			if (on.global && !is_torn(p, nullptr) && !is_late(p))
				expect(on.boxes[0], p, on.global, kAll,
				       global_before[p] | (is_used(p) ? on.global_run : 0), wrong);
		}
		return wrong.str();
	}
	bool fits(const Claims &set) const
	{
		return fits(-1, {}, set);
	}
	bool is_used(unsigned package) const
	{
		for (const auto &[who, owner] : owners)
			for (const Claim &c : owner.all())
				if (c.package == package)
					return true;
		return false;
	}

      private:
	using Mine = std::pair<int, Claim>;

	static std::vector<uint64_t> addresses(const Box &box)
	{
		std::vector<uint64_t> all = box.filters;

		for (unsigned c = 0; c < box.n; c++)
			all.push_back(box.first + box.step * c);
		if (box.unit)
			all.push_back(box.unit);
		return all;
	}
	const Event &event(const Claim &c) const
	{
		return on.events[c.event];
	}
	bool same_box(const Claim &a, const Claim &b) const
	{
		return a.package == b.package && event(a).box == event(b).box;
	}
	// The event uses the unit control, so its process owns the whole box.
	bool is_exclusive(const Claim &c) const
	{
		return on.boxes[event(c).box].unit && !on.per_counter;
	}
	static bool is_gone(const Owner &owner)
	{
		return !owner.alive && owner.all().empty() && owner.late.empty();
	}
	bool is_late(unsigned package) const
	{
		for (const auto &[who, owner] : owners)
			if (owner.late.count(package))
				return true;
		return false;
	}
	bool is_listed(int who, const Claims &set) const
	{
		for (const auto &[other, owner] : owners)
			for (const Claim &theirs : owner.listed)
				for (const Claim &ours : set)
					if (other != who && same_box(ours, theirs))
						return true;
		return false;
	}
	bool is_torn(unsigned package, const unsigned *box) const
	{
		for (const auto &[who, owner] : owners)
			for (const Claim &c : owner.all())
				if (owner.torn && c.package == package &&
				    (!box || event(c).box == *box))
					return true;
		return false;
	}

	// ---- counter assignment ----

	bool knows_counters(int who, const Claims &own) const
	{
		for (const Claim &c : own)
			if (!counter_of.count({who, c}))
				return false;
		return true;
	}
	bool agree(const Claim &a, const Claim &b) const
	{
		for (const Filter &f : event(a).filters)
			for (const Filter &g : event(b).filters)
				if (same_box(a, b) && f.address == g.address &&
				    (f.value ^ g.value) & f.bits & g.bits)
					return false;
		return true;
	}
	// Assigns counters to the claims from c on.
	bool has_counters(Claims::const_iterator c, Claims::const_iterator end,
			  std::map<std::pair<unsigned, unsigned>, unsigned> &taken) const
	{
		if (c == end)
			return true;
		unsigned &used = taken[{c->package, event(*c).box}];
		for (unsigned bit = 1; bit < 256; bit <<= 1) {
			if (!(event(*c).counters & ~used & bit))
				continue;
			used |= bit;
			if (has_counters(std::next(c), end, taken))
				return true;
			used &= ~bit;
		}
		return false;
	}
	bool fits(int who, const Claims &own, const Claims &set) const
	{
		std::map<std::pair<unsigned, unsigned>, unsigned> taken;
		Claims more;

		for (const Claim &c : own)
			taken[{c.package, event(c).box}] |= 1U << counter_of.at({who, c});
		for (const Claim &c : set) {
			if (!own.count(c))
				more.insert(c);
			for (const Claims *others : {&own, &set})
				for (const Claim &other : *others)
					if (!agree(c, other))
						return false;
		}
		return has_counters(more.begin(), more.end(), taken);
	}

	// ---- expected values ----

	void expect(const Box &box, unsigned package, uint64_t address, uint64_t bits,
		    uint64_t value, std::ostream &wrong) const
	{
		const uint64_t held = registers.read(box, package, address);

		if ((held ^ value) & bits)
			wrong << std::hex << "package " << package << " register " << address
			      << " holds " << held << ", must be " << value << " under " << bits
			      << '\n';
	}
	void check_box(unsigned p, unsigned b, std::ostream &wrong)
	{
		const Box &box = on.boxes[b];
		std::vector<Mine> counting;

		for (const auto &[who, owner] : owners)
			for (const Claim &c : owner.all())
				if (c.package == p && event(c).box == b) {
					counting.push_back({who, c});
					counter_of.erase(counting.back());
				}
		check_filters(p, box, counting, wrong);
		const bool idle = counting.empty();
		const uint64_t used = check_controls(p, box, counting, wrong);
		const uint64_t unit = box.unit ? before.at({p, &box, box.unit}) : 0;
		if (box.unit)
			expect(box, p, box.unit, kAll,
			       idle             ? unit
			       : on.per_counter ? unit | used
						: box.run,
			       wrong);
	}
	// Each control has its previous value or one of the events. Returns the counters that
	// have an event.
	uint64_t check_controls(unsigned p, const Box &box, std::vector<Mine> &counting,
				std::ostream &wrong)
	{
		uint64_t used = 0;

		for (unsigned c = 0; c < box.n; c++) {
			const uint64_t address = box.first + box.step * c;
			const uint64_t held = registers.read(box, p, address);
			size_t i = 0;

			while (i < counting.size() &&
			       !(held == (event(counting[i].second).control | box.enable) &&
				 event(counting[i].second).counters >> c & 1))
				i++;
			if (i == counting.size()) {
				expect(box, p, address, kAll, before.at({p, &box, address}), wrong);
				continue;
			}
			counter_of[counting[i]] = c;
			counting.erase(counting.begin() + static_cast<ptrdiff_t>(i));
			used |= UINT64_C(1) << c;
		}
		for (const auto &[who, c] : counting)
			wrong << "package " << p << ": no counter has " << on.name_of(event(c))
			      << '\n';
		return used;
	}
	// A filter register is written as a whole, so bits that no event needs may have
	// changed, too.
	void check_filters(unsigned p, const Box &box, const std::vector<Mine> &counting,
			   std::ostream &wrong) const
	{
		for (uint64_t address : box.filters) {
			for (const auto &[who, c] : counting)
				for (const Filter &f : event(c).filters)
					if (f.address == address)
						expect(box, p, address, f.bits, f.value, wrong);
			if (counting.empty())
				expect(box, p, address, kAll, before.at({p, &box, address}), wrong);
		}
	}

	const Platform &on;
	const Registers &registers;
	std::map<std::tuple<unsigned, const Box *, uint64_t>, uint64_t> before;
	std::vector<uint64_t> global_before;
	std::map<Mine, unsigned> counter_of; // as the registers show
};

} // namespace ledger_guard

#endif
